package report

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"time"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/stats/rating"
	"github.com/ludozero/ludozero/train/rundir"
)

// Rated is a network that played matches, and the cost of training it.
type Rated struct {
	Generation int `json:"generation"`
	// CoreSeconds is the processor time spent on it in this run and all runs before,
	// OwnCoreSeconds in this run alone; null if unknown. Neither includes matches.
	CoreSeconds    Number `json:"core_seconds"`
	OwnCoreSeconds Number `json:"own_core_seconds"`
	// Learned is the learning time of the run when it was written.
	Learned time.Duration `json:"learned_ns"`
	// Positions counts the positions recorded for it, over all runs, or in this run
	// alone if Run.Before is unknown.
	Positions Number `json:"positions"`
	// Elo is relative to the anchor of the curve; unknown without a curve.
	Elo rating.Estimate `json:"elo"`
	// Scores are its scores against fixed opponents, under the conditions of the
	// newest match.
	Scores []RatedScore `json:"scores"`
}

// RatedScore is a score of a network.
type RatedScore struct {
	Opponent string          `json:"opponent"`
	Games    int             `json:"games"`
	Score    rating.Estimate `json:"score"`
}

// took is the cost of the run when a generation was written: learning time, core
// seconds and positions; NaN where unknown. It interpolates for generations that a
// pack has thinned out.
func (in *Input) took(generation int) (learned, cores, positions float64) {
	if generation == 0 {
		return 0, 0, 0
	}
	rows := in.Metrics
	at := sort.Search(len(rows), func(i int) bool { return int(rows[i].Generation) >= generation })
	if at == len(rows) {
		return math.NaN(), math.NaN(), math.NaN()
	}
	figures := func(m *rundir.Metrics) [3]float64 {
		return [3]float64{m.LearnedSeconds, some(m.CoreSeconds), float64(m.Positions)}
	}
	from, before, to, after := 0, [3]float64{}, int(rows[at].Generation), figures(&rows[at])
	if at > 0 {
		from, before = int(rows[at-1].Generation), figures(&rows[at-1])
	}
	if to > generation {
		share := float64(generation-from) / float64(to-from)
		for i := range after {
			after[i] = before[i] + share*(after[i]-before[i])
		}
	}
	return after[0], after[1], math.Round(after[2])
}

// rate lists the networks that played, in order of generation.
func (s *Strength) rate(in *Input) {
	s.Networks = []Rated{}
	network := func(generation int) *Rated {
		at, found := slices.BinarySearchFunc(s.Networks, generation, func(n Rated, g int) int { return n.Generation - g })
		if found {
			return &s.Networks[at]
		}
		_, cores, positions := in.took(generation)
		n := Rated{
			Generation: generation, CoreSeconds: Number(math.NaN()), OwnCoreSeconds: Number(cores), Learned: in.learned(generation),
			Positions: Number(positions), Elo: unknown, Scores: []RatedScore{},
		}
		if b := in.Before; b != nil {
			n.Positions += Number(b.Positions)
			if b.CoreSeconds != nil {
				n.CoreSeconds = n.OwnCoreSeconds + Number(*b.CoreSeconds)
			}
		}
		s.Networks = slices.Insert(s.Networks, at, n)
		return &s.Networks[at]
	}
	for _, m := range s.compared() {
		n := network(m.Generation)
		n.Learned = m.Learned
		if !m.Fixed || slices.ContainsFunc(n.Scores, func(o RatedScore) bool { return o.Opponent == m.Opponent }) {
			continue
		}
		best := s.against(m.Opponent, m.Generation)
		n.Scores = append(n.Scores, RatedScore{m.Opponent, best.Games(), best.Score})
	}
	if s.Elo != nil {
		for i := range s.Elo.Networks {
			network(s.Elo.Networks[i].Generation).Elo = s.Elo.Networks[i].Elo
		}
	}
}

// cost is the scale that strength is shown over.
type cost int

const (
	// byTime is the learning time of the run, for when the core time of a network is
	// unknown.
	byTime cost = iota
	// byCores is core time in a run that is no fork.
	byCores
	// byAllCores is core time over this run and all before, byOwnCores over this run
	// alone, for when the past is unknown.
	byAllCores
	byOwnCores
)

// cost is the best scale that is known for all networks.
func (r *Report) cost() cost {
	known := func(of func(*Rated) Number) bool {
		return !slices.ContainsFunc(r.Strength.Networks, func(n Rated) bool { return !of(&n).Known() })
	}
	switch {
	case !known(func(n *Rated) Number { return n.OwnCoreSeconds }):
		return byTime
	case !known(func(n *Rated) Number { return n.CoreSeconds }):
		return byOwnCores
	case r.Run.Before.Runs > 0:
		return byAllCores
	}
	return byCores
}

func (c cost) of(n *Rated) time.Duration {
	switch c {
	case byTime:
		return n.Learned
	case byOwnCores:
		return seconds(float64(n.OwnCoreSeconds))
	}
	return seconds(float64(n.CoreSeconds))
}

// head is the head of a column of costs, text a cell of it.
func (c cost) head() string {
	if c == byTime {
		return "after"
	}
	return "core-hours"
}

func (c cost) text(t time.Duration) string {
	switch {
	case c == byTime:
		return wording.Clock(t)
	case t == 0:
		return "0"
	}
	return model.CoreHours(t.Seconds())
}

// axis names an axis in hours, minutes or seconds.
func (c cost) axis(unit string) string {
	if c == byTime {
		return unit + " of learning"
	}
	return "core-" + unit + map[cost]string{byAllCores: " of all runs", byOwnCores: " of this run"}[c]
}

// times are the costs by the end of each stage, and the cost at the start of the run.
func (r *Report) times(c cost) []point {
	if c == byTime {
		var list []point
		for i := range r.Course {
			list = append(list, point{generation: r.Course[i].Last, after: r.Course[i].Learned})
		}
		return list
	}
	began := time.Duration(0)
	if c == byAllCores {
		began = seconds(*r.Run.Before.CoreSeconds)
	}
	list := []point{{after: began}}
	for i := range r.Course {
		if own := r.Course[i].CoreSeconds; own.Known() {
			list = append(list, point{generation: r.Course[i].Last, after: began + seconds(float64(own))})
		}
	}
	return list
}

// ratedRowsMost bounds the rows of the table of networks.
const ratedRowsMost = 20

// rated lists the networks that played.
func (r *Report) rated() table {
	s, c := r.Strength, r.cost()
	t := table{Title: "Strength by core-hours", Keys: 2, Head: []string{"gen", c.head(), "positions"}, Notes: []string{r.ratedText()}}
	if c == byTime {
		t.Title = "Strength by learning time"
	}
	if s.Elo != nil {
		t.Head = append(t.Head, "Elo (95 %)")
	}
	opponents := s.opponents()
	t.Head = append(t.Head, opponents...)
	for _, at := range evenly(len(s.Networks), ratedRowsMost) {
		n := &s.Networks[at]
		row := []string{fmt.Sprint(n.Generation), c.text(c.of(n)), "-"}
		if n.Positions.Known() {
			row[2] = wording.Grouped(int64(n.Positions))
		}
		if s.Elo != nil {
			row = append(row, eloText(n.Elo))
		}
		for _, name := range opponents {
			cell := ""
			if k := slices.IndexFunc(n.Scores, func(o RatedScore) bool { return o.Opponent == name }); k >= 0 {
				cell = fmt.Sprintf("%s of %d", scoreText(n.Scores[k].Score), n.Scores[k].Games)
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// ratedText explains the table of networks.
func (r *Report) ratedText() string {
	s, c := r.Strength, r.cost()
	text := "Core-hours are what processors spent on learning, each core by itself, without matches"
	switch c {
	case byTime:
		text = "What processors spent is not known of all networks: learning time stands in its place"
	case byAllCores:
		text += ", with those of the runs behind this one"
	case byOwnCores:
		text += ", in this run alone: what the network that it began with had taken is not known"
	}
	switch {
	case r.Run.Before == nil:
		text += "; positions are those of this run"
	case r.Run.Before.Runs > 0:
		text += "; positions are those of all runs"
	}
	text += "."
	if s.Elo != nil {
		text += fmt.Sprintf(" Elo is relative to %s.", s.Elo.Anchor)
	}
	if len(s.opponents()) > 0 {
		text += " Behind a score stands the number of games."
	}
	if n := len(s.Networks); n > ratedRowsMost {
		text += fmt.Sprintf(" %d of the %d networks that played, spread evenly; the JSON form has all.", ratedRowsMost, n)
	}
	return text
}
