package sample

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/selfplay/record"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func mustGame(t testing.TB, name, rules string) engine.Game {
	t.Helper()
	f, err := games.All().ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	g, err := f.Parse(rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// recorded plays a game at random and records it as a search might have: some
// moves have no row, some rows no policy target, some no visits.
func recorded(g engine.Game, generation int32, number int64) []record.Row {
	rng := rand.New(rand.NewPCG(uint64(number), 7))
	s, h := g.NewState(), g.NewHistory()
	var rows []record.Row
	var before []engine.Action
	ply := int32(0)
	for s.Start(h); !s.Outcome().Over; ply++ {
		legal := s.Legal(nil, h)
		a := legal[rng.IntN(len(legal))]
		if rng.IntN(10) == 0 && len(rows) > 0 {
			before = append(before, a)
			s.Apply(a, h)
			continue
		}
		r := record.Row{
			Run: "test", Game: g.Info().Name, Rules: g.Rules(), Generation: generation, GameNumber: number, Beginning: record.BeginningStart,
			Ply: ply, Turn: int32(s.Turn()), Player: int8(s.Actor()), Side: int8(s.Side()), Position: string(s.AppendPosition(nil)), Packed: s.Pack(nil),
			Before: before, Legal: legal, PolicyKind: record.PolicyNone, Action: a,
			RootValue: record.RoundValue(2*rng.Float32() - 1), NetworkValue: record.RoundValue(2*rng.Float32() - 1),
		}
		weights := make([]float32, len(legal))
		for i := range weights {
			weights[i] = rng.Float32() * rng.Float32() * rng.Float32()
		}
		if rng.IntN(4) > 0 {
			for _, w := range weights {
				r.Visits = append(r.Visits, int32(100*w))
			}
		}
		if rng.IntN(2) == 0 {
			r.PolicyKind, r.Policy, r.Full = record.PolicyVisits, record.AppendPolicy(nil, weights), true
			r.Surprise = record.RoundValue(2 * rng.Float32())
		}
		rows, before = append(rows, r), nil
		s.Apply(a, h)
	}
	for i := range rows {
		rows[i].Outcome = int8(s.Outcome().Value(engine.Player(rows[i].Player)))
		rows[i].Reason = s.Outcome().Reason
		rows[i].TurnsLeft = int32(s.Turn()) - rows[i].Turn
	}
	rows[len(rows)-1].After = before
	return rows
}

// shards writes shards of a few games each, one a generation.
func shards(t testing.TB, g engine.Game, generations, each int) (paths []string, byNumber map[int64][]record.Row) {
	t.Helper()
	dir := t.TempDir()
	byNumber = map[int64][]record.Row{}
	number := int64(0)
	for gen := range int32(generations) {
		var rows []record.Row
		for range each {
			byNumber[number] = recorded(g, gen, number)
			rows = append(rows, byNumber[number]...)
			number++
		}
		path, _, err := record.Write(dir, g.Info(), record.Head{Run: "test", Generation: gen, Number: int64(gen)}, rows)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths, byNumber
}

// TestChoiceHasEveryRole of Kon'reh games, twice the same.
func TestChoiceHasEveryRole(t *testing.T) {
	g := mustGame(t, "konreh", "micro,max_turns=60")
	paths, byNumber := shards(t, g, 5, 6)
	c, err := Choose(context.Background(), games.All(), paths)
	if err != nil || len(c.Unreadable) > 0 {
		t.Fatal(err, c.Unreadable)
	}
	if c.Shards != 5 || c.Of != 5 || c.Looked != 30 || len(c.Games) < 3 || len(c.Games) > 6 {
		t.Errorf("%d of %d shards, %d games looked at, %d chosen", c.Shards, c.Of, c.Looked, len(c.Games))
	}
	why := map[string]*Game{}
	for i, game := range c.Games {
		if i > 0 && game.Number <= c.Games[i-1].Number {
			t.Errorf("game %d follows game %d", game.Number, c.Games[i-1].Number)
		}
		if len(game.Why) == 0 || game.Run != "test" || game.Generation != int(game.Number)/6 {
			t.Errorf("game %d of run %q, generation %d, was chosen for %q", game.Number, game.Run, game.Generation, game.Why)
		}
		for _, w := range game.Why {
			why[strings.Split(w, ",")[0]] = game
		}
	}
	for role, generation := range map[string]int{"first generation": 0, "middle generation": 2, "last generation": 4} {
		if game := why[role]; game == nil || game.Generation != generation {
			t.Errorf("%s: game %+v", role, game)
		}
	}
	if game := why["drawn"]; game == nil || game.Winner != "draw" || game.WinnerSide != "" {
		t.Errorf("drawn: %+v", game)
	}
	if game := why["decided"]; game == nil || game.Winner == "draw" || game.WinnerSide == "" {
		t.Errorf("decided: %+v", game)
	}

	// The rarest kind, counted anew.
	kinds := g.NewState().(engine.Classifier).Kinds()
	counts := make([]int, len(kinds))
	for _, rows := range byNumber {
		has := make([]bool, len(kinds))
		record.NewReplayer(g).Play(rows, func(x *record.Step) {
			for _, k := range x.State.(engine.Classifier).AppendKinds(nil, x.Action, x.After) {
				has[k] = true
			}
		})
		for k := range has {
			if has[k] {
				counts[k]++
			}
		}
	}
	least := 31
	for _, n := range counts {
		if n > 0 {
			least = min(least, n)
		}
	}
	found := false
	for k, n := range counts {
		found = found || n == least && why[kinds[k]] != nil
	}
	if !found {
		t.Errorf("no game was chosen for a kind that %d games have; kinds %v", least, counts)
	}

	again, err := Choose(context.Background(), games.All(), paths)
	if err != nil || !reflect.DeepEqual(c, again) {
		t.Errorf("chosen again (%v), the games differ", err)
	}
}

// TestChoiceReadsWhatItMay: few of many shards, none of the bad ones.
func TestChoiceReadsWhatItMay(t *testing.T) {
	g := mustGame(t, "tictactoe", "")
	paths, _ := shards(t, g, 9, 2)
	c, err := choose(context.Background(), games.All(), paths, 3)
	if err != nil || c.Shards != 3 || c.Of != 9 || c.Looked != 6 {
		t.Errorf("%v, %+v", err, c)
	}
	first, last := c.Games[0].Generation, c.Games[len(c.Games)-1].Generation
	if first != 0 || last != 8 {
		t.Errorf("generations %d to %d, want 0 to 8", first, last)
	}
	if err := os.WriteFile(paths[8], []byte("no shard"), 0o666); err != nil {
		t.Fatal(err)
	}
	c, err = Choose(context.Background(), games.All(), append(paths, filepath.Join(t.TempDir(), "gone")))
	if err != nil || c.Shards != 8 || len(c.Unreadable) != 2 || !errors.Is(c.Unreadable[0], record.ErrCorrupt) || !errors.Is(c.Unreadable[1], os.ErrNotExist) {
		t.Errorf("%v, %d shards, unreadable %v", err, c.Shards, c.Unreadable)
	}
	c, err = Choose(context.Background(), games.All(), nil)
	if err != nil || len(c.Games) != 0 {
		t.Errorf("of no shards: %v, %d games", err, len(c.Games))
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Choose(ctx, games.All(), paths); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

// TestNumbersAreThoseOfTheRows holds every number of annotated games to the rows
// they come from.
func TestNumbersAreThoseOfTheRows(t *testing.T) {
	for _, c := range []struct{ game, rules string }{{"konreh", "standard,max_turns=120"}, {"connect4", ""}, {"tictactoe", ""}} {
		g := mustGame(t, c.game, c.rules)
		for number := range int64(5) {
			rows := recorded(g, 3, number)
			game, err := Annotate(g, rows)
			if err != nil {
				t.Fatal(err)
			}
			searched := 0
			for i, m := range game.Moves {
				if m.Search == nil {
					continue
				}
				r := &rows[searched]
				searched++
				sign := float64(1 - 2*r.Player)
				x := m.Search
				if int32(i) != r.Ply || m.Turn != int(r.Turn)+1 || m.Side != game.Sides[r.Side] || m.Player != engine.Player(r.Player).String() ||
					x.Value != sign*float64(r.RootValue) || x.Network != sign*float64(r.NetworkValue) || x.Surprise != float64(r.Surprise) || x.Full != r.Full {
					t.Fatalf("move %d is %+v, %+v, its row %+v", i, m, x, r)
				}
				if m.Word != word(t, g, r, r.Action) {
					t.Fatalf("ply %d: %s, played was %d", i, m.Word, r.Action)
				}
				checkShares(t, g, r, &m)
			}
			if searched != len(rows) || game.Moments[len(game.Moments)-1].Move != len(game.Moves) {
				t.Errorf("%d searched moves of %d rows", searched, len(rows))
			}
			checkSwing(t, game)
		}
	}
}

// word is the text of an action in the position of a row.
func word(t testing.TB, g engine.Game, r *record.Row, a engine.Action) string {
	t.Helper()
	s := g.NewState()
	if err := s.Unpack(r.Packed); err != nil {
		t.Fatal(err)
	}
	return string(s.AppendAction(nil, a))
}

func checkShares(t testing.TB, g engine.Game, r *record.Row, m *Move) {
	t.Helper()
	var counts []float64
	of := ""
	for _, v := range r.Visits {
		counts, of = append(counts, float64(v)), "visits"
	}
	if of == "" {
		for _, v := range r.Policy {
			counts, of = append(counts, float64(v)), "policy target"
		}
	}
	total, most := 0.0, 0.0
	for _, v := range counts {
		total, most = total+v, max(most, v)
	}
	if total == 0 {
		if m.Search.ShareOf != "" || m.Search.Best != "" {
			t.Fatalf("ply %d has shares of nothing: %+v", r.Ply, m.Search)
		}
		return
	}
	for i, a := range r.Legal {
		if a == r.Action && m.Search.Share != counts[i]/total {
			t.Fatalf("ply %d: share %g, want %g of %g", r.Ply, m.Search.Share, counts[i], total)
		}
		if m.Search.Best == word(t, g, r, a) && counts[i] != most {
			t.Fatalf("ply %d: %s is said to be best, with %g of at most %g", r.Ply, m.Search.Best, counts[i], most)
		}
	}
	if m.Search.BestShare != most/total || m.Search.ShareOf != of {
		t.Fatalf("ply %d: %+v, want %g of %q", r.Ply, m.Search, most/total, of)
	}
}

// checkSwing looks for a larger one.
func checkSwing(t testing.TB, game *Game) {
	t.Helper()
	var values []float64
	for _, m := range game.Moves {
		if m.Search != nil {
			values = append(values, m.Search.Value)
		}
	}
	most := 0.0
	for i := 1; i < len(values); i++ {
		most = max(most, values[i]-values[i-1], values[i-1]-values[i])
	}
	if s := game.Swing; s == nil || s.size() != most || game.Moves[s.Move].Search.Value != s.From || game.Moves[s.Until].Search.Value != s.To {
		t.Errorf("swing %+v, want one of %g", s, most)
	}
}

// TestMovesAloneGiveTheSameGame but for what the search said.
func TestMovesAloneGiveTheSameGame(t *testing.T) {
	g := mustGame(t, "konreh", "standard,max_turns=100")
	want, err := Annotate(g, recorded(g, 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for i := range want.Moves {
		want.Moves[i].Search = nil
		words = append(words, want.Moves[i].Word)
	}
	got, err := FromMoves(g, "", words, engine.Outcome{})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.Moves, want.Moves) || got.Winner != want.Winner || got.Reason != want.Reason || got.Turns != want.Turns || got.WinnerSide != want.WinnerSide {
		t.Errorf("got %+v, want %+v", got, want)
	}
	last, wantLast := got.Moments[len(got.Moments)-1], want.Moments[len(want.Moments)-1]
	if !reflect.DeepEqual(last, wantLast) || len(got.Moments) != 2 || got.Swing != nil || got.Unlikely != nil || got.Curve(true) != nil {
		t.Errorf("moments %+v, want the last to be %+v", got.Moments, wantLast)
	}
	if _, err := FromMoves(g, "", []string{"d1f1", "d1f1"}, engine.Outcome{}); err == nil || !strings.Contains(err.Error(), `move 2, "d1f1"`) {
		t.Errorf("a wrong move: %v", err)
	}
	cut, err := FromMoves(g, "", words[:10], engine.Outcome{})
	if err != nil || cut.Winner != "" || cut.Remarks[len(cut.Remarks)-1] != fmt.Sprintf("The moves break off after %s.", wording.Count(cut.Turns, "turn")) {
		t.Errorf("cut off: %v, %+v", err, cut.Remarks)
	}
	late, err := FromMoves(g, cut.Moments[len(cut.Moments)-1].Picture.Position, words[10:12], engine.Outcome{Over: true, Winner: engine.Second, Reason: "time"})
	if err != nil || late.Moves[0].Turn != want.Moves[10].Turn || late.Moves[1].Word != words[11] || late.Winner != "second" || late.WinnerSide != "B" || late.Reason != "time" {
		t.Errorf("from a position: %v, %+v", err, late)
	}
	if _, err := FromMoves(g, "nowhere", nil, engine.Outcome{}); err == nil || !strings.Contains(err.Error(), `position "nowhere"`) {
		t.Errorf("from nowhere: %v", err)
	}
}

// TestGamesOfChanceWithoutPictures: outcomes of chance are moves of nobody, and a
// game that draws no pictures shows its board as text.
func TestGamesOfChanceWithoutPictures(t *testing.T) {
	g := racegame.New()
	rng := rand.New(rand.NewPCG(5, 6))
	s, h := g.NewState(), g.NewHistory()
	var words []string
	var scratch []engine.Weighted
	chances := 0
	for s.Start(h); !s.Outcome().Over; {
		if s.Actor() == engine.Chance {
			chances++
		}
		possible := engine.AppendPossible(nil, &scratch, s, h)
		a := possible[rng.IntN(len(possible))]
		words = append(words, string(s.AppendAction(nil, a)))
		s.Apply(a, h)
	}
	game, err := FromMoves(g, "", words, engine.Outcome{})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range game.Moves {
		if m.Player == "chance" {
			chances--
		}
	}
	html, err := game.HTML()
	if err != nil {
		t.Fatal(err)
	}
	if chances != 0 || strings.Count(string(html), "<pre>") != len(game.Moments) || !strings.Contains(string(html), "<td>chance</td>") || strings.Contains(string(html), "<svg") {
		t.Errorf("%d outcomes of chance are missing, or boards:\n%s", chances, html)
	}
}

// TestFaultyGamesAreRefused names the place.
func TestFaultyGamesAreRefused(t *testing.T) {
	g := mustGame(t, "tictactoe", "")
	rows := recorded(g, 0, 4)
	rows[1].Reason = "boredom"
	rows[len(rows)-1].Reason = "boredom"
	if _, err := Annotate(g, rows); err == nil || !strings.Contains(err.Error(), "game 4: ply") || !strings.Contains(err.Error(), "boredom") {
		t.Errorf("error %v", err)
	}
	if _, err := Annotate(g, nil); err == nil {
		t.Error("a game without rows was taken")
	}
}

// told is a game with known numbers: x goes wrong on the third move, which its
// search had seen better.
func told(t testing.TB) *Game {
	t.Helper()
	g := mustGame(t, "tictactoe", "")
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	var rows []record.Row
	for i, c := range []struct {
		word          string
		root, network float32
		played, best  int32
		bestWord      string
		surprise      float32
	}{
		{"b2", 0.25, 0.125, 30, 30, "b2", 0.25},
		{"a1", -0.25, -0.125, 20, 40, "c3", 0},
		{"a2", 0.3125, 0.25, 1, 41, "c3", 0.75},
		{"a3", 0.5, 0.5, 90, 90, "a3", 0},
		{"b1", -0.5, -0.5, 10, 10, "b1", 0},
		{"b3", 0.75, 0.5, 10, 10, "b3", 0},
	} {
		a, err := s.ParseAction(c.word, h)
		if err != nil {
			t.Fatal(err)
		}
		best, err := s.ParseAction(c.bestWord, h)
		if err != nil {
			t.Fatal(err)
		}
		r := record.Row{
			Run: "night", Game: "tictactoe", Rules: g.Rules(), Generation: 12, GameNumber: 345, Beginning: record.BeginningStart,
			Ply: int32(i), Turn: int32(i), Player: int8(s.Actor()), Side: int8(s.Side()), Position: string(s.AppendPosition(nil)), Packed: s.Pack(nil),
			Legal: s.Legal(nil, h), PolicyKind: record.PolicyNone, RootValue: c.root, NetworkValue: c.network, Action: a, Full: true,
		}
		left := int32(100) - c.best
		if a != best {
			left -= c.played
		}
		for _, l := range r.Legal {
			switch l {
			case best:
				r.Visits = append(r.Visits, c.best)
			case a:
				r.Visits = append(r.Visits, c.played)
			default: // the rest is dealt to those before the last
				v := min(left, c.best-1)
				r.Visits, left = append(r.Visits, v), left-v
			}
		}
		if c.surprise > 0 {
			probs := make([]float32, len(r.Legal))
			for i, v := range r.Visits {
				probs[i] = float32(v)
			}
			r.PolicyKind, r.Policy, r.Surprise = record.PolicyVisits, record.AppendPolicy(nil, probs), c.surprise
		}
		rows = append(rows, r)
		s.Apply(a, h)
	}
	s, h = g.NewState(), g.NewHistory()
	s.Start(h)
	for i := range rows {
		s.Apply(rows[i].Action, h)
	}
	last := &rows[len(rows)-1]
	for !s.Outcome().Over { // moves without a search
		a := s.Legal(nil, h)[0]
		last.After = append(last.After, a)
		s.Apply(a, h)
	}
	o := s.Outcome()
	for i := range rows {
		r := &rows[i]
		r.Outcome, r.Reason, r.TurnsLeft = int8(o.Value(engine.Player(r.Player))), o.Reason, int32(s.Turn())-r.Turn
	}
	game, err := Annotate(g, rows)
	if err != nil {
		t.Fatal(err)
	}
	game.Why = []string{"last generation", "drawn"}
	return game
}

func TestGoldenForms(t *testing.T) {
	game := told(t)
	var text bytes.Buffer
	if err := game.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	html, err := game.HTML()
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string][]byte{"game.txt": text.Bytes(), "game.html": []byte(html), "curve.svg": game.Curve(true)} {
		path := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(path, got, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		gots, wants := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
		for i := range min(len(gots), len(wants)) {
			if gots[i] != wants[i] {
				t.Errorf("%s: line %d: got\n%s\nwant\n%s", name, i+1, gots[i], wants[i])
				break
			}
		}
		if len(gots) != len(wants) {
			t.Errorf("%s: %d lines, want %d", name, len(gots), len(wants))
		}
	}
	if facts := game.facts(); facts != "tictactoe, rules standard; 9 turns, 9 moves" {
		t.Error(facts)
	}
	game.Beginning = record.BeginningEarlier
	if facts := game.facts(); !strings.HasSuffix(facts, "; it began in a position of an earlier game") {
		t.Error(facts)
	}
	game.Taught = true
	if facts := game.facts(); !strings.HasSuffix(facts, "; a teacher played both seats") {
		t.Error(facts)
	}
	for _, line := range strings.Split(text.String(), "\n") {
		if len([]rune(line)) > textWidth {
			t.Errorf("%d characters: %s", len([]rune(line)), line)
		}
	}
}

// TestFormsStandInAPage: every element is closed, nothing is fetched or has an id.
func TestFormsStandInAPage(t *testing.T) {
	g := mustGame(t, "konreh", "standard,max_turns=200")
	for number := range int64(4) {
		game, err := Annotate(g, recorded(g, 0, number))
		if err != nil {
			t.Fatal(err)
		}
		game.Players = [2]string{"net:<a&b>", `"quoted"`}
		html, err := game.HTML()
		if err != nil {
			t.Fatal(err)
		}
		if len(html) > 150_000 {
			t.Errorf("%d bytes for %d moves", len(html), len(game.Moves))
		}
		var all strings.Builder
		if err := WriteHTML(&all, "a<b>", []*Game{game, game}); err != nil {
			t.Fatal(err)
		}
		if strings.Count(all.String(), string(html)) != 2 || !strings.Contains(all.String(), CSS) || !strings.Contains(all.String(), "<h1>a&lt;b&gt;</h1>") {
			t.Errorf("the page does not hold the style and the game twice:\n%s", all.String()[:600])
		}
		svgs := 0
		for d := xml.NewDecoder(strings.NewReader(string(html))); ; {
			tok, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			e, ok := tok.(xml.StartElement)
			if !ok {
				continue
			}
			if e.Name.Local == "svg" {
				svgs++
			}
			for _, a := range e.Attr {
				if a.Name.Local == "id" || a.Name.Local == "src" || a.Name.Local == "href" {
					t.Errorf("<%s %s=%q>", e.Name.Local, a.Name.Local, a.Value)
				}
			}
		}
		if svgs != 1+len(game.Moments) {
			t.Errorf("%d pictures, want a curve and %d boards", svgs, len(game.Moments))
		}
	}
}

// TestTaughtGamesHaveNoSearch: what the rows leave out is not told as a value of 0.
func TestTaughtGamesHaveNoSearch(t *testing.T) {
	g := mustGame(t, "tictactoe", "standard")
	rows := recorded(g, 0, 1)
	for i := range rows {
		rows[i].PolicyKind, rows[i].Policy, rows[i].Visits = record.PolicyTeacher, nil, nil
	}
	game, err := Annotate(g, rows)
	if err != nil {
		t.Fatal(err)
	}
	if !game.Taught || slices.ContainsFunc(game.Moves, func(m Move) bool { return m.Search != nil }) {
		t.Errorf("taught %v, moves %+v: want a teacher's game without searches", game.Taught, game.Moves)
	}
}
