package connect4

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest/pagetest"
)

func newState(t testing.TB, line string) *State {
	t.Helper()
	s := new(State)
	if err := s.ParsePosition(line); err != nil {
		t.Fatalf("ParsePosition(%q): %v", line, err)
	}
	return s
}

func play(t *testing.T, moves string) *State {
	t.Helper()
	s := new(State)
	for _, word := range strings.Split(moves, "") {
		a, err := s.ParseAction(word, nil)
		if err != nil {
			t.Fatalf("game %s: %v", moves, err)
		}
		s.Apply(a, nil)
	}
	return s
}

func TestOutcome(t *testing.T) {
	for moves, want := range map[string]engine.Outcome{
		"1":           {},
		"1212121":     {Over: true, Winner: engine.First, Reason: "four"},
		"1122334":     {Over: true, Winner: engine.First, Reason: "four"},
		"12121272":    {Over: true, Winner: engine.Second, Reason: "four"},
		"71122334":    {Over: true, Winner: engine.Second, Reason: "four"},
		"12234334744": {Over: true, Winner: engine.First, Reason: "four"},
		"76654554144": {Over: true, Winner: engine.First, Reason: "four"},
	} {
		if got := play(t, moves).Outcome(); got != want {
			t.Errorf("%s: Outcome = %+v, want %+v", moves, got, want)
		}
	}
}

func TestLinesDoNotWrap(t *testing.T) {
	s := newState(t, "x....../x....../x....../o....../o....../ox..... o")
	if got := s.Outcome(); got.Over {
		t.Errorf("Outcome = %+v with x on top of column 1 and at the bottom of 2", got)
	}
}

func TestFullBoardIsDrawn(t *testing.T) {
	s := play(t, "111111222222333333544444455555666666777777")
	want := engine.Outcome{Over: true, Winner: engine.Nobody, Reason: "full"}
	if got := s.Outcome(); got != want || s.Turn() != 42 {
		t.Errorf("Outcome = %+v at turn %d, want %+v at 42\n%s", got, s.Turn(), want, s.Board(false))
	}
}

func TestRefusedPositions(t *testing.T) {
	empty := strings.Repeat("......./", 5)
	pagetest.Refused(t, play(t, "44"), map[string]string{
		"":                                   "one blank",
		"....... x":                          "6 rows",
		empty + "...... x":                   "7 cells",
		empty + "...z... x":                  "unknown letter",
		empty + "...o... x":                  "as many",
		empty + "...x... x":                  "the stones say o",
		"...x.../" + empty[8:] + "....... o": "hangs",
		empty + "xxxx.oo o":                  "as many",
		empty[8:] + "oooo.../xxxx... x":      "the side to move has a line",
	})
}

func TestRefusedMoves(t *testing.T) {
	s := play(t, "444444")
	for _, word := range []string{"", "0", "8", "4", "44", "a"} {
		if a, err := s.ParseAction(word, nil); err == nil {
			t.Errorf("ParseAction(%q) = %d, want an error", word, a)
		}
	}
	if _, err := play(t, "1212121").ParseAction("1", nil); err == nil {
		t.Error("ParseAction accepts a move after the end")
	}
}

func TestBoard(t *testing.T) {
	got := play(t, "4435").Board(false)
	want := `6  . . . . . . .
5  . . . . . . .
4  . . . . . . .
3  . . . . . . .
2  . . . o . . .
1  . . x x o . .
   1 2 3 4 5 6 7
`
	if got != want {
		t.Errorf("Board =\n%s\nwant\n%s", got, want)
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add(new(State).Pack(nil))
	f.Add([]byte{255, 255, 255, 255, 255, 255, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		var s State
		if s.Unpack(data) != nil {
			if s != (State{}) {
				t.Fatal("a refused position changed the state")
			}
			return
		}
		if got := s.Pack(nil); string(got) != string(data) {
			t.Fatalf("Pack = %x after Unpack(%x)", got, data)
		}
		line := string(s.AppendPosition(nil))
		var u State
		if err := u.ParsePosition(line); err != nil || u != s {
			t.Fatalf("ParsePosition(%q) = %v, another position or an error", line, err)
		}
	})
}

// BenchmarkRandomGames plays whole random games: legal moves, a draw among
// them, apply, outcome.
func BenchmarkRandomGames(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	s := new(State)
	legal := make([]engine.Action, 0, cols)
	decisions := 0
	b.ReportAllocs()
	for b.Loop() {
		s.Start(nil)
		for s.Actor() != engine.Nobody {
			legal = s.Legal(legal[:0], nil)
			s.Apply(legal[uint64(rng.Uint32())*uint64(len(legal))>>32], nil)
			decisions++
		}
	}
	b.ReportMetric(float64(decisions)/b.Elapsed().Seconds()/1e6, "Mdecisions/s")
}
