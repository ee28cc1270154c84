package census

// AppendForm appends what a word looks like when every square or number in it,
// a letter with digits or digits alone, becomes #: moves of one kind are of one
// form in whatever game.
func AppendForm(dst, word []byte) []byte {
	for i, x := range word {
		switch {
		case isDigit(x):
			if i == 0 || !isDigit(word[i-1]) {
				dst = append(dst, '#')
			}
		case isLetter(x) && i+1 < len(word) && isDigit(word[i+1]):
		default:
			dst = append(dst, x)
		}
	}
	return dst
}

func isDigit(x byte) bool  { return x >= '0' && x <= '9' }
func isLetter(x byte) bool { return x >= 'a' && x <= 'z' || x >= 'A' && x <= 'Z' }
