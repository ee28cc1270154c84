package sample

import (
	"fmt"
	"math"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/selfplay/record"
)

// minSwing is the smallest change of the value that is remarked on.
const minSwing = 0.1

// minSurprise is the smallest surprise, in nats, that is remarked on.
const minSurprise = 0.5

// remarks lists what is remarkable, in sentences.
func (g *Game) remarks() []string {
	list := []string{}
	told := -1
	if s := g.Swing; s != nil && s.size() >= minSwing {
		list, told = append(list, g.swingRemark(s)), s.Move
	}
	for _, i := range g.Unlikely {
		m := &g.Moves[i]
		if i == told {
			continue
		}
		list = append(list, fmt.Sprintf("Unlikely: %s, which its search gave %s of the %s; %s had %s.",
			g.place(i), percent(m.Search.Share), m.Search.ShareOf, m.Search.Best, percent(m.Search.BestShare)))
	}
	if i := g.mostSurprising(); i >= 0 {
		m := &g.Moves[i]
		list = append(list, fmt.Sprintf("The search before %s surprised the network most, by %.2f nats: the value went from the network's %s to %s for the first player.",
			g.place(i), m.Search.Surprise, signed(m.Search.Network), signed(m.Search.Value)))
	}
	return append(list, g.ending())
}

func (g *Game) swingRemark(s *Swing) string {
	m := &g.Moves[s.Move]
	how := "rises"
	if s.To < s.From {
		how = "falls"
	}
	text := fmt.Sprintf("After %s the first player's value %s from %s to %s", g.place(s.Move), how, signed(s.From), signed(s.To))
	x := m.Search
	switch {
	case x.ShareOf == "":
		return text + "."
	case x.Best == m.Word:
		return fmt.Sprintf("%s; it was the choice of the search, with %s of the %s.", text, percent(x.BestShare), x.ShareOf)
	}
	return fmt.Sprintf("%s; the search preferred %s with %s of the %s, %s was played with %s.",
		text, x.Best, percent(x.BestShare), x.ShareOf, m.Word, percent(x.Share))
}

// place names a move by turn and side.
func (g *Game) place(i int) string {
	m := &g.Moves[i]
	return fmt.Sprintf("%d. %s %s", m.Turn, m.Side, m.name())
}

// mostSurprising is the move whose search surprised the network most; -1 if no surprise
// reached minSurprise.
func (g *Game) mostSurprising() int {
	best := -1
	for i := range g.Moves {
		if s := g.Moves[i].Search; s != nil && s.Surprise >= minSurprise && (best < 0 || s.Surprise > g.Moves[best].Search.Surprise) {
			best = i
		}
	}
	return best
}

func (g *Game) ending() string {
	after := wording.Count(g.Turns, "turn")
	switch {
	case g.Winner == "":
		return fmt.Sprintf("The moves break off after %s.", after)
	case g.Winner == "draw":
		return fmt.Sprintf("Drawn after %s: %s.", after, g.Reason)
	case g.Reason == record.ReasonResignation:
		return fmt.Sprintf("%s, the %s player, won after %s by resignation.", g.WinnerSide, g.Winner, after)
	}
	return fmt.Sprintf("%s, the %s player, won after %s: %s.", g.WinnerSide, g.Winner, after, g.Reason)
}

// signed writes a value with its sign, and one that rounds to 0 without.
func signed(v float64) string {
	if math.Abs(v) < 0.005 {
		return "0.00"
	}
	return fmt.Sprintf("%+.2f", v)
}

// percent writes a share; a small one does not round to 0.
func percent(share float64) string {
	if share > 0 && share < 0.005 {
		return fmt.Sprintf("%.1f %%", 100*share)
	}
	return fmt.Sprintf("%.0f %%", 100*share)
}
