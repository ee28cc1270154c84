package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/model/zoo"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/stats/rating"
)

// played is a tournament of three settings, not in order, and the anchor.
func played() (*match.Standing, []asked) {
	s := &match.Standing{
		Game: "connect4", Rules: "standard", Seed: 5, MaxTurns: 2000, Openings: "random:turns=4",
		PlannedPairs: 10, Pairs: 60, PlannedInAll: 60, Ratings: &rating.Table{Anchor: "random"},
	}
	var players []asked
	for i, name := range []string{"random", "net:small,sims=16,precision=int8", "net:small,sims=1,temperature=2,precision=int8", "net:small,sims=1,precision=int8"} {
		elo := []float64{0, 700.04, 150, 400}[i]
		s.Ratings.Players = append(s.Ratings.Players, rating.Player{Name: name, Games: 60, Elo: rating.Estimate{Value: elo, Low: elo - 9, High: elo + 9}})
		a := asked{Name: name}
		if i > 0 {
			a.Identity = "weights " + zoo.Digest([]byte("weights"))
		}
		players = append(players, a)
	}
	return s, players
}

func TestTableOfATournament(t *testing.T) {
	folder, dir := t.TempDir(), t.TempDir()
	s, players := played()
	for path, v := range map[string]any{
		filepath.Join(folder, "result.json"): s,
		filepath.Join(folder, "series.json"): map[string]any{"players": players},
	} {
		data, err := json.Marshal(v)
		if err == nil {
			err = os.WriteFile(path, data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "small.safetensors"), []byte("weights"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := write(dir, folder, "small"); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "small"+zoo.RatingsExtension))
	if err != nil {
		t.Fatal(err)
	}
	r, err := player.ReadRatings(data)
	if err != nil {
		t.Fatal(err)
	}
	want := []player.Strength{{Simulations: 1, Temperature: 2}, {Simulations: 1}, {Simulations: 16}}
	for i, l := range r.Levels {
		if l.Strength != want[i] {
			t.Errorf("level %d is %+v, want %+v", i+1, l.Strength, want[i])
		}
	}
	if r.Weights != zoo.RatingsOf(data) || r.Games != 120 || len(r.Others) != 1 || r.Levels[2].Elo != 700 ||
		r.Command != "ludozero tournament --game connect4 --rules standard random net:small,sims=16,precision=int8 net:small,sims=1,temperature=2,precision=int8 "+
			"net:small,sims=1,precision=int8 --pairs 10 --seed 5 --openings random:turns=4 --max-turns 2000 --anchor random" {
		t.Errorf("%+v", r)
	}
}

func TestTournamentsThatMakeNoTable(t *testing.T) {
	for want, change := range map[string]func(s *match.Standing, players []asked){
		"to its end":         func(s *match.Standing, _ []asked) { s.Pairs-- },
		"want a round robin": func(s *match.Standing, _ []asked) { s.Gauntlet = true },
		"no anchor":          func(s *match.Standing, _ []asked) { s.Ratings.Anchor = "" },
		"limited by time":    func(s *match.Standing, _ []asked) { s.Clock = "1+1" },
		"with other weights": func(_ *match.Standing, players []asked) { players[2].Identity = "weights of another" },
		"want sims, temperature": func(s *match.Standing, p []asked) {
			s.Ratings.Players[1].Name += ",fold=true"
			p[1].Name += ",fold=true"
		},
		"want more Elo by more": func(s *match.Standing, _ []asked) {
			s.Ratings.Players[3].Elo = rating.Estimate{Value: 100, Low: 90, High: 110}
		},
		"0 levels": func(s *match.Standing, _ []asked) { s.Ratings.Players = s.Ratings.Players[:1] },
	} {
		s, players := played()
		change(s, players)
		if _, err := table(s, players, "small", zoo.Digest([]byte("weights"))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
