package plan

import (
	"reflect"
	"slices"
	"testing"
	"time"
)

// TestHashIsOfDifferences: keys at their defaults do not count, so that a new
// one changes nothing.
func TestHashIsOfDifferences(t *testing.T) {
	type entry struct {
		Rules  string  `mapstructure:"rules"`
		Weight float64 `mapstructure:"weight"`
	}
	type inner struct {
		Wait  time.Duration `mapstructure:"wait"`
		Names []string      `mapstructure:"names"`
	}
	type settings struct {
		inner `mapstructure:",squash"`
		Deep  inner   `mapstructure:"deep"`
		Mix   []entry `mapstructure:"mix"`
		Rate  float64 `mapstructure:"rate"`
	}
	base := settings{inner: inner{Wait: time.Second, Names: []string{"a"}}, Rate: 0.1}
	list := func(s settings) []string { return differences("", reflect.ValueOf(s), reflect.ValueOf(base)) }
	same := base
	same.Mix, same.Deep.Names, same.Names = []entry{}, []string{}, []string{"a"}
	if got := list(same); len(got) != 0 {
		t.Errorf("differences of equal settings: %q", got)
	}
	other := settings{
		inner: inner{Wait: time.Minute, Names: []string{"a", `b" "c`}}, Deep: inner{Wait: 1},
		Mix: []entry{{Rules: "x"}, {Weight: 1e-9}, {}}, Rate: 0.1000000000000001,
	}
	want := []string{"wait=1m0s", `names=["a"]["b\" \"c"]`, "deep.wait=1ns", `mix=[rules="x"][weight=1e-09][]`, "rate=0.1000000000000001"}
	if got := list(other); !slices.Equal(got, want) {
		t.Errorf("differences\n%q, want\n%q", got, want)
	}
}

// TestHashOfDefaults pins that of a run at the defaults of the first configurations: if
// it changes, every run made before is refused.
func TestHashOfDefaults(t *testing.T) {
	c := DefaultConfig()
	c.Game, c.Rules = "konreh", "standard,max_turns=600"
	c.Generations, c.Budget, c.CoreBudget, c.Workers = 7, time.Hour, time.Hour, 3
	if got, want := c.Hash(), "e3b0c44298fc1c14"; got != want {
		t.Errorf("hash %s, want %s, that of nothing", got, want)
	}
	c.Game, c.SelfPlay.Search.Simulations, c.Window.MinPositions, c.PassesPerPosition = "tictactoe", 8, 60, 2.3
	d := differences("", reflect.ValueOf(c), reflect.ValueOf(DefaultConfig()))
	for _, key := range []string{`game="tictactoe"`, "self_play.search.simulations=8", "window.min_positions=60", "passes_per_position=2.3"} {
		if !slices.Contains(d, key) {
			t.Errorf("differences %q, want %s among them", d, key)
		}
	}
}
