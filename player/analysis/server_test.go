package analysis

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
)

// held is a player that searches until it is let go or stopped, and reports meanwhile.
type held struct{ began, free chan struct{} }

func (held) NewGame(context.Context, uint64) error { return nil }
func (held) CountsDepth() bool                     { return false }

func (p held) Think(ctx context.Context, s engine.State, h *engine.History, b match.Bounds) (*match.Analysis, error) {
	p.began <- struct{}{}
	x := &match.Analysis{Choice: s.Legal(nil, h)[0], Value: 0.5, Judged: true, Simulations: 7}
	x.Line = []engine.Action{x.Choice}
	for {
		select {
		case <-p.free:
			x.Simulations = 9
			return x, nil
		case <-ctx.Done():
			if !b.Partial {
				return nil, context.Cause(ctx)
			}
			return x, nil
		case <-time.After(time.Millisecond):
			if b.Report != nil {
				b.Report(x)
			}
		}
	}
}

// serving is a server that is being talked to.
type serving struct {
	t     testing.TB
	in    *io.PipeWriter
	lines chan map[string]any
	ended chan error
	bad   int
	held
}

func serve(t testing.TB, s *Server) *serving {
	in, w := io.Pipe()
	r, out := io.Pipe()
	c := &serving{t: t, in: w, lines: make(chan map[string]any), ended: make(chan error, 1), held: held{make(chan struct{}, 100), make(chan struct{})}}
	kinds := map[string]player.Kind{"held": {Make: func(player.Values) (player.Factory, error) {
		return func(engine.Game) (match.Player, error) { return c.held, nil }, nil
	}}}
	s.Family, s.Preset = &connect4.Family, "standard"
	s.Words = func(_ engine.Game, moves string) []string { return strings.Fields(moves) }
	s.Spec = func(text string, _ engine.Game) (*player.Spec, error) {
		if text == "" {
			text = "mcts:sims=20"
		}
		return player.Parse(text, kinds)
	}
	s.Seed, s.Together = 1, 2
	go func() {
		var err error
		c.bad, err = s.Run(t.Context(), in, out)
		out.Close()
		c.ended <- err
	}()
	go func() {
		for b := bufio.NewScanner(r); b.Scan(); {
			var object map[string]any
			if err := json.Unmarshal(b.Bytes(), &object); err != nil {
				t.Errorf("%s: %v", b.Bytes(), err)
			}
			c.lines <- object
		}
		close(c.lines)
	}()
	t.Cleanup(func() { w.Close() })
	return c
}

func (c *serving) say(lines ...string) {
	for _, line := range lines {
		io.WriteString(c.in, line+"\n")
	}
}

// answer is the next line that is no interim answer.
func (c *serving) answer() map[string]any {
	c.t.Helper()
	for {
		select {
		case object := <-c.lines:
			if object["interim"] == nil {
				return object
			}
		case <-time.After(time.Minute):
			c.t.Fatal("no answer")
		}
	}
}

// end ends the input and returns the answers that still come.
func (c *serving) end() []map[string]any {
	c.t.Helper()
	c.in.Close()
	return c.rest()
}

// rest are the answers that come before the end of the input, which somebody else ends.
func (c *serving) rest() (rest []map[string]any) {
	c.t.Helper()
	for object := range c.lines {
		rest = append(rest, object)
	}
	if err := <-c.ended; err != nil {
		c.t.Error(err)
	}
	return rest
}

// ids are the ids of answers.
func ids(list []map[string]any) (ids []string) {
	for _, object := range list {
		ids = append(ids, fmt.Sprint(object["id"]))
	}
	return ids
}

// TestAnsweredWhenDone: a quick query does not wait for a slow one before it, and of
// those that wait the most urgent is first.
func TestAnsweredWhenDone(t *testing.T) {
	c := serve(t, &Server{Workers: 2, Unordered: true})
	c.say(`{"id":"slow","player":"held"}`, `{"id":"quick"}`)
	<-c.began
	if got := c.answer(); got["id"] != "quick" || got["simulations"] != 20.0 || got["policy"] == nil {
		t.Errorf("first answer %v", got)
	}
	c.say(`{"id":"slow too","player":"held"}`)
	<-c.began
	c.say(`{"id":1}`, `{"id":2,"priority":5}`, `{"id":3,"priority":-1}`, `{"id":4,"priority":5}`, "bad")
	if got := c.answer(); got["error"] == nil { // all before were read
		t.Errorf("%v", got)
	}
	c.free <- struct{}{}
	got := []map[string]any{c.answer(), c.answer(), c.answer(), c.answer(), c.answer()}
	names := slices.DeleteFunc(ids(got), func(id string) bool { return strings.HasPrefix(id, "slow") })
	if !slices.Equal(names, []string{"2", "4", "1", "3"}) {
		t.Errorf("answered in the order %v", names)
	}
	close(c.free)
	if rest := ids(c.end()); len(rest) != 1 || c.bad != 1 {
		t.Errorf("the end brings %v, %d were bad", rest, c.bad)
	}
}

// TestTerminate: a search that is terminated answers what it knows, a query that waits
// nothing; neither is an error. Interim answers come meanwhile.
func TestTerminate(t *testing.T) {
	c := serve(t, &Server{Workers: 1, Unordered: true})
	c.say(`{"id":"runs","player":"held","report_every":"10ms"}`)
	<-c.began
	for i := 0; i < 2; i++ {
		if got := <-c.lines; got["interim"] != true || got["id"] != "runs" || got["value"] != 0.5 {
			t.Errorf("interim answer %v", got)
		}
	}
	c.say(`{"id":"waits","player":"held"}`, `{"id":"waits","player":"held"}`)
	if got := c.answer(); got["error"] != `id "waits": a query with it is not answered yet` {
		t.Errorf("%v", got)
	}
	c.say(`[1]`)
	if got := c.answer(); got["error"] != "line 4: want a JSON object on each line, not: array" {
		t.Errorf("%v", got)
	}
	c.say(`{"id":"x","action":"terminate","query":null}`)
	if got := c.answer(); got["error"] != "query is missing: the id of the query to terminate" {
		t.Errorf("%v", got)
	}
	c.say(`{"id":"x","action":"terminate","query":"nobody"}`)
	if got := c.answer(); got["id"] != "x" || got["queries"] != 0.0 {
		t.Errorf("%v", got)
	}
	// One that waits needs no search to end, and its id may be used again.
	for range 2 {
		c.say(`{"id":"dropped"}`, `{"id":"w","action":"terminate","query":"dropped"}`)
		if got := c.answer(); got["id"] != "w" || got["queries"] != 1.0 {
			t.Errorf("%v", got)
		}
		if got := c.answer(); got["id"] != "dropped" || got["terminated"] != true || got["error"] != nil || got["policy"] != nil {
			t.Errorf("%v", got)
		}
	}
	c.say(`{"id":"y","action":"terminate","query":"runs"}`)
	got := map[string]map[string]any{}
	for range 2 {
		a := c.answer()
		got[fmt.Sprint(a["id"])] = a
	}
	if a := got["runs"]; a["terminated"] != true || a["simulations"] != 7.0 || a["error"] != nil || got["y"]["queries"] != 1.0 {
		t.Errorf("%v", got)
	}
	<-c.began // the one that waited
	c.say(`{"id":"third"}`, `{"id":"z","action":"terminate_all"}`)
	for range 3 {
		a := c.answer()
		got[fmt.Sprint(a["id"])] = a
	}
	if a := got["third"]; a["terminated"] != true || a["policy"] != nil || a["error"] != nil || got["waits"]["terminated"] != true || got["z"]["queries"] != 2.0 {
		t.Errorf("%v", got)
	}
	if rest := c.end(); len(rest) != 0 || c.bad != 3 {
		t.Errorf("%v, %d bad", rest, c.bad)
	}
}

// TestBackPressure: who sends more than can be answered, or does not read, waits; nothing
// is lost.
func TestBackPressure(t *testing.T) {
	for _, unordered := range []bool{false, true} {
		const ahead, buffered, all = 40, 20, 200 // a line is 4 KB, of which a buffer of 64 KB is full soon
		c := serve(t, &Server{Workers: 1, Unordered: unordered, ahead: ahead})
		c.say(`{"id":0,"player":"held"}`)
		<-c.began
		sent := make(chan int, all)
		go func() {
			for i := range all {
				c.say(fmt.Sprintf(`{"id":%d,"player":"random","pad":%q}`, i+1, strings.Repeat("x", 4096)))
				sent <- i
			}
			c.in.Close()
		}()
		for deadline := time.Now().Add(time.Minute); len(sent) < ahead-1 && time.Now().Before(deadline); {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(100 * time.Millisecond) // in which more would come, if they were taken
		if n := len(sent); n < ahead-1 || n > ahead+buffered {
			t.Errorf("%d queries were taken while none was answered", n)
		}
		close(c.free)
		got := c.rest()
		if len(got) != all+1 || c.bad != 0 {
			t.Fatalf("%d answers, %d bad", len(got), c.bad)
		}
		for i, object := range got {
			if !unordered && object["id"] != float64(i) {
				t.Fatalf("answer %d is of %v", i, object["id"])
			}
		}
	}
}

// TestLimits: a query's limits do what a description with them does, for every kind of
// player, and its moves are those that are chosen among.
func TestLimits(t *testing.T) {
	ask := func(lines ...string) []map[string]any {
		c := serve(t, &Server{Workers: 3})
		go func() { c.say(lines...); c.in.Close() }()
		return c.rest()
	}
	clean := func(object map[string]any) string {
		for _, name := range []string{"player", "sims", "nodes", "depth"} {
			delete(object, name)
		}
		text, _ := json.Marshal(object)
		return string(text)
	}
	for _, pair := range [][2]string{
		{`{"player":"mcts:sims=9","sims":60}`, `{"player":"mcts:sims=60"}`},
		{`{"player":"mcts:time=1h","sims":60}`, `{"player":"mcts:sims=60"}`},
		{`{"sims":33}`, `{"player":"mcts:sims=33"}`},
		{`{"player":"alphabeta:time=1h","depth":3}`, `{"player":"alphabeta:depth=3"}`},
		{`{"player":"alphabeta:depth=2","nodes":500}`, `{"player":"alphabeta:nodes=500"}`},
		{`{"player":"minimax:depth=1","depth":3}`, `{"player":"minimax:depth=3"}`},
	} {
		if got, want := clean(ask(pair[0])[0]), clean(ask(pair[1])[0]); got != want || !strings.Contains(got, "policy") {
			t.Errorf("%s:\n%s, want\n%s", pair[0], got, want)
		}
	}
	for line, want := range map[string]string{
		`{"depth":3}`:                                "no option \"depth\"",
		`{"sims":0}`:                                 "sims: 0: want a whole number from 1 to 1000000000",
		`{"sims":99999999999999999999}`:              "sims: 99999999999999999999: want a whole number from 1 to 1000000000",
		`{"lines":1000000001}`:                       "lines: 1000000001: want a whole number from 1 to",
		`{"priority":1e30}`:                          "priority: 1e30: want a whole number from -1000000000 to",
		`{"Sims":5,"reportEvery":"1s"}`:              "Sims: want sims\nreportEvery: want report_every",
		"{\"id\":\"\xff\"}":                          "the line is no UTF-8",
		"\uFEFF{}":                                   "begins with a byte order mark",
		`{"rules":"large","moves":"9"}`:              "rules: \"large\": want preset and options\nmove 1, \"9\"",
		`{"position":"7/7/7/7/7/7 o","presets":7}`:   "presets: 7: want preset\nposition: \"7/7/7/7/7/7 o\": want pos",
		`{"option":"size=9"}`:                        "option: \"size=9\": want options",
		`{"sims":"many","lines":1.5}`:                "sims: \"many\": want a whole number from 1 to 1000000000\nlines: 1.5: want",
		`{"time":"soon"}`:                            "option time=soon: want a time",
		`{"time":"clock"}`:                           "there is no clock",
		`{"consider":["9"]}`:                         `consider: move "9"`,
		`{"consider":["1"],"avoid":["1"]}`:           "avoid: no move is left",
		`{"consider":[["1"]]}`:                       `consider: [["1"]]: want a list of moves`,
		`{"avoid":[1.5]}`:                            `avoid: move "1.5"`,
		`{"player":"random","avoid":["1"]}`:          "considers all moves",
		`{"player":"minimax:depth=1","avoid":["1"]}`: "considers all moves",
		`{"player":"nobody"}`:                        `no kind "nobody"`,
		`{"moves":"1 1 1 1 1 1 1"}`:                  `move 7, "1"`,
		`{"priority":3}`:                             "want --unordered",
		`{"action":"terminate_all"}`:                 "want --unordered",
		`{"action":null,"sims":0}`:                   "sims: 0",
		`{"preset":"none"}`:                          `no preset "none"`,
		`[1]`:                                        "want a JSON object on each line, not: array",
		`{"moves":`:                                  "want a JSON object on each line: unexpected end",
		`null`:                                       "want an object",
	} {
		if got := ask(line)[0]; !strings.Contains(fmt.Sprint(got["error"]), want) || got["policy"] != nil {
			t.Errorf("%s: %v, want %q", line, got, want)
		}
	}
	if p := ask(`{"consider":[1,"7"],"avoid":[7]}`)[0]["policy"]; fmt.Sprint(p) != "map[1:1]" {
		t.Errorf("numbers as moves: %v", p)
	}
	for _, text := range []string{"mcts:sims=40", "alphabeta:depth=3"} {
		got := ask(fmt.Sprintf(`{"player":%q,"consider":["1","7"]}`, text), fmt.Sprintf(`{"player":%q,"avoid":["4","3"],"lines":3}`, text))
		if p := got[0]["policy"].(map[string]any); len(p) != 2 || p[got[0]["choice"].(string)] == nil || p["1"] == nil || p["7"] == nil {
			t.Errorf("%s: two moves to consider: %v", text, got[0])
		}
		if p := got[1]["policy"].(map[string]any); len(p) != 5 || p["4"] != nil || len(got[1]["pvs"].([]any)) != 3 {
			t.Errorf("%s: two moves to avoid: %v", text, got[1])
		}
	}
	if got := ask(`{"sims":100000,"time":"1ms"}`)[0]; got["simulations"].(float64) >= 100000 || got["error"] != nil {
		t.Errorf("both limits: %v", got)
	}
}

// TestRunEnds: by its context, also while nobody writes or reads, and by a writer that
// fails.
func TestRunEnds(t *testing.T) {
	family := &connect4.Family
	s := &Server{Family: family, Preset: "standard", Workers: 2, Together: 1, Words: func(_ engine.Game, m string) []string { return strings.Fields(m) },
		Spec: func(string, engine.Game) (*player.Spec, error) { return player.Parse("mcts:sims=1000000", nil) }}
	in, w := io.Pipe()
	defer w.Close()
	ctx, stop := context.WithCancelCause(t.Context())
	go func() {
		io.WriteString(w, strings.Repeat("{}\n", 10))
		stop(errors.New("enough"))
	}()
	if _, err := s.Run(ctx, in, io.Discard); err == nil || err.Error() != "enough" {
		t.Errorf("%v", err)
	}
	if _, err := s.Run(t.Context(), bytes.NewReader([]byte("bad\n")), failing{}); err == nil || err.Error() != "nobody reads" {
		t.Errorf("%v", err)
	}
}

// failing cannot be written to.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("nobody reads") }
