package race

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
)

// plain is what s is worth to player if all is open that has not ended by turn
// end: minimax over every decision, by the rules alone, without bounds, order or
// memory but for stopping at a move that cannot be bettered.
func plain(s *konreh.State, player engine.Player, end int) Verdict {
	if o := s.Outcome(); o.Over {
		switch o.Winner {
		case engine.Nobody:
			return Open
		case player:
			return Won
		}
		return Lost
	}
	if s.Turn() >= end {
		return Open
	}
	own := s.Actor() == player
	best := Won
	if own {
		best = Lost
	}
	for _, a := range s.Legal(nil, nil) {
		next := *s
		next.Apply(a, nil)
		x := plain(&next, player, end)
		if own {
			best = max(best, x)
		} else {
			best = min(best, x)
		}
		if own && best == Won || !own && best == Lost {
			break
		}
	}
	return best
}

// horizon is how many player turns it takes until every countdown of s is over.
func horizon(s *konreh.State) int {
	turns := 0
	for side := range engine.Side(2) {
		if c := s.Reforge(side); c > 0 && side == s.Side() {
			turns = max(turns, 2*c-1)
		} else {
			turns = max(turns, 2*c)
		}
	}
	return turns
}

// agree compares a solution with plain, turn by turn, and what is said of them
// together with what it sees of the turns.
func agree(t *testing.T, v *Solver, s *konreh.State) *Result {
	t.Helper()
	line := string(s.AppendPosition(nil))
	r, err := v.Solve(t.Context(), s, 0)
	if err != nil {
		t.Fatal(err)
	}
	end := s.Turn() + horizon(s)
	best, keeping := Lost, 0
	for _, turn := range r.Turns {
		next := *s
		for _, a := range turn.Actions {
			if !slices.Contains(next.Legal(nil, nil), a) {
				t.Fatalf("%s: %v is not legal", line, turn.Actions)
			}
			next.Apply(a, nil)
		}
		want := plain(&next, s.Actor(), end)
		if turn.Verdict != want {
			t.Errorf("%s: after %v %v, want %v", line, turn.Actions, turn.Verdict, want)
		}
		if want > best {
			best, keeping = want, 0
		}
		if want == best {
			keeping++
		}
	}
	// The position as a whole, too: no turn was left out.
	if whole := plain(s, s.Actor(), end); r.Verdict != best || r.Verdict != whole || r.Keeping != keeping {
		t.Errorf("%s: %v by %d turns, want %v (%v) by %d", line, r.Verdict, r.Keeping, best, whole, keeping)
	}
	return r
}

// scatter is a random position with up to so many runners a side and countdowns as
// given, 0 for a Blue on the board. Half of a racer's runners stand on an edge that
// leads to the Apex, so that many races are close.
func scatter(g *konreh.Game, rng *rand.Rand, counters [2]int, runners int) *konreh.State {
	size := g.Size()
	s := g.NewState().(*konreh.State)
	for {
		board := make([]byte, size*size)
		put := func(piece byte, edge int) {
			for {
				a, b := rng.IntN(size), rng.IntN(size)
				if edge >= 0 && rng.IntN(2) == 0 {
					a = edge
				}
				if p := &board[a*size+b]; *p == 0 {
					*p = piece
					return
				}
			}
		}
		var blues [2]string
		for side, c := range counters {
			edge := -1
			if c > 0 {
				edge = (size - 1) * (1 - side)
			}
			for range 1 + rng.IntN(runners) {
				put([2]string{"RRROOG", "rrroog"}[side][rng.IntN(6)], edge)
			}
			blues[side] = fmt.Sprintf("HD,r0,s0,x0,c%d,n-,h0,k0", c)
			if c == 0 {
				put("Bb"[side], -1)
				blues[side] = "HD,r0,s0,x0,c0,n-,h1,k0"
			}
		}
		var rows []string
		for b := size - 1; b >= 0; b-- {
			var row []byte
			for a := range size {
				switch p := board[a*size+b]; {
				case p != 0:
					row = append(row, p)
				case len(row) > 0 && row[len(row)-1] < '9':
					row[len(row)-1]++
				default:
					row = append(row, '1')
				}
			}
			rows = append(rows, string(row))
		}
		side := rng.IntN(2)
		line := fmt.Sprintf("%s %c m %s %s 0 %d", strings.Join(rows, "/"), "AB"[side], blues[0], blues[1], 40+side)
		if s.ParsePosition(line) == nil && len(s.Legal(nil, nil)) > 0 {
			return s
		}
	}
}

// TestAgreesWithPlainMinimax on random positions with few pieces, under all rules
// that change how pieces move.
func TestAgreesWithPlainMinimax(t *testing.T) {
	count := map[Verdict]int{}
	choices := 0
	for i, c := range []struct {
		rules          string
		counters       [2]int
		runners, times int
	}{
		{"standard", [2]int{1, 0}, 6, 600},
		{"standard", [2]int{0, 1}, 6, 600},
		{"standard", [2]int{1, 1}, 6, 600},
		{"standard", [2]int{2, 0}, 3, 500},
		{"standard", [2]int{2, 2}, 3, 500},
		{"standard", [2]int{1, 2}, 3, 500},
		{"standard", [2]int{0, 3}, 1, 150},
		{"standard", [2]int{3, 2}, 2, 60},
		{"letter", [2]int{0, 2}, 2, 200},
		{"table,buyback=true", [2]int{2, 0}, 2, 200},
		{"micro", [2]int{2, 0}, 3, 500},
		{"micro", [2]int{2, 1}, 3, 500},
		{"micro", [2]int{0, 3}, 2, 100},
		{"micro", [2]int{3, 3}, 1, 100},
	} {
		g := game(t, c.rules)
		v := New(g, 1<<20)
		rng := rand.New(rand.NewPCG(7, uint64(i)))
		for range c.times {
			r := agree(t, v, scatter(g, rng, c.counters, c.runners))
			count[r.Verdict]++
			if r.Choice() {
				choices++
			}
			if t.Failed() {
				return
			}
		}
	}
	t.Logf("%v, %d with a choice", count, choices)
	if count[Won] < 500 || count[Open] < 500 || count[Lost] < 500 || choices < 1000 {
		t.Errorf("the positions say little: %v, %d with a choice", count, choices)
	}
}

// published calls do for every position of the games that come with the rules, of
// all presets, that v accepts.
func published(t *testing.T, do func(rules string, s *konreh.State)) {
	t.Helper()
	f, err := os.Open("../testdata/konreh-games.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var p struct {
			Preset, Pos, Moves string
			Options            []string
		}
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		rules := strings.Join(append([]string{p.Preset}, p.Options...), ",")
		g := game(t, rules)
		s := g.NewState().(*konreh.State)
		if p.Pos != "" {
			s = position(t, g, p.Pos)
		}
		for _, w := range strings.Fields(p.Moves) {
			if s.BeginsTurn() && max(s.Reforge(0), s.Reforge(1)) > 0 {
				do(rules, s)
			}
			a, err := s.ParseAction(w, nil)
			if err != nil {
				t.Fatal(err)
			}
			s.Apply(a, nil)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// unbounded is a solver without bounds on distances and with next to no table: it
// searches every race to its end.
func unbounded(g *konreh.Game) *Solver {
	v := New(g, 0)
	for k := range v.near.within {
		for n := range v.near.within[k] {
			v.near.within[k][n] = ^uint64(0)
		}
	}
	return v
}

// TestAgreesOnGames: in positions of whole games with plain minimax where the
// countdown is over after two player turns, and elsewhere with a search to the end
// of the race.
func TestAgreesOnGames(t *testing.T) {
	solvers := map[string][2]*Solver{}
	few, deep, late := 0, [6]int{}, 0
	published(t, func(rules string, s *konreh.State) {
		pair, ok := solvers[rules]
		if !ok {
			g := game(t, rules)
			pair = [2]*Solver{New(g, 1<<20), unbounded(g)}
			solvers[rules] = pair
		}
		if pair[0].Check(s) != nil {
			late++
			return
		}
		if horizon(s) <= 2 {
			agree(t, pair[0], s)
			few++
			return
		}
		want, err := pair[1].Solve(t.Context(), s, 20_000)
		if errors.Is(err, ErrNodes) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		got, err := pair[0].Solve(t.Context(), s, 0)
		if err != nil {
			t.Fatal(err)
		}
		deep[max(s.Reforge(0), s.Reforge(1))]++
		if got.Verdict != want.Verdict || got.Keeping != want.Keeping || got.Depth != want.Depth || got.Left != want.Left {
			t.Errorf("%s: %v by %d, %d left, depth %d; searched to the end %v by %d, %d left, depth %d", s.AppendPosition(nil),
				got.Verdict, got.Keeping, got.Left, got.Depth, want.Verdict, want.Keeping, want.Left, want.Depth)
		}
		for i := range got.Turns {
			if got.Turns[i].Verdict != want.Turns[i].Verdict {
				t.Errorf("%s: after %v %v, searched to the end %v", s.AppendPosition(nil), got.Turns[i].Actions, got.Turns[i].Verdict, want.Turns[i].Verdict)
			}
		}
	})
	t.Logf("%d with plain minimax; by turns left %v; %d refused", few, deep, late)
	if few < 250 || deep[3] < 250 || deep[4] < 200 || deep[5] < 100 {
		t.Errorf("%d with plain minimax; by turns left %v: want more", few, deep)
	}
}
