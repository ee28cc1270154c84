package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/cli/builtin"
	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/player"
	"github.com/spf13/cobra"
)

// call runs a command in this process.
func call(t testing.TB, in string, args ...string) (out, errOut string, err error) {
	t.Helper()
	var o, e bytes.Buffer
	err = execute(t.Context(), args, strings.NewReader(in), &o, &e)
	return o.String(), e.String(), err
}

// mustCall fails the test unless the command does its work.
func mustCall(t testing.TB, args ...string) string {
	t.Helper()
	out, _, err := call(t, "", args...)
	if err != nil {
		t.Fatalf("ludozero %s: %v", strings.Join(args, " "), err)
	}
	return out
}

// mustFail demands an exit code, no result, and an error that says all of want.
func mustFail(t testing.TB, code int, args []string, want ...string) {
	t.Helper()
	out, _, err := call(t, "", args...)
	if err == nil || shell.ExitCode(err) != code {
		t.Errorf("%q: exit code %d (%v), want %d", args, shell.ExitCode(err), err, code)
		return
	}
	if out != "" {
		t.Errorf("%q failed but printed %q", args, out)
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%q: %q, want it to say %q", args, err, w)
		}
	}
}

// decode reads exactly one JSON value without fields that v does not have.
func decode[T any](t testing.TB, text string) T {
	t.Helper()
	var v T
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if d.More() {
		t.Fatalf("more than one JSON value: %s", text)
	}
	return v
}

func TestUsageErrors(t *testing.T) {
	for _, c := range []struct {
		args string
		want string
	}{
		{"nonsense", `no command "nonsense"`},
		{"mach x", "did you mean match?"},
		{"trian --config x", "did you mean train?"},
		{"data statt --by rules", "did you mean stat?"},
		{"runs forgte runs/x", `accepts at most 1 arg(s), received 2: ["forgte" "runs/x"]; did you mean ludozero runs forget?`},
		{"match random random --opening-trns 3", "unknown flag: --opening-trns; did you mean --opening-turns?"},
		{"play --againt random", "did you mean --against?"},
		{"match random --zzzzzzzz", "`ludozero match --help` lists the flags"},
		{"match random", "usage: ludozero match A B [flags]"},
		{"data check", "usage: ludozero data check PATH... [flags]"},
		{"score --game tictactoe random", "no positions of known value for tictactoe: want connect4 or konreh"},
		{"help nonsense", `no command "nonsense"`},
		{"help match x", `no command "x"`},
		{"--nonsense", "unknown flag: --nonsense"},
		{"show --nonsense", "unknown flag: --nonsense"},
		{"show --game", "flag needs an argument: --game"},
		{"perft --depth x", `--depth "x": want a whole number`},
		{"perft --depth 99999999999999999999", `--depth "99999999999999999999": want a whole number of 64 bits`},
		{"match --seed -1 a b", `--seed "-1": want a whole number from 0`},
		{"sprt --elo0 1,5 a b", `--elo0 "1,5": want a number`},
		{"match --json=maybe a b", `--json "maybe": want true or false`},
		{"balance --core-time 5", `--core-time "5": want a time such as`},
		{"balance --sims 4,x", `--sims "4,x": want whole numbers with commas`},
		{"balance --temperatures 1,y", `--temperatures "1,y": want numbers`},
		{`balance --networks a"b`, `--networks "a\"b": want words with commas between them, each that has a comma or a quote in double quotes`},
		{"web --port 80", "unknown flag: --port; did you mean --addr?"},
		{"games x", `"x"`},
		{"balance more words", "takes no arguments"},
		{"heuristics test more words", "takes no arguments"},
		{"web --addr 127.0.0.1:0 more", "takes no arguments"},
		{"data x", `no command "x"; ` + "`ludozero data --help`"},
		{"data statt x", "did you mean stat?"},
		{"data stat", "requires at least 1 arg(s), only received 0"},
		{"match random", `accepts 2 arg(s), received 1: ["random"]; usage: `},
		{"match a b --games 4", `accepts 2 arg(s), received 3: ["a" "b" "4"]; usage: `},
		{"show --game go", `"go"`},
		{"rules --rules nonsense", `konreh has no preset "nonsense"`},
		{"rules --game connect4 --rules standard,nonsense=1", `connect4 has no option "nonsense": it has none`},
		{"rules --rules standard,nonsense=1,seed=maybe", `konreh has no option "nonsense"`},
		{"rules --rules standard,nonsense=1,seed=maybe", "seed=maybe"},
		{"show --rules nonsense", "nonsense"},
		{"perft --rules nonsense", "nonsense"},
		{"doctor --rules nonsense", "nonsense"},
		{"match random random --rules nonsense", "nonsense"},
	} {
		mustFail(t, 2, strings.Fields(c.args), c.want)
	}
}

// builtinEnv is the environment of the program's own games.
func builtinEnv() *shell.Env {
	env, err := shell.NewEnv(builtin.Games())
	if err != nil {
		panic(err)
	}
	return env
}

// builtinRoot has the commands for the program's own games.
func builtinRoot() *cobra.Command {
	return newRoot(builtinEnv(), program{"ludozero", "ludozero"})
}

// commands lists the commands that a user sees.
func commands(root *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{root}
	for _, c := range root.Commands() {
		if !c.Hidden {
			list = append(list, commands(c)...)
		}
	}
	return list
}

func TestEveryHelpEndsWithItsExample(t *testing.T) {
	for _, c := range commands(builtinRoot()) {
		args := append(strings.Fields(c.CommandPath())[1:], "--help")
		out, errOut, err := call(t, "", args...)
		if err != nil || errOut != "" {
			t.Errorf("%s --help: %v, %q", c.CommandPath(), err, errOut)
		}
		if c.Example == "" || !strings.HasSuffix(out, "\nExamples:\n"+c.Example+"\n") {
			t.Errorf("%s --help does not end with an example:\n%s", c.CommandPath(), out)
		}
		same, _, err := call(t, "", append([]string{"help"}, args[:len(args)-1]...)...)
		if err != nil || same != out {
			t.Errorf("help %s differs from %s --help: %v", c.Name(), c.Name(), err)
		}
	}
}

func TestCommandsAreGrouped(t *testing.T) {
	out := mustCall(t)
	for _, title := range []string{"\nPlay:\n", "\nTrain:\n", "\nMeasure:\n", "\nDesign rules:\n", "\nFor programs:\n"} {
		if !strings.Contains(out, title) {
			t.Errorf("help has no group %q:\n%s", title, out)
		}
	}
	for _, c := range builtinRoot().Commands() {
		if c.GroupID == "" {
			t.Errorf("command %s is in no group", c.Name())
		}
	}
}

// words splits an example as a shell would, and leaves out redirections.
func words(t *testing.T, line string) []string {
	t.Helper()
	var list []string
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			list = append(list, part)
		} else {
			list = append(list, strings.Fields(part)...)
		}
	}
	return slices.DeleteFunc(list, func(w string) bool { return strings.ContainsAny(w[:1], "<>") })
}

// TestExamplesRun runs every example, the dear ones with less to do. Those of
// commands that would work for minutes or need a run show their help instead,
// if their flags are good.
func TestExamplesRun(t *testing.T) {
	t.Chdir("..") // files in examples are seen from the top
	less := map[string][]string{
		"train":    {"--help"},
		"selfplay": {"--help"},
		"fit":      {"--help"},
		"data":     {"--help"},
		"runs":     {"--help"},
		"report":   {"--help"},
		"score":    {"--help"},
		"match":    {"--pairs", "1"},
		"doctor":   {"--games", "1", "--depth", "1"},

		"tournament": {"--pairs", "1"},
		"sprt":       {"--max-pairs", "1"},
		"openings":   {"--count", "2"},
		"calibrate":  {"--help"},
		"sweep":      {"--help"},
		"bench":      {"--time", "1ms", "--only", "engine"},
		"balance":    {"--help"},
		"lab":        {"--plan"},
		"fit-terms":  {"--help"},

		"fit-evaluation": {"--help"},

		"new-game":   {"--help"}, // writes into the tree; see TestGameOfAnotherModule
		"heuristics": {"--help"},
		"export":     {"--out", filepath.Join(t.TempDir(), "onnx"), "--vectors", "3"},
		"web":        {"--help"}, // serves until it is ended; see TestWebServes
		"work":       {"--help"}, // waits for a trainer; see TestWorkersEnd
	}
	n := 0
	for _, c := range commands(builtinRoot()) {
		for _, line := range strings.Split(c.Example, "\n") {
			args := words(t, line)
			if !strings.HasPrefix(line+" ", "  "+c.CommandPath()+" ") {
				t.Errorf("%s: example %q is of another command", c.Name(), line)
				continue
			}
			args = append(args[1:], less[args[1]]...)
			if strings.Contains(line, "net:runs/") || strings.Contains(line, " --web ") || strings.Contains(line, "--load") { // TestSite makes one
				args = append(args, "--help")
			}
			if i := slices.Index(args, "--svg"); i >= 0 {
				args[i+1] = "-" // no file in the tree
			}
			if i := slices.Index(args, "--config"); i >= 0 {
				if _, err := os.Stat(args[i+1]); err != nil {
					t.Errorf("example %q: %v", line, err)
				}
			}
			in := "{}\n"
			if slices.Contains(args, "--reference") {
				in = `{"actions": []}` + "\n"
			}
			if out, _, err := call(t, in, args...); err != nil || out == "" {
				t.Errorf("example %q: %v, output %q", line, err, out)
			}
			n++
		}
	}
	if n < 14 {
		t.Errorf("%d examples, expected more", n)
	}
}

// TestTwoGamesOfOneName are refused by every command.
func TestTwoGamesOfOneName(t *testing.T) {
	err := execute(t.Context(), []string{"games"}, nil, io.Discard, io.Discard, Games(builtin.Games()[0]))
	if shell.ExitCode(err) != 2 || !strings.Contains(err.Error(), "there are two of that name") {
		t.Errorf("a game twice: %v", err)
	}
	own := Game{Family: &engine.Family{Name: "own"}, Players: map[string]player.Kind{"random": {}}}
	if err := execute(t.Context(), []string{"games"}, nil, io.Discard, io.Discard, Games(own)); shell.ExitCode(err) != 2 || !strings.Contains(err.Error(), "players random") {
		t.Errorf("a player of a known name: %v", err)
	}
}

// TestFullOutput: a command whose output cannot be written fails, whether or not it looks
// at what printing returns.
func TestFullOutput(t *testing.T) {
	for _, line := range []string{"games", "show", "networks konreh", "rules", "schools list", "perft --game tictactoe", "help", "help train", "--help", "doctor --game tictactoe --depth 2 --games 5", "web --addr 127.0.0.1:0"} {
		full := errors.New("no space left on device")
		err := execute(t.Context(), strings.Fields(line), strings.NewReader(""), writerFunc(func([]byte) (int, error) { return 0, full }), io.Discard)
		if !errors.Is(err, full) || shell.ExitCode(err) != 1 {
			t.Errorf("%s with a full output: %v (exit code %d), want an error", line, err, shell.ExitCode(err))
		}
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
