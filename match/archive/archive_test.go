package archive

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
)

// work is a series of two players with what is asked of it.
func work(t testing.TB, f *engine.Family, pairs int, a, b string) (*Asked, *match.Series) {
	t.Helper()
	g, err := f.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	cfg := match.Config{Pairs: pairs, OpeningTurns: 2, MaxTurns: 60, Workers: 2, Seed: 7}
	openings, err := match.RandomOpenings(t.Context(), g, pairs, cfg.OpeningTurns, cfg.Seed)
	if err != nil {
		t.Fatal(err)
	}
	var sides [2]match.Contestant
	for i, text := range []string{a, b} {
		spec, err := player.Parse(text, nil)
		if err != nil {
			t.Fatal(err)
		}
		sides[i] = spec.Contestant(g)
	}
	s := seriesOf(t, cfg, g, sides[0], sides[1], openings)
	return Ask("match", s, make([]string, 2), "", nil), s
}

func open(t testing.TB, dir string, a *Asked, s *match.Series) (*Folder, []match.Game) {
	t.Helper()
	f, games, err := Open(dir, a, s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if f.release != nil {
			f.Close()
		}
	})
	return f, games
}

// play plays s into the folder dir up to the given number of counted games, 0 for
// all.
func play(t testing.TB, dir string, a *Asked, s *match.Series, stop int) []match.Game {
	t.Helper()
	f, done := open(t, dir, a, s)
	games, err := s.Run(t.Context(), done, match.Hooks{
		Finished: f.Append,
		Counted:  func(g *match.Game) bool { return g.Number != stop },
	})
	if err == nil {
		err = f.Finish(games, len(games))
	}
	if err = errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	return games
}

func read(t testing.TB, dir, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func put(t testing.TB, dir, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// files are the contents of a folder; journal lines are sorted, since games end in
// any order.
func files(t testing.TB, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, e := range entries {
		text := string(read(t, dir, e.Name()))
		if e.Name() == JournalFile {
			lines := strings.SplitAfter(text, "\n")
			slices.Sort(lines)
			text = strings.Join(lines, "")
		}
		all[e.Name()] = text
	}
	return all
}

func TestStoppedFolderGoesOn(t *testing.T) {
	for _, f := range []*engine.Family{&connect4.Family, &racegame.Family} {
		dir := t.TempDir()
		asked, s := work(t, f, 10, "mcts:sims=5", "random")
		whole := play(t, filepath.Join(dir, "whole"), asked, s, 0)
		parts := filepath.Join(dir, "parts")
		for _, stop := range []int{3, 4, 11} {
			if got := play(t, parts, asked, s, stop); !reflect.DeepEqual(got, whole[:stop]) {
				t.Errorf("%s: stopped at %d: %d games, or others than uninterrupted", f.Name, stop, len(got))
			}
			if rows, _, err := ReadGames(parts); err != nil || len(rows) != stop {
				t.Errorf("%s: stopped at %d: %d rows, %v", f.Name, stop, len(rows), err)
			}
		}
		play(t, parts, asked, s, 0)
		want, got := files(t, filepath.Join(dir, "whole")), files(t, parts)
		for name := range want {
			if got[name] != want[name] {
				t.Errorf("%s: %s differs from that of an uninterrupted series", f.Name, name)
			}
		}
		if len(want) != 6 || len(got) != 6 {
			t.Errorf("%s: %d and %d files, want 6", f.Name, len(want), len(got))
		}
		// A finished folder is left alone.
		before, err := os.Stat(filepath.Join(parts, GamesFile))
		if err != nil {
			t.Fatal(err)
		}
		if games := play(t, parts, asked, s, 0); !reflect.DeepEqual(games, whole) {
			t.Errorf("%s: a finished folder gives other games", f.Name)
		}
		if after, err := os.Stat(filepath.Join(parts, GamesFile)); err != nil || !os.SameFile(before, after) {
			t.Errorf("%s: a finished folder was written again (%v)", f.Name, err)
		}
	}
}

// TestCutLineIsDropped cuts the last line of the journal at every byte.
func TestCutLineIsDropped(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "m")
	asked, s := work(t, &connect4.Family, 3, "random", "random")
	play(t, dir, asked, s, 0)
	journal := read(t, dir, JournalFile)
	last := bytes.LastIndexByte(journal[:len(journal)-1], '\n') + 1
	for cut := last; cut < len(journal); cut++ {
		put(t, dir, JournalFile, journal[:cut])
		f, games := open(t, dir, asked, s)
		if len(games) != 5 {
			t.Fatalf("cut at byte %d of the last line: %d games, want 5", cut-last, len(games))
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if got := read(t, dir, JournalFile); len(got) != last {
			t.Fatalf("cut at byte %d of the last line: the journal is not cut to whole lines", cut-last)
		}
	}
	play(t, dir, asked, s, 0)
	if got := files(t, dir)[JournalFile]; len(got) != len(journal) {
		t.Error("the lost game was not played again")
	}
}

// TestJournalIsHeldToTheSeries alters games.
func TestJournalIsHeldToTheSeries(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "m")
	asked, s := work(t, &connect4.Family, 3, "random", "random")
	games := play(t, dir, asked, s, 0)
	for _, c := range []struct {
		change func(*match.Game)
		want   string
	}{
		{func(g *match.Game) { g.Number = 9 }, "line 2: game 9: want 1 to 6"},
		{func(g *match.Game) { g.Points = 0.75 }, "line 2: game 2: 0.75 points"},
		{func(g *match.Game) { g.Points, g.Reason = 0.5, match.TurnLimit }, "0.5 points for A by \"turn-limit\" were noted, its moves end by"},
		{func(g *match.Game) { *g = games[0] }, "line 2: game 1: an earlier line has it already"},
		{func(g *match.Game) { g.AFirst = true }, "line 2: game 2: pair 1, A first true: want pair 1, A first false"},
		{func(g *match.Game) { g.Pair = 3 }, "line 2: game 2: pair 3, A first false: want pair 1, A first false"},
		{func(g *match.Game) { g.Turns++ }, "turns were noted, its moves make"},
		{func(g *match.Game) { g.Opening = 1 }, "of an opening of 2"},
		{func(g *match.Game) { g.Start = "x" }, `position "x"`},
		{func(g *match.Game) { g.Moves = games[4].Moves }, "it is not in the pair's opening"},
		{func(g *match.Game) { g.Moves = g.Moves[:len(g.Moves)-2] }, "turns were noted"},
		{func(g *match.Game) { g.Moves += " 1" }, "game 2: move "},
	} {
		game := games[1]
		c.change(&game)
		var lines bytes.Buffer
		for _, g := range []*match.Game{&games[0], &game} {
			if err := json.NewEncoder(&lines).Encode(g); err != nil {
				t.Fatal(err)
			}
		}
		put(t, dir, JournalFile, lines.Bytes())
		_, _, err := Open(dir, asked, s)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), JournalFile) {
			t.Errorf("Open = %v, want %q", err, c.want)
		}
	}
	put(t, dir, JournalFile, []byte("{\"number\":1}\n"))
	if _, _, err := Open(dir, asked, s); err == nil || !strings.Contains(err.Error(), "line 1: game 1: ") {
		t.Errorf("Open = %v, want it to name line 1", err)
	}
	put(t, dir, JournalFile, []byte("{\"color\":1}\n"))
	if _, _, err := Open(dir, asked, s); err == nil || !strings.Contains(err.Error(), `line 1: json: unknown field "color"`) {
		t.Errorf("Open = %v, want it to name the field", err)
	}
}

// TestForfeitedGameIsWonByTheOther who was not to decide when the moves end.
func TestForfeitedGameIsWonByTheOther(t *testing.T) {
	_, s := work(t, &connect4.Family, 3, "random", "random")
	games, err := s.Run(t.Context(), nil, match.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 { // A is first, then second
		g := games[i]
		g.Moves = strings.Join(strings.Fields(g.Moves)[:5], " ") // second is to decide
		g.Turns, g.Reason, g.Points = 5, match.TimeForfeit, float64(1-i)
		s.Clock = match.TimeControl{Base: time.Second}
		v := newVerifier(s)
		if err := v.check(&g); err != nil {
			t.Errorf("game %d: %v", g.Number, err)
		}
		g.Points = 1 - g.Points
		if err := v.check(&g); err == nil {
			t.Errorf("game %d: the player whose time ran out has won", g.Number)
		}
		g.Points = 1 - g.Points
		s.Clock = match.TimeControl{}
		if err := v.check(&g); err == nil {
			t.Errorf("game %d: time ran out without a clock", g.Number)
		}
	}
}

func TestFolderRefusesOtherSettings(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "m")
	asked, s := work(t, &connect4.Family, 3, "random", "random")
	play(t, dir, asked, s, 0)
	before := files(t, dir)
	other := *asked
	other.Players = []Player{{Name: "random", Identity: "weights 12"}, {Name: "mcts:sims=2"}}
	other.Rules, other.Seed, other.Pairs, other.MaxTurns = "wide", 8, 4, 0
	other.Openings = Openings{"all first moves", 7, "00"}
	other.Kernel = "avx2"
	other.Settings = map[string]string{"clock": "5+3"}
	_, _, err := Open(dir, &other, s)
	if !errors.Is(err, ErrOther) {
		t.Fatalf("Open = %v, want ErrOther", err)
	}
	for _, want := range []string{
		"rules: standard there, wide now", "player 1 depends on: not set there, weights 12 now", "player 2: random there, mcts:sims=2 now",
		"pairs: 3 there, 4 now", "openings: random:turns=2 there, all first moves now", "max_turns: 60 there, 0 now",
		"seed: 7 there, 8 now", "kernel: not set there, avx2 now", "clock: not set there, 5+3 now",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the refusal lacks %q:\n%v", want, err)
		}
	}
	if strings.Contains(err.Error(), "player 1: ") || strings.Contains(err.Error(), "game: ") {
		t.Errorf("the refusal names what is the same:\n%v", err)
	}
	if !reflect.DeepEqual(files(t, dir), before) {
		t.Error("a folder that was refused has changed")
	}
	put(t, dir, AskedFile, []byte(`{"format": 2, "news": 1}`))
	if _, _, err := Open(dir, asked, s); err == nil || !strings.Contains(err.Error(), "format 2: this program reads 1") {
		t.Errorf("Open of a later format = %v", err)
	}
}

func TestFolderBelongsToOne(t *testing.T) {
	asked, s := work(t, &connect4.Family, 3, "random", "random")
	dir := filepath.Join(t.TempDir(), "m")
	f, _ := open(t, dir, asked, s)
	if _, _, err := Open(dir, asked, s); err == nil || !strings.Contains(err.Error(), "another process is working on it") {
		t.Errorf("a second Open = %v", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	open(t, dir, asked, s)

	// Who may read the folder may ask for its result.
	modes := map[fs.FileMode]bool{}
	for _, name := range []string{lockFile, AskedFile} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		modes[info.Mode()] = true
	}
	if len(modes) != 1 {
		t.Errorf("lock and %s have modes %v, want the same", AskedFile, modes)
	}

	foreign := t.TempDir()
	put(t, foreign, "thesis.txt", []byte("all I have"))
	if _, _, err := Open(foreign, asked, s); err == nil || !strings.Contains(err.Error(), "it holds thesis.txt and no series.json") {
		t.Errorf("Open of a folder of others = %v", err)
	}
	if got := files(t, foreign); len(got) != 1 {
		t.Errorf("a folder of others now holds %d files", len(got))
	}
	// What a process leaves that was killed at once is no foreign folder.
	begun := t.TempDir()
	put(t, begun, lockFile, nil)
	put(t, begun, AskedFile+".tmp-ludozero-7-1", []byte("{"))
	open(t, begun, asked, s)
	if got := files(t, begun); len(got) != 2 {
		t.Errorf("the folder holds %d files, want %s and %s", len(got), AskedFile, lockFile)
	}
}

// lowest plays the lowest legal action.
type lowest struct{}

func (lowest) NewGame(context.Context, uint64) error { return nil }

func (p lowest) Think(ctx context.Context, s engine.State, h *engine.History, _ match.Bounds) (*match.Analysis, error) {
	a, err := p.decide(ctx, s, h)
	return &match.Analysis{Choice: a, Line: []engine.Action{a}}, err
}

func (lowest) decide(_ context.Context, s engine.State, h *engine.History) (engine.Action, error) {
	return s.Legal(nil, h)[0], nil
}

func TestParquetReadsBack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "m")
	asked, s := work(t, &connect4.Family, 8, "random", "random")
	for i := range s.Contestants {
		s.Contestants[i] = match.Contestant{Name: "lowest", New: func() (match.Player, error) { return lowest{}, nil }}
	}
	for i := range s.Schedule {
		s.Schedule[i].Opening %= 3 // these players never vary: pairs repeat
	}
	games := play(t, dir, asked, s, 0)
	rows, about, err := ReadGames(dir)
	if err != nil || !reflect.DeepEqual(about, asked) || len(rows) != 16 {
		t.Fatalf("ReadGames: %d rows of %+v, %v", len(rows), about, err)
	}
	for i, r := range rows {
		g := games[i]
		first, second := "lowest", "lowest (2)"
		points := g.Points
		if i%2 == 1 {
			first, second, points = second, first, 1-points
		}
		want := Row{
			Number: int32(i + 1), Pair: int32(i/2 + 1), Opening: int32(i/2%3 + 1), First: first, Second: second, FirstPoints: points,
			Winner: map[float64]string{0: "second", 0.5: "draw", 1: "first"}[points],
			Reason: g.Reason, Turns: int32(g.Turns), OpeningMoves: 2, Moves: g.Moves, Final: r.Final,
		}
		if i >= 6 {
			want.Repeats = int32(i%6/2*2 + 1) // the second game of a pair repeats the first
		} else if i%2 == 1 {
			want.Repeats = int32(i)
		}
		b := newBoard(s.Game)
		if err := b.replay("", r.Moves, nil); err != nil || string(b.state.AppendPosition(nil)) != r.Final {
			t.Errorf("row %d ends in %q, %v", i+1, r.Final, err)
		}
		if r != want {
			t.Errorf("row %+v, want %+v", r, want)
		}
	}
	data := read(t, dir, GamesFile)
	for _, at := range []int{10, len(data) / 2, len(data) - 10} {
		damaged := bytes.Clone(data)
		damaged[at] ^= 4
		put(t, dir, GamesFile, damaged)
		if _, _, err := ReadGames(dir); err == nil || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("a changed bit in byte %d: %v", at, err)
		}
	}
}

func TestTextIsForPeople(t *testing.T) {
	asked, s := work(t, &connect4.Family, 1, "random", "random")
	asked.Rules = `of "x\y"`
	rows := []Row{
		{Number: 1, Pair: 1, Opening: 1, First: "a", Second: "b", FirstPoints: 1, Reason: "line", Turns: 7, OpeningMoves: 2, Moves: "4 5 4 5 4 5 4"},
		{Number: 2, Pair: 1, Opening: 1, First: "b", Second: "a", FirstPoints: 0.5, Reason: "turn-limit", Turns: 1, Moves: "1", Start: startOf(t, s.Game), Repeats: 1},
	}
	var b strings.Builder
	if err := writeText(&b, asked, s.Game, rows); err != nil {
		t.Fatal(err)
	}
	want := `[Event "match"]
[Game "connect4"]
[Rules "of \"x\\y\""]
[Round "1.1"]
[First "a"]
[Second "b"]
[Result "1-0"]
[Reason "line"]
[Turns "7"]
[Opening "1"]

1. 4 2. 5 {end of the opening} 3. 4 4. 5 5. 4 6. 5 7. 4 1-0

[Event "match"]
[Game "connect4"]
[Rules "of \"x\\y\""]
[Round "1.2"]
[First "b"]
[Second "a"]
[Result "1/2-1/2"]
[Reason "turn-limit"]
[Turns "1"]
[Opening "1"]
[Start "` + startOf(t, s.Game) + `"]
[Repeats "1"]

1. 1 1/2-1/2
`
	if b.String() != want {
		t.Errorf("text\n%s\nwant\n%s", b.String(), want)
	}
}

func startOf(t *testing.T, g engine.Game) string {
	t.Helper()
	return string(g.NewState().AppendPosition(nil))
}

// TestTextHasTheBooksNotation looks at a double move and at wrapping.
func TestTextHasTheBooksNotation(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "m")
	asked, s := work(t, &konreh.Family, 1, "random", "random")
	games := play(t, dir, asked, s, 0)
	text := string(read(t, dir, TextFile))
	words := strings.Fields(games[0].Moves)
	if begin := fmt.Sprintf("1. %s {", words[0]); !strings.Contains(text, begin) {
		t.Errorf("the text lacks %q", begin)
	}
	if !strings.Contains(text, " {R on") {
		t.Error("the text lacks the lane notation of a runner")
	}
	// The second turn of the standard rules has two moves under one number.
	if strings.Count(text, "2. "+words[1]+" {") != 2 || strings.Contains(text, "3. "+words[2]) || !strings.Contains(text, "} "+words[2]+" {") {
		t.Errorf("the double move %s %s does not stand under one number:\n%s", words[1], words[2], text)
	}
	for line := range strings.Lines(text) {
		if len(line) > textColumns+1 && !strings.HasPrefix(line, "[") {
			t.Errorf("a line of %d columns: %s", len(line), line)
		}
	}
}

// TestClocksAreAsked goes on with a folder only under the clock it was begun with.
func TestClocksAreAsked(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "m")
	_, s := work(t, &connect4.Family, 1, "random", "random")
	clocked := func(c match.TimeControl) *Asked {
		s.Clock = c
		return Ask("match", s, make([]string, 2), "", map[string]string{"gauntlet": "true"})
	}
	play(t, dir, clocked(match.TimeControl{Base: time.Minute, Increment: time.Second}), s, 0)
	for want, c := range map[string]match.TimeControl{
		"clock: 1+1 there, 2+1 now":     {Base: 2 * time.Minute, Increment: time.Second},
		"clock: 1+1 there, not set now": {},
	} {
		if _, _, err := Open(dir, clocked(c), s); !errors.Is(err, ErrOther) || !strings.Contains(err.Error(), want) {
			t.Errorf("Open = %v, want %q", err, want)
		}
	}
}

func seriesOf(t testing.TB, cfg match.Config, g engine.Game, a, b match.Contestant, openings *match.Openings) *match.Series {
	t.Helper()
	s, err := match.NewSeries(cfg, g, []match.Contestant{a, b}, false, openings)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestFolderWithOtherDiceIsRefused: an earlier program rolled for each game alone.
func TestFolderWithOtherDiceIsRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "m")
	asked, s := work(t, &racegame.Family, 3, "random", "random")
	play(t, dir, asked, s, 0)
	was := string(read(t, dir, AskedFile))
	now := strings.Replace(was, `"dice": "pair"`, "", 1)
	if now == was {
		t.Fatalf("%s tells nothing of dice:\n%s", AskedFile, was)
	}
	put(t, dir, AskedFile, []byte(now))
	if _, _, err := Open(dir, asked, s); !errors.Is(err, ErrOther) || !strings.Contains(err.Error(), "dice: not set there, pair now") {
		t.Errorf("folder with other dice: %v", err)
	}
}
