package cli

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/selfplay/census"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/selfplay/record/recordtest"
)

// threeGames are a win of x in 5 plies, a draw in 9 of which the last is
// forced, and a win of o in 6.
func threeGames(t testing.TB) []record.Row {
	g := openRules(t, "tictactoe", "")
	var rows []record.Row
	for n, actions := range [][]engine.Action{{0, 1, 3, 4, 6}, {0, 1, 2, 4, 3, 5, 7, 6, 8}, {0, 1, 3, 4, 8, 7}} {
		ply := -1
		rows = append(rows, recordtest.Game(g, int64(n)+2, func([]engine.Action) engine.Action { ply++; return actions[ply] })...)
	}
	return rows
}

// TestStatByHand: every figure can be counted in threeGames. Each game has full
// searches at ply 0 and 4, with 12 and 4 visits.
func TestStatByHand(t *testing.T) {
	dir := t.TempDir()
	path := writeShard(t, dir, 0, threeGames(t))
	file, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	got := decode[census.Groups](t, mustCall(t, "data", "stat", dir, "--json"))
	if got.Game != "tictactoe" || !reflect.DeepEqual(got.Runs, []string{"test"}) || got.Shards != 1 || got.By != "" || len(got.Groups) != 1 {
		t.Fatalf("%+v", got)
	}
	d := got.Groups[0]
	// The distribution of Beta(2, 2) is 3x² - 2x³.
	for _, x := range []struct{ bound, share float64 }{{d.FirstScore.Low, 0.025}, {d.FirstScore.High, 0.975}} {
		if p := 3*x.bound*x.bound - 2*x.bound*x.bound*x.bound; math.Abs(p-x.share) > 1e-9 {
			t.Errorf("%g of the belief is below %g, want %g", p, x.bound, x.share)
		}
	}
	if d.FirstScore.Value != 0.5 {
		t.Errorf("score %+v", d.FirstScore)
	}
	d.FirstScore = census.Score{}
	spread := func(mean, least, p10, median, p90, most float64) *census.Spread {
		return &census.Spread{Mean: mean, Min: least, P10: p10, Median: median, P90: p90, Max: most}
	}
	const h = 0.562 // -3/4·ln(3/4) - 1/4·ln(1/4)
	want := &census.Summary{
		Games: 3, Rows: 19, BytesPerRow: float64(file.Size()) / 19, Moves: 20, MovesWithoutRow: 1,
		GamesByRules: map[string]int{"standard": 3}, GamesByBeginning: map[string]int{"start": 3},
		FirstWins: 1, SecondWins: 1, Draws: 1, WinsBySide: map[string]int{"x": 1, "o": 1},
		Ends:          []*census.EndCount{{Reason: "line", Games: 2}, {Reason: "full", Games: 1, Draws: 1}},
		Turns:         spread(20./3, 5, 5, 6, 9, 9),
		Plies:         spread(20./3, 5, 5, 6, 9, 9),
		LegalActions:  spread(118./19, 2, 3, 6, 9, 9),
		PolicyEntropy: spread(h, h, h, h, h, h), Surprise: spread(0.25, 0.25, 0.25, 0.25, 0.25, 0.25),
		FullSearches: 6. / 19, RowsByPolicy: map[string]int{"visits": 6, "none": 13}, VisitsPerRow: 16,
		ActionsByForm: []census.FormCount{{Form: "#", Actions: 20, PerGame: 20. / 3}},
	}
	if math.Abs(d.BytesPerRow-want.BytesPerRow) < 1e-9 {
		d.BytesPerRow = want.BytesPerRow // games have their share of a shard, up to rounding
	}
	if !reflect.DeepEqual(d, want) {
		t.Errorf("summary\n%+v, want\n%+v", d, want)
	}
}

// TestStatText also shows what a reader of the command sees.
func TestStatText(t *testing.T) {
	run := recordedRun(t, 4)
	for file, args := range map[string][]string{
		"data-stat.txt":            nil,
		"data-stat-generation.txt": {"--by", "generation"},
		"data-stat-rules.txt":      {"--by", "rules"},
	} {
		golden(t, file, mustCall(t, append([]string{"data", "stat", run}, args...)...))
	}
}

func TestStatByGroup(t *testing.T) {
	dir := t.TempDir()
	writeShard(t, dir, 0, threeGames(t)) // of generations 0 and 1
	byGeneration := decode[census.Groups](t, mustCall(t, "data", "stat", dir, "--by", "generation", "--json"))
	if g := byGeneration.Groups; len(g) != 2 || *g[0].Generation != 0 || g[0].Games != 2 || *g[1].Generation != 1 || g[1].Games != 1 || g[1].SecondWins != 1 {
		t.Errorf("by generation: %+v", g)
	}
	run := recordedRun(t, 2)
	byRules := decode[census.Groups](t, mustCall(t, "data", "stat", run, "--by", "rules", "--json"))
	if g := byRules.Groups; len(g) != 2 || g[0].Rules != "blitz" || g[0].Generation != nil || g[1].Rules != "blitz,balance=pie" || g[1].Games != 4 {
		t.Errorf("by rules: %+v", g)
	}
	mustFail(t, 2, []string{"data", "stat", run, "--by", "day"}, `--by "day": want generation or rules`)
	mustFail(t, 2, []string{"data", "stat", run, dir}, "is of tictactoe, the shards before it of konreh: want one game")
}

// TestStatOfGamesThatDoNotReplay refuses them and says what to do.
func TestStatOfGamesThatDoNotReplay(t *testing.T) {
	rows := threeGames(t)
	rows[2].Side ^= 1
	path := writeShard(t, t.TempDir(), 0, rows)
	for _, args := range [][]string{{"stat", path}, {"cat", path, "--games"}} {
		mustFail(t, 1, append([]string{"data"}, args...), "shard "+path+": game 2: ply 2: side 1: want 0 by the rules; `ludozero data check`")
	}
}

// TestStatOfWhatHasNoShards: a match and a pack are told apart from damaged shards, and the
// commands that are named for them work.
func TestStatOfWhatHasNoShards(t *testing.T) {
	dir, pack := filepath.Join(t.TempDir(), "m1"), filepath.Join("..", "results", "konreh")
	mustCall(t, "match", "--game", "tictactoe", "random", "minimax:depth=1", "--pairs", "1", "--out", dir)
	for _, command := range []string{"stat", "check", "cat"} {
		mustFail(t, 2, []string{"data", command, dir}, "it has games of a match, which record no searches: `ludozero data show "+dir+" --game 1` shows one, games.txt has all")
		mustFail(t, 2, []string{"data", command, pack}, "it is a pack, which has no games: `ludozero report "+pack+" --text` shows how it learned")
	}
	if text := mustCall(t, "data", "show", dir, "--game", "1"); !strings.Contains(text, "random") {
		t.Errorf("the game of the match is\n%s", text)
	}
	mustCall(t, "report", pack, "--text")
	for path, kind := range map[string]string{filepath.Join(dir, "games.parquet"): "series_games", filepath.Join(pack, "metrics.parquet"): "metrics"} {
		mustFail(t, 1, []string{"data", "stat", path}, "foreign shard: it is a table of "+kind+", no recorded games")
	}
}

// TestStatUnderOneNameOfARun: the folder of a run and that of its shards are
// the same to every command.
func TestStatUnderOneNameOfARun(t *testing.T) {
	run := recordedRun(t, 1)
	a, b := mustCall(t, "data", "stat", run), mustCall(t, "data", "stat", filepath.Join(run, "shards"))
	if a != b {
		t.Errorf("of the run\n%s, of its shards\n%s", a, b)
	}
}

// TestStatCountsChance: rolls are no moves and have forms of their own.
func TestStatCountsChance(t *testing.T) {
	g := racegame.New()
	n, p := census.New(), record.NewReplayer(g)
	for _, rows := range record.Games(recordtest.RandomGames(g, 0, 10)) {
		if list := n.Add(g.Rules(), p, rows); len(list) > 0 {
			t.Fatal(list[0])
		}
	}
	d := n.Summary(g.Info())
	rolls := 0
	for _, f := range d.ActionsByForm {
		if strings.HasPrefix(f.Form, "chance ") {
			rolls += f.Actions
		}
	}
	// A turn is a die, a roll and a move.
	if d.Rolls == 0 || d.Rolls != rolls || d.Moves != 2*d.Rolls {
		t.Errorf("%d moves, %d rolls, forms %v", d.Moves, d.Rolls, d.ActionsByForm)
	}
}
