package ratings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/stats/rating"
)

// matchOf is a match with the given points of A, two games a pair, A first in the
// first of them. An empty opponent stands for the network of generation other.
func matchOf(generation int, opponent string, other int, points ...float64) Match {
	g, err := tictactoe.Family.Parse("standard")
	if err != nil {
		panic(err)
	}
	cfg := match.Config{Pairs: len(points) / 2, Seed: uint64(1 + generation), MaxTurns: 100}
	s, err := match.NewSeries(cfg, g, []match.Contestant{{Name: "a"}, {Name: "b"}}, false, &match.Openings{List: make([]match.Opening, cfg.Pairs)})
	if err != nil {
		panic(err)
	}
	games := make([]match.Game, len(points))
	for i, p := range points {
		games[i] = match.Game{Number: i + 1, Pair: i/2 + 1, AFirst: i%2 == 0, Points: p, Reason: "won", Turns: 9, Moves: fmt.Sprint("x", i)}
	}
	return Match{Version: version, Generation: generation, Simulations: 64, Learned: time.Duration(generation) * time.Minute, Opponent: opponent, Other: other, Took: time.Second, Result: match.Summarise(cfg, s, games)}
}

// played is a match of n pairs between players of known strength who draw
// nothing.
func played(rng *rand.Rand, generation int, opponent string, other, n int, elo float64) Match {
	points := make([]float64, 2*n)
	for i := range points {
		if rng.Float64() < rating.ScoreOf(elo) {
			points[i] = 1
		}
	}
	return matchOf(generation, opponent, other, points...)
}

func TestMatchesAreReadAsWritten(t *testing.T) {
	dir := t.TempDir()
	if list, err := Read(nil, dir); len(list) != 0 || err != nil {
		t.Errorf("Read of no file = %v, %v", list, err)
	}
	want := []Match{matchOf(3, "random", 0, 1, 0.5), matchOf(3, "", 0, 1, 1, 0, 1), matchOf(5, "", 3, 0.5, 0)}
	want[2].Final = true
	odd := matchOf(6, "net:\xff<\u2028\ufffd", 0, 1, 0)
	for i := range want {
		if err := Append(dir, &want[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := Append(dir, &odd); err != nil {
		t.Fatal(err)
	}
	odd.Opponent = "net:\ufffd<\u2028\ufffd"
	want = append(want, odd)
	got, err := Read(nil, dir)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Read = %+v, %v, want %+v", got, err, want)
	}
}

// TestCutLineIsNoMatch: a kill may leave a part of a line, which counts neither
// for readers nor once the next match comes.
func TestCutLineIsNoMatch(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, File)
	m := matchOf(1, "random", 0, 1, 1)
	if err := Append(dir, &m); err != nil {
		t.Fatal(err)
	}
	line, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	long := bytes.Repeat([]byte("x"), 150_000) // longer than what is looked at in one go
	for _, part := range [][]byte{line[:1], line[:len(line)-1], long} {
		if err := os.WriteFile(path, append(bytes.Clone(line), part...), 0o666); err != nil {
			t.Fatal(err)
		}
		if list, err := Read(nil, dir); len(list) != 1 || err != nil {
			t.Errorf("Read with a part of %d bytes = %d matches, %v, want 1", len(part), len(list), err)
		}
		if err := Append(dir, &m); err != nil {
			t.Fatal(err)
		}
		if b, _ := os.ReadFile(path); string(b) != string(line)+string(line) {
			t.Errorf("after a part of %d bytes the file has %d bytes, want two lines of %d", len(part), len(b), len(line))
		}
	}
}

func TestUnreadableMatchesAreNamed(t *testing.T) {
	good, err := (&line{Match: matchOf(1, "random", 0, 1, 1)}).seal(true)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, text, want string }{
		{File, string(good) + "\n{\"version\":2}\n", File + ": line 2: version 2: this program reads version 1"},
		{File, "{\"version\":1\n" + string(good) + "\n", File + ": line 1: "},
		{File, `{"version":1}` + "\n", "line 1: there is no result"},
		{File, strings.Replace(string(good), `"a_first":false`, `"a_first":true`, 1) + "\n", "game 2: number 2, pair 1, A first true"},
		{File, strings.Replace(string(good), `"wins":2`, `"wins":1`, 1) + "\n", "wins, draws, losses: 1-0-0, its games make 2-0-0"},
		{OldFile, `{"version":2,"matches":{}}`, OldFile + ": version 2: this program reads version 1"},
		{OldFile, `{"version":1,"matches":[null]}`, OldFile + ": match 1: there is none"},
		{OldFile, `{"version":1,"matches":[{"a":"random"}]}`, `match 1: "random" is no network of a run`},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, c.name), []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if list, err := Read(nil, dir); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Read of %s = %d matches, %v, want an error with %q", c.text, len(list), err, c.want)
		}
	}
	if err := Append(t.TempDir(), &Match{Generation: 1, Opponent: "random"}); err == nil {
		t.Error("Append took a match without games")
	}
}

// TestOldRatingIsRead: matches that earlier programs kept at the end come first.
func TestOldRatingIsRead(t *testing.T) {
	dir := t.TempDir()
	real, err := parse(games, []byte(before(t)[0]))
	if err != nil {
		t.Fatal(err)
	}
	old := real.Result
	old.A, old.B = "net:/somewhere/checkpoints/000007/weights.safetensors,sims=32", "random"
	b, err := json.Marshal(map[string]any{"version": 1, "matches": []*match.Result{old}})
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, OldFile), b, 0o666)
	}
	m := matchOf(9, "random", 0, 1, 0)
	if err == nil {
		err = Append(dir, &m)
	}
	if err != nil {
		t.Fatal(err)
	}
	list, err := Read(games, dir)
	if err != nil || len(list) != 2 || list[1].Generation != 9 {
		t.Fatalf("Read = %+v, %v", list, err)
	}
	if o := list[0]; !o.Final || o.Generation != 7 || o.Simulations != 32 || o.Opponent != "random" || len(o.Result.Games) != 16 {
		t.Errorf("the old match is %+v", o)
	}
	for edit, want := range map[string]string{`"a1 b1 c3 b2 a3 a2 c1"`: "match 1: game 1: ", `"a1 b1 c3","b":"x"`: "unknown field"} {
		bad := strings.Replace(string(b), `"a1 b1 c3 b2 a3 a2 b3"`, edit, 1)
		if err := os.WriteFile(filepath.Join(dir, OldFile), []byte(bad), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(games, dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Read of an old match with %s: %v, want an error with %q", edit, err, want)
		}
	}
}

// miss is 1 if an interval does not hold the truth.
func miss(e rating.Estimate, truth float64) int {
	if e.Low > truth || e.High < truth {
		return 1
	}
	return 0
}

// TestCurveFindsPlantedStrength simulates a run whose networks gain 40 Elo from
// rating to rating.
func TestCurveFindsPlantedStrength(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	fixed := map[string]float64{"weak": 0, "strong": 200}
	var list []Match
	for i := range 8 {
		g, elo := 5*i, 40*float64(i)
		for _, name := range []string{"weak", "strong"} {
			list = append(list, played(rng, g, name, 0, 150, elo-fixed[name]))
		}
		if i > 0 {
			list = append(list, played(rng, g, "", g-5, 150, 40))
		}
	}
	c, err := Elo(list)
	if err != nil {
		t.Fatal(err)
	}
	origin := map[string]float64{"weak": 0, "strong": 200, "generation 0": 0}[c.Anchor]
	if len(c.Networks) != 8 || c.Games != len(list)*300 || c.LeftOut != 0 {
		t.Fatalf("anchor %q, %d networks, %d games, %d left out", c.Anchor, len(c.Networks), c.Games, c.LeftOut)
	}
	outside := 0
	for i, n := range c.Networks {
		truth := 40*float64(i) - origin
		if n.Generation != 5*i || n.Learned != time.Duration(5*i)*time.Minute || math.Abs(n.Elo.Value-truth) > 60 || n.Elo.High-n.Elo.Low > 80 {
			t.Errorf("network %+v, want generation %d at %g", n, 5*i, truth)
		}
		outside += miss(n.Elo, truth)
	}
	for _, o := range c.Opponents {
		outside += miss(o.Elo, fixed[o.Name]-origin)
	}
	if outside > 2 { // of ten; three and more happen once in ninety times
		t.Errorf("%d of 10 intervals do not hold the truth: %+v", outside, c)
	}
	newest, err := Newest(list)
	if err != nil || len(newest.Networks) != 1 || newest.Networks[0] != c.Networks[7] || newest.Anchor != c.Anchor || newest.Games != c.Games {
		t.Errorf("Newest = %+v, %v, want %+v", newest, err, c.Networks[7])
	}
}

// TestMisfits: an opponent who draws with a network that beats everybody who
// beats him does not fit, seen from the newest network.
func TestMisfits(t *testing.T) {
	won, drawn := slices.Repeat([]float64{1}, 60), slices.Repeat([]float64{0.5}, 60)
	mostly := append(slices.Repeat([]float64{1}, 56), 0, 1, 0, 1)
	list := []Match{matchOf(0, "wall", 0, append(slices.Repeat([]float64{0}, 58), 0.5, 0.5)...), matchOf(1, "wall", 0, drawn...), matchOf(1, "", 0, mostly...), matchOf(2, "", 1, drawn...), matchOf(2, "wall", 0, won...)}
	c, err := Newest(list)
	if err != nil || len(c.Misfits) == 0 {
		t.Fatalf("Newest = %+v, %v, want misfits", c, err)
	}
	for _, m := range c.Misfits {
		switch m.Opponent {
		case "wall":
			if m.Score.Value != 1 || m.Expected > 0.95 {
				t.Errorf("misfit %+v, want 100 %% made and less expected", m)
			}
		case "generation 1":
			if m.Score.Value != 0.5 || m.Expected < 0.55 {
				t.Errorf("misfit %+v, want half made and more expected", m)
			}
		default:
			t.Errorf("misfit %+v: the newest network did not play that", m)
		}
	}
	if c, err = Newest(list[:3]); err != nil || len(c.Misfits) > 0 {
		t.Errorf("misfits of two players who compare through one: %+v, %v", c.Misfits, err)
	}
}

// TestEvidenceCountsNothingTwice: a match that was played again with more pairs
// replaces the first, and other conditions do not compare.
func TestEvidenceCountsNothingTwice(t *testing.T) {
	short, long := matchOf(4, "random", 0, 1, 0), matchOf(4, "random", 0, 1, 0, 1, 1)
	other := matchOf(4, "random", 0, 1, 1)
	other.Simulations = 800
	rules := matchOf(4, "random", 0, 1, 1)
	rules.Result.Rules = "blitz"
	seed := matchOf(4, "random", 0, 0.5, 1)
	seed.Result.Seed = 99
	c, err := Elo([]Match{short, other, rules, long, short, seed})
	if err != nil || c.Games != 6 || c.LeftOut != 4 || c.Networks[0].Games != 6 {
		t.Errorf("Elo = %+v, %v, want 6 games and 4 matches left out", c, err)
	}
	if c, err := Elo(nil); c != nil || err != nil {
		t.Errorf("Elo of nothing = %v, %v", c, err)
	}
	if _, err := Elo([]Match{matchOf(5, "", 4, 1, 0)}); err == nil {
		t.Error("Elo has an anchor that nobody played")
	}
}

// TestOriginStays: the anchor is the opponent that says most about the network that was
// measured first, during the run, at its end, and when the end has moved.
func TestOriginStays(t *testing.T) {
	won := slices.Repeat([]float64{1}, 40)
	lost := slices.Repeat([]float64{0}, 40)
	mostly := append(slices.Clone(won), 0, 1)
	even := slices.Repeat([]float64{1, 0, 0, 1}, 10)
	final := func(m Match) Match { m.Final = true; m.Result.Seed = 77; return m }
	list := []Match{
		matchOf(1, "strong", 0, lost...), matchOf(1, "weak", 0, even...), matchOf(1, "", 0, mostly...),
		matchOf(5, "strong", 0, even...), matchOf(5, "weak", 0, mostly...), matchOf(5, "", 1, even...),
		final(matchOf(9, "strong", 0, even...)), final(matchOf(0, "strong", 0, lost...)), final(matchOf(9, "weak", 0, won...)), final(matchOf(0, "weak", 0, mostly...)),
	}
	for n := 2; n <= len(list); n++ {
		all, err := Elo(list[:n])
		newest, nerr := Newest(list[:n])
		if err != nil || nerr != nil || all.Anchor != "weak" || newest.Anchor != "weak" {
			t.Errorf("after %d matches Elo is relative to %+v and %+v, %v, %v, want weak", n, all, newest, err, nerr)
		}
	}
	// A longer repetition tells more, and does not move it either.
	longer := append(slices.Clone(list[:2]), matchOf(1, "strong", 0, slices.Repeat([]float64{0, 1}, 200)...))
	if c, err := Elo(longer); err != nil || c.Anchor != "weak" {
		t.Errorf("after a longer match Elo is relative to %+v, %v, want weak", c, err)
	}
	c, err := Elo([]Match{matchOf(1, "few", 0, won[:4]...), matchOf(1, "many", 0, won...), matchOf(1, "", 0, won[:6]...)})
	if err != nil || c.Anchor != "many" || !math.IsInf(c.Networks[1].Elo.Value, 1) || c.Networks[1].Elo.Low < 200 {
		t.Errorf("Elo = %+v, %v, want it far above the opponent of most games", c, err)
	}
	if c, err = Elo([]Match{matchOf(1, "", 0, even...)}); err != nil || c.Anchor != "generation 0" {
		t.Errorf("Elo without fixed opponents = %+v, %v, want it relative to generation 0", c, err)
	}
	c, _ = Elo([]Match{matchOf(1, "few", 0, won[:4]...), matchOf(1, "", 0, won[:6]...)})
	b, err := json.Marshal(c)
	var again Curve
	if err == nil {
		err = json.Unmarshal(b, &again)
	}
	if err != nil || fmt.Sprint(again) != fmt.Sprint(*c) {
		t.Errorf("JSON gives %+v, %v, want %+v", again, err, *c)
	}
}
