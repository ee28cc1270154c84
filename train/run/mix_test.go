package run

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/play"
	"github.com/ludozero/ludozero/train/rundir"
)

// everything is tiny with every option of self-play that draws random numbers or
// reads back what was played.
func everything() plan.Config {
	c := tiny()
	c.Game, c.Rules = "konreh", "micro,max_turns=8"
	c.RulesMix = []plan.RulesWeight{{Rules: "micro,balance=single|pie|double-move,max_turns=8", Weight: 2}, {Rules: "standard|letter,balance=pie-double,max_turns=6", Weight: 1}}
	c.Generations = 3
	s := &c.SelfPlay
	s.Beginnings.SampledShare, s.Beginnings.EarlierShare = 0.35, 0.45
	s.Beginnings.SampledTurns, s.Beginnings.SampledTemperature = 2, 1.5
	s.Beginnings.EarlierGames = 20 // of more than one generation, and not all
	s.Beginnings.EarlierRegret = 2
	s.FullShare, s.FastSimulations = 0.6, 3
	s.FoldSymmetries = true
	s.Resignation.Threshold, s.Resignation.Decisions, s.Resignation.MinTurns, s.Resignation.PlayedOn = 0.1, 1, 3, 0.3
	return c
}

// TestEverythingOnGoesOn: also with all options of self-play on, neither workers
// nor interruptions change a byte.
func TestEverythingOnGoesOn(t *testing.T) {
	whole := newDir(t)
	mustWork(t, whole, everything())
	want := digest(t, whole)
	same := func(dir, how string) {
		t.Helper()
		got := digest(t, dir)
		if len(got) != len(want) {
			t.Errorf("%s: %d files, want %d", how, len(got), len(want))
		}
		for name := range want {
			if got[name] != want[name] {
				t.Errorf("%s: %s differs", how, name)
			}
		}
	}

	parallel := newDir(t)
	cfg := everything()
	cfg.Workers = 3
	mustWork(t, parallel, cfg)
	same(parallel, "three workers")

	stopped := newDir(t)
	stops := 0
	for n := 1; ; n += 3 {
		if n > 200 {
			t.Fatal("the run does not end")
		}
		err := work(cancelAtCall(n), stopped, everything())
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		stops++
		cutShard(t, stopped)
	}
	if stops < 5 {
		t.Errorf("only %d stops", stops)
	}
	same(stopped, "interrupted")
	checkBeginnings(t, whole)
	checkShares(t, whole)
}

// cutShard takes games from the newest shard, if it is of an unfinished
// generation, as if the stop had come before they ended.
func cutShard(t *testing.T, dir string) {
	t.Helper()
	names := shards(t, dir)
	all, err := rundir.Generations(dir)
	if err != nil || len(names) == 0 {
		return
	}
	last := names[len(names)-1]
	if g, _, _ := record.ParseFileName(last); int(g) < all[len(all)-1] {
		return
	}
	s, rows := readShard(t, everything().Game, filepath.Join(dir, rundir.ShardsDir, last))
	n := len(rows) - 1
	for n > 0 && rows[n-1].GameNumber == rows[n].GameNumber {
		n--
	}
	if n == 0 {
		remove(t, s.Name)
	} else if _, _, err := record.Write(filepath.Join(dir, rundir.ShardsDir), info(t, s.Meta.Game), s.Meta.Head, rows[:n]); err != nil {
		t.Fatal(err)
	}
}

func readShard(t *testing.T, game, path string) (*record.Shard, []record.Row) {
	t.Helper()
	s, err := record.Open(path, info(t, game))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := s.Rows()
	if err != nil {
		t.Fatal(err)
	}
	return s, rows
}

// checkBeginnings wants games of every kind, and each that begins in an earlier
// one at a decision between the first and the last of one of the twenty newest
// games of earlier generations.
func checkBeginnings(t *testing.T, dir string) {
	t.Helper()
	games := int64(everything().GamesPerGeneration)
	var all [][]record.Row
	kinds := map[string]int{}
	for _, name := range shards(t, dir) {
		_, rows := readShard(t, everything().Game, filepath.Join(dir, rundir.ShardsDir, name))
		for _, game := range record.Games(rows) {
			all = append(all, game)
		}
	}
	for _, game := range all {
		r := &game[0]
		kinds[r.Beginning]++
		if r.Beginning != record.BeginningEarlier {
			continue
		}
		first := r.GameNumber / games * games // of its generation
		found := false
		for _, source := range all {
			n := source[0].GameNumber
			if n < first && n >= first-20 && len(source) > 2 && source[0].Rules == r.Rules {
				found = found || slices.ContainsFunc(source[1:len(source)-1], func(s record.Row) bool {
					return s.Position == r.Position && s.Ply == r.Ply
				})
			}
		}
		if !found {
			t.Errorf("game %d begins at %s of no earlier game it may begin in", r.GameNumber, r.Position)
		}
	}
	if kinds["start"] == 0 || kinds["sampled"] == 0 || kinds["earlier"] < 5 {
		t.Errorf("games begin %v, want all ways", kinds)
	}
}

// checkShares counts the rows of the rulesets and compares the cards.
func checkShares(t *testing.T, dir string) {
	t.Helper()
	for g := 1; g <= everything().Generations; g++ {
		rows, total := map[string]int{}, 0
		for _, name := range shards(t, dir) {
			if of, _, _ := record.ParseFileName(name); int(of) >= g {
				continue
			}
			_, list := readShard(t, everything().Game, filepath.Join(dir, rundir.ShardsDir, name))
			for i := range list {
				rows[list[i].Rules]++
				total++
			}
		}
		_, card, err := model.Load(rundir.WeightsPath(dir, g))
		if err != nil {
			t.Fatal(err)
		}
		if len(card.Rules) != len(rows) || len(rows) < 4 {
			t.Errorf("generation %d: card of rules %v, played were %v", g, card.Rules, rows)
		}
		for _, s := range card.Rules {
			if s.Share != float64(rows[s.Rules])/float64(total) {
				t.Errorf("generation %d: share %g of %s, %d of %d positions are", g, s.Share, s.Rules, rows[s.Rules], total)
			}
		}
	}
}

// TestSelfPlayEventTellsRulesApart adds the games of the rulesets up.
func TestSelfPlayEventTellsRulesApart(t *testing.T) {
	dir := newDir(t)
	cfg := everything()
	cfg.Generations = 1
	mustWork(t, dir, cfg)
	events, err := rundir.ReadEvents(dir)
	if err != nil || events[0].Start == nil || events[0].Start.Rulesets != 5 {
		t.Fatalf("ReadEvents = %+v, %v, want a start with 5 rulesets", events, err)
	}
	e := lastSelfPlay(t, dir)
	games, draws, turns, points := 0, 0, 0.0, 0.0
	for _, r := range e.Rules {
		games, draws = games+r.Games, draws+r.Draws
		turns += r.MeanTurns * float64(r.Games)
		points += r.FirstScore * float64(r.Games)
	}
	n := float64(e.Games)
	if games != e.Games || math.Abs(float64(draws)/n-e.DrawRate) > 1e-9 || math.Abs(turns/n-e.MeanTurns) > 1e-9 || math.Abs(points/n-e.FirstScore) > 1e-9 {
		t.Errorf("rulesets %+v do not add up to %+v", e.Rules, e)
	}
	if whole := lastSelfPlay(t, wholeDir); whole.Rules != nil {
		t.Errorf("a run without a mix tells rulesets apart: %+v", whole.Rules)
	}
}

// TestEarlierGamesReadBitByBit: a process that has followed the run holds the
// same games as one that comes to it late.
func TestEarlierGamesReadBitByBit(t *testing.T) {
	cfg := tiny()
	cfg.SelfPlay.Beginnings.EarlierShare = 0.5
	for _, keep := range []int{1, 3, 5, 14, 20, 100} {
		cfg.SelfPlay.Beginnings.EarlierGames, cfg.SelfPlay.Beginnings.EarlierRegret = keep, float64(keep%2)
		follower := playersOf(t, wholeDir, cfg)
		for limit := range int64(9) {
			late := playersOf(t, wholeDir, cfg)
			got, err := follower.Earlier(t.Context(), limit)
			want, err2 := late.Earlier(t.Context(), limit)
			if err != nil || err2 != nil || !reflect.DeepEqual(got, want) || !reflect.DeepEqual(follower.Games(), late.Games()) {
				t.Fatalf("shards below %d: %d games, %v, read late %d, %v", limit, len(follower.Games()), err, len(late.Games()), err2)
			}
			_, end := cfg.ShardGames(limit - 1)
			if limit == 0 {
				end = 0
			}
			n := min(int(end), keep)
			if len(late.Games()) != n || n > 0 && late.Games()[n-1].Number != end-1 {
				t.Errorf("shards below %d: %d games are kept, want the %d up to number %d", limit, len(late.Games()), n, end-1)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := playersOf(t, wholeDir, cfg)
	if _, err := r.Earlier(ctx, 8); !errors.Is(err, context.Canceled) {
		t.Errorf("reading earlier games after a stop = %v", err)
	}
}

// TestEarlierGamesMustReplay: a shard that passes all checks of its own but
// holds a move that the rules do not have is refused by name.
func TestEarlierGamesMustReplay(t *testing.T) {
	cfg := tiny()
	cfg.SelfPlay.Beginnings.EarlierShare = 0.5
	dir := copyRun(t)
	name := shards(t, dir)[1]
	path := filepath.Join(dir, rundir.ShardsDir, name)
	s, err := record.Open(path, info(t, cfg.Game))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := s.Rows()
	if err != nil {
		t.Fatal(err)
	}
	rows[1].Before = append(rows[1].Before, rows[0].Action) // on a cell that is taken
	if _, _, err := record.Write(filepath.Join(dir, rundir.ShardsDir), info(t, cfg.Game), s.Meta.Head, rows); err != nil {
		t.Fatal(err)
	}
	r := playersOf(t, dir, cfg)
	if _, err := r.Earlier(t.Context(), 4); !errors.Is(err, record.ErrCorrupt) || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "game 4: ply") {
		t.Errorf("earlier = %v, want the shard refused", err)
	}
	if err := os.Rename(path, filepath.Join(t.TempDir(), name)); err != nil {
		t.Fatal(err)
	}
	r = play.NewPlayers(dir, "other", &cfg, mustOpen(t, cfg))
	if _, err := r.Earlier(t.Context(), 4); !errors.Is(err, record.ErrForeign) {
		t.Errorf("earlier = %v, want a foreign shard", err)
	}
}

func TestRulesMixIsChecked(t *testing.T) {
	for _, c := range []struct {
		mix  []plan.RulesWeight
		want string
	}{
		{nil, ""},
		{[]plan.RulesWeight{{Rules: "", Weight: 1}}, ""},
		{[]plan.RulesWeight{{Rules: "standard|table,max_turns=5", Weight: 0.1}, {Rules: "standard,max_turns=5", Weight: 1}}, ""},
		{[]plan.RulesWeight{{Rules: "standard", Weight: 1}, {Rules: "table", Weight: 0}}, "rules_mix: entry 2: weight 0: want"},
		{[]plan.RulesWeight{{Rules: "table", Weight: math.Inf(1)}}, "rules_mix: entry 1: weight +Inf: want"},
		{[]plan.RulesWeight{{Rules: "table", Weight: 1e308}, {Rules: "standard", Weight: 1e308}}, "rules_mix: entry 1: weight 1e+308: want"},
		{[]plan.RulesWeight{{Rules: "table", Weight: math.NaN()}}, "rules_mix: entry 1: weight NaN: want"},
		{[]plan.RulesWeight{{Rules: "standard|chess,balance=pie", Weight: 1}}, "rules_mix: entry 1: chess,balance=pie: rules of konreh: "},
		{[]plan.RulesWeight{{Rules: "max_turns=" + strings.Repeat("1|", 300) + "2", Weight: 1}}, "there twice"},
		{[]plan.RulesWeight{{Rules: manyRules(200), Weight: 1}, {Rules: "table," + manyRules(57), Weight: 1}}, "rules_mix: 257 rulesets: want at most 256"},
		{[]plan.RulesWeight{{Rules: manyRules(257), Weight: 1}}, "more than 256 combinations"},
	} {
		cfg := plan.DefaultConfig()
		cfg.Game, cfg.Rules = "konreh", "standard"
		cfg.Generations, cfg.RulesMix = 1, c.mix
		err := cfg.Validate(games.All())
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "rules_mix: ")) {
			t.Errorf("Validate with %.3v... = %v, want %q", c.mix, err, c.want)
		}
	}
	cfg := plan.DefaultConfig()
	cfg.Game, cfg.Rules = "konreh", "standard"
	cfg.Generations, cfg.RulesMix = 1, []plan.RulesWeight{{Rules: "a|b", Weight: 1}, {Rules: "c", Weight: -1}}
	if err := cfg.Validate(games.All()); err == nil || strings.Count(err.Error(), "rules_mix: entry") != 4 {
		t.Errorf("Validate = %v, want all four problems", err)
	}
}

func mustOpen(t testing.TB, cfg plan.Config) *plan.Rules {
	t.Helper()
	g, err := cfg.NewRules(games.All())
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// manyRules is a rules word of n rulesets.
func manyRules(n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte('|')
		}
		fmt.Fprint(&b, i+1)
	}
	return "max_turns=" + b.String()
}

// playersOf makes players of the run in folder dir.
func playersOf(t *testing.T, dir string, cfg plan.Config) *play.Players {
	t.Helper()
	return play.NewPlayers(dir, identity(t, dir), &cfg, mustOpen(t, cfg))
}
