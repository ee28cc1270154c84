package selfplay

import (
	"reflect"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest/pienim"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/selfplay/record"
	"gonum.org/v1/gonum/stat/distuv"
)

// tenfold are ten rulesets of Kon'reh with everything a tree could stumble over:
// two sizes of board, swaps, double moves, other counters.
func tenfold(t testing.TB) []engine.Game {
	t.Helper()
	var all []engine.Game
	for _, word := range []string{
		"standard|letter|table|tutor,max_turns=12", "micro,balance=single|pie|double-move,max_turns=12",
		"standard,balance=pie|pie-double|double-pie,max_turns=12",
	} {
		games, err := konreh.Family.Expand(word, 10)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, games...)
	}
	if len(all) != 10 {
		t.Fatalf("%d rulesets, want 10", len(all))
	}
	return all
}

func equal(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = 1
	}
	return w
}

// fits demands that counts could well be draws with these probabilities: not
// even one set of counts in ten thousand is farther from them by chi-square.
func fits(t *testing.T, what string, counts []int, probs []float64) {
	t.Helper()
	n, distance := 0, 0.0
	for _, c := range counts {
		n += c
	}
	for i, c := range counts {
		want := float64(n) * probs[i]
		if want < 5 {
			t.Fatalf("%s: only %g expected of kind %d", what, want, i)
		}
		distance += (float64(c) - want) * (float64(c) - want) / want
	}
	if p := (distuv.ChiSquared{K: float64(len(counts) - 1)}).Survival(distance); p < 1e-4 {
		t.Errorf("%s: counted %v of probabilities %v: p = %g", what, counts, probs, p)
	}
}

// TestMixDrawsByWeight: also of a ruleset that is there twice.
func TestMixDrawsByWeight(t *testing.T) {
	games := tenfold(t)
	weights := []float64{1, 2, 3, 4, 5, 0.5, 0.1, 7, 8, 9}
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	probs := make([]float64, len(games))
	for i, w := range weights {
		probs[i] = w / (sum + 3)
	}
	probs[4] += 3 / (sum + 3)
	j := Job{Mix: NewMix(append(games, games[4]), append(weights, 3))}
	if got := j.Mix.Games(); !reflect.DeepEqual(got, games) {
		t.Fatalf("%d rulesets in the mix, want %d", len(got), len(games))
	}
	counts := make([]int, len(games))
	for n := range 20_000 {
		g := j.ruleset(seed.Number(11, "game", uint64(n)))
		for i := range games {
			if games[i] == g {
				counts[i]++
			}
		}
	}
	fits(t, "mix", counts, probs)
}

// TestOneTreePlaysEveryRuleset goes from ruleset to ruleset with one game in
// flight, and so one tree and one history.
func TestOneTreePlaysEveryRuleset(t *testing.T) {
	for _, games := range [][]engine.Game{
		tenfold(t),
		{pienim.New("standard"), pienim.New("shifting"), pienim.New("standard,pie=false,height=4")},
		{racegame.New(), parse(t, &racegame.Family, "track=6,turns=20"), parse(t, &racegame.Family, "turns=3")},
	} {
		const perRuleset = 8
		j := job(games[0], 1, perRuleset*len(games))
		j.Mix = NewMix(games, equal(len(games)))
		cfg := quick()
		cfg.GamesInFlight = 1
		played := map[string]int{}
		for _, f := range play(t, cfg, j) {
			replays(t, games, f)
			played[f.Rules]++
		}
		for _, g := range games {
			if played[g.Rules()] == 0 {
				t.Errorf("%s: no game by %s", g.Info().Name, g.Rules())
			}
		}
	}
}

// replays plays a game again by the rules that it names.
func replays(t *testing.T, games []engine.Game, f *Finished) {
	t.Helper()
	for _, g := range games {
		if g.Rules() != f.Rules {
			continue
		}
		if len(f.Rows) == 0 {
			t.Errorf("game %d by %s has no row", f.Number, f.Rules)
			return
		}
		if f.Rows[0].Rules != f.Rules {
			t.Errorf("game %d by %s is recorded as one by %s", f.Number, f.Rules, f.Rows[0].Rules)
		}
		for _, p := range record.NewReplayer(g).Play(f.Rows, nil) {
			t.Errorf("game %d by %s: row %d: %v", f.Number, f.Rules, p.Row, p.Err)
		}
		return
	}
	t.Errorf("game %d is by rules %q, which are not of the mix", f.Number, f.Rules)
}

// TestMixOfOneChangesNoGame: the ruleset is drawn beside the game's own stream.
func TestMixOfOneChangesNoGame(t *testing.T) {
	for _, g := range testGames(t) {
		want := play(t, quick(), job(g, 1, 5))
		j := job(g, 1, 5)
		j.Mix = NewMix([]engine.Game{g}, []float64{0.3})
		if got := play(t, quick(), j); !reflect.DeepEqual(got, want) {
			t.Errorf("%s %s: a mix of one ruleset plays other games than the ruleset", g.Info().Name, g.Rules())
		}
	}
}
