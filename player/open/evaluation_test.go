package open

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/games"
	model "github.com/ludozero/ludozero/model/nnue"
	"github.com/ludozero/ludozero/model/zoo"
	"github.com/ludozero/ludozero/player/alphabeta"
	"github.com/ludozero/ludozero/player/nnue"
)

// TestShippedEvaluations are found by their names, say what they learned from, and play their
// games by any rules.
func TestShippedEvaluations(t *testing.T) {
	t.Chdir(t.TempDir())
	if len(zoo.Evaluations()) == 0 {
		t.Fatal("no evaluation is shipped")
	}
	p := New(games.All())
	defer p.Close()
	for _, name := range zoo.Evaluations() {
		e, err := Evaluation(name)
		if err != nil {
			t.Fatal(err)
		}
		if c := e.Card; c.Game != name || c.Licence == "" || len(c.Rules) == 0 || len(c.Runs) == 0 || c.Positions == 0 || c.HeldLoss >= c.TermsLoss {
			t.Errorf("%s: the card lacks something: %+v", name, c)
		}
		data, _ := zoo.Evaluation(name)
		if len(data) > zoo.MaxBytes {
			t.Errorf("%s: %d bytes, want at most %d", name, len(data), zoo.MaxBytes)
		}
		f, err := games.All().ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, preset := range f.Presets {
			g, err := f.Parse(preset.Name)
			if err != nil {
				t.Fatal(err)
			}
			spec, err := p.Parse("nnue:" + name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := spec.New(g); err != nil {
				t.Errorf("%s %s: %v", name, preset.Name, err)
			}
		}
	}
}

// inFloats judges by the network in float32, as integers should.
type inFloats struct {
	n       *model.Network
	in      *nnue.Inputs
	view    *nnue.View
	scratch model.Scratch
}

func (j *inFloats) Judge(s engine.State, extra int32) (int32, bool) {
	v := j.view
	j.in.Look(s, v)
	logit := j.n.Forward(model.AppendBits(nil, v.Own), model.AppendBits(nil, v.Other), v.Terms, &j.scratch)
	return int32(logit*alphabeta.Nat) + extra, v.Danger
}

// TestIntegersChooseAsFloats at depth 1, in 99.5 % of positions of random games at least.
func TestIntegersChooseAsFloats(t *testing.T) {
	positions := 3000
	if testing.Short() {
		positions = 600
	}
	for _, name := range zoo.Evaluations() {
		e, err := Evaluation(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := games.All().ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		g, err := f.Parse("")
		if err != nil {
			t.Fatal(err)
		}
		in, err := nnue.InputsOf(g)
		if err != nil {
			t.Fatal(err)
		}
		judge, err := e.Judge(g)
		if err != nil {
			t.Fatal(err)
		}
		whole := alphabeta.NewWith(g, judge)
		floats := alphabeta.NewWith(g, &inFloats{n: e.Network, in: in, view: in.NewView()})
		rng, s, h := rand.New(rand.NewPCG(11, 12)), g.NewState(), g.NewHistory()
		s.Start(h)
		same, asked := 0, 0
		for asked < positions {
			switch s.Actor() {
			case engine.Nobody:
				s.Start(h)
				continue
			case engine.Chance:
				s.Apply(engine.Draw(s.Chance(nil), rng.Float64()), h)
				continue
			}
			list := s.Legal(nil, h)
			if len(list) > 1 {
				whole.NewGame()
				floats.NewGame()
				if asked++; whole.Search(s, h, list, 1, nil).Action == floats.Search(s, h, list, 1, nil).Action {
					same++
				}
			}
			s.Apply(list[rng.IntN(len(list))], h)
		}
		if t.Logf("%s: the same choice in %d of %d positions", name, same, asked); same*1000 < asked*995 {
			t.Errorf("%s: integers choose as floats in %d of %d positions", name, same, asked)
		}
	}
}

// TestEvaluationsAreFound as networks are: a path, a shipped name, never either of two.
func TestEvaluationsAreFound(t *testing.T) {
	t.Chdir(t.TempDir())
	shipped := zoo.Evaluations()[0]
	data, err := zoo.Evaluation(shipped)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"mine.eval", shipped} {
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, word := range []string{"mine.eval", "." + string(filepath.Separator) + shipped, ShippedPrefix + shipped} {
		if e, err := Evaluation(word); err != nil || e.Card.Game != shipped {
			t.Errorf("%s: %v", word, err)
		}
	}
	for word, want := range map[string]string{
		shipped:                   "is a shipped evaluation and also a file here: want ./" + shipped,
		"nofile":                  "no file nofile, and no shipped evaluation of that name: want a path, or ",
		"no/file":                 "no/file",
		ShippedPrefix + "nothing": `no shipped evaluation is called "nothing"`,
	} {
		if _, err := Evaluation(word); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error is %v, want %q", word, err, want)
		}
	}
	p := New(engine.Families{})
	defer p.Close()
	if s, err := p.Parse("nnue:nofile"); err != nil || s.Text != "nnue:nofile,nodes=50000" {
		t.Errorf("without a limit: %+v, %v", s, err)
	}
}

// TestUsualPlayer: where nobody is named the network plays, unless the evaluation won the
// match whose time is nearest.
func TestUsualPlayer(t *testing.T) {
	lost := &zoo.Matches{Matches: []zoo.Match{{Milliseconds: 1000, Score: 0.5}}}
	both := &zoo.Matches{Matches: []zoo.Match{{Milliseconds: 100, Score: 0.51, Low: 0.4, High: 0.62}, {Milliseconds: 1000, Score: 0.5}}}
	for i, c := range []struct {
		of       *zoo.Matches
		decision time.Duration
		won      bool
	}{
		{nil, time.Second, false}, {&zoo.Matches{}, time.Second, false}, {lost, time.Second, false},
		{both, 0, false}, {both, 1, true}, {both, 316 * time.Millisecond, true}, {both, 317 * time.Millisecond, false}, {both, time.Hour, false},
	} {
		if m := better(c.of, c.decision); (m != nil) != c.won {
			t.Errorf("case %d, %v: %+v", i, c.decision, m)
		}
	}
	u := Usual{Text: "nnue:konreh,time=1s", Match: &both.Matches[0]}
	if why := u.Why(); why != "nnue:konreh,time=1s plays: with 100 ms a decision it scored 51.0 % (95 %: 40.0 to 62.0) against the shipped network" {
		t.Error(why)
	}

	t.Chdir(t.TempDir())
	p := New(games.All())
	defer p.Close()
	if err := os.WriteFile("konreh", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	limits := Limits{Network: "sims=1", Evaluation: "depth=1", Plain: "random"}
	usual := func(game, rules string, limits Limits) (Usual, []string) {
		g, err := games.All().Open(game, rules)
		if err != nil {
			t.Fatal(err)
		}
		c, err := p.Candidates(g)
		if err != nil {
			t.Fatal(err)
		}
		return c.Usual(limits), c.Both()
	}
	if u, both := usual("konreh", "max_turns=99", limits); u.Text != "net:shipped:konreh,sims=1" || !slices.Equal(both, []string{"net:shipped:konreh", "nnue:shipped:konreh"}) {
		t.Errorf("for no known time %+v of %q", u, both)
	}
	limits.Decision = 100 * time.Millisecond
	first, err := EvaluationFirst("konreh")
	if err != nil {
		t.Fatal(err)
	}
	want := map[bool]string{false: "net:shipped:konreh,sims=1", true: "nnue:shipped:konreh,depth=1"}[first]
	if u, _ := usual("konreh", "", limits); u.Text != want || (u.Why() != "") != first {
		t.Errorf("%+v, want %s", u, want)
	}
	if u, both := usual("konreh", "tutor", limits); u.Text != "net:shipped:konreh,sims=1" || both != nil {
		t.Errorf("by rules that the network alone learned: %+v of %q", u, both)
	}
	for _, game := range []string{"konreh", "tictactoe"} {
		if u, both := usual(game, map[string]string{"konreh": "micro"}[game], limits); u.Text != "random" || (u.Untrained != nil) != (game == "konreh") || both != nil {
			t.Errorf("%s: %+v of %q", game, u, both)
		}
	}
	if u, _ := usual("knaw", "symmetric", limits); u.Text != "random" || !u.Unlearned || !strings.HasPrefix(u.Why(), "the shipped evaluation did not learn from games by these rules: random plays") {
		t.Errorf("by rules that the only evaluation did not learn: %+v", u)
	}
	if u, _ := usual("knaw", "", limits); u.Unlearned || u.Why() != "" {
		t.Errorf("by rules that it learned: %+v", u)
	}
	learned := &Candidates{game: "konreh", learned: true}
	if u := learned.Usual(limits); u.Text != "nnue:shipped:konreh,depth=1" || u.Why() != "" {
		t.Errorf("without a network: %+v", u)
	}
}
