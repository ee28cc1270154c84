package engine

// Classifier is a State that names the kinds of an action, so that reports can count
// how often each part of the rules is used. An action may have several kinds, or none.
type Classifier interface {
	// Kinds names the kinds in the game's own terms, in the order of a report,
	// the same for every ruleset of the family.
	Kinds() []string
	// AppendKinds appends, ascending, the kinds of action a as indices of Kinds. a
	// was played in the receiver and leads to after, a state of the same Game. It
	// does not allocate if dst has room.
	AppendKinds(dst []int, a Action, after State) []int
}
