package player

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/model/precision"
)

// maxCPuct is far beyond what anybody would want.
const maxCPuct = 100

// maxCache keeps a player's cache below 5 GB.
const maxCache = 1 << 24

// ask is an evaluator that asks network, with a cache that it may share with others of
// the same weights, unless it is nil, and in canonical forms if fold is set.
func ask(g engine.Game, network mcts.Network, cache *mcts.Cache, fold bool) mcts.Evaluator {
	batch := mcts.NewBatch(g.Info())
	if cache != nil {
		batch.Remember(cache)
	}
	if fold {
		batch.Fold(g)
	}
	return mcts.ByBatch(batch, network)
}

// Opened is a network that was read.
type Opened struct {
	// New makes networks that compute the same and are each used by one goroutine
	// at a time.
	New func() (mcts.Network, error)
	// CPuct is the exploration constant that the network's card asks for; 0 if it
	// asks for none.
	CPuct float64
	// CPuctFactor is the growth of CPuct that it asks for; nil if it asks for none.
	CPuctFactor *float64
	// Search is the method that it asks for; empty if it asks for none.
	Search string
	// Ratings are what was measured of its strength under the rules of g; the error
	// says why there are none. Nil: nothing was measured.
	Ratings func(g engine.Game) (*Ratings, error)
	// Together says that players search at the same time and help each other: they share
	// one cache.
	Together bool

	once  sync.Once
	cache *mcts.Cache // if Together
}

// newCache returns the cache of a new player, for that many positions, nil for none.
func (o *Opened) newCache(info *engine.Info, positions int) *mcts.Cache {
	if positions == 0 {
		return nil
	}
	if !o.Together {
		return mcts.NewCache(info, positions)
	}
	o.once.Do(func() { o.cache = mcts.NewCache(info, positions) })
	return o.cache
}

// rated is Ratings, also of a network of which nothing was measured.
func (o *Opened) rated(g engine.Game) (*Ratings, error) {
	if o.Ratings == nil {
		return nil, errNoRatings
	}
	return o.Ratings(g)
}

// Opener reads the network at path for a game, to be computed in precision p for
// up to batch positions at once. precision.Fastest is for it to settle.
type Opener func(path string, p precision.Precision, batch int, g engine.Game) (*Opened, error)

// byLimit is what follows from how a search is limited: the number of leaves, the choice.
const byLimit = "auto"

// byCard is the method or the exploration that a network's card asks for.
const byCard = "card"

// NetKind is the kind of players that search with a network from a file.
func NetKind(open Opener) Kind {
	return Kind{
		Doc:       "tree search with a trained network; PATH is a weight file, a checkpoint, a run for its newest network, or the name of a shipped network, which alone means this player, too; PATH@HASH means weights of that hash only; quotes around PATH let it hold commas. Without a limit it plays 400 simulations",
		Argument:  "PATH",
		Quotes:    true,
		OneOf:     append(bounds(), "rating"),
		Usual:     "sims=400",
		ByNetwork: true,
		Options: append(append(slices.Insert(boundOptions(netEdges), 2, Option{
			Name: "rating", Doc: "Elo by the network's table, if it has one: simulations and temperature are set by it", Max: MaxRating,
		}),
			Option{Name: "search", Doc: "method; " + byCard + ": as the network's card says, " + mcts.SearchPUCT + " if it says nothing or time is the limit",
				Default: byCard, Values: []string{byCard, mcts.SearchPUCT, mcts.SearchGumbel}, Quiet: true},
			Option{Name: "temperature", Doc: "above 0 moves are drawn: one with n visits is as probable as n to the power of 1/temperature", Default: "0", MaxReal: maxTemperature, Quiet: true},
			Option{Name: "cpuct", Doc: "exploration: the larger, the wider and the less deep; " + byCard + ": as the network's card says, " +
				strconv.FormatFloat(mcts.DefaultConfig().CPuct, 'g', -1, 64) + " if it says nothing", Default: byCard, Words: []string{byCard}, MaxReal: maxCPuct, Quiet: true},
			Option{Name: "cache", Doc: "positions whose evaluations are remembered", Default: "65536", Min: 0, Max: maxCache, Quiet: true},
			Option{Name: "fold", Doc: "evaluate canonical forms, so that images under symmetries are judged alike", Default: "false", Values: engine.Bools, Quiet: true},
			Option{Name: "precision", Doc: "number format of the network; " + precision.Auto + ": int8 if time is the limit, the network is calibrated and this processor is faster with it, else f32",
				Default: precision.Auto, Values: append([]string{precision.Auto}, precision.Names()...), Quiet: true},
			Option{Name: "threads", Doc: "threads of a search", Default: "1", Min: 1, Max: MaxThreads, Quiet: true},
			Option{Name: "leaves", Doc: "positions in evaluation at once, which bounds what threads gain; " + byLimit + ": 1 for a number of simulations, else by threads",
				Default: byLimit, Words: []string{byLimit}, Min: 1, Max: mcts.MaxPendingLeaves, Quiet: true},
		), tuningOptions()...),
		Make: func(v Values) (Factory, error) {
			cfg := mcts.DefaultConfig()
			search := v.Text("search")
			pace, timed := v.pace()
			leaves, _ := strconv.Atoi(v.Values["leaves"]) // 0: byLimit
			rated := v.Values["rating"] != ""
			unlike := v.unlikeRated()
			batch := min(max(1, leaves), groupLeaves)
			switch {
			case rated && unlike != "":
				return nil, fmt.Errorf("rating=%d says how it searches: want it without %s", v.Int("rating"), unlike)
			case rated:
				cfg.Simulations = 1 // until the network is known
			case timed:
				cfg.Edges = v.Int("edges")
				batch = groupLeaves
				if search == mcts.SearchGumbel {
					return nil, errPlan
				}
			default:
				cfg.Simulations = v.Int("sims")
			}
			if err := cfg.Validate(); err != nil {
				return nil, err
			}
			cached, fold, threads := v.Int("cache"), v.Bool("fold"), v.Int("threads")
			temperature, _ := v.Real("temperature")
			p, err := netPrecision(v.Text("precision"), timed)
			if err != nil {
				return nil, err
			}
			opens := func(g engine.Game) (*Opened, error) { return open(v.Argument, p, batch, g) }
			return sharing(opens, func(g engine.Game, network mcts.Network, o *Opened) (match.Player, error) {
				cfg, temperature := cfg, temperature
				if c, ok := v.Real("cpuct"); ok {
					cfg.CPuct = c
				} else if o.CPuct > 0 {
					cfg.CPuct = o.CPuct
				}
				if rated {
					table, err := o.rated(g)
					if err != nil {
						return nil, err
					}
					strength, err := table.At(v.Int("rating"))
					if err != nil {
						return nil, err
					}
					cfg.Simulations, temperature = strength.Simulations, strength.Temperature
				}
				counted := search
				if counted == byCard {
					counted = cmp.Or(o.Search, mcts.SearchPUCT)
				}
				if !timed {
					cfg.Search, cfg.GumbelActions = counted, compared(cfg.Simulations)
				}
				byCount := cfg
				if err := v.tune(&byCount, o.CPuctFactor, false); err != nil {
					return nil, err
				}
				if err := v.tune(&cfg, o.CPuctFactor, timed); err != nil {
					return nil, err
				}
				cache := o.newCache(g.Info(), cached)
				e := evaluating{first: ask(g, network, cache, fold), threads: threads, leaves: leaves, more: func() (mcts.Evaluator, error) {
					more, err := o.New()
					if err != nil {
						return nil, err
					}
					return ask(g, more, cache, fold), nil
				}}
				var n *net
				var err error
				if timed {
					n, err = newTimedNet(g, e, cfg, pace, newTurnsEstimate(g, network))
				} else {
					n, err = newNet(g, e, cfg)
				}
				if err != nil {
					return nil, err
				}
				if turns := v.Int("look"); turns > 0 {
					n.look = newLook(g, turns)
				}
				n.network, n.counted, n.countedTuning = v.Argument, counted, byCount.Tuning
				n.temperature, n.unlike = temperature, unlike
				n.ratings = sync.OnceValues(func() (*Ratings, error) { return o.rated(g) })
				return n, nil
			}), nil
		},
	}
}

// netPrecision is the number format that word means, of a search that is limited by time
// or not: one that is not is the same search wherever it can be.
func netPrecision(word string, timed bool) (precision.Precision, error) {
	switch {
	case word != precision.Auto:
		return precision.Parse(word)
	case timed:
		return precision.Fastest, nil
	}
	return precision.F32, nil
}

// NetText describes the player with the network at path, or of that name.
func NetText(path string, simulations int) string {
	return fmt.Sprintf("net:%s,sims=%d", quoted(path), simulations)
}

// unlikeRated is the first option that makes a network search otherwise than where
// ratings are measured, empty if there is none.
func (v *Values) unlikeRated() string {
	for _, o := range append(setDefaults(), [][2]string{{"search", byCard}, {"cpuct", byCard}, {"temperature", "0"}, {"leaves", byLimit}}...) {
		if v.Values[o[0]] != o[1] {
			return o[0]
		}
	}
	return ""
}

// compared is how many moves a Gumbel search of that many simulations compares. Fewer
// than four simulations for each say too little of it: with 16 moves at 16 simulations
// Kon'reh was 230 Elo weaker than by PUCT, with 4 it was 40 Elo stronger
// (docs/experiments-search.md).
func compared(simulations int) int {
	return max(4, min(simulations/4, mcts.DefaultConfig().GumbelActions))
}

// sharing makes players of one network, which is opened once per game.
func sharing(open func(engine.Game) (*Opened, error), make func(g engine.Game, network mcts.Network, o *Opened) (match.Player, error)) Factory {
	type opened struct {
		*Opened
		err error
	}
	var lock sync.Mutex
	known := map[*engine.Info]opened{}
	return func(g engine.Game) (match.Player, error) {
		lock.Lock()
		o, ok := known[g.Info()]
		if !ok {
			o.Opened, o.err = open(g)
			known[g.Info()] = o
		}
		lock.Unlock()
		if o.err != nil {
			return nil, o.err
		}
		network, err := o.New()
		if err != nil {
			return nil, err
		}
		return make(g, network, o.Opened)
	}
}
