package schools

import (
	"fmt"
	"math/rand/v2"

	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/stats/rating"
	"github.com/ludozero/ludozero/stats/resample"
	"github.com/ludozero/ludozero/study"
)

// Input is what a result is made of: who took part, and all games of the parts by name.
// Only Doctrines must be there.
type Input struct {
	Config Config
	Field  *Field
	Played map[string]*Played
	// Identity, Command and Stopped are as in Result.
	Identity map[string]string
	Command  string
	Stopped  *study.Stop
}

// Played is a part with all its games in order.
type Played struct {
	*Part
	Games []match.Game
}

// Build makes the result.
func Build(in *Input) (*Result, error) {
	c, s := &in.Config, in.Played[Doctrines].Series
	r := &Result{
		Game: s.Game.Info().Name, GameVersion: s.Game.Info().Version, Rules: s.Game.Rules(),
		Control: in.Field.Control.Text, Schools: []string{}, Names: []string{}, Networks: []string{}, Identity: in.Identity, Command: in.Command, Stopped: in.Stopped,
		Config: *c, Claims: []Claim{},
	}
	for _, x := range in.Field.Schools {
		r.Schools = append(r.Schools, x.Specs[c.one()].Text)
		r.Names = append(r.Names, x.Name)
	}
	for _, x := range in.Field.Strengths {
		r.Networks = append(r.Networks, x.Spec.Text)
	}
	turns := 0
	for _, p := range in.Played {
		r.Games += len(p.Games)
		for i := range p.Games {
			turns += p.Games[i].Turns
		}
	}
	r.MeanTurns = float64(turns) / float64(r.Games)
	var err error
	if in.Played[RoundRobin] != nil {
		if r.RoundRobin, err = in.standing(); err != nil {
			return nil, err
		}
	}
	in.effects(r)
	if err := in.prints(r); err != nil {
		return nil, err
	}
	if in.Played[Networks] != nil {
		in.matches(r)
	}
	r.Summary = r.summarise()
	return r, nil
}

// stream returns the random numbers of a test.
func (in *Input) stream(what string) *rand.Rand {
	return rand.New(seed.Stream(in.Config.Seed, "schools test "+what, 0))
}

// Control is the name of the control for people.
const Control = "none"

// names lists the control and the schools.
func (in *Input) names() []string {
	list := []string{Control}
	for _, s := range in.Field.Schools {
		list = append(list, s.Name)
	}
	return list
}

// pairings are the results of every two that meet in a part.
func pairings(p *Played) []rating.Pairing {
	counter := match.NewCounter(p.Series)
	for i := range p.Games {
		counter.Add(&p.Games[i])
	}
	return counter.Pairings()
}

func (in *Input) standing() (*Standing, error) {
	p, names := in.Played[RoundRobin], in.names()
	st := &Standing{Reasons: map[string]int{}, Rings: [][3]string{}}
	results := pairings(p)
	var err error
	if st.Ratings, err = rating.Fit(names, results, rating.Options{Anchor: Control}); err != nil {
		return nil, err
	}
	var values []float64
	for i := range results {
		x := &results[i]
		counts := x.PairCounts()
		d := Duel{A: names[x.A], B: names[x.B], Games: 2 * counts.Pairs(), Score: counts.Score(match.Independent(x)), P: even(counts)}
		st.Duels = append(st.Duels, d)
		values = append(values, d.P)
	}
	winners := map[[2]int]bool{}
	for i, corrected := range resample.Holm(values) {
		d := &st.Duels[i]
		d.Holm = corrected
		if corrected <= level {
			winners[[2]int{results[i].A, results[i].B}] = d.Score.Value > 0.5
			winners[[2]int{results[i].B, results[i].A}] = d.Score.Value < 0.5
		}
	}
	for _, ring := range rings(len(names), func(a, b int) bool { return winners[[2]int{a, b}] }) {
		st.Rings = append(st.Rings, [3]string{names[ring[0]], names[ring[1]], names[ring[2]]})
	}
	if len(names) > 2 && p.rounds >= leastRounds {
		value := in.duels().cyclic(in.stream("cycles"), replicates)
		st.Cycles = &value
	}
	drawn := 0
	for i := range p.Games {
		st.Reasons[p.Games[i].Reason]++
		if p.Games[i].Points == 0.5 {
			drawn++
		}
	}
	st.Drawn = float64(drawn) / float64(len(p.Games))
	return st, nil
}

// duels are the pairs of the round robin, by rounds.
func (in *Input) duels() *duels {
	p := in.Played[RoundRobin]
	each := len(p.Series.Schedule) / p.rounds
	d := &duels{n: len(p.Series.Contestants)}
	for round := range p.rounds {
		list := make([]float64, each)
		for k := range list {
			at := 2 * (round*each + k)
			list[k] = (p.Games[at].Points + p.Games[at+1].Points) / 2
		}
		d.points = append(d.points, list)
	}
	return d
}

// turned is the pairs in B's view.
func turned(p rating.PairCounts) (q rating.PairCounts) {
	for i, n := range p {
		q[4-i] = n
	}
	return q
}

// effects are the schools against the control.
func (in *Input) effects(r *Result) {
	results := pairings(in.Played[Doctrines])
	var tally = map[int]*match.Tally{}
	for _, g := range in.Played[Doctrines].Games {
		b := in.Played[Doctrines].Series.Schedule[g.Pair-1].B
		if tally[b] == nil {
			tally[b] = &match.Tally{}
		}
		tally[b].Add(1 - g.Points)
	}
	var values []float64
	for i := range results {
		x := &results[i]
		at := x.B - 2
		if at < 0 {
			continue // the control against itself
		}
		counts := turned(x.PairCounts())
		n := len(in.Config.Weights)
		e := Effect{
			School: in.Field.Schools[at/n].Name, Weight: in.Config.Weights[at%n], Games: 2 * counts.Pairs(),
			Wins: tally[x.B].Wins, Draws: tally[x.B].Draws, Losses: tally[x.B].Losses,
			Score: counts.Score(match.Independent(x)), P: even(counts),
		}
		e.Elo = e.Score.Elo()
		r.Effects = append(r.Effects, e)
		values = append(values, e.P)
	}
	for i, corrected := range resample.Holm(values) {
		r.Effects[i].Holm = corrected
	}
}

// prints are the fingerprints at weight 1, and the tests of what was declared.
func (in *Input) prints(r *Result) error {
	p := in.Played[Doctrines]
	reader, err := NewReader(p.Series.Game)
	if err != nil {
		return err
	}
	weights, one := len(in.Config.Weights), in.Config.one()
	// By player, the control before the schools, by measure, by round.
	players := 1 + len(in.Field.Schools)
	all := make([][numMeasures]rounds, players)
	for i := range all {
		for m := range all[i] {
			all[i][m] = make(rounds, p.rounds)
		}
	}
	for i := range p.Games {
		g := &p.Games[i]
		pair := p.Series.Schedule[g.Pair-1]
		who := 0
		if at := pair.B - 2; at >= 0 {
			if at%weights != one {
				continue
			}
			who = 1 + at/weights
		}
		var f Fingerprint
		if err := reader.Read(g, !g.AFirst, &f); err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		for m := range f {
			x := &all[who][m][pair.Opening]
			x.sum += f[m].sum
			x.of += f[m].of
		}
	}
	names := in.names()
	for i := range all {
		x := Print{School: names[i], Games: 2 * p.rounds}
		for m := range measures {
			figure := Figure{Measure: measures[m].ID, Unit: measures[m].Unit, Counted: all[i][m].total().of, Value: all[i][m].estimate()}
			if i > 0 {
				figure.Difference = difference(all[i][m], all[0][m])
			}
			x.Figures = append(x.Figures, figure)
		}
		r.Prints = append(r.Prints, x)
	}
	var values []float64
	for i, s := range in.Field.Schools {
		for _, c := range declared[s.ID] {
			school, control := all[1+i][c.measure], all[0][c.measure]
			x := Claim{
				School: s.Name, Column: c.column, Words: c.words, Measure: measures[c.measure].ID, Direction: c.direction,
				Value: school.estimate(), Control: control.estimate(), Difference: difference(school, control),
				P: exchanged(school, control, c.direction, in.stream(s.ID+" "+c.column+" "+c.words), exchanges),
			}
			r.Claims = append(r.Claims, x)
			values = append(values, x.P)
		}
	}
	for i, corrected := range resample.Holm(values) {
		r.Claims[i].Holm, r.Claims[i].Shown = corrected, corrected <= level
	}
	return nil
}

// matches are the control and the schools against networks.
func (in *Input) matches(r *Result) {
	names := in.names()
	results := pairings(in.Played[Networks])
	for i := range results {
		x := &results[i]
		s := in.Field.Strengths[x.B-len(names)]
		counts := x.PairCounts()
		m := Match{School: names[x.A], Network: s.Network, Simulations: s.Simulations, Games: 2 * counts.Pairs(), Score: counts.Score(match.Independent(x))}
		m.Elo = m.Score.Elo()
		r.Matches = append(r.Matches, m)
	}
}
