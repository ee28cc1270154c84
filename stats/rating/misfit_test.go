package rating_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/stats/rating"
)

// TestMisfits: three players who beat each other in a circle have no scale; those
// whose games follow one have no misfit, whatever the seat is worth.
func TestMisfits(t *testing.T) {
	names := []string{"rock", "paper", "scissors"}
	beats := func(a, b, won, lost int) rating.Pairing {
		return rating.Pairing{A: a, B: b, Pairs: [3][3]int{{lost, 0, 5}, {0, 0, 0}, {5, 0, won}}}
	}
	circle := []rating.Pairing{beats(1, 0, 40, 4), beats(2, 1, 40, 4), beats(0, 2, 40, 4)}
	table, err := rating.Fit(names, circle, rating.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(table.Misfits) != 3 {
		t.Fatalf("misfits of a circle: %+v, want all three pairings", table.Misfits)
	}
	for _, m := range table.Misfits {
		if math.Abs(m.Expected-0.5) > 1e-6 || math.Abs(m.Score.Value-45./54) > 1e-9 {
			t.Errorf("misfit %+v, want 50 %% expected and 83 %% made", m)
		}
	}
	var text bytes.Buffer
	if err := table.WriteText(&text); err != nil || strings.Count(text.String(), "no one scale fits: ") != 3 ||
		!strings.Contains(text.String(), "paper made 83.3 % (73.4 to 90.1) against rock, the ratings say 50.0 %") {
		t.Errorf("WriteText = %v\n%s", err, text.String())
	}

	line := []rating.Pairing{beats(1, 0, 40, 4), beats(2, 1, 40, 4), {A: 0, B: 2, Pairs: [3][3]int{{78, 0, 1}, {0, 0, 0}, {1, 0, 0}}}}
	if table, err = rating.Fit(names, line, rating.Options{}); err != nil || len(table.Misfits) > 0 {
		t.Errorf("misfits of players on a scale: %+v, %v", table.Misfits, err)
	}
}

// TestMisfitsAreRare among games that follow the model: with three standard
// errors some 3 in 1000 pairings would be, and the ratings follow the games, too.
func TestMisfitsAreRare(t *testing.T) {
	const seat, tournaments = 50, 100
	elo := []float64{0, 60, 150, 200}
	rng := rand.New(rand.NewPCG(1, 2))
	found, pairings := 0, 0
	for range tournaments {
		var list []rating.Pairing
		for a := range elo {
			for b := range a {
				p := rating.Pairing{A: a, B: b}
				for range 30 {
					first, second := 0, 0
					if rng.Float64() < rating.ScoreOf(elo[a]-elo[b]+seat) {
						first = 2
					}
					if rng.Float64() < rating.ScoreOf(elo[a]-elo[b]-seat) {
						second = 2
					}
					p.Pairs[first][second]++
				}
				list = append(list, p)
			}
		}
		table, err := rating.Fit([]string{"a", "b", "c", "d"}, list, rating.Options{})
		if err != nil {
			t.Fatal(err)
		}
		found += len(table.Misfits)
		pairings += len(list)
	}
	if found > pairings/100 {
		t.Errorf("%d of %d pairings of players on one scale are misfits", found, pairings)
	}
}
