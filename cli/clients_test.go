package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// runPage does what a page of docs says, literally: it saves the files and runs the
// commands of all blocks marked sh, with this program as ludozero and the module of
// clients/python, and returns the page and what they print. Blocks without a mark are left
// out: they build it, which the tests have done.
func runPage(t *testing.T, path string) (page, ran string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("commands of a shell: this machine: has none")
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("a program in Python: this machine: ", err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(mustAbs(t, os.Args[0]), filepath.Join(dir, "ludozero")); err != nil {
		t.Fatal(err)
	}
	t.Setenv(asCommand, "1")
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	module, err := os.ReadFile("../clients/python/ludozero.py")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "ludozero.py"), module, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, b := range regexp.MustCompile("(?s)([^\n]*)\n```(sh|python)\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		if b[2] == "python" {
			name := regexp.MustCompile("`([^`]+)`").FindStringSubmatch(b[1])
			if name == nil {
				t.Fatalf("nobody says where to save %q", b[3])
			}
			if err := os.WriteFile(filepath.Join(dir, name[1]), []byte(b[3]), 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		c := exec.Command("sh", "-e", "-c", b[3])
		c.Dir = dir
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", b[3], err, out)
		}
		ran += string(out)
	}
	return string(text), ran
}

// TestAnalysisPage: the two queries and the stream are answered, and a search of an hour
// ends when it is told to.
func TestAnalysisPage(t *testing.T) {
	_, ran := runPage(t, "../docs/analysis.md")
	for _, want := range []string{`(?m)^\{.*"choice":4,.*"moves":"112233"`, `"avoid":\["4"\],.*"choice":[1-35-7],.*"simulations":50`,
		`(?m)^long \S+ -?0\.\d+ \d+$`, `(?m)^quick \S+ -?0\.\d+ \d+$`, `(?m)^wide \S+ -?0\.\d+ 40$`, `(?m)^ended with 0$`} {
		if !regexp.MustCompile(want).MatchString(ran) {
			t.Errorf("no %s in\n%s", want, ran)
		}
	}
}

// TestClientsPage plays the games of docs/clients.md.
func TestClientsPage(t *testing.T) {
	page, ran := runPage(t, "../docs/clients.md")
	for _, want := range []string{"\nreadyok\nresponse ", "\nbestmove ", "\nsecond B decides: hold swap\n", "\nrefused: move 2", "[0, 1, 2, 3, 4, 5, 6]", `"id":7`, `"choice":4`} {
		if !strings.Contains(ran, want) {
			t.Errorf("no %q in\n%s", want, ran)
		}
	}
	results := regexp.MustCompile(`(?m)^result: (p1win|p2win|draw) by [a-z-]+$`).FindAllString(ran, -1)
	if games := strings.Count(page, "\npython3 duel.py "); games < 3 || len(results) != games {
		t.Errorf("%d results of %d games:\n%s", len(results), games, ran)
	}
}

// TestPythonModule runs the tests of clients/python with this program, and plays whole games
// of three games with its client.
func TestPythonModule(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a link to this program: this machine: has none")
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("a module in Python: this machine: ", err)
	}
	dir := t.TempDir()
	if err := os.Symlink(mustAbs(t, os.Args[0]), filepath.Join(dir, "ludozero")); err != nil {
		t.Fatal(err)
	}
	t.Setenv(asCommand, "1")
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	python := func(args ...string) string {
		c := exec.Command("python3", append([]string{"-B"}, args...)...)
		c.Dir = "../clients/python"
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	if out := python("-W", "error", "-m", "unittest", "test_ludozero"); !strings.Contains(out, "\nOK\n") || strings.Contains(out, "Ran 0 tests") {
		t.Errorf("it says\n%s", out)
	}
	for _, args := range [][]string{{"connect4", "--player", "net:connect4,sims=2"}, {"konreh", "--preset", "lightning", "--option", "max_turns=40", "--player", "alphabeta:depth=1"}, {"knaw", "--option", "max_turns=30", "--player", "random"}} {
		out := python(append([]string{"play.py", "--auto"}, args...)...)
		if !regexp.MustCompile(`(?m)^result: (first|second|draw) \(\S+\) by [a-z-]+$`).MatchString(out) {
			t.Errorf("%q ends with\n%s", args, out)
		}
	}
}

func mustAbs(t *testing.T, path string) string {
	t.Helper()
	abs, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return abs
}

// TestEnginePlaysInMatches has this program play against itself over UGI, and goes
// on with the folder.
func TestEnginePlaysInMatches(t *testing.T) {
	t.Setenv(asCommand, "1")
	program := mustAbs(t, os.Args[0])
	engine := `ugi:"` + program + ` engine --game tictactoe --player mcts:sims=30,cap=50",nodes=30`
	dir := filepath.Join(t.TempDir(), "match")
	args := []string{"match", "--game", "tictactoe", "--pairs", "2", "--opening-turns", "1", "--out", dir, engine, "random"}
	out := mustCall(t, args...)
	if !strings.Contains(out, "A          "+engine) || strings.Contains(out, "crash") {
		t.Errorf("%s", out)
	}
	series, err := os.ReadFile(filepath.Join(dir, "series.json"))
	if err != nil || !strings.Contains(string(series), `"identity": "program ludozero tictactoe"`) {
		t.Errorf("%s, %v", series, err)
	}
	if again := mustCall(t, args...); again != out {
		t.Errorf("again:\n%s\nbefore:\n%s", again, out)
	}
	mustFail(t, 2, []string{"match", "--game", "tictactoe", "ugi:engine", "random"}, "needs exactly one of nodes")
	mustFail(t, 1, []string{"match", "--game", "tictactoe", "ugi:./no-such-program,nodes=1", "random"}, "no-such-program")
	// At a table it is told the whole game, and sits in both seats.
	out = mustCall(t, "play", "--game", "tictactoe", "--first", engine, "--second", engine, "--moves", "a1 b2")
	if !strings.Contains(out, "wins") && !strings.Contains(out, "draw") {
		t.Errorf("%s", out)
	}
	out = mustCall(t, "analyze", "--game", "tictactoe", "--player", engine, "--moves", "a1 b2 a2 c1")
	if !strings.Contains(out, "plays    a3") {
		t.Errorf("%s", out)
	}
}

// TestForfeitsAreKept loses games by crashes, which are said, kept and believed when
// the folder is opened again.
func TestForfeitsAreKept(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("an engine in Python: this machine: ", err)
	}
	script := mustAbs(t, "../player/foreign/testdata/tictactoe.py")
	engine := "ugi:" + python + " " + script + " --misbehave illegal,nodes=1"
	dir := filepath.Join(t.TempDir(), "match")
	args := []string{"match", "--game", "tictactoe", "--pairs", "1", "--opening-turns", "1", "--workers", "1", "--out", dir, engine, "exact"}
	out, errOut, err := call(t, "", args...)
	if err != nil || !strings.Contains(out, "illegal-move") || !strings.Contains(errOut, `illegal-move: bestmove "z9" in `) {
		t.Fatalf("%v\n%s\n%s", err, out, errOut)
	}
	if again := mustCall(t, args...); again != out {
		t.Errorf("again:\n%s\nbefore:\n%s", again, out)
	}
}

// TestForfeitsAtATable: an engine that fails has lost the game, which can be gone on
// with; one that fails again and again ends the table with the way back.
func TestForfeitsAtATable(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("an engine in Python: this machine: ", err)
	}
	engine := "ugi:" + python + " " + mustAbs(t, "../player/foreign/testdata/tictactoe.py") + " --misbehave illegal,nodes=1"
	args := []string{"play", "--game", "tictactoe", "--against", engine, "--moves", "a1"}
	// Its third decision is illegal, and that of the process which follows it.
	out := mustCallWith(t, "c1\nundo\nc1\n", args...)
	for _, want := range []string{`illegal-move: bestmove "z9" in `, "The game is over: x wins (first player, you), by illegal-move, after 3 turns."} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	args[4] = strings.Replace(engine, "illegal", "hopeless", 1)
	out, _, err = call(t, "undo\nc1\nundo\nc1\nundo\nc1\n", args...)
	if err == nil || !strings.Contains(err.Error(), "it failed in 3 games in a row") || !strings.Contains(out, "This goes on:\n  ludozero play ") {
		t.Errorf("%v\n%s", err, out)
	}
}
