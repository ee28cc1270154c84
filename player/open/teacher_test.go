package open

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/selfplay"
)

// TestTeacherWithATemperature: its distribution and value follow from the leads of
// alphabeta, a win at hand has all of it, and a player without leads is refused.
func TestTeacherWithATemperature(t *testing.T) {
	g, err := tictactoe.Family.Parse("standard")
	if err != nil {
		t.Fatal(err)
	}
	players := New(engine.Families{&tictactoe.Family})
	teacher := func(name string, temperature float64) (selfplay.Teacher, error) {
		open, canonical, err := players.TeacherOf(&selfplay.TeacherConfig{Player: name, Temperature: temperature})
		if err != nil || canonical != name {
			t.Fatalf("TeacherOf(%s) = %s, %v", name, canonical, err)
		}
		return open(g)
	}
	choose := func(temperature float64, s engine.State, h *engine.History) selfplay.Lesson {
		x, err := teacher("alphabeta:depth=1", temperature)
		if err == nil {
			err = x.NewGame(t.Context(), 5)
		}
		if err != nil {
			t.Fatal(err)
		}
		defer x.EndGame()
		lesson, err := x.Choose(t.Context(), s, h, s.Legal(nil, h))
		if err != nil {
			t.Fatal(err)
		}
		return lesson
	}

	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	if x := choose(0, s, h); x.Policy != nil || x.Valued {
		t.Errorf("at temperature 0 it gives %+v, want an action alone", x)
	}
	spec, err := players.Parse("alphabeta:depth=1")
	if err != nil {
		t.Fatal(err)
	}
	p, err := spec.New(g)
	if err == nil {
		err = p.NewGame(t.Context(), 5)
	}
	if err != nil {
		t.Fatal(err)
	}
	_, leads, err := p.(rater).Rate(t.Context(), s, h, 100)
	if err != nil || slices.Max(leads) == slices.Min(leads) {
		t.Fatalf("leads %v, %v: want different ones", leads, err)
	}
	const temperature = 0.1
	x, best := choose(temperature, s, h), slices.Index(leads, slices.Max(leads))
	for i, lead := range leads {
		want := math.Exp((lead - leads[best]) / (4 * temperature))
		if got := float64(x.Policy[i] / x.Policy[best]); math.Abs(got-want) > 1e-4 {
			t.Errorf("action %d of lead %g has %g of the weight of the best, want %g", i, lead, got, want)
		}
	}
	if want := 2/(1+math.Exp(-leads[best])) - 1; !x.Valued || math.Abs(float64(x.Value)-want) > 1e-6 {
		t.Errorf("value %g of a lead of %g, want %g", x.Value, leads[best], want)
	}

	for _, a := range []engine.Action{0, 3, 1, 4} { // three in a row at 2
		s.Apply(a, h)
	}
	x = choose(temperature, s, h)
	for i, a := range s.Legal(nil, h) {
		if (x.Policy[i] > 0) != (a == 2) {
			t.Errorf("action %d has %g of the distribution beside a win by 2", a, x.Policy[i])
		}
	}
	if x.Action != 2 || x.Value != 1 {
		t.Errorf("it plays %d and expects %g, want 2 and 1", x.Action, x.Value)
	}

	if _, err := teacher("alphabeta:nodes=200", temperature); err == nil || !strings.Contains(err.Error(), "want one such as depth=2") {
		t.Errorf("a limit of positions with a temperature: %v", err)
	}
	if _, err := teacher("alphabeta:nodes=200", 0); err != nil {
		t.Error(err)
	}
	if _, err := teacher("mcts:sims=5", temperature); err == nil || !strings.Contains(err.Error(), "does not value all actions") {
		t.Errorf("mcts with a temperature: %v, want to be refused", err)
	}
}
