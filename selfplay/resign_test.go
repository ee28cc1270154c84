package selfplay

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/selfplay/record"
)

func TestJudgeByHand(t *testing.T) {
	const first, second = engine.First, engine.Second
	type search struct {
		p     engine.Player
		value float32
		over  bool
	}
	for _, c := range []struct {
		name     string
		minTurns int
		searches []search
		want     int // the search that resigns, -1: none
	}{
		{"three in a row", 0, []search{{first, -0.9, false}, {first, -1, false}, {first, -0.95, false}, {first, -1, false}}, 2},
		{"the other's hope does not matter", 0, []search{{first, -1, false}, {second, 1, false}, {first, -1, false}, {second, 1, false}, {first, -1, false}}, 4},
		{"own hope begins anew", 0, []search{{first, -1, false}, {first, -1, false}, {first, -0.89, false}, {first, -1, false}, {first, -1, false}}, -1},
		{"both without hope", 0, []search{{first, -1, false}, {second, -1, false}, {second, -1, false}, {first, -1, false}, {second, -1, false}, {first, -1, false}}, 4},
		{"not so early", 4, []search{{second, -1, false}, {second, -1, false}, {second, -1, false}, {second, -1, false}, {second, -1, false}}, 4},
		{"the move ends the game", 0, []search{{second, -1, false}, {second, -1, false}, {second, -1, true}}, -1},
	} {
		cfg := ResignationConfig{Threshold: 0.9, Decisions: 3, MinTurns: c.minTurns}
		g := resignation{cfg: &cfg}
		got := -1
		for i, s := range c.searches {
			if g.judge(s.p, s.value, i, s.over) {
				if got >= 0 || g.loser != s.p || !g.over() || g.outcome() != (engine.Outcome{Over: true, Winner: 1 - s.p, Reason: "resignation"}) {
					t.Errorf("%s: search %d resigns after %d: %+v", c.name, i, got, g)
				}
				got = i
			}
		}
		if got != c.want || g.over() != (got >= 0) {
			t.Errorf("%s: search %d resigns, want %d", c.name, got, c.want)
		}
	}
}

// resigning is self-play in which random evaluations make many players resign.
func resigning() Config {
	c := quick()
	c.Resignation = ResignationConfig{Threshold: 0.1, Decisions: 2, MinTurns: 2, PlayedOn: 0.4}
	return c
}

// TestResignedGamesAreThosePlayedOn cut short: the same games are played with
// and without an end by resignation. What each row must say of it is worked out
// again from the values and players of the rows. It also looks for the rare
// cases, so that the games cannot stop having them unnoticed.
func TestResignedGamesAreThosePlayedOn(t *testing.T) {
	seen := map[string]int{}
	for _, g := range testGames(t) {
		cfg := resigning()
		games := play(t, cfg, job(g, 2, 60))
		on := cfg
		on.Resignation.PlayedOn = 1
		p := record.NewReplayer(g)
		for i, whole := range play(t, on, job(g, 2, 60)) {
			name := fmt.Sprintf("%s %s: game %d", g.Info().Name, g.Rules(), whole.Number)
			at := wouldResign(g, &cfg.Resignation, whole, seen)
			if got := cfg.Resignation.WouldResign(whole.Rows); got != at {
				t.Errorf("%s: WouldResign finds row %d, want %d", name, got, at)
			}
			for k := range whole.Rows {
				if whole.Rows[k].Resigns != (k == at) {
					t.Errorf("%s: row %d resigns: %t, want row %d", name, k, whole.Rows[k].Resigns, at)
				}
			}
			if problems := p.Play(whole.Rows, nil); len(problems) != 0 || p.Outcome() != whole.Outcome {
				t.Errorf("%s: %v, outcome %+v, want %+v", name, problems, whole.Outcome, p.Outcome())
			}
			f := games[i]
			if at < 0 || f.Outcome.Reason != record.ReasonResignation {
				if at >= 0 {
					seen["played on"]++
				}
				if !reflect.DeepEqual(f, whole) {
					t.Errorf("%s: differs from the one that is played on", name)
				}
				continue
			}
			seen["resigned"]++
			checkResigned(t, name, p, f, whole, at)
		}
	}
	for _, what := range []string{"resigned", "played on", "by the second of two moves", "after a swap", "both would resign", "too late", "drawn or won"} {
		if seen[what] == 0 {
			t.Errorf("no game had: %s", what)
		}
	}
	if n, on := seen["resigned"]+seen["played on"], seen["played on"]; on*10 < n*3 || on*10 > n*5 { // two errors wide
		t.Errorf("%d of %d games with a resignation were played on, want about 40 %%", on, n)
	}
	t.Log(seen)
}

// checkResigned holds a game that its row at ended to the same game played on.
func checkResigned(t *testing.T, name string, p *record.Replayer, f, whole *Finished, at int) {
	t.Helper()
	if len(f.Rows) != at+1 {
		t.Errorf("%s: %d rows, want %d", name, len(f.Rows), at+1)
		return
	}
	last := &f.Rows[at]
	loser := engine.Player(last.Player)
	if f.Outcome != (engine.Outcome{Over: true, Winner: loser.Other(), Reason: record.ReasonResignation}) {
		t.Errorf("%s: outcome %+v, %s resigned", name, f.Outcome, loser)
	}
	for k := range f.Rows {
		got, want := f.Rows[k], whole.Rows[k]
		want.Reason, want.Outcome, want.TurnsLeft, want.After = record.ReasonResignation, 1, int32(f.Turns)-want.Turn, nil
		if want.Player == last.Player {
			want.Outcome = -1
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: row %d\n%+v, want\n%+v", name, k, got, want)
		}
	}
	if problems := p.Play(f.Rows, nil); len(problems) != 0 || p.Outcome() != f.Outcome || p.State().Outcome().Over || p.State().Turn() != f.Turns {
		t.Errorf("%s: %v, outcome %+v after %d turns, want %+v after %d", name, problems, p.Outcome(), p.State().Turn(), f.Outcome, f.Turns)
	}
}

// wouldResign returns the row of a whole game with which a player is the first
// to resign, -1 if nobody does.
func wouldResign(g engine.Game, c *ResignationConfig, f *Finished, seen map[string]int) int {
	s := g.NewState()
	at, loser := -1, int8(-1)
	for p := range int8(2) {
		run := 0
		for k := range f.Rows {
			r := &f.Rows[k]
			if r.Player != p {
				continue
			}
			if r.RootValue > -float32(c.Threshold) {
				run = 0
				continue
			}
			if run++; run < c.Decisions || int(r.Turn) < c.MinTurns {
				continue
			}
			if err := s.Unpack(r.Packed); err != nil {
				panic(err)
			}
			if s.Apply(r.Action, nil); s.Outcome().Over {
				seen["too late"]++
				continue
			}
			if at >= 0 {
				seen["both would resign"]++
			}
			if at < 0 || k < at {
				at, loser = k, p
			}
			break
		}
	}
	if at < 0 {
		return at
	}
	r := &f.Rows[at]
	if at > 0 && f.Rows[at-1].Player == loser && f.Rows[at-1].Turn == r.Turn {
		seen["by the second of two moves"]++
	}
	if r.Side != r.Player {
		seen["after a swap"]++
	}
	if r.Outcome >= 0 {
		seen["drawn or won"]++
	}
	return at
}

// TestResignationIsOffByDefault: no other parameter of it matters then.
func TestResignationIsOffByDefault(t *testing.T) {
	for _, g := range testGames(t) {
		cfg := quick()
		want := play(t, cfg, job(g, 2, 10))
		cfg.Resignation = ResignationConfig{Decisions: 1, PlayedOn: 0.5}
		if got := play(t, cfg, job(g, 2, 10)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: games differ", g.Info().Name)
		}
	}
}

// TestResignationDoesNotDependOnWorkers down to the bytes of shards.
func TestResignationDoesNotDependOnWorkers(t *testing.T) {
	for _, g := range testGames(t) {
		var shards [2][]byte
		for i, workers := range []int{1, 3} {
			var rows []record.Row
			for _, f := range play(t, resigning(), job(g, workers, 30)) {
				rows = append(rows, f.Rows...)
			}
			data, _, err := record.Marshal(g.Info(), record.Head{Run: "test", Generation: 3}, rows)
			if err != nil {
				t.Fatal(err)
			}
			shards[i] = data
		}
		if !bytes.Equal(shards[0], shards[1]) {
			t.Errorf("%s: the shards of one worker and of three differ", g.Info().Name)
		}
	}
}

func TestResignationBounds(t *testing.T) {
	for _, c := range []struct {
		set  func(*ResignationConfig)
		want string // "": good
	}{
		{func(*ResignationConfig) {}, ""},
		{func(c *ResignationConfig) { c.Threshold, c.PlayedOn, c.MinTurns, c.Decisions = 1, 1, 0, 1 }, ""},
		{func(c *ResignationConfig) { c.PlayedOn = 0 }, ""},
		{func(c *ResignationConfig) { c.Threshold = -0.1 }, "resignation.threshold: -0.1: want"},
		{func(c *ResignationConfig) { c.Threshold = 1.1 }, "resignation.threshold: 1.1: want"},
		{func(c *ResignationConfig) { c.PlayedOn = 1.1 }, "resignation.played_on: 1.1: want"},
		{func(c *ResignationConfig) { c.Decisions = 0 }, "resignation.decisions: 0: want"},
		{func(c *ResignationConfig) { c.MinTurns = -1 }, "resignation.min_turns: -1: want"},
	} {
		cfg := DefaultConfig()
		c.set(&cfg.Resignation)
		err := cfg.Validate()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("Validate(%+v) = %v, want %q", cfg.Resignation, err, c.want)
		}
	}
}
