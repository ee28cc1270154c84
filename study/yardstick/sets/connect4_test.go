package sets

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	c4 "github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/connect4/solve"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/study/yardstick"
)

// early and each are how many positions there are for every number of stones
// below 12, and for every other.
const early, each = 16, 102

func stones(n int) int {
	if n < 12 {
		return early
	}
	return each
}

func theGame(t testing.TB) engine.Game {
	t.Helper()
	g, err := c4.Family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func theSet(t testing.TB) *yardstick.Set {
	t.Helper()
	s, err := Connect4()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// rows are the lines of a set of Connect Four.
func rows(t testing.TB, file []byte) []connect4Row {
	t.Helper()
	var list []connect4Row
	_, err := yardstick.Read(yardstick.Set{}, file, func(_ *yardstick.Set, r *connect4Row) (yardstick.Position, error) {
		list = append(list, *r)
		return yardstick.Position{}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestSetsAreAsPromised checks every position but its values: count and spread,
// legal columns, a choice, no line that could be completed at once, no two alike
// even in the mirror, neither within a set nor between the two.
func TestSetsAreAsPromised(t *testing.T) {
	fresh, err := Connect4Fresh()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	checkSet(t, theSet(t), connect4, seen)
	checkSet(t, fresh, connect4Fresh, seen)
	if fresh.ID != "e7fa0384" {
		t.Errorf("the fresh set is %s: published figures are for e7fa0384", fresh.ID)
	}
}

func checkSet(t *testing.T, set *yardstick.Set, file []byte, seen map[string]bool) {
	g := theGame(t)
	if len(set.Positions) < 2000 || len(file) > 300_000 {
		t.Errorf("%d positions in %d bytes", len(set.Positions), len(file))
	}
	count := map[int]int{}
	s, image, h := g.NewState(), g.NewState(), g.NewHistory()
	for i, r := range rows(t, file) {
		p := set.Positions[i]
		if err := p.Place(s, h); err != nil {
			t.Fatal(err)
		}
		count[s.Turn()]++
		legal := 0
		for _, a := range s.Legal(nil, nil) {
			if r.Values[a] != '.' {
				legal++
			}
		}
		if len(r.Values) != 7 || strings.Trim(r.Values, "wdl.") != "" || legal != len(s.Legal(nil, nil)) || legal != p.Turns {
			t.Errorf("%s: values %q on\n%s", r.Moves, r.Values, s.Board(false))
		}
		worth := "wd"[p.Kind : p.Kind+1]
		for c, v := range r.Values {
			if p.Kept(string(rune('1'+c))) != (string(v) == worth) {
				t.Errorf("%s: values %q, kept by %v", r.Moves, r.Values, p.Keeps)
			}
		}
		if len(p.Keeps) == 0 || len(p.Keeps) == legal || p.Kind == 1 && strings.Contains(r.Values, "w") || p.Stage != len(r.Moves) {
			t.Errorf("%s: values %q read as %+v", r.Moves, r.Values, p)
		}
		if _, tactical := solve.Tactical(s.(*c4.State)); tactical {
			t.Errorf("%s: a line can be completed at once\n%s", p.Moves, s.Board(false))
		}
		mirrored := []byte(p.Moves)
		for i, b := range mirrored {
			mirrored[i] = '1' + '7' - b
		}
		if err := (&yardstick.Position{Moves: string(mirrored)}).Place(image, h); err != nil {
			t.Fatal(err)
		}
		key := string(s.AppendPosition(nil))
		if seen[key] || seen[string(image.AppendPosition(nil))] {
			t.Errorf("%s: met before", p.Moves)
		}
		seen[key] = true
	}
	for n := 8; n <= 30; n++ {
		if count[n] != stones(n) {
			t.Errorf("%d positions with %d stones, want %d", count[n], n, stones(n))
		}
	}
}

// TestValuesAreTrue solves a sample again, in -short one with more stones.
func TestValuesAreTrue(t *testing.T) {
	list, g := slices.Concat(rows(t, connect4), rows(t, connect4Fresh)), theGame(t)
	v, rng := solve.New(1<<24), rand.New(rand.NewPCG(1, 2))
	s, h := g.NewState(), g.NewHistory()
	for n := 0; n < 100; {
		p := list[rng.IntN(len(list))]
		if len(p.Moves) < 12 && testing.Short() {
			continue
		}
		n++
		if err := (&yardstick.Position{Moves: p.Moves}).Place(s, h); err != nil {
			t.Fatal(err)
		}
		columns, err := v.Outcomes(t.Context(), s.(*c4.State))
		if err != nil {
			t.Fatal(err)
		}
		for c, x := range columns {
			want := byte('.')
			if x != solve.Full {
				want = "ldw"[x.Outcome()+1]
			}
			if p.Values[c] != want {
				t.Errorf("%s: values %q, solved %v", p.Moves, p.Values, columns)
			}
		}
	}
}

// chooser plays by a rule.
type chooser struct {
	seed uint64
	rule func(seed uint64, s engine.State) engine.Action
}

func (c *chooser) NewGame(_ context.Context, seed uint64) error {
	c.seed = seed
	return nil
}

func (c *chooser) Think(ctx context.Context, s engine.State, h *engine.History, _ match.Bounds) (*match.Analysis, error) {
	a, err := c.decide(ctx, s, h)
	return &match.Analysis{Choice: a, Line: []engine.Action{a}}, err
}

func (c *chooser) decide(ctx context.Context, s engine.State, _ *engine.History) (engine.Action, error) {
	return c.rule(c.seed, s), ctx.Err()
}

func rule(name string, f func(seed uint64, s engine.State) engine.Action) match.Contestant {
	return match.Contestant{Name: name, New: func() (match.Player, error) { return &chooser{rule: f}, nil }}
}

func atRandom(seed uint64, s engine.State) engine.Action {
	list := s.Legal(nil, nil)
	return list[seed%uint64(len(list))]
}

func TestRandomScoresWhatItShould(t *testing.T) {
	set, g := theSet(t), theGame(t)
	want := 0.0
	for _, p := range set.Positions {
		want += float64(len(p.Keeps)) / float64(p.Turns)
	}
	want /= float64(len(set.Positions))
	one, err := set.Run(t.Context(), g, rule("x", atRandom), 1, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(one.All.Value-want) > 0.04 || one.All.Low > one.All.Value || one.All.High < one.All.Value {
		t.Errorf("random: %+v, want about %.3f", one.All, want)
	}
	done := 0
	many, err := set.Run(t.Context(), g, rule("x", atRandom), 1, 5, func(n int) { done = n })
	if err != nil || many.All != one.All || many.Kinds[0] != one.Kinds[0] || done != len(set.Positions) {
		t.Errorf("5 workers: %+v after %d, %v, want %+v", many, done, err, one.All)
	}
	for i, s := range many.Stages {
		if s != one.Stages[i] {
			t.Errorf("5 workers: stage %+v, want %+v", s, one.Stages[i])
		}
	}
	other, err := set.Run(t.Context(), g, rule("x", atRandom), 2, 0, nil)
	if err != nil || other.All == one.All && other.Kinds[0] == one.Kinds[0] {
		t.Errorf("another seed changes nothing: %+v, %v", other, err)
	}
}

// TestCountsAddUp with a rule that is right in every position but those with 8
// to 11 stones, where it is always wrong.
func TestCountsAddUp(t *testing.T) {
	set, g := theSet(t), theGame(t)
	values := map[string]yardstick.Position{}
	s, h := g.NewState(), g.NewHistory()
	won := 0
	for _, p := range set.Positions {
		if err := p.Place(s, h); err != nil {
			t.Fatal(err)
		}
		values[string(s.AppendPosition(nil))] = p
		if p.Kind == 0 {
			won++
		}
	}
	score, err := set.Run(t.Context(), g, rule("oracle", func(_ uint64, s engine.State) engine.Action {
		p := values[string(s.AppendPosition(nil))]
		for _, a := range s.Legal(nil, nil) {
			if p.Kept(string(s.AppendAction(nil, a))) == (s.Turn() >= 12) {
				return a
			}
		}
		panic("no such column")
	}), 1, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	total := len(set.Positions)
	if score.All.Kept != total-4*early || score.Kinds[0].Positions != won || score.Kinds[0].Positions+score.Kinds[1].Positions != total {
		t.Errorf("%+v", score)
	}
	for i, stage := range score.Stages {
		want := yardstick.Stage{From: 8 + 4*i, To: min(11+4*i, 30)}
		n := 0
		for k := want.From; k <= want.To; k++ {
			n += stones(k)
		}
		if stage.From != want.From || stage.To != want.To || stage.Positions != n || (i == 0) != (stage.Kept == 0) || i > 0 && stage.Kept != n {
			t.Errorf("stage %+v, want %d to %d of %d", stage, want.From, want.To, n)
		}
	}
	var b strings.Builder
	table := yardstick.NewTable(set, 1)
	table.Scores = []*yardstick.Score{score}
	if err := table.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"set " + set.ID, "oracle  96.8 (", "28-30", "  0 (0-", "100 (9"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, b.String())
		}
	}
}

func TestRunEndsEarly(t *testing.T) {
	set, g := theSet(t), theGame(t)
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	score, err := set.Run(ctx, g, rule("x", atRandom), 1, 2, func(n int) {
		if n == 10 {
			cancel(cause)
		}
	})
	if score != nil || !errors.Is(err, cause) {
		t.Errorf("Run = %+v, %v, want the cause", score, err)
	}
	broken := match.Contestant{Name: "broken", New: func() (match.Player, error) { return nil, cause }}
	if _, err := set.Run(t.Context(), g, broken, 1, 2, nil); !errors.Is(err, cause) {
		t.Errorf("Run of a player that cannot be made = %v", err)
	}
}

func TestNoSet(t *testing.T) {
	const line = "{\"moves\":\"1\",\"values\":\"wdddddd\"}\n"
	for text, want := range map[string]string{
		"nonsense\n": "line 2: ",
		"{\"moves\":\"1\",\"values\":\"ddddddd\"}\n": "line 2: 1: values \"ddddddd\" leave no choice",
	} {
		if _, err := yardstick.Read(yardstick.Set{Game: "connect4"}, []byte(line+text), column); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Read = %v, want %q", err, want)
		}
	}
}
