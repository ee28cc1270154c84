package solve

import (
	"context"
	"errors"
	"flag"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
)

var whole = flag.Bool("whole", false, "solve the whole game, which takes many minutes")

// after plays columns, numbered from 1, from the start.
func after(t testing.TB, columns string) *connect4.State {
	t.Helper()
	s := new(connect4.State)
	for i := range columns {
		a, err := s.ParseAction(columns[i:i+1], nil)
		if err != nil {
			t.Fatalf("%s: %v", columns, err)
		}
		s.Apply(a, nil)
	}
	return s
}

// atRandom plays n random stones from the start, or fewer if the game ends.
func atRandom(rng *rand.Rand, n int) *connect4.State {
	s := new(connect4.State)
	for range n {
		list := s.Legal(nil, nil)
		if len(list) == 0 {
			break
		}
		s.Apply(list[rng.IntN(len(list))], nil)
	}
	return s
}

// TestPublishedScores holds the solver to positions of the test sets of Pons
// (blog.gamesolver.org/solving-connect-four/02-test-protocol): the first of each
// set, and others as people cite them.
func TestPublishedScores(t *testing.T) {
	v := New(1 << 24)
	for _, c := range []struct {
		columns string
		want    Score
		slow    bool
	}{
		{columns: "2252576253462244111563365343671351441", want: -1},
		{columns: "7422341735647741166133573473242566", want: 1},
		{columns: "23163416124767223154467471272416755633", want: 0},
		{columns: "5554224333234511764415115", want: 4},
		{columns: "2737772244262123677516643354", want: 0},
		{columns: "274552224131661", want: 0},
		{columns: "5455174361263362", want: -1},
		{columns: "555317266147361", want: -1},
		{columns: "32164625", want: 11},
		{columns: "25144", want: 18, slow: true},
		{columns: "43745416472735", want: -13},
		{columns: "4455", want: 18, slow: true},
		{columns: "44455554221", want: -15},
		{columns: "32751571231557", want: -3},
		{columns: "75734233473735", want: 0},
		{columns: "13712", want: 3, slow: true},
		{columns: "527376", want: 0, slow: true},
	} {
		if c.slow && testing.Short() {
			continue
		}
		list, err := v.Scores(t.Context(), after(t, c.columns))
		if err != nil || Best(list) != c.want {
			t.Errorf("%s: %v, %v, want a best of %d", c.columns, list, err, c.want)
		}
	}
}

// TestPublishedColumns compares every column, as published with the benchmarks of
// github.com/Pietot/Gonnect-4.
func TestPublishedColumns(t *testing.T) {
	v := New(1 << 24)
	for columns, want := range map[string][Columns]Score{
		"274552224131661":         {-9, -11, -12, 0, -11, -11, -11},
		"5455174361263362":        {-12, -1, -12, -13, -12, -12, -12},
		"2531276566711153":        {-2, 2, -1, 0, -1, 0, -12},
		"37313333717124171162542": {Full, -7, Full, 3, -8, -2, -7},
	} {
		s := after(t, columns)
		got, err := v.Scores(t.Context(), s)
		if err != nil || got != want {
			t.Errorf("Scores(%s) = %v, %v, want %v", columns, got, err, want)
		}
		weak, err := New(1<<20).Outcomes(t.Context(), s)
		for c, x := range weak {
			if err != nil || (x == Full) != (want[c] == Full) || x != Full && int(x) != want[c].Outcome() {
				t.Errorf("Outcomes(%s) = %v, %v, want those of %v", columns, weak, err, want)
			}
		}
	}
}

// TestWholeGame solves the empty board with -whole: the centre wins with the 41st
// stone, its neighbours draw, the others lose (Allis 1988; scores as the program
// of Pons prints them). Without it, TestPublishedScores has the opening's share.
func TestWholeGame(t *testing.T) {
	if !*whole {
		return // a skipped test would count as a failure in CI
	}
	v := New(1 << 30)
	want := [Columns]Score{-2, -1, 0, 1, 0, -1, -2}
	got, err := v.Scores(t.Context(), new(connect4.State))
	if err != nil || got != want {
		t.Errorf("Scores of the empty board = %v, %v, want %v", got, err, want)
	}
	if m := Best(got).Moves(0); m != 41 {
		t.Errorf("the first player wins with stone %d, want 41", m)
	}
	t.Logf("%d nodes", v.Nodes())
}

// plain is the score of s by search without any of the solver's devices, through
// the rules of package connect4.
func plain(s *connect4.State, memo map[string]Score) Score {
	key := string(s.Pack(nil))
	if v, ok := memo[key]; ok {
		return v
	}
	best := Full
	for _, a := range s.Legal(nil, nil) {
		best = max(best, plainMove(s, a, memo))
	}
	memo[key] = best
	return best
}

func plainMove(s *connect4.State, a engine.Action, memo map[string]Score) Score {
	next := *s
	next.Apply(a, nil)
	switch o := next.Outcome(); {
	case !o.Over:
		return -plain(&next, memo)
	case o.Winner == engine.Nobody:
		return 0
	default:
		winner, _ := next.Stones()
		if o.Winner == engine.Second {
			_, winner = next.Stones()
		}
		return Score(22 - bits.OnesCount64(winner))
	}
}

func TestScoresAgreeWithPlainSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	v := New(1 << 12) // small, so that slots are fought for
	positions, outcomes := 0, map[int]int{}
	for positions < 400 {
		s := atRandom(rng, 26+rng.IntN(16))
		if s.Actor() == engine.Nobody {
			continue
		}
		positions++
		memo := map[string]Score{}
		got, err := v.Scores(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		weak, err := v.Outcomes(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		var want, wantWeak [Columns]Score
		for c := range want {
			want[c], wantWeak[c] = Full, Full
		}
		for _, a := range s.Legal(nil, nil) {
			want[a] = plainMove(s, a, memo)
			wantWeak[a] = Score(want[a].Outcome())
			outcomes[want[a].Outcome()]++
		}
		if got != want || weak != wantWeak {
			t.Fatalf("%s: Scores = %v, Outcomes = %v, want %v\n%s", s.AppendPosition(nil), got, weak, want, s.Board(false))
		}
	}
	if outcomes[1] < 40 || outcomes[0] < 40 || outcomes[-1] < 40 {
		t.Errorf("wins, draws, losses among the moves: %v, want 40 of each at least", outcomes)
	}
}

// TestScoresDoNotDependOnTheTable in size or contents, nor on the way round.
func TestScoresDoNotDependOnTheTable(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	one := New(1 << 22)
	for range 25 {
		s := atRandom(rng, 16)
		if s.Actor() == engine.Nobody {
			continue
		}
		want, err := one.Scores(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := New(1<<18).Scores(t.Context(), s); err != nil || got != want {
			t.Errorf("%s: %v with a small table, %v, want %v", s.AppendPosition(nil), got, err, want)
		}
		turned := new(connect4.State)
		if err := turned.ParsePosition(reverseColumns(string(s.AppendPosition(nil)))); err != nil {
			t.Fatal(err)
		}
		got, err := one.Scores(t.Context(), turned)
		for c := range got {
			if err != nil || got[c] != want[cols-1-c] {
				t.Fatalf("%s: mirrored %v, %v, want %v turned round", s.AppendPosition(nil), got, err, want)
			}
		}
	}
}

func reverseColumns(line string) string {
	b := []byte(line)
	for row := range rows {
		part := b[row*(cols+1):][:cols]
		for i := range cols / 2 {
			part[i], part[cols-1-i] = part[cols-1-i], part[i]
		}
	}
	return string(b)
}

func TestMoves(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	v := New(1 << 16)
	for range 100 {
		s := atRandom(rng, 24+rng.IntN(18))
		begun := s.Turn()
		if s.Actor() == engine.Nobody {
			continue
		}
		list, err := v.Scores(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		want := Best(list)
		for s.Actor() != engine.Nobody {
			list, err := v.Scores(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			for c, x := range list {
				if x == Best(list) {
					s.Apply(engine.Action(c), nil)
					break
				}
			}
		}
		if got := want.Moves(begun); got != s.Turn()-begun {
			t.Fatalf("Moves of %d at %d stones = %d, but the game ended with stone %d", want, begun, got, s.Turn())
		}
	}
}

func TestFinishedGameHasNoScores(t *testing.T) {
	list, err := New(0).Scores(t.Context(), after(t, "1212121"))
	if err != nil || Best(list) != Full {
		t.Errorf("Scores of a finished game = %v, %v, want Full everywhere", list, err)
	}
}

func TestEndedContextStops(t *testing.T) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	v := New(1 << 20)
	cancel(cause)
	if _, err := v.Scores(ctx, new(connect4.State)); !errors.Is(err, cause) {
		t.Errorf("Scores with an ended context = %v, want its cause", err)
	}
	if v.Nodes() != 0 {
		t.Errorf("%d positions searched", v.Nodes())
	}
	// What an interrupted search leaves in the table is true.
	late := &lateContext{Context: t.Context(), looks: 3}
	if _, err := v.Scores(late, after(t, "4455")); !errors.Is(err, context.Canceled) {
		t.Fatalf("Scores = %v, want context canceled", err)
	}
	s := after(t, "5455174361263362")
	got, err := v.Scores(t.Context(), s)
	want := [Columns]Score{-12, -1, -12, -13, -12, -12, -12}
	if err != nil || got != want {
		t.Errorf("after an interrupted search: %v, %v, want %v", got, err, want)
	}
}

// lateContext ends at one of the looks at it.
type lateContext struct {
	context.Context
	looks int
}

func (c *lateContext) Err() error {
	if c.looks--; c.looks < 0 {
		return context.Canceled
	}
	return nil
}

func TestTactical(t *testing.T) {
	for columns, want := range map[string]int{
		"":        -1,
		"112233":  3,  // the mover wins
		"11223":   3,  // the mover must parry
		"112244":  2,  // the mover wins, and so would the opponent
		"1122337": 3,  // a missed win is parried
		"4455":    -1, // an open pair is no threat yet
	} {
		c, ok := Tactical(after(t, columns))
		if ok != (want >= 0) || ok && int(c) != want {
			t.Errorf("Tactical(%s) = %d, %v, want %d", columns, c, ok, want)
		}
	}
}

// TestTacticsKeepTheValue has them agree with the scores.
func TestTacticsKeepTheValue(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	v := New(1 << 16)
	for n := 0; n < 200; {
		s := atRandom(rng, 20+rng.IntN(20))
		c, ok := Tactical(s)
		if s.Actor() == engine.Nobody || !ok {
			continue
		}
		n++
		list, err := v.Outcomes(t.Context(), s)
		if err != nil || list[c] != Best(list) {
			t.Fatalf("%s: Tactical says %d, Outcomes %v, %v", s.AppendPosition(nil), c, list, err)
		}
	}
}

func TestStonesOfAKey(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		s := atRandom(rng, rng.IntN(43))
		p := of(s)
		if got := stonesOf(p.key()); got != s.Turn() {
			t.Fatalf("stonesOf = %d, want %d\n%s", got, s.Turn(), s.Board(false))
		}
		if got := mirror(mirror(p.key())); got != p.key() {
			t.Fatalf("mirrored twice, %x is %x", p.key(), got)
		}
	}
}

func TestSearchAllocatesNothing(t *testing.T) {
	v, s := New(1<<20), after(t, "274552224131661")
	if n := testing.AllocsPerRun(3, func() {
		clear(v.table.slots)
		v.columns(t.Context(), s, v.outcome)
	}); n > 2 {
		t.Errorf("%g allocations", n)
	}
}

// BenchmarkScores judges all columns of positions of 12 random stones, each with
// an empty table, so that none lives off the work for others.
func BenchmarkScores(b *testing.B) {
	rng := rand.New(rand.NewPCG(9, 10))
	v := New(DefaultTable)
	for b.Loop() {
		s := atRandom(rng, 12)
		clear(v.table.slots)
		if _, err := v.Scores(b.Context(), s); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(v.Nodes())/b.Elapsed().Seconds(), "positions/s")
}
