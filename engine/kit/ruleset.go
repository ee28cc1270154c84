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
}

// Info implements engine.Game.
func (r *Ruleset) Info() *engine.Info { return r.About }

// Rules implements engine.Game.
func (r *Ruleset) Rules() string { return r.Word }

// NewHistory implements engine.Game.
func (r *Ruleset) NewHistory() *engine.History { return engine.NewHistory(r.KeyWords) }
