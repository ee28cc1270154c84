package engine

// Bitwise is a Game that also shows its positions as bits, which an evaluation that is
// updated bit by bit reads (package player/nnue): between two positions near each other in
// a search few of them differ. What a search would have to work out, such as where pieces
// can go, is left to the game's terms ([Termed]). The states of a Bitwise game are BitStates.
type Bitwise interface {
	Game
	// BitInputs describes the bits of all states of the family, in order.
	BitInputs() []BitInput
}

// BitInput is a run of bits with one meaning, within one word.
type BitInput struct {
	// Name says what is seen; "own" is the side that looks.
	Name string `json:"name"`
	// First is the index of the first bit, 64 times its word more than its place there. Bits
	// is how many there are: 64 for a board, one for each cell in an order of the game's own,
	// else one for each count from 1 on, of which at most one is set.
	First int `json:"first"`
	Bits  int `json:"bits"`
}

// BitState is a State that shows itself as bits.
type BitState interface {
	State
	// ViewBits sets words, which hold all bits of BitInputs, to what a side sees from its seat,
	// whoever acts. Both sides see alike: a position turned round with the sides exchanged
	// gives the other side's bits. It does not allocate.
	ViewBits(side Side, words []uint64)
}

// BitWords is the number of words that hold inputs.
func BitWords(inputs []BitInput) int {
	if len(inputs) == 0 {
		return 0
	}
	return inputs[len(inputs)-1].First/64 + 1
}
