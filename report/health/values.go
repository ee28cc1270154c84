package health

import (
	"fmt"
	"math"

	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// pooled are the calibration slopes of the network's value in the last three
// rows as one, each weighed by what is known of it, 1/error². The row of the
// first generation, whose games are of an untrained network, is left out.
type pooled struct{ slope, err float64 }

// poolSlopes is not ok if a row cannot be judged: without figures, with too few
// games, or with games that repeat each other and prove less than they seem to.
// A value that does not vary has slope 0 with an error of 1.
func poolSlopes(rows []rundir.Metrics) (p pooled, ok bool) {
	weights := 0.0
	for i := range rows[max(0, len(rows)-3):] {
		m := &rows[len(rows)-1-i]
		if m.Generation < 2 {
			continue
		}
		own := m.NewGames - m.TaughtGames // those of the teacher say nothing of the network
		if len(m.ValueBins) == 0 || own < enoughGames || 2*m.RepeatedGames >= own {
			return p, false
		}
		w := 1.
		if e := m.ValueSlopeError; e > 0 {
			w = 1 / (e * e)
		}
		p.slope += m.ValueSlope * w
		weights += w
	}
	if weights == 0 {
		return p, false
	}
	return pooled{p.slope / weights, 1 / math.Sqrt(weights)}, true
}

// wrong tells that the slope is below 0, but for a chance of one in forty if
// there is none.
func (p pooled) wrong() bool { return p.slope+2*p.err < 0 }

// none tells that there is no telling the slope from 0 or it is below.
func (p pooled) none() bool { return p.slope-2*p.err < 0 }

// valueSign: network and outcomes go against each other. A value that knows
// nothing hardly varies and does no harm: one with a wrong sign does, and
// explains less than a constant.
func valueSign(rows []rundir.Metrics, _ *plan.Config) string {
	m := &rows[len(rows)-1]
	p, ok := poolSlopes(rows)
	if !ok || !p.wrong() || m.ValueExplained > -0.05 {
		return ""
	}
	return fmt.Sprintf("The network's value points the wrong way: where it is higher by 1, outcomes are lower by %.2f ± %.2f in the last generations (expected: higher, by 0.5 to 1), "+
		"and it is further from them than a constant (explained variance %.2f). A sign is wrong: look at how outcomes become value targets, and in whose view the game's encoder and outcomes are.",
		-p.slope, p.err, m.ValueExplained)
}

// valueBlind: the search can tell who wins and the network cannot. Where the
// search cannot either, games may be a matter of luck yet.
func valueBlind(rows []rundir.Metrics, _ *plan.Config) string {
	m := &rows[len(rows)-1]
	p, ok := poolSlopes(rows)
	if !ok || !p.none() || p.wrong() || m.RootExplained < 0.05 {
		return ""
	}
	return fmt.Sprintf("The network's value knows nothing of who wins: outcomes rise by %.2f ± %.2f where it rises by 1 (expected: 0.5 to 1), while the search's value explains %.0f %% of their variance. "+
		"If the value loss, %.2f, does not fall over generations either, try a higher train.learning_rate or train.value_loss; if it falls, games are learned by heart: more games_per_generation, fewer passes_per_position.",
		p.slope, p.err, 100*m.RootExplained, m.ValueLoss)
}

// maturity is the generation from which a value should be near its outcomes.
// Kon'reh's run of a quarter of an hour had slopes of 0.2 to 0.5 until then,
// whether or not it was the better for it.
const maturity = 30

// valueOverconfident: values are twice as extreme as outcomes bear out, in young
// runs four times. Mature ones had 0.6 to 1.2.
func valueOverconfident(rows []rundir.Metrics, _ *plan.Config) string {
	p, ok := poolSlopes(rows)
	least := 0.25
	if rows[len(rows)-1].Generation >= maturity {
		least = 0.5
	}
	if !ok || p.none() || p.slope+2*p.err >= least {
		return ""
	}
	return fmt.Sprintf("The network's value is too sure of itself: where it is higher by 1, outcomes are higher by %.2f ± %.2f only (expected: 0.6 to 1.2, in young runs over 0.25). "+
		"It has learned its games by heart. Try more games_per_generation, fewer passes_per_position, a larger window.min_positions, a lower train.learning_rate or more train.weight_decay.",
		p.slope, p.err)
}
