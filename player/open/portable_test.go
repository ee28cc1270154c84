package open

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/model/zoo"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/alphabeta"
)

// TestPlayersThatTravelPlayTheSameGames: networks from files and shipped ones, with kinds
// of actions left out and decisions drawn, as another machine makes them from what it is
// told. A program does not travel.
func TestPlayersThatTravelPlayTheSameGames(t *testing.T) {
	p := New(engine.Families{&konreh.Family})
	defer p.Close()
	g, err := konreh.Family.Parse("micro")
	if err != nil {
		t.Fatal(err)
	}
	weights, err := zoo.File("konreh")
	if err != nil {
		t.Fatal(err)
	}
	here, there := filepath.Join(t.TempDir(), "own"), filepath.Join(t.TempDir(), "weights-of-another")
	for _, path := range []string{here, there} {
		if err := os.WriteFile(path, weights, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	contestant := func(text string, without ...string) match.Contestant {
		spec, err := p.Parse(text)
		if err == nil && len(without) > 0 {
			spec, err = spec.Without(without...)
		}
		if err != nil {
			t.Fatal(err)
		}
		c, err := spec.Sampled(g, player.Sampling{Decisions: 6, Temperature: 1, Slips: 0.5})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	weighted := filepath.Join(t.TempDir(), "terms.txt")
	var terms strings.Builder
	for _, name := range alphabeta.TermsOf(g).Names {
		fmt.Fprintf(&terms, "%s 7\n", name)
	}
	if err := os.WriteFile(weighted, []byte(terms.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	list := []match.Contestant{contestant("net:" + here + ",sims=2"), contestant(ByHash("konreh")+",sims=2", "Seed"), contestant("mcts:sims=4"), contestant("alphabeta:depth=1,terms=" + weighted)}
	cfg := match.Config{Pairs: 1, OpeningTurns: 2, MaxTurns: 12, Workers: 1, Seed: 5}
	openings, err := match.RandomOpenings(t.Context(), g, 1, 2, 5)
	if err != nil {
		t.Fatal(err)
	}
	games := func(list []match.Contestant) []match.Game {
		s, err := match.NewSeries(cfg, g, list, false, openings)
		if err != nil {
			t.Fatal(err)
		}
		games, err := s.Run(t.Context(), nil, match.Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		return games
	}
	want := games(list)
	for i := range list {
		one, err := list[i].Portable()
		if err != nil {
			t.Fatal(err)
		}
		if (one.File != nil) != (i == 0 || i == 3) {
			t.Errorf("%s carries a file: %t", list[i].Name, one.File != nil)
		}
		path := there
		if i == 3 {
			path += "-terms"
			if err := os.WriteFile(path, one.File, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Remove(weighted); err != nil { // which no other machine has
				t.Fatal(err)
			}
		}
		made, err := p.Contestant(g, one, path)
		if err != nil {
			t.Fatal(err)
		}
		made.Name, made.Identity = list[i].Name, list[i].Identity
		list[i] = made
	}
	if got := games(list); !slices.Equal(got, want) {
		t.Errorf("they play\n%+v\nwant\n%+v", got, want)
	}
	if _, err := p.Contestant(g, &match.Portable{Text: "ugi:true,nodes=1"}, ""); err == nil {
		t.Error("a program was started for another machine")
	}
}
