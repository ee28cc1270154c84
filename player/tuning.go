package player

import (
	"fmt"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/mcts"
)

// maxTurnsLooked bounds a look: few games let it go through more turns in its time.
const maxTurnsLooked = 8

// timedMovesLeft is the option moves_left of searches by time. Those of thousands of simulations find
// many moves that win, all of which look alike without it. A tenth ends most won games of Kon'reh;
// three tenths end more of them and cost nothing in any game that was tried.
const timedMovesLeft = 0.3

// The values of the option choice.
const (
	choiceVisits = "visits"
	choiceBound  = "bound"
)

// tuningOptions make a player search otherwise than self-play did. Their defaults change no search that is limited by simulations.
// docs/playing.md explains them.
func tuningOptions() []Option {
	return []Option{
		{Name: "cpuct_factor", Doc: "growth of cpuct with visits: cpuct + cpuct_factor·ln(visits/19652 + 1); " + byCard + ": as the network's card says, 1 if it says nothing",
			Default: byCard, Words: []string{byCard}, MaxReal: maxCPuct, Quiet: true},
		{Name: "spread", Doc: "exploration grows and shrinks with the spread of values below a position, by this part", Default: "0", MaxReal: 1, Quiet: true},
		{Name: "fpu", Doc: "by how much less than its position an unvisited move counts", Default: "0.2", MaxReal: 2, Quiet: true},
		{Name: "root_fpu", Doc: "the same at the root", Default: "0.2", MaxReal: 2, Quiet: true},
		{Name: "choice", Doc: "plays the move with the most " + choiceVisits + ", or with the best lower confidence " + choiceBound + "; " + byLimit + ": " + choiceBound + " if time is the limit, else " + choiceVisits,
			Default: byLimit, Values: []string{byLimit, choiceVisits, choiceBound}, Quiet: true},
		{Name: "proven", Doc: "keep proven results and use them", Default: "false", Values: engine.Bools, Quiet: true},
		{Name: "look", Doc: "player turns looked ahead for forced wins and losses before each search", Default: "0", Min: 0, Max: maxTurnsLooked, Quiet: true},
		{Name: "moves_left", Doc: fmt.Sprintf("largest bonus for winning sooner, of a player who is ahead, and for losing later; %s: %g if time is the limit, else 0", byLimit, timedMovesLeft),
			Default: byLimit, Words: []string{byLimit}, MaxReal: 1, Quiet: true},
		{Name: "bias", Doc: "how much of the network's errors that a search found corrects its later evaluations after the same two moves", Default: "0", MaxReal: 1, Quiet: true},
		{Name: "contempt", Doc: "by how much less than an even game a draw counts, except in analysis", Default: "0", MaxReal: mcts.MaxContempt, Quiet: true},
	}
}

// puctAlone are the options that a Gumbel search has no use for.
var puctAlone = [...]string{"cpuct", "cpuct_factor", "spread", "fpu", "root_fpu", "choice", "moves_left", "bias", "contempt"}

// setDefaults are the options of tuningOptions at their defaults.
func setDefaults() (list [][2]string) {
	for _, o := range tuningOptions() {
		list = append(list, [2]string{o.Name, o.Default})
	}
	return list
}

// tune sets in cfg what the options say, where card is the cpuct_factor of the network's
// card, nil if it has none, and timed whether time is the limit. It refuses options that
// cfg.Search has no use for.
func (v *Values) tune(cfg *mcts.Config, card *float64, timed bool) error {
	if cfg.Search == mcts.SearchGumbel {
		for _, o := range append(setDefaults(), [2]string{"cpuct", byCard}) {
			if slices.Contains(puctAlone[:], o[0]) && v.Values[o[0]] != o[1] {
				return fmt.Errorf("option %s=%s: a Gumbel search has no use for it: want search=%s, too", o[0], v.Values[o[0]], mcts.SearchPUCT)
			}
		}
	}
	if card != nil {
		cfg.CPuctFactor = *card
	}
	if f, ok := v.Real("cpuct_factor"); ok {
		cfg.CPuctFactor = f
	}
	cfg.FPUReduction, _ = v.Real("fpu")
	cfg.RootFPUReduction, _ = v.Real("root_fpu")
	cfg.Proven = v.Bool("proven")
	cfg.Tuning.Spread, _ = v.Real("spread")
	if x, ok := v.Real("moves_left"); ok {
		cfg.Tuning.MovesLeft = x
	} else if timed {
		cfg.Tuning.MovesLeft = timedMovesLeft
	}
	cfg.Tuning.Bias, _ = v.Real("bias")
	cfg.Tuning.Contempt, _ = v.Real("contempt")
	cfg.Tuning.LowerBound = v.Text("choice") == choiceBound || timed && v.Text("choice") == byLimit
	return cfg.Validate()
}
