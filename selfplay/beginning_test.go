package selfplay

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/selfplay/record"
)

// everywhere is self-play of games that begin in all ways.
func everywhere() Config {
	c := quick()
	c.Beginnings.SampledShare, c.Beginnings.EarlierShare = 0.4, 0.4
	c.Beginnings.SampledTurns = 2
	return c
}

func playerOf(j *Job) *Player { return j.Source.(*Range).Player }

// earlierOf keeps the games of a job of generation 2.
func earlierOf(t testing.TB, g engine.Game, mix *Mix, count int) *Earlier {
	t.Helper()
	j := job(g, 1, count)
	j.Mix, j.Seed = mix, 99
	var games []EarlierGame
	for _, f := range play(t, quick(), j) {
		if len(f.Rows) > 0 {
			games = append(games, NewEarlierGame(f.Rows, 0))
		}
	}
	return NewEarlier(games)
}

// TestBeginnings plays games of every kind with everything on and looks for the
// cases that make it hard, so that they cannot get lost unnoticed.
func TestBeginnings(t *testing.T) {
	seen := map[string]int{}
	for _, g := range testGames(t) {
		earlier := earlierOf(t, g, nil, 20)
		j := job(g, 1, 60)
		playerOf(&j).Earlier = earlier
		all := play(t, everywhere(), j)
		for _, f := range all {
			replays(t, []engine.Game{g}, f)
			first := &f.Rows[0]
			seen[first.Beginning]++
			if first.Beginning == record.BeginningStart {
				continue
			}
			if len(first.Before) == 0 {
				t.Errorf("%s: game %d is %s and begins at the start", g.Info().Name, f.Number, first.Beginning)
			}
			if first.Player != first.Side {
				seen["swapped before the first search"]++
			}
			if len(first.Before) > int(first.Ply) {
				seen["chance before the first search"]++
			}
			if len(f.Rows) > 1 && f.Rows[1].Player == first.Player {
				seen["repeated mover"]++
			}
		}
		again := job(g, 3, 60)
		playerOf(&again).Earlier = earlier
		if got := play(t, everywhere(), again); !reflect.DeepEqual(got, all) {
			t.Errorf("%s %s: three workers play other games than one", g.Info().Name, g.Rules())
		}
	}
	for _, what := range []string{"start", "sampled", "earlier", "swapped before the first search", "chance before the first search", "repeated mover"} {
		if seen[what] == 0 {
			t.Errorf("no game had: %s, but %v", what, seen)
		}
	}
}

// TestMixAndBeginningsTogether: every game of a mix that begins in an earlier
// one keeps to the rules drawn for it, and workers change nothing.
func TestMixAndBeginningsTogether(t *testing.T) {
	games := tenfold(t)
	mix := NewMix(games, equal(len(games)))
	earlier := earlierOf(t, games[0], mix, 30)
	var want []*Finished
	for _, workers := range []int{1, 3} {
		j := job(games[0], workers, 60)
		j.Mix = mix
		playerOf(&j).Earlier = earlier
		got := play(t, everywhere(), j)
		if want == nil {
			want = got
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d workers play other games than one", workers)
		}
	}
	plain := job(games[0], 1, 60)
	plain.Mix = mix
	other := play(t, quick(), plain)
	begun := map[string]int{}
	for i, f := range want {
		replays(t, games, f)
		begun[f.Rows[0].Beginning]++
		switch {
		case f.Rules != other[i].Rules:
			t.Errorf("game %d is by %s, without beginnings by %s", f.Number, f.Rules, other[i].Rules)
		case f.Rows[0].Beginning == record.BeginningStart && !reflect.DeepEqual(f, other[i]):
			t.Errorf("game %d begins at the start and is another than without beginnings", f.Number)
		}
	}
	if len(begun) != 3 {
		t.Errorf("the games begin %v, want all ways", begun)
	}
}

// TestNoEarlierGames: without any, games begin at the start, by their own
// streams.
func TestNoEarlierGames(t *testing.T) {
	g := racegame.New()
	cfg := quick()
	want := play(t, cfg, job(g, 1, 10))
	cfg.Beginnings.EarlierShare = 1
	for _, e := range []*Earlier{nil, NewEarlier(nil), NewEarlier([]EarlierGame{NewEarlierGame(want[0].Rows[:2], 0)})} {
		j := job(g, 1, 10)
		playerOf(&j).Earlier = e
		if got := play(t, cfg, j); !reflect.DeepEqual(got, want) {
			t.Error("with no earlier game to begin in other games are played")
		}
	}
}

// TestOpeningsStopBeforeTheEnd asks for openings longer than any game.
func TestOpeningsStopBeforeTheEnd(t *testing.T) {
	cfg := quick()
	cfg.Beginnings.SampledShare, cfg.Beginnings.SampledTurns = 1, 1000
	for _, g := range testGames(t) {
		for _, f := range play(t, cfg, job(g, 1, 20)) {
			replays(t, []engine.Game{g}, f)
			// The first position searched has an action after which the rules and
			// chance alone may end the game.
			s := g.NewState()
			if err := s.Unpack(f.Rows[0].Packed); err != nil {
				t.Fatal(err)
			}
			past := g.NewHistory()
			if !slices.ContainsFunc(f.Rows[0].Legal, func(a engine.Action) bool { return mayEnd(g, s, a, past) }) && !repeats(g) {
				t.Errorf("%s %s: game %d begins at %s, where no action ends it", g.Info().Name, g.Rules(), f.Number, f.Rows[0].Position)
			}
		}
	}
}

// repeats tells whether games can end by a repetition, which a position alone
// does not tell.
func repeats(g engine.Game) bool {
	h := g.NewHistory()
	g.NewState().Start(h)
	return h.Len() > 0
}

// mayEnd tells whether the game may end after a before anyone has a choice.
func mayEnd(g engine.Game, s engine.State, a engine.Action, past *engine.History) bool {
	t := g.NewState()
	t.CopyFrom(s)
	t.Apply(a, past)
	if t.Outcome().Over {
		return true
	}
	next := engine.AppendPossible(nil, new([]engine.Weighted), t, past)
	return (t.Actor() == engine.Chance || len(next) == 1) &&
		slices.ContainsFunc(next, func(a engine.Action) bool { return mayEnd(g, t, a, past) })
}

// TestGamesFromOnePositionDiffer: what is drawn after the beginning is the
// game's own.
func TestGamesFromOnePositionDiffer(t *testing.T) {
	g := parse(t, &tictactoe.Family, "")
	source := play(t, quick(), job(g, 1, 1))[0]
	cfg := quick()
	cfg.Beginnings.EarlierShare = 1
	j := job(g, 1, 12)
	playerOf(&j).Earlier = NewEarlier([]EarlierGame{NewEarlierGame(source.Rows[:3], 0)})
	lines := map[string]bool{}
	for _, f := range play(t, cfg, j) {
		r := &f.Rows[0]
		if r.Position != source.Rows[1].Position || r.Ply != source.Rows[1].Ply || r.Turn != source.Rows[1].Turn {
			t.Errorf("game %d begins at %s, want %s", f.Number, r.Position, source.Rows[1].Position)
		}
		var line strings.Builder
		for i := range f.Rows {
			fmt.Fprint(&line, f.Rows[i].Action, " ")
		}
		lines[line.String()] = true
	}
	if len(lines) < 6 {
		t.Errorf("%d different games of 12 from one position", len(lines))
	}
}

// TestEarlierDrawsEachDecisionAlike counts the beginnings of three games: those
// between the first decision and the last, whatever the game.
func TestEarlierDrawsEachDecisionAlike(t *testing.T) {
	row := func(game int64, before ...engine.Action) record.Row {
		return record.Row{GameNumber: game, Rules: "a", Before: before, Action: engine.Action(100*game + 50)}
	}
	games := []EarlierGame{
		NewEarlierGame([]record.Row{row(1), row(1, 1, 2), row(1), row(1, 3), row(1)}, 0),
		NewEarlierGame([]record.Row{row(2), row(2)}, 0),
		NewEarlierGame([]record.Row{row(3), row(3), row(3)}, 0),
		{Number: 4, Rules: "b", actions: []engine.Action{9}, ends: []int32{1}},
	}
	e := NewEarlier(games)
	r := rand.New(rand.NewPCG(1, 2))
	counts := map[string]int{}
	for range 4000 {
		counts[fmt.Sprint(e.draw("a", r))]++
	}
	want := []string{"[150 1 2]", "[150 1 2 150]", "[150 1 2 150 150 3]", "[350]"}
	var n []int
	for _, w := range want {
		n = append(n, counts[w])
	}
	if len(counts) != len(want) {
		t.Errorf("drawn: %v, want %v", counts, want)
	}
	fits(t, "decisions", n, []float64{0.25, 0.25, 0.25, 0.25})
	if got := e.draw("b", r); !slices.Equal(got, []engine.Action{9}) {
		t.Errorf("draw by other rules = %v", got)
	}
}

// TestWhatNobodyJudgedHasNoRegret: decisions of a teacher without a value are not those of
// an even position.
func TestWhatNobodyJudgedHasNoRegret(t *testing.T) {
	taught := func(value float32, known bool) record.Row {
		r := record.Row{PolicyKind: record.PolicyTeacher, RootValue: value, Outcome: 1}
		if !known {
			r.RootDraw = record.DrawUnknown
		}
		return r
	}
	steady := []record.Row{taught(0.8, true), taught(0, false), taught(0.8, true), taught(0.8, true), taught(0.8, true)}
	silent := []record.Row{taught(0, false), taught(0, false), taught(0, false)}
	for _, c := range []struct {
		rows []record.Row
		i    int
		want int64
	}{{steady[:4], 0, 73}, {steady, 1, 1}, {silent, 0, 1}, {silent, 2, 1}} {
		if got := regretWeight(c.rows, c.i, 2); got != c.want {
			t.Errorf("decision %d of %d: weight %d, want %d", c.i, len(c.rows), got, c.want)
		}
	}
}

// TestEarlierDrawsByRegret: with a power of 2 a decision whose value moves by all of the
// range is drawn four times as often as one whose value moves by half of it, in whatever
// game and whoever decides next, and one whose value lasts hardly ever.
func TestEarlierDrawsByRegret(t *testing.T) {
	row := func(action engine.Action, player int8, value float32) record.Row {
		r := record.Row{Rules: "a", Action: action, Player: player, RootValue: value, Outcome: 1}
		if player == 1 {
			r.Outcome = -1
		}
		return r
	}
	e := NewEarlier([]EarlierGame{
		// The first player's values after the first: -1, 1, 1, 1, 1, and a win.
		NewEarlierGame([]record.Row{row(1, 0, 0), row(2, 1, 1), row(3, 1, -1), row(4, 0, 1), row(5, 0, 1), row(6, 1, -1)}, 2),
		// 0 for good, until it is won: the next four of the second are 0, 0, 0, 0, those of
		// the third 0, 0, 0 and the result, of the fourth 0, 0 and twice the result.
		NewEarlierGame([]record.Row{row(11, 0, 0), row(12, 1, 0), row(13, 0, 0), row(14, 1, 0), row(15, 1, 0), row(16, 0, 0)}, 2),
	})
	r := rand.New(rand.NewPCG(3, 4))
	n := map[string]int{}
	for range 8000 {
		n[fmt.Sprint(e.draw("a", r))]++
	}
	// (moved / 2)², of the most.
	want := map[string]float64{"[1]": 1, "[11 12]": 1. / 64, "[11 12 13]": 1. / 16, "[11 12 13 14]": 9. / 64}
	var sum float64
	for _, w := range want {
		sum += w
	}
	var counts []int
	var shares []float64
	for _, line := range slices.Sorted(maps.Keys(want)) {
		counts, shares = append(counts, n[line]), append(shares, want[line]/sum)
		delete(n, line)
	}
	fits(t, "decisions", counts, shares)
	for line, k := range n {
		if k > 5 {
			t.Errorf("%d of 8000 games begin at %s, where the value lasts", k, line)
		}
	}
}

func TestOpeningTurnsAreGeometric(t *testing.T) {
	for _, mean := range []float64{1, 1.5, 3, 20} {
		r := rand.New(rand.NewPCG(3, uint64(mean*10)))
		const draws, most = 20_000, 5
		sum, counts, probs := 0, make([]int, most), make([]float64, most)
		for range draws {
			n := openingTurns(mean, r)
			if n < 1 {
				t.Fatalf("an opening of %d turns", n)
			}
			sum += n
			counts[min(n, most)-1]++
		}
		rest := 1.0
		for k := range most - 1 {
			probs[k] = rest / mean
			rest -= probs[k]
		}
		probs[most-1] = rest
		if mean > 1 {
			fits(t, fmt.Sprintf("openings of %g turns", mean), counts, probs)
		}
		// Five standard deviations of the mean.
		if got := float64(sum) / draws; math.Abs(got-mean) > 5*math.Sqrt(mean*(mean-1)/draws) {
			t.Errorf("openings are %g turns long, want %g on average", got, mean)
		}
	}
}

func TestDrawLogits(t *testing.T) {
	var scratch []float64
	const draws = 10_000
	for _, temperature := range []float64{0.5, 1, 3} {
		logits := []float32{1, -2, 3, 0}
		probs, sum := make([]float64, 4), 0.0
		for i, x := range logits {
			probs[i] = math.Exp(float64(x) / temperature)
			sum += probs[i]
		}
		counts := make([]int, 4)
		for i := range draws {
			counts[drawLogits(&scratch, logits, temperature, (float64(i)+0.5)/draws)]++
		}
		for i := range probs {
			if want := probs[i] / sum * draws; math.Abs(float64(counts[i])-want) > 1 {
				t.Errorf("temperature %g: logit %g comes up %d times in %d, want %g", temperature, logits[i], counts[i], draws, want)
			}
		}
	}
	// A weight of zero is never drawn, also not by rounding at the end.
	if k := drawLogits(&scratch, []float32{0, -1e30}, 1, math.Nextafter(1, 0)); k != 0 {
		t.Errorf("an action of probability 0 was drawn: %d", k)
	}
}

func TestBeginningsValidate(t *testing.T) {
	for _, c := range []struct {
		set  func(*BeginningsConfig)
		want string // key of the problem, "" for none
	}{
		{func(b *BeginningsConfig) {}, ""},
		{func(b *BeginningsConfig) { b.SampledShare, b.EarlierShare = 0.25, 0.75 }, ""},
		{func(b *BeginningsConfig) { b.SampledShare, b.EarlierShare = 0.5, 0.75 }, "earlier_share"},
		{func(b *BeginningsConfig) { b.SampledShare = 1.1 }, "sampled_share"},
		{func(b *BeginningsConfig) { b.SampledShare = math.NaN() }, "sampled_share"},
		{func(b *BeginningsConfig) { b.EarlierShare = -0.1 }, "earlier_share"},
		{func(b *BeginningsConfig) { b.SampledTurns = 1 }, ""},
		{func(b *BeginningsConfig) { b.SampledTurns = 0.9 }, "sampled_turns"},
		{func(b *BeginningsConfig) { b.SampledTurns = maxSampledTurns + 1 }, "sampled_turns"},
		{func(b *BeginningsConfig) { b.SampledTemperature = 0 }, "sampled_temperature"},
		{func(b *BeginningsConfig) { b.SampledTemperature = maxTemperature }, ""},
		{func(b *BeginningsConfig) { b.SampledTemperature = maxTemperature + 1 }, "sampled_temperature"},
		{func(b *BeginningsConfig) { b.EarlierGames = 0 }, "earlier_games"},
		{func(b *BeginningsConfig) { b.EarlierGames = maxEarlierGames }, ""},
		{func(b *BeginningsConfig) { b.EarlierGames = maxEarlierGames + 1 }, "earlier_games"},
		{func(b *BeginningsConfig) { b.EarlierRegret = maxEarlierRegret }, ""},
		{func(b *BeginningsConfig) { b.EarlierRegret = -1 }, "earlier_regret"},
		{func(b *BeginningsConfig) { b.EarlierRegret = math.NaN() }, "earlier_regret"},
	} {
		cfg := DefaultConfig()
		c.set(&cfg.Beginnings)
		err := cfg.Validate()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), "beginnings."+c.want+": ") || strings.Contains(err.Error(), "\n")) {
			t.Errorf("Validate(%+v) = %v, want a problem of %q", cfg.Beginnings, err, c.want)
		}
	}
}

// TestOpeningsLeaveNoTrace: the history that the first search gets holds the
// positions of the opening and not those that were taken back.
func TestOpeningsLeaveNoTrace(t *testing.T) {
	cfg := quick()
	cfg.Beginnings.SampledShare, cfg.Beginnings.SampledTurns = 1, 1000
	// The position in which the turns are used up is remembered like any other.
	g := parse(t, &konreh.Family, "micro,max_turns=12")
	j := job(g, 1, 1)
	p, err := newGame(&cfg, &j)
	if err != nil {
		t.Fatal(err)
	}
	l := &lane{player: playerOf(&j), net: playerOf(&j).Fork(), batch: newBatch(&cfg, g)}
	for n := range int64(20) {
		var done work
		p.start(n, l)
		for p.opening.state != nil {
			l.batch.Clear()
			if p.open(&done) {
				if err := l.batch.Evaluate(l.net); err != nil {
					t.Fatal(err)
				}
				p.receive()
			}
		}
		s, past := g.NewState(), g.NewHistory()
		s.Start(past)
		for _, a := range p.before {
			s.Apply(a, past)
		}
		if got := p.tree.History().Len(); got != past.Len() || int(p.ply) != len(p.before) {
			t.Errorf("game %d: the search begins at ply %d with %d positions in its history, want %d and %d", n, p.ply, got, len(p.before), past.Len())
		}
	}
}
