package player

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/tictactoe"
)

// measured is a table of four levels.
func measured() *Ratings {
	level := func(sims int, temperature, elo float64) Level {
		return Level{Strength{sims, temperature}, RatedPlayer{Player: "net", Elo: elo, Low: elo - 20, High: elo + 30, Games: 40}}
	}
	return &Ratings{
		Weights: "c0ffee", Game: "connect4", Rules: "standard", Anchor: "random", Command: "ludozero tournament", Games: 100,
		Levels: []Level{level(1, 4, 99.5), level(1, 0, 300), level(16, 0, 700), level(256, 0, 1100.4)},
		Others: []RatedPlayer{{Player: "random", Games: 40}},
	}
}

func TestRatingsBetweenLevels(t *testing.T) {
	r := measured()
	if least, most := r.Range(); least != 100 || most != 1100 {
		t.Errorf("range %d to %d", least, most)
	}
	for rating, want := range map[int]Strength{
		300: {1, 0}, 700: {16, 0}, // the levels themselves
		500: {4, 0}, 900: {64, 0}, 600: {8, 0}, // halfway in the logarithm, and three quarters
		200: {1, 4 * 100 / 200.5},
		100: {1, 4 * 200 / 200.5}, 1100: {255, 0}, // the ends, rounded inwards
	} {
		got, err := r.At(rating)
		if err != nil || got.Simulations != want.Simulations || math.Abs(got.Temperature-want.Temperature) > 1e-9 {
			t.Errorf("At(%d) = %+v, %v, want %+v", rating, got, err, want)
		}
	}
	// More is never weaker.
	last, _ := r.At(100)
	for rating := 101; rating <= 1100; rating++ {
		got, err := r.At(rating)
		if err != nil || got.Simulations < last.Simulations || got.Temperature > last.Temperature {
			t.Fatalf("At(%d) = %+v, %v after %+v", rating, got, err, last)
		}
		last = got
	}
	for _, rating := range []int{99, 1101, 0, MaxRating} {
		if got, err := r.At(rating); err == nil || !strings.Contains(err.Error(), "want 100 to 1100") {
			t.Errorf("At(%d) = %+v, %v", rating, got, err)
		}
	}
}

func TestRatingsAreChecked(t *testing.T) {
	text := func(change func(*Ratings)) []byte {
		r := measured()
		change(r)
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	if r, err := ReadRatings(text(func(*Ratings) {})); err != nil || len(r.Levels) != 4 || r.Levels[1].Elo != 300 || r.Levels[2].Simulations != 16 {
		t.Errorf("%+v, %v", r, err)
	}
	for want, change := range map[string]func(*Ratings){
		"want weights, game":    func(r *Ratings) { r.Weights = "" },
		"want two or more":      func(r *Ratings) { r.Levels = r.Levels[:1] },
		"levels 2 and 3":        func(r *Ratings) { r.Levels[2].Elo, r.Levels[2].Low = 300, 290 },
		"levels 1 and 2":        func(r *Ratings) { r.Levels[0].Simulations = 2 },
		"levels 3 and 4":        func(r *Ratings) { r.Levels[3].Temperature = 1 },
		"want 1 or more":        func(r *Ratings) { r.Levels[0].Simulations = 0 },
		"temperature=11":        func(r *Ratings) { r.Levels[0].Temperature = 11 },
		"want 0 to 10000":       func(r *Ratings) { r.Levels[0].Elo, r.Levels[0].Low = -1, -2 },
		"within its interval":   func(r *Ratings) { r.Levels[0].High = 1 },
		`player "random": Elo`:  func(r *Ratings) { r.Others[0].Low = 1 },
		"levels from 100 to 99": func(r *Ratings) { r.Levels[1].Elo = 99.9; r.Levels = r.Levels[:2]; r.Levels[1].Low = 1 },
	} {
		if _, err := ReadRatings(text(change)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	for _, bad := range []string{"", "{", `{"strength":1}`} {
		if _, err := ReadRatings([]byte(bad)); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

// TestNetOfARating is the player of the settings that the table says.
func TestNetOfARating(t *testing.T) {
	g := game(t, &connect4.Family)
	s, h := played(t, g, "4 4 3")
	o := opener{ratings: measured()}
	choose := func(text string) (choices []engine.Action) {
		p, err := o.parse(t, text).New(g)
		if err != nil {
			t.Fatal(err)
		}
		for number := range uint64(30) {
			p.NewGame(t.Context(), number)
			a, err := choose(t.Context(), p, s, h)
			if err != nil {
				t.Fatal(err)
			}
			choices = append(choices, a)
		}
		return choices
	}
	for rating, same := range map[string]string{"rating=500": "sims=4", "rating=900,precision=int8": "sims=64,precision=int8", "rating=200": "sims=1,temperature=1.9950124688279303"} {
		if got, want := choose("net:a,cache=0,"+rating), choose("net:a,cache=0,"+same); !slices.Equal(got, want) {
			t.Errorf("%s chooses %v, %s %v", rating, got, same, want)
		}
	}
	for text, want := range map[string]string{
		"net:a,rating=99":                                    "rating 99: want 100 to 1100",
		"net:a,rating=1101":                                  "want 100 to 1100",
		"net:a,rating=-1":                                    "want 0 to 10000",
		"net:a,rating=500,sims=4":                            "at most one of",
		"net:a,rating=500,temperature=1":                     "rating=500 says how it searches: want it without temperature",
		"net:a,rating=500,cpuct=2":                           "want it without cpuct",
		"net:a,rating=500,leaves=8":                          "want it without leaves",
		"net:a,rating=500,search=gumbel":                     "want it without search",
		"net:a,rating=500,search=puct":                       "want it without search",
		"net:a,rating=500,temperature=1,cpuct=2,search=puct": "want it without search",
		"net:a,rating=500,edges=5000":                        "edges",
		"net:unrated/dry,rating=500":                         "no memory",
	} {
		spec, err := Parse(text, map[string]Kind{"net": NetKind(o.open)})
		if err == nil {
			_, err = spec.New(g)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	// By other rules, and of other networks, there may be none.
	if _, err := o.parse(t, "net:a,rating=500").New(game(t, &tictactoe.Family)); err == nil || !strings.Contains(err.Error(), "not measured under these rules") {
		t.Errorf("another game: %v", err)
	}
	o = opener{}
	if _, err := o.parse(t, "net:a,rating=500").New(g); err == nil || !strings.Contains(err.Error(), "no ratings were measured of it") {
		t.Errorf("a network without: %v", err)
	}
}

// TestWhoHasRatings: players that nothing else tells how to search.
func TestWhoHasRatings(t *testing.T) {
	g := game(t, &connect4.Family)
	o := opener{ratings: measured()}
	p, err := o.parse(t, "net:a,time=clock").New(g)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := p.(*net).Ratings(); err != nil || o.rated != 1 {
			t.Errorf("%v, the table was read %d times, want once", err, o.rated)
		}
	}
	for text, want := range map[string]string{
		"net:a,time=clock":             "",
		"net:a,time=1s,precision=int8": "",
		"net:a,sims=9":                 "sets its simulations",
		"net:a,rating=500":             "sets its simulations",
		"net:a,time=1s,temperature=1":  "sets temperature",
		"net:a,time=1s,cpuct=1":        "sets cpuct",
	} {
		p, err := o.parse(t, text+",cache=0").New(g)
		if err != nil {
			t.Fatal(err)
		}
		r, err := p.(*net).Ratings()
		if want == "" && (err != nil || r == nil) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, %v, want %q", text, r, err, want)
		}
	}
}
