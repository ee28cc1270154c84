package cli

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/match/archive"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/study/luck"
)

// diceMatch plays a match of kn@w and returns its folder and its games.
func diceMatch(t *testing.T, pairs string, players ...string) (dir string, rows []archive.Row) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "match")
	args := append([]string{"match", "--game", "knaw", "--rules", "standard,max_turns=24", "--openings", "random:turns=0", "--pairs", pairs, "--out", dir}, players...)
	r := decode[match.Result](t, mustCall(t, append(args, "--json")...))
	if r.Dice != match.PairDice {
		t.Errorf("dice %q", r.Dice)
	}
	rows, _, err := archive.ReadGames(dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir, rows
}

// TestLuckOfARun judges what was played, not what came before the first search: else which
// roll is the first to count would hang on what it was.
func TestLuckOfARun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	mustCall(t, "selfplay", "--config", "knaw/tiny", "--games", "3", "--run", dir, "--set", "self_play.search.simulations=2",
		"--set", "self_play.beginnings.sampled_share=1", "--set", "self_play.beginnings.sampled_turns=9")
	longest := 0
	for _, number := range []string{"0", "1", "2"} {
		var row struct {
			Beginning string
			Before    []int
		}
		if err := json.Unmarshal([]byte(mustCall(t, "data", "cat", dir, "--game", number, "--limit", "1")), &row); err != nil {
			t.Fatal(err)
		}
		judged := decode[luck.Game](t, mustCall(t, "data", "luck", dir, "--game", number, "--player", "alphabeta:depth=1", "--json"))
		want := len(row.Before) + 2 // after the first decision
		if row.Beginning != "sampled" || judged.Rolls[0].Number != want {
			t.Errorf("game %s began %s with %d actions, roll %d is the first that is judged", number, row.Beginning, len(row.Before), judged.Rolls[0].Number)
		}
		longest = max(longest, len(row.Before))
	}
	if longest < 3 {
		t.Errorf("no beginning has more than %d actions", longest)
	}
}

// TestLuckOfAMatch in each of its forms, and of one of its games in words.
func TestLuckOfAMatch(t *testing.T) {
	dir, rows := diceMatch(t, "12", "alphabeta:depth=1", "random")
	r := decode[luck.Report](t, mustCall(t, "data", "luck", dir, "--json"))
	if r.Game != "knaw" || r.Judge != "alphabeta:depth=1" || r.Share == nil || r.Share.Games != 24 || r.Share.Pairs != 12 || len(r.Players) != 2 {
		t.Fatalf("report %+v", r)
	}
	if a, b := r.Players[0], r.Players[1]; a.Name != "alphabeta:depth=1" || a.Lost >= b.Lost || a.Luck != -b.Luck {
		t.Errorf("players %+v and %+v: want the random one to lose more by decisions", a, b)
	}
	text := mustCall(t, "data", "luck", dir, "--games", "22", "--workers", "1")
	for _, want := range []string{"game       knaw, rules standard,max_turns=24\n", "games      22 in 11 pairs", "share      rolls explain ", "player     random: a game, luck "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}

	// Without its opening, which is the first roll, the game in words is the game of the folder.
	one := decode[luck.Game](t, mustCall(t, "data", "luck", dir, "--game", "3", "--json"))
	words := decode[struct {
		Rules, Player string
		luck.Game
	}](t, mustCall(t, "analyze", "--game", "knaw", "--rules", "standard,max_turns=24", "--luck", "--player", "alphabeta:depth=1", "--moves", rows[2].Moves, "--json"))
	if len(words.Rolls) != len(one.Rolls)+1 || words.Decisions != one.Decisions || words.Rolls[0].Word != rows[2].Moves[:1] || one.Rolls[0].Turn != 2 {
		t.Errorf("in words %+v\nin the folder %+v", words, one)
	}
	sum := [2]float64{}
	for _, x := range words.Rolls {
		p := engine.First
		if x.Player == engine.Second.String() {
			p = engine.Second
		}
		sum[p] += x.Worth
	}
	if math.Abs(sum[0]-words.Luck[0])+math.Abs(sum[1]-words.Luck[1]) > 1e-9 {
		t.Errorf("rolls sum to %v, luck is %v", sum, words.Luck)
	}

	mustFail(t, 1, []string{"data", "luck", dir, "--game", "99"}, "no game 99")
	mustFail(t, 2, []string{"data", "luck", dir, "--games", "0"}, "--games 0")
	mustFail(t, 2, []string{"data", "luck", dir, "--player", "alphabeta:time=clock"}, "clock")
	mustFail(t, 1, []string{"data", "luck", dir, "--player", "random"}, "it says no value of positions")
	contains(t, mustCall(t, "analyze", "--game", "knaw", "--luck", "--moves", "4 fool-a>S21 5"), "rolls, the 2 of 2 that mattered most") // as docs/chance.md shows
	mustFail(t, 2, []string{"data", "luck", ".", "--game", "-3"}, "--game -3: want 0 or more")
	mustFail(t, 2, []string{"analyze", "--game", "connect4", "--luck", "--player", "alphabeta:depth=1", "--moves", "44"}, "connect4 has no dice")
	mustFail(t, 2, []string{"analyze", "--game", "knaw", "--luck", "--player", "alphabeta:depth=1"}, "--moves")
	plain := filepath.Join(t.TempDir(), "c4")
	mustCall(t, "match", "--game", "connect4", "random", "random", "--pairs", "1", "--out", plain)
	mustFail(t, 2, []string{"data", "luck", plain}, "connect4 has no dice")
}

// TestChanceInLines: commands of one object a line name the outcomes of chance, with their
// probabilities and values, and go on behind one.
func TestChanceInLines(t *testing.T) {
	out := mustCallWith(t, `{"id":1,"choice":7}`+"\n"+`{"id":2,"moves":"3"}`+"\n"+`{"id":3,"moves":"3 fool-b>S12"}`+"\n",
		"analyze", "--game", "knaw", "--player", "alphabeta:depth=1", "--jsonl")
	list := answers(t, out)
	for i, turn := range map[int]string{0: "first", 2: "second"} {
		a := list[i]
		mean, probs := 0.0, 0.0
		for w, p := range a.Policy {
			mean, probs = mean+p*a.Values[w], probs+p
		}
		if a.Actor != "chance" || len(a.Policy) != 6 || len(a.Values) != 6 || math.Abs(probs-1) > 1e-5 || a.Value == nil || math.Abs(*a.Value-mean) > 1e-5 || string(a.Choice) != "null" ||
			!strings.Contains(strings.Split(out, "\n")[i], `"turn_of":"`+turn+`"`) {
			t.Errorf("where chance decides: %+v", a)
		}
	}
	if a := list[1]; a.Actor != "first" || len(a.Policy) != 40 || strings.Contains(strings.Split(out, "\n")[1], "turn_of") {
		t.Errorf("behind a roll: %+v", a)
	}

	moves := mustCallWith(t, `{"chance":"old"}`+"\n"+`{"pos":"F20,F12,R12,R8,R11,R9 F4,F28,R2,R18,R1,R19 south move dice=1","chance":"old"}`+"\n", "moves", "--game", "knaw", "--jsonl", "--after")
	lines := strings.Split(moves, "\n")
	if !strings.Contains(lines[0], `"chance":{"1":0.166667,"2":0.166667,`) || !strings.Contains(lines[0], `"moves":["1","2","3","4","5","6"]`) || strings.Contains(lines[1], "chance") {
		t.Errorf("moves: %s", moves)
	}
	replayed := mustCallWith(t, `{"moves":"3 fool-b>S12 6"}`+"\n", "replay", "--game", "knaw", "--jsonl")
	if !strings.Contains(replayed, "north move dice=6") {
		t.Errorf("replay: %s", replayed)
	}
	contains(t, mustCall(t, "show", "--game", "knaw"), "south's turn, chance decides, 6 outcomes: 1 2 3 4 5 6")
	contains(t, mustCall(t, "analyze", "--game", "knaw", "--player", "alphabeta:depth=1"),
		"south's turn (first player), chance decides; asked: alphabeta:depth=1", "roll  probability   value   worth")
	if one := mustCall(t, "analyze", "--game", "knaw", "--player", "alphabeta:depth=1", "--json"); !strings.Contains(one, `"actor": "chance"`) || !strings.Contains(one, `"turn_of": "first"`) {
		t.Errorf("analyze --json: %s", one)
	}
}

// TestMatchesWithDiceAreKept: a folder whose last games are gone goes on to the same bytes,
// its games replay to the positions that it says, and a roll that is altered is refused.
func TestMatchesWithDiceAreKept(t *testing.T) {
	dir, rows := diceMatch(t, "3", "alphabeta:depth=1", "mcts:sims=4,cap=6")
	again := []string{"match", "--game", "knaw", "--rules", "standard,max_turns=24", "--openings", "random:turns=0", "--pairs", "3", "--out", dir, "alphabeta:depth=1", "mcts:sims=4,cap=6"}
	read := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	games, journal := read(archive.GamesFile), read(archive.JournalFile)
	lines := bytes.SplitAfter(journal, []byte("\n"))
	writeFile(t, filepath.Join(dir, archive.JournalFile), string(bytes.Join(lines[:2], nil)))
	mustCall(t, again...)
	if !bytes.Equal(read(archive.GamesFile), games) {
		t.Error("the folder went on to other games")
	}

	var in strings.Builder
	for _, r := range rows {
		line, err := json.Marshal(map[string]any{"options": []string{"max_turns=24"}, "moves": r.Moves, "id": r.Number})
		if err != nil {
			t.Fatal(err)
		}
		in.WriteString(string(line) + "\n")
	}
	for i, line := range strings.Split(strings.TrimSpace(mustCallWith(t, in.String(), "replay", "--game", "knaw", "--jsonl")), "\n") {
		var end struct {
			Final, Why string
			Player     string `json:"winner_player"`
			Turns      int
		}
		if err := json.Unmarshal([]byte(line), &end); err != nil {
			t.Fatal(err)
		}
		if r := rows[i]; end.Final != r.Final || end.Why != r.Reason || end.Turns != int(r.Turns) || end.Player != r.Winner {
			t.Errorf("game %d replays to %+v, the folder says %s by %s", r.Number, end, r.Winner, r.Reason)
		}
	}
	contains(t, mustCall(t, "data", "show", dir, "--game", "2"), "Game 2: mcts:sims=4,cap=6 against alphabeta:depth=1", "\n1. "+rows[1].Moves[:1]+", ")

	// Another second roll leaves no such move, or another position.
	words := strings.Fields(rows[0].Moves)
	die := map[string]string{"1": "2", "2": "3", "3": "4", "4": "5", "5": "6", "6": "1"}[words[2]]
	if die == "" {
		t.Fatalf("decision 3 of %q is no roll", rows[0].Moves)
	}
	words[2] = die
	escaped := func(moves string) []byte { return []byte(strings.ReplaceAll(moves, ">", `\u003e`)) }
	bad := bytes.Replace(journal, escaped(rows[0].Moves), escaped(strings.Join(words, " ")), 1)
	if bytes.Equal(bad, journal) {
		t.Fatal("the journal lacks game 1")
	}
	writeFile(t, filepath.Join(dir, archive.JournalFile), string(bad))
	mustFail(t, 1, again, archive.JournalFile, "game 1: move ")
}

// TestSelfPlayWithDiceIsKept: games of a run of kn@w are searched again bit for bit, and a
// roll that is altered is found.
func TestSelfPlayWithDiceIsKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	mustCall(t, tiny(dir, "--no-rating", "--set", "generations=2", "--set", "game=knaw", "--set", "rules=standard,max_turns=12")...)
	if out := mustCall(t, "data", "reproduce", dir, "--all"); !strings.HasPrefix(out, "16 games, ") || !strings.HasSuffix(out, ": the same when played again\n") {
		t.Errorf("data reproduce: %s", out)
	}
	contains(t, mustCall(t, "data", "check", dir), "no fault")
	contains(t, mustCall(t, "data", "stat", dir), "chance #")
	r := decode[luck.Report](t, mustCall(t, "data", "luck", dir, "--json"))
	if len(r.Players) != 2 || r.Players[0].Name != "first" || r.Players[0].Games != 16 {
		t.Errorf("data luck of a run: %+v", r)
	}

	path := filepath.Join(dir, "shards", record.FileName(0, 0))
	info := openFamily(t, "knaw").Info()
	s, err := record.Open(path, info)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := s.Rows()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows[2].Before) != 1 {
		t.Fatalf("row 2 has %v before it, want a roll", rows[2].Before)
	}
	rows[2].Before[0] = (rows[2].Before[0] + 1) % 6
	if _, _, err := record.Write(filepath.Dir(path), info, s.Meta.Head, rows); err != nil {
		t.Fatal(err)
	}
	out, _, err := call(t, "", "data", "check", dir)
	if err == nil || !strings.Contains(out, "the position is ") {
		t.Errorf("with a roll altered: %v, %s", err, out)
	}
}
