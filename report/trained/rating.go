package trained

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/report/ratings"
	"github.com/ludozero/ludozero/train/rundir"
)

// rating is a match of a network of a run, in the network's view, with the
// conditions that it holds under.
type rating struct {
	Generation int `json:"generation"`
	// Final says that the match ended the run; others were played on the way.
	Final bool `json:"final"`
	// Opponent is a fixed one, or "generation N" of an earlier Network of the run.
	Opponent     string `json:"opponent"`
	Network      bool   `json:"network"`
	Game         string `json:"game"`
	GameVersion  int    `json:"game_version"`
	Rules        string `json:"rules"`
	Simulations  int    `json:"simulations"`
	Pairs        int    `json:"pairs"` // that were played
	OpeningTurns int    `json:"opening_turns"`
	MaxTurns     int    `json:"max_turns"`
	Clock        string `json:"clock,omitempty"` // the time control; empty for none
	Seed         uint64 `json:"seed"`
	match.Tally
	Score match.Estimate `json:"score"`
	Elo   match.Estimate `json:"elo"`
}

func ratingOf(m *ratings.Match) rating {
	r := m.Result
	return rating{
		Generation: m.Generation, Final: m.Final, Opponent: m.OpponentName(), Network: m.Opponent == "", Simulations: m.Simulations,
		Game: r.Game, GameVersion: r.GameVersion, Rules: r.Rules, Pairs: r.Pairs.Pairs(),
		OpeningTurns: r.OpeningTurns, MaxTurns: r.MaxTurns, Clock: r.Clock, Seed: r.Seed, Tally: r.Tally, Score: r.Score, Elo: r.Elo,
	}
}

// ReadRatings reads the matches of the run and what they mean together.
func (r *Run) ReadRatings() error {
	matches, err := ratings.Read(r.games, r.Path)
	if err != nil {
		return err
	}
	for i := range matches {
		r.Ratings = append(r.Ratings, ratingOf(&matches[i]))
	}
	curve, err := ratings.Newest(matches)
	if err != nil || curve == nil {
		return err
	}
	r.Elo = &newestElo{Generation: curve.Networks[0].Generation, RatedElo: *ratings.RatedEloOf(curve)}
	return nil
}

// newestElo is what all matches of a run have shown of the newest network that
// was measured.
type newestElo struct {
	Generation int `json:"generation"`
	rundir.RatedElo
}

func (r *rating) String() string {
	return fmt.Sprintf("%.1f %% (%.1f to %.1f)", 100*r.Score.Value, 100*r.Score.Low, 100*r.Score.High)
}

// ratedGeneration is the newest generation that was rated against fixed
// opponents, -1 if there is none.
func (r *Run) ratedGeneration() int {
	newest := -1
	for i := range r.Ratings {
		newest = max(newest, r.Ratings[i].Generation)
	}
	return newest
}

// Measured are the ratings of a generation against fixed opponents: those that
// ended the run or else those on the way, and of several against one opponent
// the last.
func (r *Run) measured(generation int) []*rating {
	var list []*rating
	for i := range r.Ratings {
		m := &r.Ratings[i]
		if m.Generation != generation || m.Network {
			continue
		}
		at := slices.IndexFunc(list, func(o *rating) bool { return o.Opponent == m.Opponent })
		switch {
		case at < 0:
			list = append(list, m)
		case m.Final || !list[at].Final:
			list[at] = m
		}
	}
	return list
}

// compared are the ratings that tell two runs apart, in the order they came:
// those of the newest and of the first network.
func (r *Run) compared() []*rating {
	newest, first := r.measured(r.ratedGeneration()), r.measured(0)
	var list []*rating
	for i := range r.Ratings {
		if m := &r.Ratings[i]; slices.Contains(newest, m) || slices.Contains(first, m) {
			list = append(list, m)
		}
	}
	return list
}

// strength words the ratings of the newest rated network, "-" if there are none.
func (r *Run) strength() string {
	generation := r.ratedGeneration()
	list := r.measured(generation)
	if len(list) == 0 {
		return "-"
	}
	// What was measured otherwise before does not stand beside the newest.
	newest := list[0]
	for i := range r.Ratings {
		if m := &r.Ratings[i]; slices.Contains(list, m) {
			newest = m
		}
	}
	list = slices.DeleteFunc(list, func(m *rating) bool {
		return m.Simulations != newest.Simulations || m.Rules != newest.Rules || m.MaxTurns != newest.MaxTurns || m.Clock != newest.Clock
	})
	var scores []string
	same := true
	for _, m := range list {
		scores = append(scores, m.Opponent+" "+m.String())
		same = same && m.Games() == list[0].Games()
	}
	text := fmt.Sprintf("%d games each at %d simulations: %s", list[0].Games(), list[0].Simulations, strings.Join(scores, ", "))
	if !same {
		text = fmt.Sprintf("at %d simulations: %s", list[0].Simulations, strings.Join(scores, ", "))
	}
	if generation != r.Generation {
		text = fmt.Sprintf("generation %d, %s", generation, text)
	}
	return text
}

// conditions are what a score depends on besides the two players' kinds.
func (r *rating) conditions() []condition {
	return []condition{
		{"game", fmt.Sprintf("%s version %d", r.Game, r.GameVersion)},
		{"rules", r.Rules},
		{"simulations", fmt.Sprint(r.Simulations)},
		{"pairs", fmt.Sprint(r.Pairs)},
		{"opening turns", fmt.Sprint(r.OpeningTurns)},
		{"turns at most", fmt.Sprint(r.MaxTurns)},
		{"clock", cmp.Or(r.Clock, "none")},
		{"seed", fmt.Sprint(r.Seed)},
	}
}

type condition struct{ name, value string }

// ratingPair is one opponent of two runs. A or B is nil where a run did not play
// it.
type ratingPair struct {
	Opponent string `json:"opponent"`
	// Untrained says that both are the networks that the runs began with.
	Untrained bool    `json:"untrained"`
	A         *rating `json:"a"`
	B         *rating `json:"b"`
	// Differ names the conditions that were not the same, with both values: the
	// scores do not compare.
	Differ []string `json:"conditions_differ"`
}

// pairRatings puts the ratings of two runs' newest and first networks side by
// side, in the order of A's and then of what only B has.
func pairRatings(a, b *Run) []*ratingPair {
	pairs := []*ratingPair{}
	place := func(r *Run, side func(*ratingPair) **rating) {
		for _, m := range r.compared() {
			untrained := m.Generation == 0
			at := slices.IndexFunc(pairs, func(p *ratingPair) bool {
				return p.Opponent == m.Opponent && p.Untrained == untrained && *side(p) == nil
			})
			if at < 0 {
				at = len(pairs)
				pairs = append(pairs, &ratingPair{Opponent: m.Opponent, Untrained: untrained, Differ: []string{}})
			}
			*side(pairs[at]) = m
		}
	}
	place(a, func(p *ratingPair) **rating { return &p.A })
	place(b, func(p *ratingPair) **rating { return &p.B })
	for _, p := range pairs {
		if p.A == nil || p.B == nil {
			continue
		}
		of := p.B.conditions()
		for i, c := range p.A.conditions() {
			if c.value != of[i].value {
				p.Differ = append(p.Differ, fmt.Sprintf("%s %s and %s", c.name, c.value, of[i].value))
			}
		}
	}
	return pairs
}

// StrengthOf is what the matches of the run say of a generation, Markdown; empty if it
// was not measured.
func (r *Run) StrengthOf(generation int) string {
	var b strings.Builder
	for _, m := range r.measured(generation) {
		fmt.Fprintf(&b, "- against `%s` %s: %d won, %d drawn, %d lost under `%s`, %d simulations a move, openings of %d random turns\n",
			m.Opponent, m, m.Wins, m.Draws, m.Losses, m.Rules, m.Simulations, m.OpeningTurns)
	}
	if r.Elo != nil && r.Elo.Generation == generation {
		fmt.Fprintf(&b, "- Elo %s, by all matches of the run\n", r.Elo.String())
	}
	if b.Len() == 0 {
		return ""
	}
	return "Measured by the run that trained it, in pairs of games with seats exchanged; 95 % intervals.\n\n" + strings.TrimSpace(b.String())
}
