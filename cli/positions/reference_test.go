package positions

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/tictactoe"
)

// paged is tic-tac-toe by a rules page that counts cells from 100 downwards.
type paged struct{ engine.Game }

func (paged) Code(_ engine.State, a engine.Action) int { return 100 - int(a) }
func (paged) Ending(reason string) string              { return "a " + reason }

func pagedFamily() *engine.Family {
	f := tictactoe.Family
	f.Options = []engine.Option{
		{Name: "size", Doc: "cells", Default: "3", Min: 3, Max: 3},
		{Name: "kind", Doc: "kind", Default: "plain", Values: []string{"plain"}},
		{Name: "even", Doc: "even", Default: "false", Values: engine.Bools},
		{Name: "order", Doc: "order", Default: "x:o", Data: &engine.Data{
			Form: "sides with colons between", Canonical: func(v string) (string, error) { return v, nil },
		}},
	}
	f.Build = func(s engine.Settings) (engine.Game, error) {
		if s.Text("order") != "x:o" {
			return nil, fmt.Errorf("order %s: x comes first", s.Text("order"))
		}
		g, err := tictactoe.Family.Build(engine.Settings{})
		return paged{g}, err
	}
	return &f
}

func TestReplayReference(t *testing.T) {
	env, err := shell.NewEnv([]shell.Game{{Family: pagedFamily()}})
	if err != nil {
		t.Fatal(err)
	}
	defer env.Close()
	c := NewReplay(env)
	var in, out bytes.Buffer
	hash := func(lines ...string) string {
		return fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(lines, ""))))
	}
	nine := "92 93 94 95 96 97 98 99 100\n"
	want := ""
	for _, x := range [][2]string{
		{`{"actions":[]}`, `{"plies":0,"legal_sha256":"` + hash() + `","result":null}`},
		{`{"seed":3,"options":{"size":3,"kind":"plain","even":false,"order":["x","o"]},"actions":[96,100]}`,
			`{"plies":2,"legal_sha256":"` + hash(nine, "92 93 94 95 97 98 99 100\n") + `","result":null}`},
		{`{"actions":[100,97,99,96,98]}`, `{"plies":5,"legal_sha256":"` +
			hash(nine, "92 93 94 95 96 97 98 99\n", "92 93 94 95 96 98 99\n", "92 93 94 95 96 98\n", "92 93 94 95 98\n") + `","result":[0,"a line"]}`},
		{`{"actions":[100,97,99,96,98,95]}`, `{"plies":5,"error":"action 95 is not legal: the game is over"}`},
		{`{"actions":[100,100]}`, `{"plies":1,"error":"action 100 is not legal: 8 others are, such as 99"}`},
		{`{"options":{"order":["o","x"]},"actions":[]}`, `{"plies":0,"error":"rules of tictactoe: order o:x: x comes first"}`},
		{`{"options":{"kind":null},"actions":[]}`, `{"plies":0,"error":"option kind: null: want text, a number, true, false or a list of them"}`},
		{`{"options":{"order":["x",null]},"actions":[]}`, `{"plies":0,"error":"option order: [\"x\",null]: want text, a number, true, false or a list of them"}`},
		{`{"options":{"order":" x o"},"actions":[]}`, `{"plies":0,"legal_sha256":"` + hash() + `","result":null}`},
		{`{"options":{"order":[["x"]," o "]},"actions":[]}`, `{"plies":0,"legal_sha256":"` + hash() + `","result":null}`},
		{`{"options":{"order":"x\no"},"actions":[]}`, `{"plies":0,"legal_sha256":"` + hash() + `","result":null}`},
		{`{"options":{"order":"o\nx x"},"actions":[]}`, `{"plies":0,"error":"rules of tictactoe: order o:xx: x comes first"}`},
		{`{"options":[],"actions":[]}`, `{"plies":0,"error":"options: array: want an object of names and values"}`},
		{`{"actions":[1.5]}`, `{"plies":0,"error":"actions: number 1.5: want a list of codes"}`},
		{`[]`, `{"plies":0,"error":"array: want an object with options and actions"}`},
		{`{"options":{"kind":"odd"},"actions":[]}`, `{"plies":0,"error":"rules of tictactoe: option kind=odd: want one of plain"}`},
		{`{"options":{}}`, `{"plies":0,"error":"actions: want a list of codes"}`},
	} {
		fmt.Fprintln(&in, x[0])
		want += x[1] + "\n"
	}
	c.SetIn(&in)
	c.SetOut(&out)
	c.SetErr(&out)
	c.SilenceUsage, c.SilenceErrors = true, true
	c.SetArgs([]string{"--game", "tictactoe", "--reference"})
	if err := c.Execute(); err == nil || err.Error() != "errors in 11 lines" {
		t.Errorf("replay: %v, want 11 lines with an error", err)
	}
	if out.String() != want {
		t.Errorf("replay --reference answers\n%swant\n%s", out.String(), want)
	}
}
