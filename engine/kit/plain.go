package kit

import "github.com/ludozero/ludozero/engine"

// Plain is embedded in the State of a game in which nobody changes sides and nothing is
// left to chance: the first player owns side 0 throughout.
type Plain struct{}

// SideOf implements engine.State.
func (Plain) SideOf(p engine.Player) engine.Side { return engine.Side(p) }

// Chance implements engine.State.
func (Plain) Chance(dst []engine.Weighted) []engine.Weighted { return dst }
