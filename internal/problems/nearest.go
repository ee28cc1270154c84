package problems

import "fmt"

// Nearest suggests a word that is a few letters from name, as the end of an error
// that names it; empty if there is none.
func Nearest(name string, words []string) string {
	best, least := "", 1+len(name)/4
	for _, w := range words {
		if d := distance(name, w); d <= least && (best == "" || d < least) {
			best, least = w, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", best)
}

// distance counts the bytes to insert, remove or change to make a of b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
