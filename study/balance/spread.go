package balance

import (
	"fmt"
	"math"

	"github.com/ludozero/ludozero/report/sheet"
	"github.com/ludozero/ludozero/stats/resample"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Spread is how far networks of the main group differ, and what follows for how many of
// them a verdict takes: no plan can know that before networks were trained and have played.
type Spread struct {
	// Of is a variant, or two whose distances from one half are compared.
	Of string `json:"of"`
	// Between is the standard deviation of networks in points a game: of their first
	// player's scores, or of the sum or the difference of two, whichever is larger. Games
	// is what it would be if the networks were alike and had played these games.
	Between float64 `json:"between"`
	Games   float64 `json:"games"`
	// Networks is how many networks with as many games each tell this to Config.Matters on
	// both sides, Endless how many with endless games each: at least resample.MinClusters.
	Networks int `json:"networks"`
	Endless  int `json:"endless"`
}

// spreads returns the spreads of all variants and of their comparisons with the baseline;
// nil for fewer networks than say something about others.
func (b *builder) spreads() (list []Spread) {
	g := &b.groups[b.main]
	if g.networks < resample.MinClusters || b.in.Config.Matters == 0 {
		return nil
	}
	base := &b.in.Variants[b.in.Baseline]
	of := b.samples(base, b.main, true, first)
	for i := range b.in.Variants {
		v := &b.in.Variants[i]
		list = append(list, spreadOf(v.Name, b.in.Config.Matters, b.samples(v, b.main, true, first), nil))
	}
	for i := range b.in.Variants {
		if v := &b.in.Variants[i]; i != b.in.Baseline {
			list = append(list, spreadOf(v.Name+" against "+base.Name, b.in.Config.Matters, b.samples(v, b.main, true, first), of))
		}
	}
	return list
}

// spreadOf is the spread of the networks of x, or of x and y.
func spreadOf(name string, matters float64, x, y []resample.Sample) Spread {
	plus, minus := make([]float64, len(x)), make([]float64, len(x))
	games := 0.0
	for k := range x {
		plus[k], minus[k] = x[k].Mean(), x[k].Mean()
		games += x[k].Variance() / float64(len(x))
		if y != nil {
			plus[k], minus[k] = plus[k]+y[k].Mean(), minus[k]-y[k].Mean()
			games += y[k].Variance() / float64(len(x))
		}
	}
	s := Spread{Of: name, Between: max(stat.StdDev(plus, nil), stat.StdDev(minus, nil)), Games: math.Sqrt(games)}
	// Networks that agree by chance are no promise: further ones will differ by what games do.
	s.Networks = networksFor(max(s.Between, s.Games), matters)
	s.Endless = networksFor(math.Sqrt(max(0, s.Between*s.Between-games)), matters)
	return s
}

// mostNetworks is beyond what anybody would train.
const mostNetworks = 1_000_000

// networksFor is the smallest number of networks whose mean, if they have this standard
// deviation, is known to half by Student's interval of 95 %.
func networksFor(deviation, half float64) int {
	for k := resample.MinClusters; k < mostNetworks; k += 1 + k/200 {
		if t := (distuv.StudentsT{Sigma: 1, Nu: float64(k - 1)}).Quantile(0.975); t*deviation <= half*math.Sqrt(float64(k)) {
			return k
		}
	}
	return mostNetworks
}

func (s *Spread) sentence(m float64) string {
	return fmt.Sprintf("By the spread of these networks, %s to ±%s takes about %d networks with as many games each, or %d with endless games.", s.Of, difference(m), s.Networks, s.Endless)
}

func (r *Result) spreadTable() sheet.Table {
	return sheet.Table{
		ID: "spread", Title: "How far networks differ, and how many a verdict takes", Left: 1,
		Head: []string{"of", "between networks, points", "by their games alone, points", "networks", "with endless games"},
		Rows: sheet.Rows(r.Spreads, func(s *Spread) []string {
			return []string{s.Of, fmt.Sprintf("%.1f", 100*s.Between), fmt.Sprintf("%.1f", 100*s.Games), fmt.Sprint(s.Networks), fmt.Sprint(s.Endless)}
		}),
		Notes: []string{
			fmt.Sprintf("Standard deviations of the networks' own scores of the first player at the starts that are chosen, or of the sum or the difference of two variants, whichever is larger; and what it would be if the networks were alike. Networks: how many tell it to ±%s by Student's interval, with as many games each and with endless ones; at least %d. Where a start is chosen, that other tables choose others counts as a difference between networks, though more games would lessen it. A deviation from a few networks is itself known to a factor of about two.", difference(r.Matters), resample.MinClusters),
		},
	}
}
