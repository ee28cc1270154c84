package cli

import (
	"bufio"
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// buildExample builds the program of examples/trio, a module of its own, from what is in
// the cache of modules.
func buildExample(t *testing.T) (program, dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "examples", "trio"))); err != nil {
		t.Fatal(err)
	}
	top, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	sums := mustRead(t, filepath.Join(top, "go.sum"))
	module := bytes.Replace(mustRead(t, filepath.Join(dir, "go.mod")), []byte("=> ../.."), []byte("=> "+top), 1)
	for name, data := range map[string][]byte{"go.sum": sums, "go.mod": module} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	// A module that requires this one reads go.mod files of its requirements that
	// building this one does not: they are fetched before the network is barred.
	graph := exec.Command("go", "mod", "graph")
	graph.Dir = top
	if out, err := graph.CombinedOutput(); err != nil {
		t.Fatalf("go mod graph: %v\n%s", err, out)
	}
	program = filepath.Join(dir, "trio")
	c := exec.Command("go", "build", "-o", program, ".")
	c.Dir = dir
	c.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return program, dir
}

// TestGameOfAnotherModule: every kind of command works with a game that this module does
// not know.
func TestGameOfAnotherModule(t *testing.T) {
	program, dir := buildExample(t)
	run := func(in string, args ...string) string {
		t.Helper()
		c := exec.Command(program, args...)
		c.Dir, c.Stdin = dir, strings.NewReader(in)
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("trio %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	for _, c := range []struct{ in, args, want string }{
		{"", "games", "\ntrio         Trio: three in a row or column"},
		{"", "rules --game trio", "x moves first"},
		{"", "rules --game trio --section goal", "Not allowed: a1"},
		{"c1\n", "play --game trio --lesson three", "Done: the goal is reached."},
		{"", "show --game trio --moves b2", ".x.."},
		{"", "show --game trio --svg -", "<svg"},
		{"", "perft --game trio --depth 3", "12 132 1320"},
		{"", "doctor --game trio --games 20 --depth 3", "no fault"},
		{"b2\nquit\n", "play --game trio --against mcts:sims=50", "--moves 'b2 "},
		{"{\"pos\":\"..../.o.o/x.x. x\"}\n", "analyze --game trio --jsonl --player exact", `"choice":"b1"`},
		{"ugi\nposition startpos\ngo nodes 20\nquit\n", "engine --game trio", "bestmove "},
		{"", "train --config tiny.yaml --run run", "the report is "},
		{"", "report run --text", "trio"},
		{"", "runs .", "finished  trio  standard"},
		{"", "runs health run", "gen "},
		{"", "data check run", "no fault"},
		{"", "data show run --game 3", "1. "},
		{"", "data reproduce run --games 2", "the same when played again"},
		{"", "match --game trio net:run,sims=16 random --pairs 3 --out games", "Elo A - B"},
		{"", "data show games --game 1", "1. "},
		{"", "tournament --game trio net:run,sims=8 random minimax:depth=2 --pairs 2", "minimax:depth=2"},
		{"", "balance --game trio --players minimax:depth=2 --games 4", "first"},
		{"", "export --model run --out onnx --vectors 3", "vectors.jsonl"},
	} {
		if out := run(c.in, strings.Fields(c.args)...); !strings.Contains(out, c.want) {
			t.Errorf("trio %s: no %q in\n%s", c.args, c.want, out)
		}
	}

	c := exec.Command(program, "web", "--addr", "127.0.0.1:0", "--run", "run")
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
	if code := webAsk(t, http.MethodPost, address+"api/tables", `{"game":"trio","seats":["you","random"],"moves":"b2"}`, &made); code != http.StatusOK || !strings.Contains(made.View.Boards[0], "<svg") {
		t.Errorf("a table of it: %d, %.300s", code, made.View.Boards[0])
	}
}
