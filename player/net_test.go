package player

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/model/precision"
)

// mixer is a network of no skill whose outputs depend on all it is given, row
// by row, and on nothing else. It must not be used by two at a time.
type mixer struct {
	busy  atomic.Bool
	fails error
	rows  int // evaluated
	most  int // at once; 0: any number
}

func (m *mixer) Forward(planes, globals []float32, offsets, cells []int32, logits, wdl, _ []float32) error {
	if !m.busy.CompareAndSwap(false, true) {
		return errors.New("two players share a network")
	}
	defer m.busy.Store(false)
	if m.fails != nil {
		return m.fails
	}
	rows := len(offsets) - 1
	if m.most > 0 && rows > m.most {
		return fmt.Errorf("batch of %d, want %d at most", rows, m.most)
	}
	m.rows += rows
	p, g := len(planes)/rows, len(globals)/rows
	for i := range rows {
		mix := uint64(1)
		for _, x := range slices.Concat(planes[i*p:(i+1)*p], globals[i*g:(i+1)*g]) {
			mix = (mix ^ uint64(math.Float32bits(x))) * 0x9E3779B97F4A7C15
			mix ^= mix >> 29
		}
		next := rand.New(rand.NewPCG(mix, 0))
		for k := offsets[i]; k < offsets[i+1]; k++ {
			logits[k] = float32(next.NormFloat64())
		}
		for k := range 3 {
			wdl[3*i+k] = float32(next.NormFloat64())
		}
	}
	return nil
}

// mustNet is NewNet with a configuration that is valid.
func mustNet(g engine.Game, network mcts.Network, cfg mcts.Config) match.Player {
	return mustTimedNet(g, mcts.ByNetwork(g.Info(), network), cfg, pace{}, nil)
}

// mustTimedNet is newTimedNet, or newNet without a pace, with a configuration that
// is valid.
func mustTimedNet(g engine.Game, evaluator mcts.Evaluator, cfg mcts.Config, p pace, turns *turnsEstimate) *net {
	e := evaluating{first: evaluator, threads: 1, leaves: cfg.PendingLeaves}
	n, err := newNet(g, e, cfg)
	if p != (pace{}) {
		n, err = newTimedNet(g, e, cfg, p, turns)
	}
	if err != nil {
		panic(err)
	}
	return n
}

// direct is a mixer as the evaluator of a tree, without batches or players.
type direct struct {
	mixer mixer
	info  *engine.Info
}

func (p *direct) Evaluate(leaves []mcts.Leaf, offsets []int32, logits []float32, evaluations []mcts.Evaluation) error {
	f := &p.info.Features
	for i, l := range leaves {
		planes, globals := make([]float32, f.Planes*f.Cells()), make([]float32, f.Globals)
		l.State.Encode(planes, globals)
		var cells []int32
		for _, a := range l.Actions {
			cells = append(cells, p.info.Policy.Cells[a])
		}
		wdl := make([]float32, 3)
		if err := p.mixer.Forward(planes, globals, []int32{0, int32(len(cells))}, cells, logits[offsets[i]:offsets[i+1]], wdl, nil); err != nil {
			return err
		}
		evaluations[i] = mcts.Evaluation{Value: mcts.Value(wdl), Draw: mcts.Draw(wdl)}
	}
	return nil
}

func search(simulations int) mcts.Config {
	cfg := mcts.DefaultConfig()
	cfg.Simulations = simulations
	return cfg
}

// TestNetPlaysTheTreesBestAction compares a player with a search of its own
// tree, in positions with chance and without, one player for them all.
func TestNetPlaysTheTreesBestAction(t *testing.T) {
	for _, f := range []*engine.Family{&tictactoe.Family, &connect4.Family, &racegame.Family} {
		g := game(t, f)
		cfg := search(50)
		network := &mixer{}
		p := mustNet(g, network, cfg)
		rng := rand.New(rand.NewPCG(3, 4))
		s, h := g.NewState(), g.NewHistory()
		for i := range 40 {
			playRandom(s, h, rng.IntN(10), rng)
			if a := s.Actor(); a != engine.First && a != engine.Second {
				continue
			}
			line := string(s.AppendPosition(nil))
			p.NewGame(t.Context(), uint64(i))
			network.rows = 0
			got, err := choose(t.Context(), p, s, h)
			if err != nil {
				t.Fatal(err)
			}
			tree, err := mcts.New(g, cfg)
			if err != nil {
				t.Fatal(err)
			}
			tree.Reset(mcts.Root{State: s, History: h, Rand: rand.New(rand.NewPCG(uint64(i), 0))})
			if err := mcts.NewRunner(g, &direct{info: g.Info()}, 1).Run(tree); err != nil {
				t.Fatal(err)
			}
			if want := tree.Best(); got != want {
				t.Errorf("%s: in %s Choose = %d, the tree's best is %d", f.Name, line, got, want)
			}
			if n := network.rows; n > cfg.Simulations || n == 0 {
				t.Errorf("%s: in %s %d positions were evaluated with %d simulations", f.Name, line, n, cfg.Simulations)
			}
			if now := string(s.AppendPosition(nil)); now != line {
				t.Errorf("%s: Choose changed the position %s to %s", f.Name, line, now)
			}
		}
	}
}

// TestNetIsSeeded has two players decide alike if they were given one seed.
func TestNetIsSeeded(t *testing.T) {
	g := game(t, &racegame.Family)
	a, b := mustNet(g, &mixer{}, search(30)), mustNet(g, &mixer{}, search(30))
	rng := rand.New(rand.NewPCG(5, 6))
	s, h := g.NewState(), g.NewHistory()
	for i := range 30 {
		playRandom(s, h, rng.IntN(12), rng)
		if p := s.Actor(); p != engine.First && p != engine.Second {
			continue
		}
		a.NewGame(t.Context(), uint64(i))
		b.NewGame(t.Context(), uint64(i))
		x, err := choose(t.Context(), a, s, h)
		if err != nil {
			t.Fatal(err)
		}
		if y, err := choose(t.Context(), b, s, h); x != y || err != nil {
			t.Errorf("in %s one player chose %d, the other %d, %v", s.AppendPosition(nil), x, y, err)
		}
	}
}

// TestNetFindsAWinInOne, and prevents one: the search must overrule a network of
// no skill.
func TestNetFindsAWinInOne(t *testing.T) {
	for _, c := range []struct {
		f           *engine.Family
		moves, want string
	}{
		{&tictactoe.Family, "a1 b1 a2 b2", "a3"},
		{&tictactoe.Family, "a1 b1 a2 b2 c1", "b3"},
		{&connect4.Family, "4 1 4 1 4 1", "4"},
		{&connect4.Family, "1 4 2 4 7 4", "4"}, // must block
	} {
		g := game(t, c.f)
		s, h := g.NewState(), g.NewHistory()
		s.Start(h)
		for _, w := range strings.Fields(c.moves) {
			a, err := s.ParseAction(w, h)
			if err != nil {
				t.Fatal(err)
			}
			s.Apply(a, h)
		}
		a, err := choose(t.Context(), mustNet(g, &mixer{}, search(2000)), s, h)
		if err != nil {
			t.Fatal(err)
		}
		if word := string(s.AppendAction(nil, a)); word != c.want {
			t.Errorf("%s after %s: Choose = %s, want %s", c.f.Name, c.moves, word, c.want)
		}
	}
}

// opener counts what NetKind opens.
type opener struct {
	lock   sync.Mutex
	opens  map[string]int
	made   []*mixer
	cpuct  float64 // what the networks say
	search string
	// ratings is the table of every network; nil: none has one.
	ratings *Ratings
	rated   int // how often they were asked for
}

func (o *opener) open(path string, p precision.Precision, batch int, g engine.Game) (*Opened, error) {
	o.lock.Lock()
	defer o.lock.Unlock()
	if o.opens == nil {
		o.opens = map[string]int{}
	}
	key := path + " " + g.Info().Name
	if p != precision.F32 {
		key += " " + p.String()
	}
	o.opens[key]++
	switch filepath.Base(path) {
	case "missing":
		return nil, errors.New("no such file")
	case "dry":
		return &Opened{New: func() (mcts.Network, error) { return nil, errors.New("no memory") }}, nil
	}
	opened := &Opened{CPuct: o.cpuct, Search: o.search}
	if o.ratings != nil {
		opened.Ratings = func(g engine.Game) (*Ratings, error) {
			o.rated++
			if g.Info().Name != o.ratings.Game {
				return nil, errors.New("not measured under these rules")
			}
			return o.ratings, nil
		}
	}
	opened.New = func() (mcts.Network, error) {
		o.lock.Lock()
		defer o.lock.Unlock()
		o.made = append(o.made, &mixer{most: batch})
		return o.made[len(o.made)-1], nil
	}
	return opened, nil
}

func (o *opener) parse(t *testing.T, text string) *Spec {
	t.Helper()
	spec, err := Parse(text, map[string]Kind{"net": NetKind(o.open)})
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// TestNetFileIsOpenedOnce has many players of one description at work at once.
func TestNetFileIsOpenedOnce(t *testing.T) {
	var o opener
	spec := o.parse(t, "net:runs/a.st,sims=20")
	if spec.Text != "net:runs/a.st,sims=20" {
		t.Errorf("description %q", spec.Text)
	}
	g := game(t, &connect4.Family)
	if len(o.opens) != 0 {
		t.Error("the file was opened before anybody played")
	}
	var group sync.WaitGroup
	const players = 8
	chosen := make([]engine.Action, players)
	for i := range players {
		group.Go(func() {
			p, err := spec.New(g)
			if err != nil {
				t.Error(err)
				return
			}
			p.NewGame(t.Context(), 9)
			s, h := g.NewState(), g.NewHistory()
			s.Start(h)
			for range 3 {
				if chosen[i], err = choose(context.Background(), p, s, h); err != nil {
					t.Error(err)
					return
				}
				s.Apply(chosen[i], h)
			}
		})
	}
	group.Wait()
	if got := fmt.Sprint(o.opens); got != "map[runs/a.st connect4:1]" || len(o.made) != players {
		t.Errorf("opened %s, %d networks for %d players", got, len(o.made), players)
	}
	if slices.Min(chosen) != slices.Max(chosen) {
		t.Errorf("players of one description chose %v", chosen)
	}
	// Another game is another network.
	if _, err := spec.New(game(t, &tictactoe.Family)); err != nil || len(o.opens) != 2 {
		t.Errorf("for another game: opened %v, %v", o.opens, err)
	}
}

// TestNetPrecision: the precision goes to whoever opens the file, and into the
// description unless it is the default, the fastest by time and else float32.
func TestNetPrecision(t *testing.T) {
	var o opener
	g := game(t, &tictactoe.Family)
	for text, want := range map[string]string{
		"net:a,sims=2,precision=auto": "net:a,sims=2",
		"net:b,precision=int8,sims=2": "net:b,sims=2,precision=int8",
		"net:c,time=1s":               "net:c,time=1s,edges=16777216",
		"net:d,precision=f32,time=1s": "net:d,time=1s,edges=16777216,precision=f32",
	} {
		spec := o.parse(t, text)
		if spec.Text != want {
			t.Errorf("description of %s is %s, want %s", text, spec.Text, want)
		}
		if _, err := spec.New(g); err != nil {
			t.Error(err)
		}
	}
	if got := fmt.Sprint(o.opens); got != "map[a tictactoe:1 b tictactoe int8:1 c tictactoe auto:1 d tictactoe:1]" {
		t.Errorf("opened %s", got)
	}
	if _, err := Parse("net:a,sims=2,precision=int4", map[string]Kind{"net": NetKind(o.open)}); err == nil || !strings.Contains(err.Error(), "precision=int4") {
		t.Errorf("precision=int4: %v", err)
	}
}

func TestNetErrorsNameTheFile(t *testing.T) {
	g := game(t, &tictactoe.Family)
	var o opener
	for path, why := range map[string]string{"runs/missing": "no such file", "runs/dry": "no memory"} {
		spec := o.parse(t, "net:"+path+",sims=2")
		for range 2 { // the second time from memory
			_, err := spec.New(g)
			if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), why) {
				t.Errorf("New of %s: %v, want %q about it", path, err, why)
			}
		}
	}
	if o.opens["runs/missing tictactoe"] != 1 {
		t.Errorf("a file that cannot be read was opened %d times", o.opens["runs/missing tictactoe"])
	}
	for _, text := range []string{"net", "net:", "net:x,sims=0", "net:x,sims=2,depth=1"} {
		if _, err := Parse(text, map[string]Kind{"net": NetKind(o.open)}); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("Parse(%q) = %v, want an error that names it", text, err)
		}
	}
}

func TestNetStopsAndFails(t *testing.T) {
	g := game(t, &connect4.Family)
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	cancel(cause)
	p := mustNet(g, &mixer{}, search(1000))
	if _, err := choose(ctx, p, g.NewState(), g.NewHistory()); !errors.Is(err, cause) {
		t.Errorf("Choose with an ended context = %v, want its cause", err)
	}
	// It can go on.
	if _, err := choose(t.Context(), p, g.NewState(), g.NewHistory()); err != nil {
		t.Errorf("Choose after an ended context: %v", err)
	}
	broken := errors.New("overheated")
	p = mustNet(g, &mixer{fails: broken}, search(10))
	if _, err := choose(t.Context(), p, g.NewState(), g.NewHistory()); !errors.Is(err, broken) {
		t.Errorf("Choose with a broken network = %v, want its error", err)
	}
	s := game(t, &tictactoe.Family).NewState()
	for s.Actor() != engine.Nobody {
		s.Apply(s.Legal(nil, nil)[0], nil)
	}
	if _, err := choose(t.Context(), p, s, nil); !errors.Is(err, ErrNoDecision) {
		t.Errorf("Choose in a finished game = %v, want ErrNoDecision", err)
	}
}

// TestNetExploresAsItsCardSays unless it is told otherwise.
func TestNetExploresAsItsCardSays(t *testing.T) {
	g := game(t, &connect4.Family)
	s, h := played(t, g, "4 4 3")
	visits := func(p match.Player) []int {
		t.Helper()
		p.NewGame(t.Context(), 1)
		a, err := analyze(t.Context(), p, s, h)
		if err != nil {
			t.Fatal(err)
		}
		var n []int
		for _, m := range a.Moves {
			n = append(n, m.Visits)
		}
		return n
	}
	for _, c := range []struct {
		options string
		card    float64
		want    float64
		text    string
	}{
		{"", 0, mcts.DefaultConfig().CPuct, ""},
		{"", 4, 4, ""},
		{",cpuct=card", 4, 4, ""},
		{",cpuct=0.30", 4, 0.3, ",cpuct=0.3"},
		{",cpuct=0", 4, 0, ",cpuct=0"},
	} {
		o := opener{cpuct: c.card}
		spec := o.parse(t, "net:a,sims=300"+c.options)
		if spec.Text != "net:a,sims=300"+c.text {
			t.Errorf("%q is called %s", c.options, spec.Text)
		}
		p, err := spec.New(g)
		if err != nil {
			t.Fatal(err)
		}
		cfg := search(300)
		cfg.CPuct = c.want
		if got, want := visits(p), visits(mustNet(g, &mixer{}, cfg)); !slices.Equal(got, want) {
			t.Errorf("%q of a network whose card says %g: visits %v, want %v", c.options, c.card, got, want)
		}
	}
	for _, word := range []string{"cpuct=-1", "cpuct=NaN", "cpuct=inf", "cpuct=101", "cpuct=wide", "cpuct="} {
		o := opener{}
		if _, err := Parse("net:a,sims=2,"+word, map[string]Kind{"net": NetKind(o.open)}); err == nil || !strings.Contains(err.Error(), "cpuct") || !strings.Contains(err.Error(), "card") {
			t.Errorf("%s: %v, want an error with the range", word, err)
		}
	}
}

// TestNetSearchOfCard: a network is searched as its card says unless the player is told
// otherwise or limited by time, and a Gumbel search of few simulations compares few
// moves.
func TestNetSearchOfCard(t *testing.T) {
	g := game(t, &connect4.Family)
	s, h := played(t, g, "4 4 3")
	visits := func(p match.Player) (n []int) {
		a, err := analyze(t.Context(), p, s, h)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range a.Moves {
			n = append(n, m.Visits)
		}
		return n
	}
	for _, c := range []struct {
		options, card, want string
		sims, actions       int
	}{
		{"", "", mcts.SearchPUCT, 120, 16},
		{"", mcts.SearchGumbel, mcts.SearchGumbel, 120, 16},
		{",search=card", mcts.SearchGumbel, mcts.SearchGumbel, 120, 16},
		{",search=puct", mcts.SearchGumbel, mcts.SearchPUCT, 120, 16},
		{",search=gumbel", "", mcts.SearchGumbel, 120, 16},
		{"", mcts.SearchGumbel, mcts.SearchGumbel, 20, 5},
		{"", mcts.SearchGumbel, mcts.SearchGumbel, 9, 4},
	} {
		o := opener{search: c.card}
		p, err := o.parse(t, fmt.Sprintf("net:a,sims=%d%s", c.sims, c.options)).New(g)
		if err != nil {
			t.Fatal(err)
		}
		cfg := search(c.sims)
		cfg.Search, cfg.GumbelActions = c.want, c.actions
		if got, want := visits(p), visits(mustNet(g, &mixer{}, cfg)); !slices.Equal(got, want) {
			t.Errorf("%d simulations%s of a network whose card says %q: visits %v, want %v", c.sims, c.options, c.card, got, want)
		}
	}
	o := opener{search: mcts.SearchGumbel}
	p, err := o.parse(t, "net:a,time=1ms").New(g)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := choose(t.Context(), p, s, h); err != nil {
		t.Errorf("limited by time: %v", err)
	}
}

// TestNetTemperature: moves are drawn by their part of the search, by the game's
// seed, alike by all ways to ask; without a temperature the best is played.
func TestNetTemperature(t *testing.T) {
	g := game(t, &connect4.Family)
	s, h := played(t, g, "4 4 3")
	var o opener
	for _, limit := range []string{"sims=1", "sims=50", "time=1ms,edges=4096"} {
		chosen := map[engine.Action]int{}
		for number := range uint64(40) {
			var choices []engine.Action
			for range 2 {
				p, err := o.parse(t, "net:a,temperature=10,cache=0,"+limit).New(g)
				if err != nil {
					t.Fatal(err)
				}
				ask := map[string]func() (*match.Analysis, error){
					"Analyze": func() (*match.Analysis, error) { return analyze(t.Context(), p, s, h) },
					"Partial": func() (*match.Analysis, error) {
						return p.Think(t.Context(), s, h, match.Bounds{Partial: true})
					},
					"Choose": func() (*match.Analysis, error) {
						a, err := choose(t.Context(), p, s, h)
						return &match.Analysis{Choice: a, Line: []engine.Action{a}}, err
					},
				}
				for name, how := range ask {
					p.NewGame(t.Context(), number)
					a, err := how()
					if err != nil {
						t.Fatal(err)
					}
					if a.Line[0] != a.Choice {
						t.Errorf("%s, %s: choice %d, line %v", limit, name, a.Choice, a.Line)
					}
					choices = append(choices, a.Choice)
				}
			}
			if slices.Min(choices) != slices.Max(choices) && limit[:4] == "sims" {
				t.Errorf("%s, seed %d: chose %v", limit, number, choices)
			}
			chosen[choices[0]]++
		}
		if len(chosen) < 4 {
			t.Errorf("%s: only %v in 40 games at temperature 10", limit, chosen)
		}
	}
	p, err := o.parse(t, "net:a,sims=50,temperature=0").New(g)
	if err != nil {
		t.Fatal(err)
	}
	a, err := analyze(t.Context(), p, s, h)
	if err != nil || a.Choice != p.(*net).tree.Best() {
		t.Errorf("temperature 0 chooses %d, not %d: %v", a.Choice, p.(*net).tree.Best(), err)
	}
	for text, want := range map[string]string{"temperature=0": "", "temperature=0.50": ",temperature=0.5"} {
		if got := o.parse(t, "net:a,sims=2,"+text).Text; got != "net:a,sims=2"+want {
			t.Errorf("%s is called %s", text, got)
		}
	}
	for _, word := range []string{"temperature=-1", "temperature=11", "temperature=NaN", "temperature=hot"} {
		if _, err := Parse("net:a,sims=2,"+word, map[string]Kind{"net": NetKind(o.open)}); err == nil || !strings.Contains(err.Error(), "want 0..10") {
			t.Errorf("%s: %v, want an error with the range", word, err)
		}
	}
}
