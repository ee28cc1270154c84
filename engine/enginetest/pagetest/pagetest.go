// Package pagetest holds the tests of games that are written from a page of rules with
// data of a slow reference implementation: its games, its worked positions, counts of
// sequences, position lines, words of refusals; and the benchmarks of their rules.
package pagetest

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest"
)

// unpacked is what a packed file holds.
func unpacked(t testing.TB, files fs.FS, name string) []byte {
	t.Helper()
	packed, err := files.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	z, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Games replays the n reference games of a file; see [enginetest.Reference].
func Games(t *testing.T, f *engine.Family, files fs.FS, file string, n int) {
	t.Helper()
	if got, err := enginetest.Reference(f, bytes.NewReader(unpacked(t, files, file))); err != nil || got != n {
		t.Errorf("%d games, want %d: %v", got, n, err)
	}
}

// Position is a worked position of a page of rules.
type Position struct {
	Name    string
	Options map[string]json.RawMessage
	// Legal are the codes of all legal actions, Text their words.
	Legal []int
	Text  []string
	// Result is as in enginetest.Replayed, nil while the game goes on.
	Result []any
	line   []byte
}

// Decode reads what the position has besides, in the page's terms, into v.
func (p *Position) Decode(t *testing.T, v any) {
	t.Helper()
	if err := json.Unmarshal(p.line, v); err != nil {
		t.Fatalf("%s: %v", p.Name, err)
	}
}

// Positions compares the n positions of a file: legal actions, by code and by word, and
// result. state makes the position under its rules; it may rewrite p.Text into the game's
// words, and checks what only the game knows.
func Positions(t *testing.T, f *engine.Family, files fs.FS, file string, n int, state func(p *Position, g engine.Coded) engine.State) {
	t.Helper()
	got := 0
	for line := range bytes.Lines(unpacked(t, files, file)) {
		got++
		p := &Position{line: line}
		p.Decode(t, p)
		g, err := (&enginetest.CodedGame{Options: p.Options}).Game(f)
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		s := state(p, g)
		var codes []int
		var words []string
		for _, a := range s.Legal(nil, nil) {
			codes = append(codes, g.Code(s, a))
			words = append(words, string(s.AppendAction(nil, a)))
		}
		slices.Sort(codes)
		slices.Sort(p.Legal)
		slices.Sort(words)
		slices.Sort(p.Text)
		if !slices.Equal(codes, p.Legal) || !slices.Equal(words, p.Text) {
			t.Errorf("%s, %s: legal %v, want %v", p.Name, s.AppendPosition(nil), words, p.Text)
		}
		o := s.Outcome()
		if o.Over != (p.Result != nil) || o.Over && (g.Ending(o.Reason) != p.Result[1] || p.Result[0] != winner(o)) {
			t.Errorf("%s: outcome %+v, want %v", p.Name, o, p.Result)
		}
	}
	if got != n {
		t.Errorf("%d positions, want %d", got, n)
	}
}

// winner is the winner of a game as JSON has it in a result.
func winner(o engine.Outcome) any {
	if o.Winner == engine.Nobody {
		return "draw"
	}
	return float64(o.Winner)
}

// Perft compares the numbers of sequences of one decision, two and so on from a position
// line, or from the start for "".
func Perft(t *testing.T, g engine.Game, line string, want ...uint64) {
	t.Helper()
	s, _ := At(t, g, line)
	for i, n := range want {
		if got := engine.Perft(g, s, nil, i+1); got != n {
			t.Errorf("%s, %q: %d sequences of %d decisions, want %d", g.Rules(), line, got, i+1, n)
		}
	}
}

// FuzzPosition reads lines as positions of rulesets. What is accepted is written back as
// it was, survives packing, and so does all that one action leads to, whose word is read
// back. lines are where it begins, besides the starts.
func FuzzPosition(f *testing.F, family *engine.Family, rulesets []string, lines ...string) {
	var games []engine.Game
	for _, rules := range rulesets {
		g, err := family.Parse(rules)
		if err != nil {
			f.Fatal(err)
		}
		games = append(games, g)
		lines = append(lines, string(g.NewState().AppendPosition(nil)))
	}
	for _, line := range lines {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		for _, g := range games {
			s, u := g.NewState(), g.NewState()
			if s.ParsePosition(line) != nil {
				continue
			}
			if got := string(s.AppendPosition(nil)); got != line {
				t.Fatalf("%q is written %q", line, got)
			}
			if err := u.Unpack(s.Pack(nil)); err != nil || u.Hash() != s.Hash() {
				t.Fatalf("%q: packed: %v", line, err)
			}
			for _, a := range engine.AppendPossible(nil, new([]engine.Weighted), s, nil) {
				word := string(s.AppendAction(nil, a))
				if got, err := s.ParseAction(word, nil); err != nil || got != a {
					t.Fatalf("%q: %s is read as %d, %v", line, word, got, err)
				}
				u.CopyFrom(s)
				u.Apply(a, nil)
				if err := u.Unpack(u.Pack(nil)); err != nil {
					t.Fatalf("%q: after %s: %v", line, word, err)
				}
			}
		}
	})
}

// RandomGames measures a random decision, rolls among them, of each of the games.
func RandomGames(b *testing.B, games ...engine.Game) {
	for _, g := range games {
		b.Run(g.Info().Name+"/"+g.Rules(), func(b *testing.B) {
			s, h := g.NewState(), g.NewHistory()
			rng := rand.New(rand.NewPCG(1, 1))
			var possible []engine.Action
			var scratch []engine.Weighted
			s.Start(h)
			b.ReportAllocs()
			for b.Loop() {
				possible = engine.AppendPossible(possible[:0], &scratch, s, h)
				if len(possible) == 0 {
					s.Start(h)
					continue
				}
				s.Apply(possible[rng.IntN(len(possible))], h)
			}
		})
	}
}

// EncodingHash measures the hash of what a network sees at the start.
func EncodingHash(b *testing.B, g engine.Game) {
	s := g.NewState()
	b.ReportAllocs()
	for b.Loop() {
		s.EncodingHash()
	}
}

// Open returns a game under rules.
func Open(t testing.TB, f *engine.Family, rules string) engine.Game {
	t.Helper()
	g, err := f.Parse(rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
