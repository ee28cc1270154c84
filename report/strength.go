package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/report/ratings"
	"github.com/ludozero/ludozero/stats/rating"
)

// strength sums up the matches.
func strength(in *Input) *Strength {
	if len(in.Matches) == 0 {
		return nil
	}
	s := &Strength{Matches: []Match{}, Compared: []int{}}
	evidence := ratings.Evidence(in.Matches)
	for i := range in.Matches {
		m := &in.Matches[i]
		s.Matches = append(s.Matches, in.match(m))
		if slices.ContainsFunc(evidence, func(o ratings.Match) bool { return o.Result == m.Result }) {
			s.Compared = append(s.Compared, i)
		}
	}
	var err error
	if s.Elo, err = ratings.Elo(in.Matches); err != nil {
		s.NoElo = err.Error()
	} else {
		for i := range s.Elo.Networks {
			if n := &s.Elo.Networks[i]; n.Learned == 0 {
				n.Learned = in.learned(n.Generation)
			}
		}
	}
	s.rate(in)
	return s
}

func (in *Input) match(m *ratings.Match) Match {
	r := m.Result
	o := Match{
		Generation: m.Generation, Learned: m.Learned, Final: m.Final, Opponent: m.OpponentName(), Fixed: m.Opponent != "",
		Simulations: m.Simulations, Rules: r.Rules, Pairs: r.Pairs.Pairs(), RepeatedPairs: r.RepeatedPairs, OpeningTurns: r.OpeningTurns, MaxTurns: r.MaxTurns, Clock: r.Clock, Seed: r.Seed,
		Tally: r.Tally, AsFirst: r.AsFirst, AsSecond: r.AsSecond, Score: r.Score, Elo: r.Elo, Reasons: r.Reasons, MeanTurns: r.MeanTurns,
		Timed: r.Clock != "" || r.AEffort != nil || r.BEffort != nil,
	}
	if o.Learned == 0 {
		o.Learned = in.learned(m.Generation)
	}
	return o
}

func (s *Strength) compared() []*Match {
	var list []*Match
	for _, i := range s.Compared {
		list = append(list, &s.Matches[i])
	}
	return list
}

// opponents are the fixed opponents of the matches that compare, in the order
// they appeared.
func (s *Strength) opponents() []string {
	var names []string
	for _, m := range s.compared() {
		if m.Fixed && !slices.Contains(names, m.Opponent) {
			names = append(names, m.Opponent)
		}
	}
	return names
}

// against returns the match of a generation against an opponent, of several those with as
// long openings as the newest match has first, then the longest, then the last; nil if
// there is none.
func (s *Strength) against(opponent string, generation int) *Match {
	var best *Match
	list := s.compared()
	like := func(m *Match) bool { return m.OpeningTurns == list[len(list)-1].OpeningTurns }
	for _, m := range list {
		if m.Opponent != opponent || m.Generation != generation {
			continue
		}
		if best == nil || like(m) && !like(best) || like(m) == like(best) && m.Games() >= best.Games() {
			best = m
		}
	}
	return best
}

// rated is the newest generation that played against fixed opponents; -1 if none has.
func (s *Strength) rated() int {
	newest := -1
	for _, m := range s.compared() {
		if m.Fixed {
			newest = max(newest, m.Generation)
		}
	}
	return newest
}

// strengthInWords says how strong the newest rated network is.
func (r *Report) strengthInWords() []string {
	s := r.Strength
	if s == nil {
		if slices.ContainsFunc(r.Warnings, func(w Warning) bool { return w.Code == unreadable }) {
			return []string{"No match can be read: its strength is unknown."}
		}
		return []string{"No match was played: its strength is unknown."}
	}
	var list []string
	g := s.rated()
	for _, opponent := range s.opponents() {
		m := s.against(opponent, g)
		if m == nil {
			continue
		}
		verdict := fmt.Sprintf("Generation %d and %s cannot be told apart by these games:", g, opponent)
		switch {
		case m.Score.Low > 0.5:
			verdict = fmt.Sprintf("Generation %d beats %s with", g, opponent)
		case m.Score.High < 0.5:
			verdict = fmt.Sprintf("Generation %d loses to %s with", g, opponent)
		}
		text := fmt.Sprintf("%s %s of the points (%.0f to %.0f, %s of games, %s a move)", verdict,
			percent(m.Score.Value), 100*m.Score.Low, 100*m.Score.High, count(int64(m.Pairs), "pair"), count(int64(m.Simulations), "simulation"))
		if first := s.against(opponent, 0); first != nil && g > 0 {
			text += fmt.Sprintf("; generation 0 had %s", percent(first.Score.Value))
		}
		list = append(list, text+".")
	}
	if c := s.Elo; c != nil && len(c.Networks) > 0 {
		if n := &c.Networks[len(c.Networks)-1]; n.Generation > 0 {
			text := fmt.Sprintf("Generation %d is rated %s Elo relative to %s, by %s", n.Generation, eloText(n.Elo), c.Anchor, count(int64(c.Games), "game"))
			if first := &c.Networks[0]; first.Generation == 0 && first.Elo.Low != first.Elo.High {
				at := "at "
				if math.IsInf(first.Elo.Value, 0) { // "above" an end
					at = ""
				}
				text += "; generation 0 is " + at + eloText(first.Elo)
			}
			list = append(list, text+".")
			if len(c.Misfits) > 0 {
				list = append(list, misfitText(c.Misfits))
			}
		}
	}
	if g >= 0 && g < r.Run.Generation {
		list = append(list, fmt.Sprintf("The newest network, generation %d, has not played fixed opponents.", r.Run.Generation))
	}
	return list
}

// misfitText says that the rating does not hold against every opponent.
func misfitText(list []ratings.Misfit) string {
	var parts []string
	for _, m := range list {
		parts = append(parts, fmt.Sprintf("it made %s against %s, where the ratings say %s", percent(m.Score.Value), m.Opponent, percent(m.Expected)))
	}
	return "One number does not say how strong it is: " + strings.Join(parts, "; ") + "."
}

// eloText writes a rating; see rating.Player for what has no number.
func eloText(e rating.Estimate) string {
	switch {
	case math.IsNaN(e.Value):
		return "unknown"
	case math.IsInf(e.Value, 1):
		return fmt.Sprintf("above %+.0f", e.Low)
	case math.IsInf(e.Value, -1):
		return fmt.Sprintf("below %+.0f", e.High)
	case e.Low == e.High:
		return fmt.Sprintf("%+.0f, the origin", e.Value)
	}
	end := func(v float64) string {
		if math.IsInf(v, 0) {
			return "?"
		}
		return fmt.Sprintf("%+.0f", v)
	}
	return fmt.Sprintf("%+.0f (%s to %s)", e.Value, end(e.Low), end(e.High))
}
