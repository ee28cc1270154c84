package alphabeta

import "github.com/ludozero/ludozero/engine"

// Margins of a search that prunes, in hundredths of the smallest piece for each turn that is left:
// by how much the judge is trusted not to be wrong. At the depths beyond most* it is not asked.
// They are for judges whose leads are nats of the expected score ([Nat]).
const (
	// A position judged beyond beta by cutMargin is worth beta.
	cutMargin = 70
	mostCut   = 4
	// Quiet actions but the first are left out where it is below alpha by quietMargin.
	quietMargin = 90
	mostQuiet   = 3
)

// NewPruning returns an engine for g that judges by judge, which it owns from then on, as
// NewWith does, for judges that are accurate and take their time: it remembers what was judged,
// and close to its depth it does not search what the judge alone decides. It sees less of what
// surprises the judge, and a turn or so further.
func NewPruning(g engine.Game, judge engine.Judge) *Engine {
	e := NewWith(g, judge)
	e.judgements = make([]judgement, 1<<judgementBits)
	return e
}

// Expects tells whether leads are nats of the expected score, as those of NewPruning.
func (e *Engine) Expects() bool { return e.judgements != nil }

// judgement is what the judge said of the position with a key.
type judgement struct {
	key    uint64
	value  int32
	danger bool
}

// judgementBits say how many judgements an engine remembers: 256 KiB of them, which hit nearly as often
// as any number and stay in the processor's cache.
const judgementBits = 14

// remembered is what the judge says of s.
func (e *Engine) remembered(s position) (value int32, danger bool) {
	key := s.SearchKey()
	j := &e.judgements[key&(1<<judgementBits-1)]
	if j.key != key {
		value, danger := e.judge.Judge(bare(s), 0)
		*j = judgement{key, value, danger}
	}
	return j.value, j.danger
}

// bounded tells whether the judge alone decides if a position where a turn begins is worth more
// than alpha: least says that it is, and is worth limit at least; most that its quiet actions are
// not, and are worth limit at most, so that only one of them needs to be searched to depth; none
// that all do.
func (e *Engine) bounded(s position, depth int, alpha int32) (limit int32, b bound) {
	if e.judgements == nil || e.plain || e.guide != nil || depth > max(mostCut, mostQuiet) || Proven(alpha) || Proven(alpha+1) {
		return 0, none
	}
	value, danger := e.value(s)
	turns := int32(depth)
	switch {
	case danger:
	case depth <= mostCut && value-cutMargin*turns > alpha:
		return value, least
	case depth <= mostQuiet && value+quietMargin*turns <= alpha:
		return value + quietMargin*turns, most
	}
	return 0, none
}
