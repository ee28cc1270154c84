package engine

// Explainer is a State that says in words what the board does not show.
type Explainer interface {
	// AppendAsked appends what the player who acts is asked for, such as
	// "seed or noseed", and at a chance decision what is drawn and by whom, such as
	// "White rolls two dice". Not called after the end.
	AppendAsked(dst []byte) []byte
	// AppendStatus appends timers and counters with their limits: whole lines, each
	// with its newline.
	AppendStatus(dst []byte) []byte
}

// AppendNote appends the notation for people of action a, played in before and
// leading to after; nothing if the game has none. See [Annotator].
func AppendNote(dst []byte, before State, a Action, after State) []byte {
	if n, ok := before.(Annotator); ok {
		return n.AppendAnnotation(dst, a, after)
	}
	return dst
}
