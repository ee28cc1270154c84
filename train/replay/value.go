package replay

// MixRootValue makes the value targets of Draw mixtures
//
//	(1-share) · outcome + share · root
//
// of the game's outcome, one of win, draw and loss (or what MixMargin makes of it), and of what the row's own
// search expected of the three at its root. share is in [0, 1] and 0 in a new
// window: the outcome alone. It is called before the first Refresh. Rows of shards
// that do not tell how many draws the search expected (format 2), and decisions of a
// teacher that gives no value, keep the outcome.
//
// The outcome is unbiased and noisy, for one bad move may turn a game; what the
// search expected is less noisy and as biased as network and search are. The
// formula is from lc0's training, where share is called q_ratio and the other
// part is the value of the best move; Abrams 2018 (Lessons from AlphaZero, part 4)
// tried the root's value alone and the mean of both in Connect Four.
func (w *Window) MixRootValue(share float64) { w.rootShare = share }

// valueTarget is the value target of row i with the given shares of the search and of
// the margin.
func (l *loadedShard) valueTarget(i int, rootShare, marginShare float64) (target [3]float32) {
	result := l.result(i, marginShare)
	if rootShare == 0 || l.roots == nil || !l.roots[i].Known() {
		for k, p := range result {
			target[k] = float32(p)
		}
		return target
	}
	var expected [3]float64
	expected[0], expected[1], expected[2] = l.roots[i].Probs()
	for k, p := range expected {
		target[k] = float32(p*rootShare + (1-rootShare)*result[k])
	}
	return target
}
