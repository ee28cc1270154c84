package ratings

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/match"
)

var games = engine.Families{&tictactoe.Family, &connect4.Family}

// before has lines as programs wrote them that knew no digests.
func before(t testing.TB) []string {
	t.Helper()
	b, err := os.ReadFile("testdata/before.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(b)), "\n")
}

// sealed is before with digests, as this program writes those matches.
func sealed(t testing.TB) []string {
	t.Helper()
	var lines []string
	for _, text := range before(t) {
		m, err := parse(games, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		b, err := (&line{Match: *m}).seal(true)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(b))
	}
	return lines
}

// shortened is sealed as a pack has it.
func shortened(t testing.TB) []string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, sealed(t)...)
	list, err := Read(nil, dir)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Short(list, 1<<30, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(b)), "\n")
}

func write(t testing.TB, dir string, lines ...string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, File), []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestNoBitFlipsUnseen(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	dir := t.TempDir()
	for name, lines := range map[string][]string{"whole": sealed(t), "of a pack": shortened(t)} {
		write(t, dir, lines...)
		if list, err := Read(games, dir); err != nil || len(list) != 3 {
			t.Fatalf("%s: Read = %d matches, %v", name, len(list), err)
		}
		for range 300 {
			text := []byte(lines[1])
			at, bit := rng.IntN(len(text)), rng.IntN(8)
			text[at] ^= 1 << bit
			write(t, dir, lines[0], string(text), lines[2])
			if _, err := Read(games, dir); err == nil || !strings.Contains(err.Error(), File+": line 2: ") {
				t.Errorf("%s: bit %d of byte %d, %q, flipped: %v", name, bit, at+1, lines[1][max(0, at-20):min(at+20, len(text))], err)
			}
		}
	}
}

// TestEditedMatchesAreRefused: edits that somebody makes who does not know of digests,
// in lines with and without them.
func TestEditedMatchesAreRefused(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ old, new, want string }{
		{`"points":1`, `"points":0`, "its games make"},
		{`"points":1`, `"point":1`, `unknown field "point"`},
		{`"points":1`, `"Points":1`, "a key is missing, misspelt"},
		{`"points":1,`, ``, ""},
		{`"points":0.5,`, ``, ""},
		{`"points":1`, `"points":2`, "2 points"},
		{`"wins":`, `"win":`, `unknown field "win"`},
		{`"draws":`, `"draws":1`, "wins, draws, losses: "},
		{`"as_first":{"wins":`, `"as_first":{"wins":1`, "as_first: "},
		{`"as_second":{"wins":`, `"as_second":{"wins":1`, "as_second: "},
		{`"pair_half_points":[0,0,2,3,3]`, `"pair_half_points":[0,0,3,2,3]`, "pair_half_points: "},
		{`"score":{"value":0.`, `"score":{"value":0.1`, "score: "},
		{`"elo":{"value":2`, `"elo":{"value":-2`, "elo: "},
		{`"reasons":{"full":3`, `"reasons":{"full":4`, "reasons: "},
		{`"mean_turns":7`, `"mean_turns":8`, "mean_turns: "},
		{`"repeated_games":0`, `"repeated_games":1`, "repeated_games: "},
		{`"repeated_pairs":0`, `"repeated_pairs":1`, "repeated_pairs: "},
		{`"distinct_openings":1`, `"distinct_openings":9`, "distinct_openings: "},
		{`"took_ns":`, `"took_ns": `, "byte "},
		{`"version":1`, `"version":1,"version":1`, "byte "},
	} {
		for name, lines := range map[string][]string{"old": before(t), "new": sealed(t)} {
			if !strings.Contains(lines[0], c.old) {
				t.Fatalf("the line has no %s", c.old)
			}
			write(t, dir, strings.Replace(lines[0], c.old, c.new, 1))
			if _, err := Read(games, dir); err == nil || !strings.Contains(err.Error(), File+": line 1: ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s line, %s for %s: %v, want an error with %q", name, c.new, c.old, err, c.want)
			}
		}
	}
}

// TestMatchesWithoutDigestAreReplayed: what adds up may still be no game.
func TestMatchesWithoutDigestAreReplayed(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ old, new, want string }{
		{`"moves":"a1 b1 c3 b2 a3 a2 b3"`, `"moves":"a1 b1 c3 b2 a3 a2 c1"`, "game 1: "},
		{`"moves":"a1 b1 c3 b2 a3 a2 b3"`, `"moves":"a1 b1 c3 b2 a3 a2 a2"`, `game 1: move 7, "a2"`},
		{`"moves":"a1 b1 c3 b2 a3 a2 b3"`, `"moves":"a1 b1 c3 b2 a3 a2"`, "game 1: 7 turns were noted, its moves make 6"},
		{`"opening_list":"2`, `"opening_list":"3`, "opening_list 3"},
		{`"rules":"standard"`, `"rules":"none"`, ""},
		{`"game":"tictactoe"`, `"game":"tactictoe"`, `no game "tactictoe"`},
	} {
		lines := before(t)
		if !strings.Contains(lines[0], c.old) {
			t.Fatalf("the line has no %s", c.old)
		}
		write(t, dir, lines[1], strings.Replace(lines[0], c.old, c.new, 1))
		if _, err := Read(games, dir); err == nil || !strings.Contains(err.Error(), File+": line 2: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s for %s: %v, want an error with %q", c.new, c.old, err, c.want)
		}
	}
	// Whoever turns all points round and mends every sum.
	m, err := parse(games, []byte(before(t)[0]))
	if err != nil {
		t.Fatal(err)
	}
	r := m.Result
	cfg := match.Config{Pairs: len(r.Games) / 2, Seed: r.Seed, MaxTurns: r.MaxTurns}
	s, err := match.NewSeries(cfg, tictactoeGame(t), []match.Contestant{{Name: r.A}, {Name: r.B}}, false, &match.Openings{Source: r.Openings, List: make([]match.Opening, r.DistinctOpenings)})
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Games {
		r.Games[i].Points = 1 - r.Games[i].Points
	}
	list := r.OpeningList
	m.Result = match.Summarise(cfg, s, r.Games)
	m.Result.OpeningList = list
	text, err := (&line{Match: *m}).seal(false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parse(games, text); err == nil || !strings.Contains(err.Error(), "game 1: 0 points for A") {
		t.Errorf("all points turned round: %v", err)
	}
}

func FuzzLine(f *testing.F) {
	for _, lines := range [][]string{before(f), sealed(f), shortened(f)} {
		f.Add([]byte(lines[0])) // short, since the engine minimises what it finds
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := parse(games, text)
		if err != nil {
			return
		}
		l := line{Match: *m}
		if bytes.Contains(text, []byte(`"digest":`)) {
			l.Digest = "some"
		}
		if again, err := l.seal(false); err != nil || !bytes.Equal(again, text) {
			t.Errorf("%q is read and written as %q, %v", text, again, err)
		}
	})
}
