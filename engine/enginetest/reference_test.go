package enginetest_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/diamondchess"
	"github.com/ludozero/ludozero/engine/enginetest"
)

// weakened is diamond chess in which no piece has a magical attack.
type weakened struct{ engine.Coded }

type weakenedState struct{ engine.State }

func (g weakened) NewState() engine.State { return weakenedState{g.Coded.NewState()} }

func (g weakened) Code(s engine.State, a engine.Action) int {
	return g.Coded.Code(s.(weakenedState).State, a)
}

func (s weakenedState) Legal(dst []engine.Action, h *engine.History) []engine.Action {
	begin := len(dst)
	dst = s.State.Legal(dst, h)
	kept := dst[:begin]
	for _, a := range dst[begin:] {
		if word := string(s.AppendAction(nil, a)); a < 4096 || a >= 5120 || (word[0] == word[3] || word[1] == word[4]) {
			kept = append(kept, a)
		}
	}
	return kept
}

// TestReferenceFindsMissingAttacks: an attack that is never generated breaks no contract,
// but other implementations know it.
func TestReferenceFindsMissingAttacks(t *testing.T) {
	packed, err := os.ReadFile("../diamondchess/testdata/diamond-chess-games.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	f := diamondchess.Family
	f.Build = func(s engine.Settings) (engine.Game, error) {
		g, err := diamondchess.Family.Build(s)
		if err != nil {
			return nil, err
		}
		return weakened{g.(engine.Coded)}, nil
	}
	n, err := enginetest.Reference(&f, bytes.NewReader(text))
	if err == nil || n != 40 || !strings.Contains(err.Error(), "legal") {
		t.Errorf("%d games, want 40 and faults of legal actions: %v", n, err)
	}
}

// TestMalformedGames: what is wrong with a line is said in the words of the data files.
func TestMalformedGames(t *testing.T) {
	for line, want := range map[string]string{
		`actions`:                         "want a JSON object on each line: invalid character",
		`[5121]`:                          "array: want an object with options and actions",
		`{"actions":[]} {}`:               "want a JSON object on each line: invalid character",
		`{"options":[],"actions":[]}`:     "options: array: want an object of names and values",
		`{}`:                              "actions: want a list of codes",
		`{"actions":"5121"}`:              "actions: string: want a list of codes",
		`{"actions":["5121"]}`:            "actions: string: want a list of codes",
		`{"actions":[1.5]}`:               "actions: number 1.5: want a list of codes",
		`{"actions":[99999999999999999]}`: "action 99999999999999999 is not legal: 8 others are, such as 5121",
		`{"actions":[-1]}`:                "action -1 is not legal",
		`{"options":{"setup":null},"actions":[]}`:       "option setup: null: want text",
		`{"options":{"set-up":"free"},"actions":[]}`:    `no option "set-up"`,
		`{"options":{"futile_attacks":1},"actions":[]}`: "option futile_attacks=1: want one of false, true",
	} {
		_, err := enginetest.Reference(&diamondchess.Family, strings.NewReader(line))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
}
