package census

import (
	"math"
	"slices"
	"testing"

	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/selfplay/record/recordtest"
)

func TestForms(t *testing.T) {
	for _, c := range []struct{ word, want string }{
		{"d1f1", "##"}, {"h8^f8", "#^#"}, {"-c3", "-#"}, {"a10b2", "##"}, {"seed", "seed"}, {"buyH", "buyH"},
		{"7", "#"}, {"12", "#"}, {"12-7", "#-#"}, {"b2", "#"}, {"", ""}, {"Kd1xe2", "K#x#"},
	} {
		if got := string(AppendForm(nil, []byte(c.word))); got != c.want {
			t.Errorf("form of %q is %q, want %q", c.word, got, c.want)
		}
	}
}

func TestSpread(t *testing.T) {
	if s := (Histogram{}).Spread(1); s != nil || s.String() != "none" {
		t.Errorf("spread of nothing is %v", s)
	}
	h := Histogram{}
	for v := 1; v <= 100; v++ {
		h[v*v]++
	}
	if got, want := *h.Spread(10), (Spread{338350. / 1000, 0.1, 10, 250, 810, 1000}); got != want {
		t.Errorf("spread of the first 100 squares is %+v, want %+v", got, want)
	}
}

// TestScoreInterval against Jeffreys' interval for 5 of 10 as Brown, Cai and
// DasGupta 2001 tabulate it, and at the ends of the range.
func TestScoreInterval(t *testing.T) {
	if s := ScoreOf(5, 5, 0); math.Abs(s.Low-0.224) > 5e-4 || math.Abs(s.High-0.776) > 5e-4 {
		t.Errorf("5 of 10: %v", s)
	}
	if s := ScoreOf(9, 0, 0); s.High != 1 || s.Low < 0.5 || s.Low > 0.9 {
		t.Errorf("9 of 9: %v", s)
	}
	if s := ScoreOf(0, 9, 0); s.Low != 0 || s.High > 0.5 || s.High < 0.1 {
		t.Errorf("0 of 9: %v", s)
	}
	if a, b := ScoreOf(3, 3, 4), ScoreOf(5, 5, 0); a != b {
		t.Errorf("draws count as half each: %v, %v", a, b)
	}
}

// TestRepeatedGamesAreNoEvidence: the same game thrice and another one are two games to an
// interval, alone and beside other rules.
func TestRepeatedGamesAreNoEvidence(t *testing.T) {
	g := rulesOf(t, "tictactoe", "")
	var games [][]record.Row
	for _, rows := range record.Games(recordtest.RandomGames(g, 0, 2)) {
		games = append(games, rows)
	}
	p, all, same := record.NewReplayer(g), New(), New()
	for i, of := range []int{0, 1, 0, 0} {
		if i == 2 { // the same moves, but somebody would have resigned here
			games[0] = slices.Clone(games[0])
			games[0][0].Resigns = true
		}
		also := []*Tally{}
		if of == 0 {
			also = append(also, same)
		}
		if list := all.Add(g.Rules(), p, games[of], also...); len(list) > 0 {
			t.Fatalf("game %d: %v", i, list)
		}
	}
	s, once := all.Summary(g.Info()), same.Summary(g.Info())
	if s.Games != 4 || s.Repeated != 2 || once.Games != 3 || once.Repeated != 2 {
		t.Fatalf("%d games, %d repeated; of one %d and %d: want 4, 2, 3, 2", s.Games, s.Repeated, once.Games, once.Repeated)
	}
	if r := s.Resignations; r.PlayedOn != 2 {
		t.Errorf("%+v: want 2 played on", r)
	} else if _, low, high := (&record.Resignations{PlayedOn: 1, Wrong: r.Wrong / 2}).ErrorRate(); r.ErrorRate.Low != low || r.ErrorRate.High != high {
		t.Errorf("%v wrong: want the interval of one game, %v to %v", *r.ErrorRate, low, high)
	}
	points := float64(s.FirstWins) + float64(s.Draws)/2
	if want := ScoreOfPoints(points/2, 2); s.FirstScore != want {
		t.Errorf("score %v, want that of two games, %v", s.FirstScore, want)
	}
}
