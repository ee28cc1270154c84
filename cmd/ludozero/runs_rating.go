package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/evaluation"
	"github.com/ludozero/ludozero/train/run"
)

// rating is a match of a network of a run against a fixed opponent, in the
// network's view, with the conditions that it holds under.
type rating struct {
	Generation   int    `json:"generation"`
	Opponent     string `json:"opponent"`
	Game         string `json:"game"`
	GameVersion  int    `json:"game_version"`
	Rules        string `json:"rules"`
	Simulations  int    `json:"simulations"`
	Pairs        int    `json:"pairs"` // that were played
	OpeningTurns int    `json:"opening_turns"`
	MaxTurns     int    `json:"max_turns"`
	Seed         uint64 `json:"seed"`
	evaluation.Tally
	Score evaluation.Estimate `json:"score"`
	Elo   evaluation.Estimate `json:"elo"`
}

// ownNetwork is how the networks of a run are named in its matches. The folder
// of the run may have moved since.
var ownNetwork = regexp.MustCompile(`^net:.*checkpoints[/\\](\d{6,})[/\\]` + regexp.QuoteMeta(run.WeightsFile) + `,sims=(\d+)$`)

func ratingOf(m *evaluation.Result) (rating, error) {
	r := rating{
		Opponent: m.B, Game: m.Game, GameVersion: m.GameVersion, Rules: m.Rules, Pairs: m.Pairs.Pairs(),
		OpeningTurns: m.OpeningTurns, MaxTurns: m.MaxTurns, Seed: m.Seed, Tally: m.Tally, Score: m.Score, Elo: m.Elo,
	}
	words := ownNetwork.FindStringSubmatch(m.A)
	if words == nil {
		return r, fmt.Errorf("%q is no network of a run", m.A)
	}
	var err error
	if r.Generation, err = strconv.Atoi(words[1]); err == nil {
		r.Simulations, err = strconv.Atoi(words[2])
	}
	return r, err
}

func (r *rating) String() string {
	return fmt.Sprintf("%.1f %% (%.1f to %.1f)", 100*r.Score.Value, 100*r.Score.Low, 100*r.Score.High)
}

// ratedGeneration is the newest generation that was rated, -1 if there is none.
func (r *trainedRun) ratedGeneration() int {
	newest := -1
	for i := range r.Ratings {
		newest = max(newest, r.Ratings[i].Generation)
	}
	return newest
}

// strength words the ratings of the newest rated network, "-" if there are none.
func (r *trainedRun) strength() string {
	generation := r.ratedGeneration()
	if generation < 0 {
		return "-"
	}
	var scores []string
	var first *rating
	for i := range r.Ratings {
		m := &r.Ratings[i]
		if m.Generation != generation {
			continue
		}
		if first == nil {
			first = m
		}
		scores = append(scores, m.Opponent+" "+m.String())
	}
	text := fmt.Sprintf("%d games each at %d simulations: %s", first.Games(), first.Simulations, strings.Join(scores, ", "))
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
		{"seed", fmt.Sprint(r.Seed)},
	}
}

type condition struct{ name, value string }

// ratingPair is one opponent of two runs. A or B is nil where a run did not play
// it.
type ratingPair struct {
	Opponent string `json:"opponent"`
	// Untrained says that the networks are those that the runs began with.
	Untrained bool    `json:"untrained"`
	A         *rating `json:"a"`
	B         *rating `json:"b"`
	// Differ names the conditions that were not the same, with both values: the
	// scores do not compare.
	Differ []string `json:"conditions_differ"`
}

// pairRatings puts the ratings of two runs' newest and first networks side by
// side, in the order of A's and then of what only B has.
func pairRatings(a, b *trainedRun) []*ratingPair {
	pairs := []*ratingPair{}
	place := func(r *trainedRun, side func(*ratingPair) **rating) {
		newest := r.ratedGeneration()
		for i := range r.Ratings {
			m := &r.Ratings[i]
			if m.Generation != newest && m.Generation != 0 {
				continue
			}
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
