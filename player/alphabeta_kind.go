package player

import (
	"crypto/sha256"
	"fmt"
	"strconv"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player/alphabeta"
)

// ownTerms is the word for the weights that the game brings.
const ownTerms = "own"

// AlphaBetaLimits names the options that say how far package alphabeta looks, of which a
// description gives one.
func AlphaBetaLimits() []string { return []string{"depth", "time", "nodes"} }

// maxHash keeps a table below 4 GiB.
const maxHash = 4096

// AlphaBetaOptions are the options of AlphaBetaLimits, and those that every player by
// package alphabeta has.
func AlphaBetaOptions() []Option {
	return []Option{
		{Name: "depth", Doc: "player turns looked ahead", Min: 1, Max: alphabeta.MaxDepth},
		TimeOption(),
		{Name: "nodes", Doc: fmt.Sprintf("positions looked at, rounded up to %d", alphabeta.NodesPerStop), Min: 1, Max: 1_000_000_000},
		{Name: "hash", Doc: "MiB of the table of positions, rounded down to a power of two", Default: strconv.Itoa(alphabeta.TableMiB), Min: 1, Max: maxHash, Bytes: 1 << 20, Quiet: true},
		{Name: "threads", Doc: "threads of a search by time, which share the table; to a depth or number of positions one searches", Default: "1", Min: 1, Max: MaxThreads, Quiet: true},
	}
}

// AlphaBeta returns a player of g by engines that open makes, which nobody else uses, within
// the limit that v sets of AlphaBetaLimits and with the table and threads that it asks for.
func (v *Values) AlphaBeta(g engine.Game, open func() *alphabeta.Engine) match.Player {
	p, _ := v.pace()
	a := alphaBetaOf(g, open(), alphabeta.MaxDepth, p)
	a.engine.SetTable(v.Int("hash"))
	a.more = open
	if v.Values["depth"] != "" {
		a.depth, a.bounded = v.Int("depth"), true
	}
	if v.Values["nodes"] != "" {
		a.nodes = v.Int("nodes")
	}
	if err := a.SetThreads(v.Int("threads")); err != nil {
		panic("BUG: " + err.Error()) // within the bounds of the option
	}
	return a
}

func alphaBetaKind() Kind {
	return Kind{
		Doc:   "a search written by hand: alpha-beta with quiescence, by the terms that the game brings",
		OneOf: AlphaBetaLimits(),
		Options: append(AlphaBetaOptions(),
			Option{Name: "terms", Doc: "weights to judge by: the game's own, or a file of fit-terms", Default: ownTerms, Text: ownTerms + "|FILE", Quiet: true}),
		FileOption: "terms",
		Make: func(v Values) (Factory, error) {
			text := []byte(nil)
			if file := v.Values["terms"]; file != ownTerms {
				var err error
				if text, err = input.Read(file, input.Small); err != nil {
					return nil, err
				}
			}
			return func(g engine.Game) (match.Player, error) {
				if text == nil {
					return v.AlphaBeta(g, func() *alphabeta.Engine { return alphabeta.New(g) }), nil
				}
				t := alphabeta.TermsOf(g)
				w, err := engine.ParseWeights(t.Names, string(text))
				if err != nil {
					return nil, fmt.Errorf("terms=%s: %w", v.Values["terms"], err)
				}
				return v.AlphaBeta(g, func() *alphabeta.Engine { return alphabeta.NewWith(g, t.Judge(w)) }), nil
			}, nil
		},
		Identify: func(v Values) (string, error) {
			if v.Values["terms"] == ownTerms {
				return "", nil
			}
			text, err := input.Read(v.Values["terms"], input.Small)
			return fmt.Sprintf("terms %.8x", sha256.Sum256(text)), err
		},
	}
}
