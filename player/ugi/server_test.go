package ugi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
)

// configure is an engine that plays a game with a player that needs no network.
func configure(t testing.TB, game, rules, text string) Config {
	t.Helper()
	f, err := games.All().ByName(game)
	if err != nil {
		t.Fatal(err)
	}
	g, err := f.Parse(rules)
	if err != nil {
		t.Fatal(err)
	}
	spec, err := player.Parse(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return Config{
		Name: "test", Author: "tests", Game: g, Parse: f.Parse,
		Player: func(engine.Game, Choice) (*player.Spec, string, error) { return spec, "", nil },
	}
}

// playing is Config.Player with players that newPlayer makes.
func playing(t testing.TB, newPlayer func(g engine.Game) (match.Player, error)) func(engine.Game, Choice) (*player.Spec, string, error) {
	t.Helper()
	spec, err := player.Parse("own", map[string]player.Kind{"own": {Make: func(player.Values) (player.Factory, error) { return newPlayer, nil }}})
	if err != nil {
		t.Fatal(err)
	}
	return func(engine.Game, Choice) (*player.Spec, string, error) { return spec, "", nil }
}

// conversation is an engine that is being talked to.
type conversation struct {
	t     testing.TB
	in    *io.PipeWriter
	lines chan string
	ended chan error
}

func talk(t testing.TB, cfg Config) *conversation {
	in, w := io.Pipe()
	r, out := io.Pipe()
	c := &conversation{t, w, make(chan string, 1000), make(chan error, 1)}
	go func() {
		err := Serve(t.Context(), cfg, in, out)
		out.Close()
		c.ended <- err
	}()
	go read(r, c.lines, nil)
	t.Cleanup(func() { w.Close() })
	return c
}

func (c *conversation) say(lines ...string) {
	for _, line := range lines {
		io.WriteString(c.in, line+"\n")
	}
}

// hear returns the lines up to the first that begins so.
func (c *conversation) hear(prefix string) []string {
	c.t.Helper()
	var all []string
	for {
		select {
		case line, ok := <-c.lines:
			if all = append(all, line); strings.HasPrefix(line, prefix) {
				return all
			}
			if !ok {
				c.t.Fatalf("no %q before the end: %q", prefix, all)
			}
		case <-time.After(time.Minute):
			c.t.Fatalf("no %q: %q", prefix, all)
		}
	}
}

// answer is the rest of the line that begins so.
func (c *conversation) answer(prefix string) string {
	c.t.Helper()
	all := c.hear(prefix)
	return strings.TrimSpace(strings.TrimPrefix(all[len(all)-1], prefix))
}

func (c *conversation) ask(query string) string {
	c.t.Helper()
	c.say("query " + query)
	return c.answer("response")
}

// all is everything that an engine says to some lines.
func all(t testing.TB, cfg Config, lines ...string) []string {
	t.Helper()
	var out bytes.Buffer
	if err := Serve(t.Context(), cfg, strings.NewReader(strings.Join(lines, "\n")+"\n"), &out); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

func TestHandshake(t *testing.T) {
	got := all(t, configure(t, "tictactoe", "", "mcts:sims=10"), "ugi", "isready")
	want := []string{
		"id name test", "id author tests",
		"option name Rules type string default standard",
		"option name Temperature type string default 0",
		"option name Simulations type spin default 0 min 0 max 1000000",
		"option name MoveTime type spin default 0 min 0 max 3600000",
		"option name MultiPV type spin default 1 min 1 max 100",
		"option name Seed type spin default 1 min 0 max 2147483647",
		"option name VerboseMoveStats type check default false",
		"ugiok", "readyok",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestQueries(t *testing.T) {
	c := talk(t, configure(t, "tictactoe", "", "random"))
	c.say("position startpos moves a1 b1 a2 b2")
	for query, want := range map[string]string{
		"p1turn": "true", "gameover": "false", "result": "none", "reason": "none", "actor": "first", "turn": "4",
		"rules": "standard", "legal": "c1 c2 a3 b3 c3", "islegal a3": "true", "islegal a1": "false", "islegal z9": "false",
	} {
		if got := c.ask(query); got != want {
			t.Errorf("query %s: %q, want %q", query, got, want)
		}
	}
	c.say("position startpos moves a1 b1 a2 b2 a3")
	for query, want := range map[string]string{"p1turn": "false", "gameover": "true", "result": "p1win", "actor": "nobody", "legal": ""} {
		if got := c.ask(query); got != want {
			t.Errorf("query %s: %q, want %q", query, got, want)
		}
	}
	c.say("go nodes 5")
	if said := c.hear("bestmove"); !slices.ContainsFunc(said, func(l string) bool { return strings.Contains(l, "the game is over") }) || said[len(said)-1] != "bestmove (none)" {
		t.Errorf("go after the end: %q", said)
	}
}

// TestChance: the other side tells the engine what was rolled, or asks it to roll, by its
// seed and without another position.
func TestChance(t *testing.T) {
	c := talk(t, configure(t, "knaw", "", "alphabeta:depth=1"))
	c.say("position startpos")
	for query, want := range map[string]string{
		"actor": "chance", "side": "south", "p1turn": "false", "legal": "1 2 3 4 5 6", "islegal 6": "true", "islegal 7": "false",
		"chance": "1 0.166667 2 0.166667 3 0.166667 4 0.166667 5 0.166667 6 0.166667",
	} {
		if got := c.ask(query); got != want {
			t.Errorf("query %s: %q, want %q", query, got, want)
		}
	}
	c.say("go")
	if said := c.hear("bestmove"); len(said) != 2 || said[1] != "bestmove (none)" || !strings.Contains(said[0], "chance decides here") {
		t.Errorf("go where chance decides: %q", said)
	}
	rolls := func() (words []string) {
		for range 600 {
			c.say("roll")
			words = append(words, c.answer("rolled"))
		}
		return words
	}
	c.say("setoption name Seed value 5", "uginewgame")
	first, second := rolls(), rolls()
	counts := map[string]int{}
	for _, w := range first {
		counts[w]++
	}
	for _, w := range strings.Fields(c.ask("legal")) {
		if counts[w] < 65 || counts[w] > 135 { // 100 ± 4 standard deviations
			t.Errorf("%s was rolled %d times of 600", w, counts[w])
		}
	}
	c.say("setoption name Seed value 5", "uginewgame")
	if again := rolls(); !slices.Equal(again, first) || slices.Equal(again, second) || c.ask("actor") != "chance" {
		t.Error("rolls do not follow from the seed, or change the position")
	}
	c.say("position startpos moves 3", "query chance")
	if got := c.answer("response"); got != "" {
		t.Errorf("outcomes where a player decides: %q", got)
	}
	c.say("roll")
	if said := c.hear("rolled"); said[len(said)-1] != "rolled (none)" || !strings.Contains(said[0], "error: roll: chance does not decide here") {
		t.Errorf("roll where a player decides: %q", said)
	}
	c.say("go infinite", "roll")
	if said := c.hear("info string error"); !strings.Contains(said[len(said)-1], "roll: a search is under way") {
		t.Errorf("roll during a search: %q", said)
	}
}

// TestWholeGames plays games in which every decision is a bestmove of its own: those
// of a double move, of the pie rule and within turns are asked for like any other, and the
// engine is asked to roll where chance decides.
func TestWholeGames(t *testing.T) {
	for _, c := range []struct{ game, rules, player string }{
		{"konreh", "micro,balance=double-pie", "mcts:sims=12,cap=40"},
		{"konreh", "blitz,max_turns=60", "alphabeta:depth=1"},
		{"connect4", "", "mcts:sims=20"},
		{"knaw", "standard,max_turns=30", "alphabeta:depth=1"},
		{"knaw", "symmetric,max_turns=10", "mcts:sims=3,cap=5"},
	} {
		cfg := configure(t, c.game, c.rules, c.player)
		e := talk(t, cfg)
		s, h := cfg.Game.NewState(), cfg.Game.NewHistory()
		s.Start(h)
		e.say("ugi", "setoption name Seed value 7", "isready", "uginewgame", "isready")
		e.hear("readyok")
		e.hear("readyok")
		var words, sameTurn []string
		for turn := -1; !s.Outcome().Over; turn = s.Turn() {
			if s.Turn() == turn {
				sameTurn = append(sameTurn, words[len(words)-1])
			}
			e.say(strings.TrimSpace("position startpos moves " + strings.Join(words, " ")))
			if got := e.ask("p1turn"); got != fmt.Sprint(s.Actor() == engine.First) {
				t.Fatalf("%s after %q: p1turn %s", c.rules, words, got)
			}
			if got, want := e.ask("fen"), string(s.AppendPosition(nil)); got != want {
				t.Fatalf("%s: fen %q, want %q", c.rules, got, want)
			}
			word := ""
			if chance := s.Actor() == engine.Chance; chance != (e.ask("chance") != "") {
				t.Fatalf("%s after %q: chance %q", c.rules, words, e.ask("chance"))
			} else if chance {
				e.say("roll")
				word = e.answer("rolled")
			} else {
				e.say("go")
				word = e.answer("bestmove")
			}
			a, err := s.ParseAction(word, h)
			if err != nil {
				t.Fatalf("%s after %q: %q: %v", c.rules, words, word, err)
			}
			s.Apply(a, h)
			words = append(words, word)
		}
		e.say("position startpos moves " + strings.Join(words, " "))
		if got := e.ask("result"); got != result(s.Outcome()) {
			t.Errorf("%s: result %s", c.rules, got)
		}
		if c.game == "konreh" && len(sameTurn) == 0 {
			t.Errorf("%s: every turn had one decision", c.rules)
		}
	}
}

// TestPositionLinesEndAtMoves holds position lines of all games to what the command
// needs: words with one space between, none of which is the one that ends them.
func TestPositionLinesEndAtMoves(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, f := range games.All() {
		cfg := configure(t, f.Name, "", "random")
		e := talk(t, cfg)
		s, h := cfg.Game.NewState(), cfg.Game.NewHistory()
		s.Start(h)
		var scratch []engine.Weighted
		for n := 0; n < 60 && !s.Outcome().Over; n++ {
			line := string(s.AppendPosition(nil))
			if words := strings.Fields(line); strings.Join(words, " ") != line || slices.Contains(words, movesWord) {
				t.Fatalf("%s: position line %q", f.Name, line)
			}
			list := engine.AppendPossible(nil, &scratch, s, h)
			a := list[rng.IntN(len(list))]
			word := string(s.AppendAction(nil, a))
			if len(strings.Fields(word)) != 1 {
				t.Fatalf("%s: a move of several words: %q", f.Name, word)
			}
			s.Apply(a, h)
			e.say("position fen " + line + " moves " + word)
			if got, want := e.ask("fen"), string(s.AppendPosition(nil)); got != want {
				t.Fatalf("%s: %s and %s: %q, want %q", f.Name, line, word, got, want)
			}
		}
	}
}

// TestRefusedCommandsChangeNothing says what is wrong, in one line, and leaves
// position and rules as they were.
func TestRefusedCommandsChangeNothing(t *testing.T) {
	e := talk(t, configure(t, "konreh", "", "mcts:sims=4"))
	e.say("position startpos moves d1f1")
	before, rules := e.ask("fen"), e.ask("rules")
	for line, want := range map[string]string{
		"position":                                      "want startpos or fen POSITION",
		"position fen":                                  "want startpos or fen POSITION",
		"position startpos d1f1":                        "want startpos or fen POSITION",
		"position fen 8/8 A m":                          "error: position:",
		"position startpos moves d1f1 d1f1":             `move 2, "d1f1"`,
		"position startpos moves d1f1 \x00\x1b[31m\xff": "move 2",
		"setoption name Rules value nonsense":           `no preset "nonsense"`,
		"setoption name Rules value standard,seed=x,y":  "seed=x",
		"setoption name Nonsense value 1":               `no option "Nonsense"`,
		"setoption name Simulations value many":         "want a whole number from 0",
		"setoption name MultiPV value 0":                "from 1 to 100",
		"setoption name Temperature value NaN":          "want 0 for the best move",
		"setoption name Temperature":                    "want name NAME value VALUE",
		"query":                                         "want one of p1turn",
		"query nonsense":                                `no query "nonsense"`,
		"query islegal":                                 "want one move",
		"fly":                                           `unknown command "fly"`,
		strings.Repeat("x", maxLine+1):                  `unknown command "?"`,
		"go nodes":                                      "nodes has no number",
		"go nodes 0":                                    "from 1 to",
		"go nodes -1":                                   "from 1 to",
		"go nodes 1 nodes 2":                            "nodes is there twice",
		"go movetime 99999999999999999999":              "want a whole number",
		"go searchmoves d1f1 d1f1":                      `searchmoves: move "d1f1"`,
		"go depth 3":                                    "this player counts none",
		"go p1time 100":                                 "p2time is missing",
		"go p2inc 100":                                  "p2time is missing",
	} {
		e.say(line)
		if said := e.answer("info string error:"); !strings.Contains("error: "+said, want) {
			t.Errorf("%.60q: %q, want %q", line, said, want)
		}
		if strings.HasPrefix(line, "go ") {
			e.hear("bestmove (none)")
		}
		if got := e.ask("fen"); got != before {
			t.Errorf("%.60q: position %s, before %s", line, got, before)
		}
	}
	if got := e.ask("rules"); got != rules {
		t.Errorf("rules %s, before %s", got, rules)
	}
}

func TestRulesAreAnOption(t *testing.T) {
	e := talk(t, configure(t, "konreh", "", "random"))
	e.say("position startpos moves d1f1", "setoption name rules value micro,balance=pie")
	if got := e.ask("rules"); got != "micro,balance=pie" {
		t.Errorf("rules %s", got)
	}
	if got := e.ask("turn"); got != "0" {
		t.Errorf("turn %s after a change of the rules", got)
	}
}

// TestReadsWhileItThinks interrupts a search that would not end by itself.
func TestReadsWhileItThinks(t *testing.T) {
	e := talk(t, configure(t, "konreh", "", "mcts:time=clock"))
	e.say("go infinite", "isready")
	e.hear("readyok")
	fen := e.ask("fen")
	for _, line := range []string{"position startpos moves d1f1", "go nodes 1", "uginewgame", "setoption name MultiPV value 2"} {
		e.say(line)
		if said := e.answer("info string error:"); !strings.Contains(said, "a search is under way") {
			t.Errorf("%s: %q", line, said)
		}
	}
	e.say("stop")
	word := e.answer("bestmove")
	if got := e.ask("islegal " + word); got != "true" {
		t.Errorf("bestmove %q is legal: %s", word, got)
	}
	if got := e.ask("fen"); got != fen {
		t.Errorf("position %s, before %s", got, fen)
	}
	e.say("stop", "isready") // stop without a search is nothing
	if said := e.hear("readyok"); len(said) != 1 {
		t.Errorf("stop without a search: %q", said)
	}
	e.say("go infinite", "quit")
	e.hear("bestmove")
	if err := <-e.ended; err != nil {
		t.Error(err)
	}
}

// TestInfiniteEndsWithItsTree says when thinking has ended, and waits for stop.
func TestInfiniteEndsWithItsTree(t *testing.T) {
	e := talk(t, configure(t, "connect4", "", "mcts:time=clock,edges=4096"))
	e.say("go infinite")
	e.hear("info string thinking has ended after")
	e.say("isready")
	if said := e.hear("readyok"); len(said) != 1 {
		t.Errorf("before stop: %q", said)
	}
	e.say("stop")
	e.hear("bestmove")
	e.say("go nodes 1000000")
	if said := e.hear("bestmove"); !slices.ContainsFunc(said, func(l string) bool { return strings.Contains(l, "no room left") }) {
		t.Errorf("a full tree is not mentioned: %q", said)
	}
}

func TestLimits(t *testing.T) {
	for _, c := range []struct{ player, options, asked, want string }{
		{"mcts:sims=50", "", "go", "nodes 50 "},
		{"mcts:sims=50", "", "go infinite", "nodes 50 "},
		{"mcts:sims=50", "", "go nodes 20", "nodes 20 "},
		{"mcts:sims=50", "", "go nodes 200", "nodes 50 "},
		{"mcts:sims=50", "Simulations 30", "go nodes 200", "nodes 30 "},
		{"mcts:time=clock", "Simulations 30", "go p1time 60000 p2time 1 p1inc 0 p2inc 0", "nodes 30 "},
		{"mcts:time=clock", "", "go movetime 20", "nodes "},
		{"mcts:time=clock", "MoveTime 20", "go nodes 1000000", "nodes "},
		{"mcts:time=clock", "", "go p1time 0 p2time 60000 p1inc 0 p2inc 1000", "nodes "},
		{"minimax:depth=1", "", "go movetime 1000", "goes by its description"},
	} {
		e := talk(t, configure(t, "connect4", "", c.player))
		if name, value, ok := strings.Cut(c.options, " "); ok {
			e.say("setoption name " + name + " value " + value)
		}
		began := time.Now()
		e.say(c.asked)
		if c.asked == "go infinite" {
			e.hear("info string")
			e.say("stop")
		}
		said := strings.Join(e.hear("bestmove"), "\n")
		if !strings.Contains(said, c.want) || !strings.Contains(said, "score cp ") || !strings.Contains(said, " pv ") {
			t.Errorf("%s, %q, %s: %q, want %q", c.player, c.options, c.asked, said, c.want)
		}
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("%s took %v", c.asked, took)
		}
	}
}

func TestMultiPV(t *testing.T) {
	for _, player := range []string{"mcts:sims=100", "alphabeta:depth=4"} {
		t.Run(player, func(t *testing.T) { multiPV(t, player) })
	}
}

func multiPV(t *testing.T, player string) {
	said := all(t, configure(t, "connect4", "", player), "setoption name MultiPV value 3", "position startpos moves 4 4", "go")
	if len(said) < 4 {
		t.Fatalf("%q", said)
	}
	said = said[len(said)-4:] // there may be reports before, if it takes long
	best := strings.TrimPrefix(said[3], "bestmove ")
	seen := map[string]bool{}
	for i, line := range said[:3] {
		head, pv, _ := strings.Cut(line, " pv ")
		move, _, _ := strings.Cut(pv, " ")
		if !strings.Contains(head, fmt.Sprintf(" multipv %d score cp ", i+1)) || seen[move] || i == 0 && move != best {
			t.Errorf("line %d of %q", i+1, said)
		}
		seen[move] = true
	}
}

func TestTemperature(t *testing.T) {
	moves := func(temperature string, seeds int) map[string]bool {
		different := map[string]bool{}
		for seed := range seeds {
			said := all(t, configure(t, "connect4", "", "mcts:sims=60"), "setoption name Temperature value "+temperature,
				fmt.Sprintf("setoption name Seed value %d", seed), "uginewgame", "go")
			different[said[len(said)-1]] = true
		}
		return different
	}
	if n := len(moves("10", 12)); n < 3 {
		t.Errorf("%d different moves at temperature 10", n)
	}
	if once, again := moves("0", 1), moves("0", 1); !maps.Equal(once, again) {
		t.Errorf("%v and %v by one seed", once, again)
	}
}

// rated is a player with a table of ratings, or without one if problem is set.
type rated struct {
	match.Player
	problem error
}

func (r rated) Ratings() (*player.Ratings, error) {
	level := func(sims int, temperature, elo float64) player.Level {
		return player.Level{Strength: player.Strength{Simulations: sims, Temperature: temperature}, RatedPlayer: player.RatedPlayer{Elo: elo}}
	}
	return &player.Ratings{Levels: []player.Level{level(1, 10, 100), level(1, 0, 300), level(16, 0, 700)}}, r.problem
}

// strengths is an engine whose player has ratings under the default rules alone.
func strengths(t *testing.T) Config {
	cfg := configure(t, "konreh", "", "mcts:time=clock,edges=65536,cap=20")
	spec, _, err := cfg.Player(cfg.Game, Choice{})
	if err != nil {
		t.Fatal(err)
	}
	cfg.Player = playing(t, func(g engine.Game) (match.Player, error) {
		p, err := spec.New(g)
		r := rated{Player: p}
		if g.Rules() != cfg.Game.Rules() {
			r.problem = errors.New("measured under other rules")
		}
		return r, err
	})
	return cfg
}

// TestStrengthByRating: the options are listed with what was measured as their
// bounds, and set simulations and temperature, whatever else is asked for.
func TestStrengthByRating(t *testing.T) {
	listed := strings.Join(all(t, strengths(t), "ugi"), "\n")
	if want := "option name LimitStrength type check default false\noption name Rating type spin default 700 min 100 max 700\nugiok"; !strings.Contains(listed, want) {
		t.Errorf("no %q in\n%s", want, listed)
	}
	const on = "setoption name limitstrength value true"
	for _, c := range []struct {
		options []string
		asked   string
		nodes   string
	}{
		{[]string{"setoption name Rating value 500"}, "go nodes 50", " nodes 50 "},
		{[]string{"setoption name Rating value 500", on}, "go", " nodes 4 "},
		{[]string{on, "setoption name rating value 500"}, "go p1time 60000 p2time 60000 p1inc 0 p2inc 0", " nodes 4 "},
		{[]string{on, "setoption name Rating value 300"}, "go movetime 60000", " nodes 1 "},
		{[]string{on}, "go nodes 1000", " nodes 16 "},
		{[]string{on}, "go nodes 9", " nodes 9 "},
		{[]string{on, "setoption name Simulations value 3"}, "go", " nodes 3 "},
		{[]string{on, "setoption name LimitStrength value false"}, "go nodes 50", " nodes 50 "},
	} {
		said := strings.Join(all(t, strengths(t), append(c.options, c.asked)...), "\n")
		if !strings.Contains(said, c.nodes) || strings.Contains(said, "error") || strings.Contains(said, "counts once LimitStrength is true") != (len(c.options) > 0 && !strings.EqualFold(c.options[0], on)) {
			t.Errorf("%q, %s: %s, want %s", c.options, c.asked, said, c.nodes)
		}
	}
	// A low rating draws its moves; Temperature is for when none is set.
	different := func(options ...string) int {
		chosen := map[string]bool{}
		for seed := range 12 {
			said := all(t, strengths(t), append(options, fmt.Sprintf("setoption name Seed value %d", seed), "uginewgame", "go nodes 1")...)
			chosen[said[len(said)-1]] = true
		}
		return len(chosen)
	}
	low, best := different(on, "setoption name Rating value 100"), different("setoption name Temperature value 10", on, "setoption name Rating value 300")
	if drawn := different("setoption name Temperature value 10"); low != drawn || best > low {
		t.Errorf("%d different moves at rating 100, %d at 300, %d at the temperature of 100", low, best, drawn)
	}
}

// TestStrengthsThatAreRefused change nothing.
func TestStrengthsThatAreRefused(t *testing.T) {
	e := talk(t, strengths(t))
	for line, want := range map[string]string{
		"setoption name Rating value 99":           `Rating "99": want a whole number from 100 to 700`,
		"setoption name Rating value 701":          "from 100 to 700",
		"setoption name Rating value strong":       "from 100 to 700",
		"setoption name LimitStrength value maybe": "want true or false",
	} {
		e.say(line)
		if said := e.answer("info string error:"); !strings.Contains(said, want) {
			t.Errorf("%s: %q, want %q", line, said, want)
		}
	}
	e.say("setoption name LimitStrength value true", "setoption name Rules value micro")
	if said := e.answer("info string error:"); !strings.Contains(said, "LimitStrength cannot be on: measured under other rules") || e.ask("rules") != "standard" {
		t.Errorf("rules without ratings: %q, then %s", said, e.ask("rules"))
	}
	e.say("setoption name LimitStrength value false", "setoption name Rules value micro", "setoption name LimitStrength value true")
	if said := e.answer("info string error:"); !strings.Contains(said, "measured under other rules") || e.ask("rules") != "micro" {
		t.Errorf("ratings without rules: %q", said)
	}
	said := strings.Join(all(t, configure(t, "connect4", "", "random"), "ugi", "setoption name LimitStrength value true", "setoption name Rating value 500", "setoption name Hash value 1", "setoption name Book value 1", "go"), "\n")
	if strings.Contains(said, "option name Rating") || !strings.Contains(said, `no option "Book": want one of Rules, Temperature, Simulations, MoveTime, MultiPV, Seed, VerboseMoveStats`) || !strings.Contains(said, "Hash: nothing bounds the memory") || strings.Count(said, "no ratings were measured of this player") != 2 || !strings.Contains(said, "bestmove ") {
		t.Errorf("a player without ratings: %s", said)
	}
}

func TestEndOfInput(t *testing.T) {
	// A search with a limit is waited for, another one stopped.
	for _, asked := range []string{"go nodes 30", "go infinite"} {
		said := all(t, configure(t, "connect4", "", "mcts:time=clock"), asked)
		if !strings.HasPrefix(said[len(said)-1], "bestmove ") {
			t.Errorf("%s: %q", asked, said)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	in, w := io.Pipe()
	defer w.Close()
	if err := Serve(ctx, configure(t, "connect4", "", "random"), in, io.Discard); err != nil {
		t.Error(err)
	}
}

// stubborn is a player that nothing but the end of its context keeps from thinking.
type stubborn struct{ thinks chan struct{} }

func (stubborn) NewGame(context.Context, uint64) error { return nil }

func (p stubborn) Think(ctx context.Context, s engine.State, h *engine.History, _ match.Bounds) (*match.Analysis, error) {
	a, err := p.decide(ctx, s, h)
	return &match.Analysis{Choice: a, Line: []engine.Action{a}}, err
}

func (p stubborn) decide(ctx context.Context, _ engine.State, _ *engine.History) (engine.Action, error) {
	p.thinks <- struct{}{}
	<-ctx.Done()
	return 0, context.Cause(ctx)
}

// TestHearsWhileAPlayerCannotBeStopped: stop does not stop such a player, but what
// comes after it is heard, and quit and the end of the context end the engine.
func TestHearsWhileAPlayerCannotBeStopped(t *testing.T) {
	for _, asked := range []string{"go", "go infinite"} {
		cfg := configure(t, "connect4", "", "random")
		p := stubborn{make(chan struct{}, 1)}
		cfg.Player = playing(t, func(engine.Game) (match.Player, error) { return p, nil })
		e := talk(t, cfg)
		e.say(asked)
		<-p.thinks
		e.say("stop", "isready")
		e.hear("readyok")
		if got := e.ask("p1turn"); got != "true" {
			t.Errorf("%s: p1turn %s", asked, got)
		}
		e.say("go", "stop", "quit")
		if said := e.hear("bestmove"); !strings.Contains(said[0], "a search is under way") {
			t.Errorf("%s: %q", asked, said)
		}
		if err := <-e.ended; err != nil {
			t.Error(err)
		}
	}
	// A search that would never end does not outlive quit, nor the input.
	for _, lines := range []string{"go infinite\nquit\n", "go infinite\n", "go\nstop\n", "go infinite\nstop\nquit\n"} {
		cfg := configure(t, "connect4", "", "random")
		p := stubborn{make(chan struct{}, 1)}
		cfg.Player = playing(t, func(engine.Game) (match.Player, error) { return p, nil })
		if err := Serve(t.Context(), cfg, strings.NewReader(lines), io.Discard); err != nil {
			t.Errorf("%q: %v", lines, err)
		}
	}
	in, out := io.Pipe() // which stays open
	go io.WriteString(out, "go\nquit\nstop\n")
	patient := configure(t, "connect4", "", "random")
	patient.Player = playing(t, func(engine.Game) (match.Player, error) { return stubborn{make(chan struct{}, 1)}, nil })
	if err := Serve(t.Context(), patient, in, io.Discard); err != nil {
		t.Errorf("stop after quit: %v", err)
	}
	// The input ends in the middle of a search, then somebody loses patience.
	cfg := configure(t, "connect4", "", "random")
	p := stubborn{make(chan struct{}, 1)}
	cfg.Player = playing(t, func(engine.Game) (match.Player, error) { return p, nil })
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		<-p.thinks
		stop()
	}()
	if err := Serve(ctx, cfg, strings.NewReader("go\n"), io.Discard); err != nil {
		t.Error(err)
	}
}

// failing cannot be written to.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("nobody reads") }

func TestServeFails(t *testing.T) {
	cfg := configure(t, "connect4", "", "random")
	in, w := io.Pipe()
	go func() {
		io.WriteString(w, "isready\n")
	}()
	if err := Serve(t.Context(), cfg, in, failing{}); err == nil || err.Error() != "nobody reads" {
		t.Errorf("nobody reads: %v", err)
	}
	cfg.Player = func(engine.Game, Choice) (*player.Spec, string, error) { return nil, "", errors.New("no player") }
	if err := Serve(t.Context(), cfg, in, io.Discard); err == nil || err.Error() != "no player" {
		t.Errorf("no player: %v", err)
	}
}

// FuzzServe holds the engine to answering every isready, whatever else it reads.
func FuzzServe(f *testing.F) {
	for _, text := range []string{
		"ugi\nisready\nuginewgame\nposition startpos moves a1 b2\ngo nodes 3\nquery legal\nquit\n",
		"go infinite\nisready\nstop\nstop\ngo\nisready",
		"position fen xo./.../... x\nposition fen\nsetoption name Rules value standard\nisready\n",
		"setoption name Temperature value 2\ngo movetime 1\nisready\ngo p1time 1 p2time 1 p1inc 0 p2inc 0\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		said := all(t, configure(t, "tictactoe", "", "mcts:sims=4"), text)
		want, got := 0, 0
		for _, line := range strings.Split(text, "\n") {
			words := strings.Fields(line)
			if len(words) > 0 && words[0] == "quit" {
				break
			}
			if len(words) > 0 && words[0] == "isready" && len(line) < maxLine {
				want++
			}
		}
		for _, line := range said {
			word, _, _ := strings.Cut(line, " ")
			if word == "readyok" {
				got++
			}
			if line != "" && !slices.Contains([]string{"id", "option", "ugiok", "readyok", "info", "bestmove", "response"}, word) {
				t.Errorf("line %q", line)
			}
		}
		if got != want {
			t.Errorf("%d readyok to %d isready", got, want)
		}
	})
}
