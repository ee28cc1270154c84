package engine

// Sorter is a State that can say of what kinds an action is, so that reports may
// count how often each part of the rules is used. One action may be of several
// kinds, or of none.
type Sorter interface {
	// Kinds names the kinds in the game's own terms, in the order of a report,
	// the same for every ruleset of the family.
	Kinds() []string
	// AppendKinds appends, ascending, the kinds of action a as indices of Kinds. a
	// was played in the receiver and leads to after, a state of the same Game. It
	// does not allocate if dst has room.
	AppendKinds(dst []int, a Action, after State) []int
}
