package luck

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/ludozero/ludozero/engine"
)

// Roll is a chance decision of a game.
type Roll struct {
	// Number counts all decisions of the game, chance included, from 1; Turn the player
	// turns, from 1.
	Number int `json:"number"`
	Turn   int `json:"turn"`
	// Player is whose turn it was: "first" or "second".
	Player string `json:"player"`
	Word   string `json:"word"`
	// Expected and Value are the expected result before and after it, in First's view;
	// Worth is the difference in the view of Player.
	Expected float64 `json:"expected"`
	Value    float64 `json:"value"`
	Worth    float64 `json:"worth"`
}

// Loss is a decision that lost something.
type Loss struct {
	// Number, Turn and Word are as in Roll; Player decided.
	Number int    `json:"number"`
	Turn   int    `json:"turn"`
	Player string `json:"player"`
	Word   string `json:"word"`
	// Lost is how much Better was better, in expected result.
	Lost   float64 `json:"lost"`
	Better string  `json:"better"`
}

// Game is what the rolls and the decisions of a game were worth.
type Game struct {
	// Rolls are all chance decisions with more than one outcome. Losses are the decisions
	// that lost something, of Decisions with more than one legal action.
	Rolls     []Roll `json:"rolls"`
	Losses    []Loss `json:"losses"`
	Decisions int    `json:"decisions"`
	// Luck is the sum of Worth over the rolls of each player's turns, in that player's view.
	// Lost is the sum of Lost over each player's decisions.
	Luck [2]float64 `json:"luck"`
	Lost [2]float64 `json:"lost"`
	// Result is the outcome in First's view; nil if the moves do not end the game.
	Result *float64 `json:"result"`
}

// Net is the luck of the game in First's view.
func (g *Game) Net() float64 { return g.Luck[engine.First] - g.Luck[engine.Second] }

// shown is how many rolls and decisions people are shown.
const shown = 8

// WriteText writes the sums, and the rolls and decisions that mattered most.
func (g *Game) WriteText(w io.Writer) error {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "player\tluck of own rolls\tlost by decisions\t")
	for p := range engine.Player(2) {
		fmt.Fprintf(t, "%s\t%+.3f\t%.3f\t\n", p, g.Luck[p], g.Lost[p])
	}
	t.Flush()
	fmt.Fprintf(&b, "\nthe dice favoured the %s player by %.3f, where 1 is the difference between a draw and a win\n", lucky(g.Net()), abs(g.Net()))
	rolls := largest(g.Rolls, func(r *Roll) float64 { return abs(r.Worth) })
	fmt.Fprintf(&b, "\nrolls, the %d of %d that mattered most:\n", len(rolls), len(g.Rolls))
	fmt.Fprintln(t, "turn\tplayer\troll\tworth\tfirst expected\tthen\t")
	for _, e := range rolls {
		fmt.Fprintf(t, "%d\t%s\t%s\t%+.3f\t%+.3f\t%+.3f\t\n", e.Turn, e.Player, e.Word, e.Worth, e.Expected, e.Value)
	}
	t.Flush()
	losses := largest(g.Losses, func(l *Loss) float64 { return l.Lost })
	if len(losses) == 0 {
		fmt.Fprintf(&b, "\nnone of %d decisions lost anything\n", g.Decisions)
	} else {
		fmt.Fprintf(&b, "\ndecisions, the %d of %d that lost most:\n", len(losses), g.Decisions)
		fmt.Fprintln(t, "turn\tplayer\tplayed\tlost\tbetter\t")
	}
	for _, e := range losses {
		fmt.Fprintf(t, "%d\t%s\t%s\t%.3f\t%s\t\n", e.Turn, e.Player, e.Word, e.Lost, e.Better)
	}
	t.Flush()
	_, err := io.WriteString(w, b.String())
	return err
}

// lucky names the player whom luck in First's view favours.
func lucky(net float64) engine.Player {
	if net < 0 {
		return engine.Second
	}
	return engine.First
}

func abs(x float64) float64 { return max(x, -x) }

// largest returns the elements of list that are largest by size, in the order of list.
func largest[T any](list []T, size func(*T) float64) []T {
	at := make([]int, len(list))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(i, j int) int { return cmp.Compare(size(&list[j]), size(&list[i])) })
	at = at[:min(shown, len(at))]
	slices.Sort(at)
	out := make([]T, len(at))
	for i, k := range at {
		out[i] = list[k]
	}
	return out
}
