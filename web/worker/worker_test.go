package worker

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/engine/query"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/infer"
	"github.com/ludozero/ludozero/model/precision"
	"github.com/ludozero/ludozero/model/zoo"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/analysis"
	"github.com/ludozero/ludozero/player/kinds"
	"github.com/ludozero/ludozero/web/table"
)

// page is a host without a browser, whose ONNX Runtime is our own inference.
type page struct {
	fails    error    // of ONNX Runtime
	opened   []string // paths of models
	runs     int
	warnings []string
	breaths  atomic.Int64
}

func (p *page) Model(n *Network, batch int) (Run, error) {
	if p.fails != nil {
		return nil, p.fails
	}
	p.opened = append(p.opened, n.Model)
	net, err := ownNetwork(n.Name, precision.F32, batch)
	if err != nil {
		return nil, err
	}
	shape := n.Card.Network.Shape
	head := shape.HeadCells()
	return func(planes, globals []float32, rows int, out []float32) error {
		p.runs++
		offsets, cells := []int32{0}, []int32{}
		for range rows {
			for c := range head {
				cells = append(cells, int32(c))
			}
			offsets = append(offsets, int32(len(cells)))
		}
		wdl, turns := out[rows*head:], out[rows*(head+3):]
		return net.Forward(planes, globals, offsets, cells, out[:rows*head], wdl[:3*rows], turns[:rows])
	}, nil
}

func (p *page) Read(path string) ([]byte, error) {
	if name, ok := strings.CutSuffix(path, zoo.EvaluationExtension); ok {
		return zoo.Evaluation(name)
	}
	name, ok := strings.CutSuffix(path, model.Extension)
	if !ok {
		return nil, fs.ErrNotExist
	}
	return zoo.File(name)
}

func (p *page) Warn(text string) { p.warnings = append(p.warnings, text) }
func (p *page) Breathe()         { p.breaths.Add(1) }

// ownNetwork is a shipped network on our own kernels.
func ownNetwork(name string, p precision.Precision, batch int) (*infer.Net, error) {
	w, card, err := zoo.Load(name)
	if err != nil {
		return nil, err
	}
	return infer.New(card.Network, w, infer.Options{MaxBatch: batch, Precision: p, Calibration: card.Calibration})
}

func shippedSite(t *testing.T) *Site {
	t.Helper()
	s := new(Site)
	for _, name := range zoo.Names() {
		_, card, err := zoo.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		ratings := &player.Ratings{Rules: "standard", Levels: []player.Level{
			{Strength: player.Strength{Simulations: 1, Temperature: 9}, RatedPlayer: player.RatedPlayer{Elo: 100}},
			{Strength: player.Strength{Simulations: 9}, RatedPlayer: player.RatedPlayer{Elo: 900}},
		}}
		s.Networks = append(s.Networks, Network{Name: name, Model: name + ".onnx", Weights: name + model.Extension, Card: *card, Ratings: ratings})
	}
	for _, name := range zoo.Evaluations() {
		s.Evaluations = append(s.Evaluations, Evaluation{Name: name, File: name + zoo.EvaluationExtension, Game: name})
	}
	return s
}

// TestRemoteGivesWhatItsNetworkDoes, for several positions at once, with the turns
// left and without.
func TestRemoteGivesWhatItsNetworkDoes(t *testing.T) {
	for _, name := range zoo.Names() {
		family, err := games.All().ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		g, err := family.Parse("")
		if err != nil {
			t.Fatal(err)
		}
		network, err := shippedSite(t).network(name, g)
		if err != nil {
			t.Fatal(err)
		}
		run, err := new(page).Model(network, 3)
		if err != nil {
			t.Fatal(err)
		}
		direct, err := ownNetwork(name, precision.F32, 3)
		if err != nil {
			t.Fatal(err)
		}
		remote := NewRemote(g.Info(), run)
		s, h := g.NewState(), g.NewHistory()
		s.Start(h)
		var planes, globals []float32
		offsets, cells := []int32{0}, []int32{}
		f := &g.Info().Features
		for rows := 1; rows <= 3; rows++ {
			p, q := make([]float32, f.Planes*f.Cells()), make([]float32, f.Globals)
			s.Encode(p, q)
			planes, globals = append(planes, p...), append(globals, q...)
			legal := s.Legal(nil, h)
			for _, a := range legal {
				cells = append(cells, g.Info().Policy.Cells[a])
			}
			offsets = append(offsets, int32(len(cells)))
			s.Apply(legal[len(legal)-1], h)

			evaluate := func(net mcts.Network, turns []float32) []float32 {
				out := make([]float32, len(cells)+3*rows)
				if err := net.Forward(planes, globals, offsets, cells, out[:len(cells)], out[len(cells):], turns); err != nil {
					t.Fatal(err)
				}
				return append(out, turns...)
			}
			for _, turns := range []int{0, rows} {
				var room [2][]float32
				if turns > 0 {
					room = [2][]float32{make([]float32, rows), make([]float32, rows)}
				}
				got, want := evaluate(remote, room[0]), evaluate(direct, room[1])
				for i := range want {
					if got[i] != want[i] {
						t.Fatalf("%s: %d rows, %d turns: output %d is %g, want %g", name, rows, turns, i, got[i], want[i])
					}
				}
			}
		}
	}
}

// visits asks for the visits of a search with a network of its own.
func visits(t *testing.T, text, game, rules, moves string) (string, map[string]int) {
	t.Helper()
	family, err := games.All().ByName(game)
	if err != nil {
		t.Fatal(err)
	}
	g, err := family.Parse(rules)
	if err != nil {
		t.Fatal(err)
	}
	open := func(name string, p precision.Precision, batch int, _ engine.Game) (*player.Opened, error) {
		_, card, err := zoo.Load(name)
		if err != nil {
			return nil, err
		}
		return &player.Opened{New: func() (mcts.Network, error) { return ownNetwork(name, p, batch) }, CPuct: card.CPuct, Search: card.Search}, nil
	}
	spec, err := player.Parse(text, map[string]player.Kind{"net": player.NetKind(open)})
	if err != nil {
		t.Fatal(err)
	}
	p, err := spec.New(g)
	if err != nil {
		t.Fatal(err)
	}
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	for _, word := range strings.Fields(moves) {
		a, err := s.ParseAction(word, h)
		if err != nil {
			t.Fatal(err)
		}
		s.Apply(a, h)
	}
	p.NewGame(t.Context(), 0)
	a, err := p.Think(t.Context(), s, h, match.Bounds{Analyze: true})
	if err != nil {
		t.Fatal(err)
	}
	n := map[string]int{}
	for _, m := range a.Moves {
		if m.Visits > 0 {
			n[string(s.AppendAction(nil, m.Action))] = m.Visits
		}
	}
	return string(s.AppendAction(nil, a.Choice)), n
}

// TestSearchIsThatOfOtherPlayers, with ONNX Runtime and without, which is said.
func TestSearchIsThatOfOtherPlayers(t *testing.T) {
	for _, c := range []struct{ game, preset, option, moves, player string }{
		{"konreh", "standard", "", "d1f1 h5f5", "net:konreh,sims=60"},
		{"konreh", "table", "balance=pie", "d1f1", "net:konreh,sims=40,cpuct=2"},
		{"connect4", "", "", "4 4 4", "net:connect4,sims=40"},
		{"connect4", "", "", "4 4 4", "net:connect4,sims=40,search=puct"},
	} {
		q := Question{Question: query.Question{Game: c.game, Preset: c.preset, Moves: c.moves}, Request: analysis.Request{Player: c.player}}
		rules := c.preset
		if c.option != "" {
			q.Options = []string{c.option}
			rules += "," + c.option
		}
		choice, want := visits(t, c.player, c.game, rules, c.moves)
		for _, fails := range []error{nil, errors.New("no SIMD")} {
			p := &page{fails: fails}
			a, err := New(games.All(), games.Guides(), kinds.All(), shippedSite(t), p).Analyze(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			if *a.Choice != choice || !maps.Equal(a.Visits, want) {
				t.Errorf("%+v: %s by %v, want %s by %v", q, *a.Choice, a.Visits, choice, want)
			}
			if said := len(p.warnings) == 1 && strings.Contains(p.warnings[0], "no SIMD"); said != (fails != nil) || (p.runs > 0) == said {
				t.Errorf("%+v: %d evaluations by ONNX Runtime, warnings %q; it fails: %v", q, p.runs, p.warnings, fails)
			}
		}
	}
}

// TestInt8 is what it is elsewhere without ONNX Runtime, and asks that for the int8 model.
func TestInt8(t *testing.T) {
	const player = "net:konreh,sims=40,precision=int8"
	q := Question{Question: query.Question{Game: "konreh", Moves: "d1f1"}, Request: analysis.Request{Player: player}}
	choice, want := visits(t, player, "konreh", "standard", "d1f1")
	site := shippedSite(t)
	for i := range site.Networks {
		site.Networks[i].Int8 = "eight"
	}
	for _, fails := range []error{nil, errors.New("no SIMD")} {
		p := &page{fails: fails}
		a, err := New(games.All(), games.Guides(), kinds.All(), site, p).Analyze(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if fails == nil && !slices.Equal(p.opened, []string{"eight"}) {
			t.Errorf("opened %q", p.opened)
		}
		if fails != nil && (*a.Choice != choice || !maps.Equal(a.Visits, want)) {
			t.Errorf("%s by %v, want %s by %v", *a.Choice, a.Visits, choice, want)
		}
	}
}

// TestPageBreathes while whoever thinks.
func TestPageBreathes(t *testing.T) {
	for _, text := range []string{"net:konreh,sims=20", "net:konreh,time=20ms", "alphabeta:depth=3", "nnue:konreh,depth=3", "mcts:sims=200"} {
		p := &page{}
		if _, err := New(games.All(), games.Guides(), kinds.All(), shippedSite(t), p).Analyze(t.Context(), Question{Question: query.Question{Game: "konreh"}, Request: analysis.Request{Player: text}}); err != nil {
			t.Fatal(err)
		}
		if p.breaths.Load() < 2 {
			t.Errorf("%s: %d times", text, p.breaths.Load())
		}
	}
}

// TestRefusals name what is wrong.
func TestRefusals(t *testing.T) {
	old, unrated := shippedSite(t), shippedSite(t)
	for i := range old.Networks {
		old.Networks[i].Card.EncoderVersion--
		unrated.Networks[i].Ratings = nil
	}
	for _, c := range []struct {
		site         *Site
		method, body string
		want         string
	}{
		{nil, "analyze", `{"game":"konreh","player":"net:nix,sims=2"}`, `no network "nix"`},
		{nil, "analyze", `{"game":"konreh","player":"net:connect4,sims=2"}`, "plays connect4"},
		{nil, "analyze", `{"game":"konreh","player":"net:konreh,sims=2,precision=int8"}`, "precision int8: this site has the network in f32 alone"},
		{nil, "analyze", `{"game":"konreh","player":"net:konreh,sims=2,precision=bf16"}`, "precision bf16: WebAssembly has no instructions for it"},
		{nil, "analyze", `{"game":"konreh","player":"net:konreh,time=10ms,threads=2"}`, "threads=2: WebAssembly has one thread"},
		{nil, "analyze", `{"game":"konreh","player":"alphabeta:time=10ms,threads=2"}`, "threads=2: WebAssembly has one thread"},
		{nil, "analyze", `{"game":"konreh","player":"alphabeta:depth=1,hash=1025"}`, "hash=1025: too much for the memory of WebAssembly: want at most 1024"},
		{nil, "analyze", `{"game":"konreh","player":"mcts:time=10ms,edges=16777217"}`, "edges=16777217: too much for the memory of WebAssembly: want at most 16777216"},
		{nil, "analyze", `{"game":"konreh","player":"nnue:nix,depth=1"}`, `no evaluation "nix" in this site`},
		{nil, "analyze", `{"game":"connect4","player":"nnue:konreh,depth=1"}`, "evaluation is of konreh, not connect4"},
		{nil, "analyze", `{"game":"go","player":"random"}`, "go"},
		{nil, "analyze", `{"game":"konreh","preset":"nix","player":"random"}`, "nix"},
		{nil, "analyze", `{"game":"konreh","pos":"nix","player":"random"}`, "nix"},
		{nil, "analyze", `{"game":"connect4","moves":"4 9","player":"random"}`, "move 2"},
		{nil, "analyze", `{"game":"tictactoe","moves":"a1 b1 a2 b2 a3","player":"random"}`, "the game is over: line"},
		{nil, "analyze", `{"game":"konreh","who":"random"}`, `question: no field "who": want one of game, preset, options, pos, moves, player, sims, nodes,`},
		{nil, "analyze", `{"game":"konreh","options":"balance=pie"}`, "question: options: string: want a list"},
		{nil, "analyze", `{"game":"konreh","consider":"d1f1"}`, "question: consider: string: want a list"},
		{nil, "analyze", `{"game":"konreh","sims":1.5}`, "question: sims: number 1.5: want a whole number"},
		{nil, "analyze", `{"game":"connect4","player":"mcts:sims=100","sims":0}`, "sims: 0: want a whole number from 1"},
		{nil, "analyze", `{"game":"connect4","player":"mcts:sims=100","lines":-3}`, "lines: -3: want a whole number from 1"},
		{nil, "analyze", `{"game":"connect4","player":"mcts:sims=100","time":""}`, `time: "": want a time`},
		{nil, "position", `{"game":"konreh","moves":["d1f1"]}`, "question: moves: array: want text"},
		{nil, "position", `{"game":"konreh","rules":"blitz"}`, `question: no field "rules": want one of game, preset, options, pos, moves`},
		{nil, "nix", `null`, "nix"},
		{nil, "open", `{"game":"konreh","seats":["you","net:nix,sims=2"]}`, "net:nix"},
		{nil, "open", `{"game":"konreh","seats":["you","net:konreh,sims=1000000"]}`, "sims"},
		{nil, "open", `{"game":"konreh","seats":["you","solver"]}`, "solver"},
		{nil, "open", `{"game":"konreh","seats":["you","net:konreh,rating=901"]}`, "100 to 900"},
		{nil, "open", `{"game":"konreh","rules":"micro","seats":["you","net:konreh,rating=600"]}`, "its ratings were measured under standard, not micro"},
		{unrated, "open", `{"game":"konreh","seats":["you","net:konreh,rating=600"]}`, "want net:konreh,sims=200 or net:konreh,time=1000ms"},
		{unrated, "analyze", `{"game":"konreh","player":"net:konreh,rating=600"}`, "no ratings were measured"},
		{nil, "open", `{"game":"konreh","position":"nix"}`, "position"},
		{nil, "watch", `{"id":"1","after":0}`, "no such game"},
		{nil, "send", `{"id":"1","request":{"op":"resign"}}`, "no such game"},
		{nil, "send", `{"id":"1","move":"a1"}`, "move"},
		{old, "analyze", `{"game":"konreh","player":"net:konreh,sims=2"}`, "reload"},
	} {
		site := c.site
		if site == nil {
			site = shippedSite(t)
		}
		if answer, err := New(games.All(), games.Guides(), kinds.All(), site, new(page)).Call(c.method, []byte(c.body)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %s, %v, want an error with %q", c.method, c.body, answer, err, c.want)
		}
	}
}

// TestSiteReadsBack as it was written.
func TestSiteReadsBack(t *testing.T) {
	site := shippedSite(t)
	text, err := json.Marshal(site)
	if err != nil {
		t.Fatal(err)
	}
	read, err := ParseSite(text)
	if err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(read)
	if err != nil || string(again) != string(text) {
		t.Errorf("%v\n%s\n%s", err, text, again)
	}
	if _, err := ParseSite([]byte("<html>")); err == nil || !strings.Contains(err.Error(), SiteFile) {
		t.Errorf("a page in its place: %v", err)
	}
}

// TestTable is a game as the page plays it: calls do not wait for players, the view
// changes when they have decided, and a new game takes the place of the old one.
func TestTable(t *testing.T) {
	w := New(games.All(), games.Guides(), kinds.All(), shippedSite(t), new(page))
	var catalog table.Catalog
	ask(t, w, "catalog", "null", &catalog)
	var rules table.RulesPage
	if ask(t, w, "rules", `{"game":"konreh"}`, &rules); !strings.Contains(rules.HTML, `id="option-seed_limit"`) || len(catalog.Games[0].Lessons) < 10 || len(catalog.Games[0].Opponents) < 5 {
		t.Errorf("rules %.100s, game %+v", rules.HTML, catalog.Games[0])
	}
	var names []string
	for _, o := range catalog.Players {
		names = append(names, o.Name)
		for _, limit := range o.Limits {
			if g := o.Games; len(g) > 0 && g[0] == "konreh" || len(g) == 0 {
				if _, err := w.newSeated(o.Text(&limit, limit.Default), konreh(t)); err != nil {
					t.Error(err)
				}
			}
		}
	}
	night := func(game string, rules ...model.RulesShare) *table.Catalog {
		return New(games.All(), games.Guides(), kinds.All(), &Site{Networks: []Network{{Name: "night", Card: model.Card{Identity: model.Identity{Game: game}, Rules: rules}}}}, new(page)).catalog()
	}
	if c := night("connect4"); c.Games[0].Name != "connect4" || len(c.Games) != len(games.All()) || c.Players[0].Name != "net:night" {
		t.Errorf("a site for Connect Four: %+v", c)
	}
	if c := night("konreh", model.RulesShare{Rules: "table", Share: 0.2}, model.RulesShare{Rules: "micro", Share: 0.8}); c.Players[0].Rules != "micro" {
		t.Errorf("a site for micro: %+v", c.Players[0])
	}
	if got, want := strings.Join(names, " "), "net:"+strings.Join(zoo.Names(), " net:")+" nnue:"+strings.Join(zoo.Evaluations(), " nnue:")+" alphabeta"; !strings.Contains(got, want) {
		t.Errorf("offers: %s", got)
	}
	site := shippedSite(t)
	site.Evaluations[0].First = true
	if first := New(games.All(), games.Guides(), kinds.All(), site, new(page)).catalog().Players[0].Name; first != "nnue:"+zoo.Evaluations()[0] {
		t.Errorf("%s is offered first", first)
	}
	for _, opponent := range []string{"net:konreh,sims=3", "net:konreh,time=20ms", "net:konreh,rating=600", "random"} {
		var o table.Opened
		ask(t, w, "open", `{"game":"konreh","rules":"standard","seats":["you","`+opponent+`"]}`, &o)
		if o.View.Asked != "first" || len(o.View.Notes) != 0 {
			t.Fatalf("%s: %+v", opponent, o.View)
		}
		first := o.ID
		var v table.View
		ask(t, w, "send", `{"id":"`+o.ID+`","request":{"op":"act","word":"d1f1","steps":0}}`, &v)
		for until := time.Now().Add(time.Minute); v.Steps < 2 && time.Now().Before(until); {
			after := v.Version
			v = table.View{}
			ask(t, w, "watch", fmt.Sprintf(`{"id":%q,"after":%d}`, o.ID, after), &v)
		}
		var past table.Past
		if ask(t, w, "at", fmt.Sprintf(`{"id":%q,"steps":1}`, o.ID), &past); past.Steps != 1 || past.Picture == nil {
			t.Errorf("the position after one decision: %+v", past)
		}
		if v.Steps < 2 || v.Problem != "" {
			t.Errorf("%s has not moved: %+v", opponent, v)
		}
		if _, err := w.Call("send", []byte(`{"id":"`+o.ID+`","request":{"op":"act","word":"d1f1","steps":0}}`)); !errors.Is(err, table.ErrStale) {
			t.Errorf("a second click: %v", err)
		}
		ask(t, w, "open", `{"game":"connect4","seats":["you","you"]}`, &o)
		if _, err := w.Call("watch", []byte(`{"id":"`+first+`","after":-1}`)); !errors.Is(err, ErrGone) {
			t.Errorf("a table that was left: %v", err)
		}
	}
	var o table.Opened
	if ask(t, w, "open", `{"game":"konreh","rules":"micro","seats":["you","net:konreh,sims=2"]}`, &o); len(o.View.Notes) != 1 || !strings.Contains(o.View.Notes[0], "not trained") {
		t.Errorf("rules that the network does not know: notes %q", o.View.Notes)
	}
	w.seat.stop()
}

// ask has the worker answer a call into a value.
func ask(t *testing.T, w *Worker, method, body string, into any) {
	t.Helper()
	answer, err := w.Call(method, []byte(body))
	if err != nil {
		t.Fatalf("%s %s: %v", method, body, err)
	}
	if err := json.Unmarshal(answer, into); err != nil {
		t.Fatal(err)
	}
}

func konreh(t *testing.T) engine.Game {
	t.Helper()
	family, err := games.All().ByName("konreh")
	if err != nil {
		t.Fatal(err)
	}
	g, err := family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestProgramsAsk has the calls that programs of others make, with one that is refused.
func TestProgramsAsk(t *testing.T) {
	w := New(games.All(), games.Guides(), kinds.All(), shippedSite(t), new(page))
	for _, c := range []struct{ method, body, want string }{
		{"games", `null`, `"networks":["connect4"]`},
		{"describe", `{"game":"tictactoe"}`, `"is":["side",["on","x"],["on","o"]]`},
		{"position", `{"game":"connect4","moves":"4 4"}`, `"side":"x","turn":2,"result":null,"actions":[0,1,2,3,4,5,6],"words":["1","2","3","4","5","6","7"]}`},
		{"position", `{"game":"connect4","moves":"1 2 1 2 1 2 1"}`, `"result":{"winner":"first","winner_side":"x","reason":"four"}`},
		{"position", `{"game":"knaw"}`, `"chance":[0.16666666666666666,`},
		{"encode", `{"game":"tictactoe","moves":"b2"}`, `"planes":[0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0],"globals":[0.11111111],`},
		{"analyze", `{"game":"connect4","moves":"4 1 4 1 4 1","player":"minimax:depth=2"}`, `"choice":"4"`},
	} {
		answer, err := w.Call(c.method, []byte(c.body))
		if err != nil || !strings.Contains(string(answer), c.want) {
			t.Errorf("%s %s: %v, %s, want %s", c.method, c.body, err, answer, c.want)
		}
	}
	for body, want := range map[string]string{`{"game":"hop"}`: `no game "hop"`, `{"game":"connect4","moves":"8"}`: `move 1, "8"`, `{"game":"connect4","options":["x=1"]}`: `no option "x"`, `{"gme":1}`: `"gme"`} {
		if answer, err := w.Call("encode", []byte(body)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %s, want %s", body, err, answer, want)
		}
	}
}
