package census

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ludozero/ludozero/engine"
)

// ErrGames is why games of two kinds have no statistics in common.
var ErrGames = errors.New("want one game")

// Groups is what the games of some shards are like: one summary for all, or one for
// each group.
type Groups struct {
	Game   string     `json:"game"`
	Runs   []string   `json:"runs"`
	Shards int        `json:"shards"`
	By     string     `json:"by,omitempty"`
	Groups []*Summary `json:"groups"`
}

// groupKey is what games are told apart by, the rest of it zero.
type groupKey struct {
	generation int32
	rules      string
}

// Collector sums up the games of shards, all of one game, in groups. Not safe for
// concurrent use.
type Collector struct {
	Rows int

	library *Library
	by      string
	game    string
	shards  int
	runs    map[string]bool
	tallies map[groupKey]*Tally
}

// NewCollector tells games apart by "generation" or by "rules", or not for "".
func NewCollector(games engine.Families, by string) *Collector {
	return &Collector{library: NewLibrary(games), by: by, runs: map[string]bool{}, tallies: map[groupKey]*Tally{}}
}

// Add counts the games of a shard. It returns ErrGames if they are not of the game of
// the shards before it.
func (c *Collector) Add(path string) error {
	s, bytes, err := c.library.Open(path)
	if err != nil {
		return err
	}
	m := &s.Meta
	if c.game == "" {
		c.game = m.Game
	}
	if c.game != m.Game {
		return fmt.Errorf("%s is of %s, the shards before it of %s: %w", s.Name, m.Game, c.game, ErrGames)
	}
	c.runs[m.Run] = true
	c.shards++
	c.Rows += m.Rows
	return c.library.Each(s, func(g *Recorded) error {
		var key groupKey
		switch c.by {
		case "generation":
			key.generation = g.Rows[0].Generation
		case "rules":
			key.rules = g.Game.Rules()
		}
		t := c.tallies[key]
		if t == nil {
			t = New()
			c.tallies[key] = t
		}
		t.AddBytes(float64(bytes) * float64(len(g.Rows)) / float64(m.Rows))
		return g.Fault(t.Add(g.Game.Rules(), g.Replayer, g.Rows))
	})
}

// Groups returns what was counted.
func (c *Collector) Groups() (*Groups, error) {
	info, err := c.library.Info(c.game)
	if err != nil {
		return nil, err
	}
	d := &Groups{Game: info.Name, Shards: c.shards, Runs: slices.Sorted(maps.Keys(c.runs)), By: c.by}
	for _, key := range slices.SortedFunc(maps.Keys(c.tallies), func(a, b groupKey) int {
		return cmp.Or(cmp.Compare(a.generation, b.generation), cmp.Compare(a.rules, b.rules))
	}) {
		g := c.tallies[key].Summary(info)
		if c.by == "generation" {
			g.Generation = &key.generation
		}
		g.Rules = key.rules
		d.Groups = append(d.Groups, g)
	}
	return d, nil
}
