package cli

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/cli/data"
	"github.com/ludozero/ludozero/selfplay/census"
	"github.com/ludozero/ludozero/selfplay/record"
)

// resignedGames are threeGames of which o has resigned the first after 4 plies,
// x would have resigned the second, a draw, and the third, which x lost.
func resignedGames(t testing.TB) []record.Row {
	rows := threeGames(t)
	var games [][]record.Row
	for _, game := range record.Games(rows) {
		games = append(games, game)
	}
	first := games[0][:4]
	for i := range first {
		first[i].Reason, first[i].TurnsLeft = record.ReasonResignation, int32(4-i)
	}
	first[3].Resigns = true
	games[1][2].Resigns, games[2][4].Resigns = true, true
	return slices.Concat(first, games[1], games[2])
}

// TestDataKnowsResignation: every command takes such games as good ones and
// names winner, end and error rate.
func TestDataKnowsResignation(t *testing.T) {
	dir := t.TempDir()
	rows := resignedGames(t)
	path := writeShard(t, dir, 0, rows)
	if got := mustCall(t, "data", "check", dir); got != "1 shard, 3 games, 18 rows: no fault\n" {
		t.Errorf("check says %q", got)
	}
	d := decode[census.Groups](t, mustCall(t, "data", "stat", dir, "--json")).Groups[0]
	r := d.Resignations
	// Wilson's interval of 1 in 2 at 1.96.
	if r == nil || r.Resigned != 1 || r.PlayedOn != 2 || r.Wrong != 1 || r.ErrorRate.Value != 0.5 || math.Abs(r.ErrorRate.Low-0.0945) > 1e-4 || math.Abs(r.ErrorRate.High-0.9055) > 1e-4 {
		t.Errorf("resignations %+v", r)
	}
	if r.Advice != "" { // of two games
		t.Errorf("advice %q", r.Advice)
	}
	if d.FirstWins != 1 || d.SecondWins != 1 || d.Draws != 1 || d.WinsBySide["x"] != 1 || d.Turns.Min != 4 {
		t.Errorf("summary %+v", d)
	}
	text := mustCall(t, "data", "stat", dir)
	for _, want := range []string{
		"resignations    1 (33.3 %); of 2 games played on, 1 not lost: 50.0 % wrong (9.5 to 90.5 %)\n",
		"resignation 1 (33.3 %)\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("stat says\n%s, want %q", text, want)
		}
	}
	table := strings.Split(mustCall(t, "data", "stat", dir, "--by", "generation"), "\n")
	if !strings.HasSuffix(table[2], "resigned  wrong of played on") || !strings.HasSuffix(table[3], "50.0 %    1/1 (20.7 to 100.0 %)") ||
		!strings.HasSuffix(table[4], "0.0 %     0/1 (0.0 to 79.3 %)") {
		t.Errorf("stat --by generation says\n%s", strings.Join(table, "\n"))
	}
	game := decode[data.Game](t, mustCall(t, "data", "cat", path, "--games", "--limit", "1"))
	if game.Why != "resignation" || game.Winner != "x" || game.WinnerPlayer != "first" || game.Turns != 4 || len(strings.Fields(game.Moves)) != 4 {
		t.Errorf("the resigned game is %+v", game)
	}
	// Not over, and not resigned: refused.
	for i := range 4 {
		rows[i].Reason, rows[i].Resigns = "line", false
	}
	writeShard(t, dir, 0, rows)
	out, _, err := call(t, "", "data", "check", dir)
	if err == nil || !strings.Contains(out, "game 2: ply 3: the game is not over after its last action") {
		t.Errorf("check says %q", out)
	}
}

// TestDataResignAppliesRules to games of which the second is drawn, although all searches of
// its first player say that it is lost. A game that was resigned is left out.
func TestDataResignAppliesRules(t *testing.T) {
	dir := t.TempDir()
	rows := threeGames(t)
	saved, n, number := 0, 0, -1
	for _, game := range record.Games(rows) {
		n += len(game)
		number++
		for i := range game {
			if r := &game[i]; number == 1 && r.Player == 0 {
				r.RootValue, r.RootDraw = -0.9, 0
				if i >= 2 && saved == 0 { // the second own decision
					saved = len(game) - 1 - i
				}
			}
		}
	}
	writeShard(t, dir, 0, rows)
	args := []string{"data", "resign", dir, "--threshold", "0.85,0.95", "--decisions", "2", "--min-turns", "0"}
	text := mustCall(t, args...)
	want := fmt.Sprintf("0.85       2          1         0    1      100.0 %% (20.7 to 100.0)  %.1f %%\n0.95       2          0         0    0      -                        0.0 %%\n", 100*float64(saved)/float64(n))
	if !strings.Contains(text, want) || !strings.HasPrefix(text, "3 games played to their ends, ") {
		t.Errorf("data resign says\n%swant in it\n%s", text, want)
	}
	resigned := t.TempDir()
	writeShard(t, resigned, 0, resignedGames(t))
	if text := mustCall(t, "data", "resign", resigned); !strings.HasPrefix(text, "2 games played to their ends, ") {
		t.Errorf("with a resigned game of three:\n%s", text)
	}
	mustFail(t, 2, []string{"data", "resign", dir, "--threshold", "0"}, "want a threshold above 0")
	mustFail(t, 2, []string{"data", "resign", dir, "--threshold", "2"}, "threshold: 2: want")
}
