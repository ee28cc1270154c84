package schools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/school"
	"github.com/ludozero/ludozero/stats/rating"
	"github.com/ludozero/ludozero/study"
)

func spec(t *testing.T, text string) *player.Spec {
	t.Helper()
	s, err := player.Parse(text, map[string]player.Kind{school.KindName: school.Kind()})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// field is two schools with the weights of cfg, and a stand-in for a network.
func field(t *testing.T, cfg *Config, ids ...string) *Field {
	t.Helper()
	f := &Field{Control: spec(t, "school:none,depth=1"), Strengths: []study.Participant{{Spec: spec(t, "mcts:sims=2,cap=10"), Network: "stand-in", Simulations: 2}}}
	for _, id := range ids {
		s, err := school.Find(id)
		if err != nil {
			t.Fatal(err)
		}
		x := School{Name: s.Name, Word: id, ID: id}
		for _, w := range cfg.Weights {
			text := "school:" + id + ",depth=1"
			if w != 1 {
				text += ",weight=2"
			}
			x.Specs = append(x.Specs, spec(t, text))
		}
		f.Schools = append(f.Schools, x)
	}
	return f
}

// small is a comparison that takes a moment.
func small() Config {
	return Config{Rounds: 2, Pairs: 3, OtherPairs: 2, NetworkPairs: 1, Weights: []float64{2, 1}, OpeningTurns: 4, MaxTurns: 60, Seed: 1}
}

func play(t *testing.T, cfg *Config, f *Field) *Input {
	t.Helper()
	g := game(t, "standard")
	in := &Input{Config: *cfg, Field: f, Identity: map[string]string{}, Command: "ludozero again", Played: map[string]*Played{}}
	one := func(name string, rounds int) *match.Openings {
		list, err := match.RandomOpenings(context.Background(), g, rounds, cfg.OpeningTurns, cfg.SeedOf(name))
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	run := func(p *Part, err error) *Played {
		if err != nil {
			t.Fatal(err)
		}
		games, err := p.Series.Run(context.Background(), nil, match.Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		return &Played{p, games}
	}
	for name, rounds := range map[string]int{RoundRobin: cfg.Rounds, Doctrines: cfg.Pairs, Networks: cfg.NetworkPairs} {
		in.Played[name] = run(cfg.Part(name, g, f, one(name, rounds)))
	}
	return in
}

func TestBuildAndItsForms(t *testing.T) {
	cfg := small()
	f := field(t, &cfg, "cross-puncture", "edge-seed")
	in := play(t, &cfg, f)
	plan := cfg.Plan(f)
	if n := [3]int{len(in.Played[RoundRobin].Games), len(in.Played[Doctrines].Games), len(in.Played[Networks].Games)}; n != [3]int{plan.RoundRobin, plan.Doctrines, plan.Networks} || n != [3]int{12, 26, 6} {
		t.Fatalf("%v games, the plan says %v", n, plan)
	}
	r, err := Build(in)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.RoundRobin.Duels) != 3 || len(r.Effects) != 4 || len(r.Prints) != 3 || len(r.Matches) != 3 || len(r.Claims) != 9 || r.Games != 44 {
		t.Fatalf("%d duels, %d effects, %d fingerprints, %d matches, %d declared differences, %d games",
			len(r.RoundRobin.Duels), len(r.Effects), len(r.Prints), len(r.Matches), len(r.Claims), r.Games)
	}
	if e := r.Effects[0]; e.School != "Ykrul" || e.Weight != 2 || e.Games != 4 || e.Wins+e.Draws+e.Losses != 4 || math.Abs(e.Score.Value-(float64(e.Wins)+float64(e.Draws)/2)/4) > 1e-12 {
		t.Errorf("the first effect: %+v", e)
	}
	if e := r.Effects[3]; e.School != "Ubral" || e.Weight != 1 || e.Games != 6 {
		t.Errorf("the last effect: %+v", e)
	}
	if r.RoundRobin.Cycles != nil { // the draws of two rounds would contradict half of all orders
		t.Errorf("two rounds have a p-value of an order, %g", *r.RoundRobin.Cycles)
	}
	var text, page, again bytes.Buffer
	if err := errors.Join(r.Report().WriteText(&text), r.Report().WriteHTML(&page)); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	back := &Result{}
	if err := json.Unmarshal(data, back); err != nil {
		t.Fatal(err)
	}
	if err := back.Report().WriteText(&again); err != nil || again.String() != text.String() {
		t.Errorf("read back from JSON it says (%v)\n%s\nnot\n%s", err, again.String(), text.String())
	}
	for _, want := range []string{"Ykrul", "not to stay", "Who beats whom", "The schools at a glance", "Against networks", "The same again: ludozero again"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the text lacks %q:\n%s", want, text.String())
		}
	}
	if strings.Contains(page.String(), "NaN") || strings.Count(page.String(), "<svg") < 8 {
		t.Errorf("the page has %d plots, NaN %t", strings.Count(page.String(), "<svg"), strings.Contains(page.String(), "NaN"))
	}
	back.RoundRobin.Ratings.Seat = rating.Estimate{Low: math.Inf(-1), High: math.Inf(1)}
	if said := strings.Join(append(back.strongest(), back.ratingTable().Notes...), " "); strings.Count(said, "What moving first is worth is unknown") != 2 || strings.Contains(said, "+0 Elo") {
		t.Errorf("where nobody knows what moving first is worth it says %s", said)
	}
	for _, table := range r.CSV() {
		var b bytes.Buffer
		if err := table.Write(&b); err != nil {
			t.Errorf("%s: %v", table.Name, err)
		}
		lines := strings.Split(strings.TrimSpace(b.String()), "\n")
		if len(lines) < 3 || strings.Count(lines[0], ",") != strings.Count(lines[1], ",") {
			t.Errorf("%s: %q", table.Name, lines[:min(2, len(lines))])
		}
	}
}

// TestDeclaredDifferencesAreOfTheBook: each shipped school has some, of measures and
// columns that there are, and no other school has.
func TestDeclaredDifferencesAreOfTheBook(t *testing.T) {
	for _, s := range school.Shipped() {
		if (len(declared[s.ID]) > 0) == (s.ID == school.None) {
			t.Errorf("%s has %d declared differences", s.ID, len(declared[s.ID]))
		}
	}
	if n := len(school.Shipped()) - 1; len(declared) != n {
		t.Errorf("%d schools have declared differences, want %d", len(declared), n)
	}
	seen := map[string]bool{}
	for id, list := range declared {
		for _, c := range list {
			key := id + " " + measures[c.measure].ID
			if seen[key] {
				t.Errorf("%s is declared twice", key)
			}
			seen[key] = true
			if c.direction != More && c.direction != Less {
				t.Errorf("%s: direction %q", key, c.direction)
			}
		}
	}
}

func TestConfigSaysAllThatIsWrong(t *testing.T) {
	good := DefaultConfig()
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
	bad := Config{Rounds: -1, Pairs: 1, OtherPairs: 2, NetworkPairs: -1, Weights: []float64{0.5, 0.5, 9}, OpeningTurns: 3, MaxTurns: 2}
	err := bad.Validate()
	if err == nil {
		t.Fatal("nothing is wrong")
	}
	for _, want := range []string{"rounds=-1", "pairs=1", "other_pairs=2", "network_pairs=-1", "opening_turns=3", "max_turns=2", "want 1 among them", "0.5: it is there twice", "weight 9"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("it does not say %q: %v", want, err)
		}
	}
	cfg := small()
	few := &match.Openings{List: []match.Opening{{}}}
	if _, err := cfg.Part(RoundRobin, game(t, "standard"), field(t, &cfg, "edge-seed"), few); err == nil || !strings.Contains(err.Error(), "only 1 different openings of 4 turns for 2 rounds") {
		t.Errorf("too few openings: %v", err)
	}
}
