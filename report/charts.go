package report

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/ludozero/ludozero/selfplay/census"
	"github.com/ludozero/ludozero/stats/rating"
)

// free fits an end of an axis to the data.
var free = math.NaN()

// strengthSection shows scores and Elo.
func (r *Report) strengthSection() section {
	s := section{ID: "strength", Title: "Strength"}
	if r.Strength == nil {
		return s
	}
	over := r.cost()
	after := map[int]time.Duration{}
	for i := range r.Strength.Networks {
		n := &r.Strength.Networks[i]
		after[n.Generation] = over.of(n)
	}
	scores := chart{
		ID: "scores", Title: "Score against fixed opponents", unit: "points a game", low: 0, high: 1, share: true, tabled: true, over: over,
		About: "A draw is half a point. The band is the interval of 95 %, from pairs of games.",
	}
	for _, name := range r.Strength.opponents() {
		l := line{name: name}
		seen := map[int]bool{}
		for _, m := range r.Strength.compared() {
			if m.Opponent != name || seen[m.Generation] {
				continue
			}
			seen[m.Generation] = true
			m = r.Strength.against(name, m.Generation)
			l.points = append(l.points, point{generation: m.Generation, first: m.Generation, after: after[m.Generation], v: m.Score.Value, low: m.Score.Low, high: m.Score.High})
		}
		slices.SortStableFunc(l.points, func(a, b point) int { return a.generation - b.generation })
		scores.lines = append(scores.lines, l)
	}
	s.Charts = append(s.Charts, scores)
	if c := r.Strength.Elo; c != nil {
		elo := chart{
			ID: "elo", Title: "Elo of the networks", unit: "Elo relative to " + c.Anchor, low: free, high: free, span: 100, tabled: true, over: over,
			About: fmt.Sprintf("By maximum likelihood from all %s together, %s being 0. The band is the interval of 95 %% of the difference from there; two networks whose bands overlap need not be equal. An arrow stands where no finite number is the most likely: the rating is above, or below, where it begins.",
				count(int64(c.Games), "game"), c.Anchor),
		}
		l := line{name: "network"}
		for _, n := range c.Networks {
			e := n.Elo
			if math.IsInf(e.Value, 0) {
				e.Value = math.NaN()
			}
			l.points = append(l.points, point{generation: n.Generation, first: n.Generation, after: after[n.Generation], v: e.Value, low: e.Low, high: e.High})
		}
		elo.lines = append(elo.lines, l)
		s.Charts = append(s.Charts, elo)
	}
	return s
}

func (r *Report) learningSection() section {
	return section{ID: "learning", Title: "Learning", Charts: []chart{
		{
			ID: "policy-loss", Title: "Policy loss", unit: "nats", low: free, high: free, digits: 3,
			About: "Cross-entropy of the network's moves with those that the search recommends. It cannot fall below the floor, the entropy of the recommendations; the gap between the two is what remains to be learned. Both move as the games change.",
			lines: r.figures("policy loss", "policy floor"),
		},
		{
			ID: "value-loss", Title: "Value loss", unit: "nats", low: 0, high: free, digits: 3,
			About: "Cross-entropy of win, draw and loss with the results of games. Without any knowledge it is 1.10; 0 would need games whose end is certain from the first move.",
			lines: r.figures("value loss", "value floor"),
		},
		{
			ID: "turns-loss", Title: "Loss of the turns left", unit: "Huber loss", low: 0, high: free, digits: 3,
			About: "How far off the network's guess of the rest of the game is, in units of 100 turns.",
			lines: r.figures("turns loss"),
		},
		{
			ID: "reply-loss", Title: "Loss of the opponent's reply", unit: "nats", low: free, high: free, digits: 3,
			About: "As the policy loss, of the move that the opponent's search recommends next.",
			lines: r.figures("reply loss", "reply floor"),
		},
	}}
}

// gamesSection shows what the games of self-play are like.
func (r *Report) gamesSection() section {
	turns := chart{
		ID: "length", Title: "Length of the games", unit: "player turns", low: 0, high: free, digits: 1,
		About: "Mean of the games of each generation.",
		lines: r.figures("mean turns"),
	}
	if r.Games != nil {
		turns.About += " The band holds the middle 80 % of the games that were read."
		turns.lines = append(turns.lines, r.parts("median", func(p *GamesPart) rating.Estimate {
			t := p.Summary.Turns
			return rating.Estimate{Value: t.Median, Low: t.P10, High: t.P90}
		}))
	}
	s := section{ID: "games", Title: "Games of self-play", Charts: []chart{
		turns,
		{
			ID: "first", Title: "First player's score", unit: "points a game", low: 0, high: 1, share: true, digits: 1,
			About: "50 % is a fair game between equals. The band is the interval of 95 %. The search foresees what the mean value of its positions means as a score.",
			lines: []line{
				r.curve("first player", func(s *Stage) rating.Estimate { return s.FirstScore }),
				r.figure("search foresees", func(s *Stage) Number { return (s.RootValue + 1) / 2 }),
			},
		},
		r.drawsChart(),
		r.endsChart(),
	}}
	if r.Games != nil {
		s.Charts = append(s.Charts, r.sidesChart())
		s.Charts = append(s.Charts, r.usesCharts()...)
	}
	return s
}

// drawsChart shows the draws, those of the network's own games apart if there is a
// teacher.
func (r *Report) drawsChart() chart {
	c := chart{
		ID: "draws", Title: "Draws", unit: "share of games", low: 0, high: free, share: true, digits: 1,
		About: "The band is the interval of 95 %.",
		lines: []line{r.curve("drawn", func(s *Stage) rating.Estimate { return s.Drawn })},
	}
	if slices.ContainsFunc(r.Course, func(s Stage) bool { return s.TaughtGames > 0 }) {
		c.About += " A teacher plays some of the first games."
		c.lines = append(c.lines, r.curve("of the network's own", func(s *Stage) rating.Estimate { return s.OwnDrawn }),
			r.figure("played by the teacher", func(s *Stage) Number { return Number(ratio(s.TaughtGames, s.NewGames)) }))
	}
	return c
}

func (r *Report) endsChart() chart {
	c := chart{
		ID: "ends", Title: "How games end", unit: "share of games", low: 0, high: 1, share: true, digits: 1,
		About: "Share of the games by the reason of their end.", tabled: true,
	}
	for _, reason := range r.reasons() {
		c.lines = append(c.lines, r.figure(reason, func(s *Stage) Number {
			if n := s.ended(reason); n > 0 {
				return Number(ratio(n, s.NewGames))
			}
			return 0
		}))
	}
	return c
}

// reasons are the reasons for ends, the most frequent first.
func (r *Report) reasons() []string {
	games := map[string]int64{}
	var list []string
	for i := range r.Course {
		for _, e := range r.Course[i].Ends {
			if games[e.Reason] == 0 {
				list = append(list, e.Reason)
			}
			games[e.Reason] += e.Games
		}
	}
	slices.SortStableFunc(list, func(a, b string) int { return int(games[b] - games[a]) })
	return list
}

// sidesChart shows which side of the board wins.
func (r *Report) sidesChart() chart {
	c := chart{
		ID: "sides", Title: "Wins by side", unit: "share of games", low: 0, high: 1, share: true, digits: 1,
		tabled: true,
		About:  "Sides are seats on the board; where the rules let players swap them, they are not the players. Of the games that were read, with intervals of 95 %.",
	}
	for _, side := range r.Games.Sides {
		c.lines = append(c.lines, r.parts(side+" wins", func(p *GamesPart) rating.Estimate { return share(p.Summary.WinsBySide[side], p.Summary) }))
	}
	return c
}

// usesPerChart is how many curves can be distinguished in one picture.
const usesPerChart = 4

// usesCharts show how often games use each part of the rules. Parts of similar
// frequency share a picture.
func (r *Report) usesCharts() []chart {
	last := r.Games.newest().Summary
	var kinds []string
	for _, k := range last.ActionsByKind {
		// A kind that no game or every game has is not drawn.
		some := func(p GamesPart) bool { return kindOf(p.Summary, k.Kind).Games > 0 }
		notAll := func(p GamesPart) bool { return kindOf(p.Summary, k.Kind).Games < p.Summary.Games }
		if slices.ContainsFunc(r.Games.Parts, some) && slices.ContainsFunc(r.Games.Parts, notAll) {
			kinds = append(kinds, k.Kind)
		}
	}
	slices.SortStableFunc(kinds, func(a, b string) int { return kindOf(last, b).Games - kindOf(last, a).Games })
	var charts []chart
	for part := range slices.Chunk(kinds, usesPerChart) {
		c := chart{
			ID: fmt.Sprintf("uses-%d", len(charts)+1), Title: "Use of the rules", unit: "games that have any", low: 0, high: 1, share: true, digits: 1,
			tabled: true,
			About:  "Share of the games that were read in which each occurs at least once, with intervals of 95 %.",
		}
		if len(charts) > 0 {
			c.Title += fmt.Sprintf(" (%d)", len(charts)+1)
		}
		for _, kind := range part {
			c.lines = append(c.lines, r.parts(kind, func(p *GamesPart) rating.Estimate { return share(kindOf(p.Summary, kind).Games, p.Summary) }))
		}
		charts = append(charts, c)
	}
	return charts
}

// kindOf finds the count of a kind; it is zero for an unknown kind.
func kindOf(s *census.Summary, kind string) census.KindCount {
	for _, k := range s.ActionsByKind {
		if k.Kind == kind {
			return k
		}
	}
	return census.KindCount{Kind: kind}
}
