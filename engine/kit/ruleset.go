package kit

import "github.com/ludozero/ludozero/engine"

// Ruleset answers what every game answers alike. A game embeds it.
type Ruleset struct {
	// About describes the family, Word is the canonical word of the rules.
	About *engine.Info
	Word  string
	// KeyWords is the size of the exact keys of its history; 0 if no rule asks whether a
	// position was there before.
	KeyWords int
	// Board is Turned of engine.Turner, nil for a board that is not turned.
	Board []int32
	// Endings has what the rules page calls an end by the reason of its Outcome, where the
	// two differ.
	Endings map[string]string
}

// Info implements engine.Game.
func (r *Ruleset) Info() *engine.Info { return r.About }

// Rules implements engine.Game.
func (r *Ruleset) Rules() string { return r.Word }

// NewHistory implements engine.Game.
func (r *Ruleset) NewHistory() *engine.History { return engine.NewHistory(r.KeyWords) }

// Turned implements engine.Turner.
func (r *Ruleset) Turned() []int32 { return r.Board }

// Ending is half of engine.Coded.
func (r *Ruleset) Ending(reason string) string {
	if page, ok := r.Endings[reason]; ok {
		return page
	}
	return reason
}
