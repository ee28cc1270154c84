package cli

import (
	"bufio"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/cli/builtin"
	"github.com/ludozero/ludozero/cli/shell"
)

// newModule makes a module of its own with the game hop and builds its program, without
// the network.
func newModule(t *testing.T) (program, dir string) {
	t.Helper()
	top, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	mustCall(t, "new-game", "hop", "--module", "example.org/games", "--ludozero", top)
	if dir, err = filepath.Abs("games"); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"vet ./...", "test ./...", "build -o hop.exe ."} {
		c := exec.Command("go", strings.Fields(args)...)
		c.Dir = dir
		c.Env = append(os.Environ(), "GOFLAGS=-mod=readonly", "GOPROXY=off", "GOWORK=off")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", args, err, out)
		}
	}
	if out, err := exec.Command("gofmt", "-l", dir).Output(); err != nil || len(out) > 0 {
		t.Errorf("gofmt: %v; not formatted: %s", err, out)
	}
	return filepath.Join(dir, "hop.exe"), dir
}

// TestNewGameRefuses what cannot become a game, and leaves nothing behind.
func TestNewGameRefuses(t *testing.T) {
	top, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.Mkdir("games", 0o777); err != nil {
		t.Fatal(err)
	}
	module := func(path, source string) []string {
		return []string{"new-game", "hop", "--module", path, "--ludozero", source}
	}
	mustFail(t, 2, []string{"new-game", "Hop"}, "small letters")
	mustFail(t, 2, []string{"new-game", "konreh", "--ludozero", top}, "there is a game of that name")
	mustFail(t, 2, []string{"new-game", "guide", "--ludozero", top}, "use the word themselves")
	mustFail(t, 2, []string{"new-game", "hop"}, "--ludozero .", "no source tree")
	mustFail(t, 2, module("example.org/hop", "games"), "--ludozero games", "no source tree")
	mustFail(t, 2, module("example.org/games", top), "games exists already")
	mustFail(t, 2, module("../hop", top), "want a path such as example.org/games")
	entries, err := os.ReadDir(".")
	if err != nil || len(entries) != 1 {
		t.Errorf("%v, %v: want the folder games alone", entries, err)
	}
}

// notForEveryGame are the commands that TestGameOfAnotherModule leaves out, with the reason.
var notForEveryGame = map[string]string{
	"fit-evaluation": "wants positions as bits (engine.Bitwise)",
	"fit-terms":      "finds nothing better than material in this game, and fails",
	"help":           "is about no game",
	"heuristics":     "rules of thumb of one game",
	"new-game":       "made the module",
	"schools":        "schools of one game",
	"score":          "wants positions of known value",
	"work":           "follows a trainer that serves",
}

// TestGameOfAnotherModule: every command works with a game that this module does not know.
func TestGameOfAnotherModule(t *testing.T) {
	hop, dir := newModule(t)
	left := map[string]bool{}
	env, err := shell.NewEnv(builtin.Games())
	if err != nil {
		t.Fatal(err)
	}
	defer env.Close()
	for _, c := range newRoot(env, program{"ludozero", "ludozero"}).Commands() {
		left[c.Name()] = notForEveryGame[c.Name()] == ""
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("sweep.yaml", "config: tiny.yaml\ngenerations: 1\nmeasure: {tournament: {simulations: 2, pairs: 1}}\nseeds: 2\narms: [{name: base}, {name: batch, set: [train.batch=16]}]\n")
	run := func(in string, args ...string) string {
		left[args[0]] = false
		t.Helper()
		c := exec.Command(hop, args...)
		c.Dir, c.Stdin = dir, strings.NewReader(in)
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("hop %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	for _, c := range []struct{ in, args, want string }{
		{"", "games", "\nhop          hop: pawns race"},
		{"", "show --help", "\n  hop show --game "},
		{"", "rules --game hop", "capture diagonally"},
		{"", "rules --game hop --section goal", "x has reached the far row"},
		{"b4b5\n", "play --game hop --lesson goal", "Done: the goal is reached."},
		{"", "show --game hop --moves b2b3", ". x . . ."},
		{"", "show --game hop --svg -", "<svg"},
		{"{\"moves\":\"b2b3\"}\n", "moves --game hop --jsonl", `"a4b3"`},
		{"{\"moves\":\"b2b3\"}\n", "encode --game hop --jsonl --sparse", `"ones":[`},
		{"{\"moves\":\"b2b3\"}\n", "replay --game hop --jsonl", `"final":"ooooo`},
		{"", "perft --game hop --depth 3", "13 156 1924"},
		{"", "openings --game hop --openings random:turns=2 --count 3", "\n"},
		{"", "signature", "\n"},
		{"", "doctor --game hop --games 20 --depth 3", "no fault"},
		{"b2b3\nquit\n", "play --game hop --against mcts:sims=50", "--moves 'b2b3 "},
		{"{\"pos\":\"..o../.x.../...../...o./x.... x turn=20\"}\n", "analyze --game hop --jsonl --player exact", `"choice":"b4a5"`},
		{"ugi\nposition startpos\ngo nodes 20\nquit\n", "engine --game hop", "bestmove "},
		{"", "train --config tiny.yaml --run run", "the report is "},
		{"", "selfplay --config tiny.yaml --run stages", "fit is next"},
		{"", "fit --config tiny.yaml --run stages", "selfplay is next"},
		{"", "sweep sweep.yaml --out sweep", "\n  batch  "},
		{"", "bench --config tiny.yaml --only inference --time 10ms", "game       hop  standard"},
		{"", "calibrate run", "int8 and f32 on "},
		{"", "networks run", "plays      hop"},
		{"", "report run --text", "hop"},
		{"", "runs .", "finished  hop   standard"},
		{"", "runs health run", "gen "},
		{"", "data check run", "no fault"},
		{"", "data show run --game 3", "1. "},
		{"", "data reproduce run --games 2", "the same when played again"},
		{"", "match --game hop net:run,sims=16 random --pairs 3 --out games", "Elo A - B"},
		{"", "data show games --game 1", "1. "},
		{"", "sprt --game hop net:run,sims=8 random --max-pairs 3", "verdict    "},
		{"", "tournament --game hop net:run,sims=8 random minimax:depth=2 --pairs 2", "minimax:depth=2"},
		{"", "balance --game hop --players minimax:depth=2 --games 4", "first"},
		{"", "lab --game hop --players random --games 4 --doublings 1 --depth-pairs 1 --judged 1", "The same again: hop lab"},
		{"", "export --model run --out onnx --vectors 3", "vectors.jsonl"},
	} {
		if out := run(c.in, strings.Fields(c.args)...); !strings.Contains(out, c.want) {
			t.Errorf("hop %s: no %q in\n%s", c.args, c.want, out)
		}
	}

	left["web"] = false
	for name, missing := range left {
		if missing {
			t.Errorf("%s was not called with the game", name)
		}
	}
	c := exec.Command(hop, "web", "--addr", "127.0.0.1:0", "--run", "run")
	c.Dir = dir
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Wait() }()
	defer func() { _ = c.Process.Signal(os.Interrupt) }()
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address = strings.TrimSpace(address)
	var made struct {
		View struct{ Boards [2]string }
	}
	if code := webAsk(t, http.MethodPost, address+"api/tables", `{"game":"hop","seats":["you","random"],"moves":"b2b3"}`, &made); code != http.StatusOK || !strings.Contains(made.View.Boards[0], "<svg") {
		t.Errorf("a table of it: %d, %.300s", code, made.View.Boards[0])
	}
}
