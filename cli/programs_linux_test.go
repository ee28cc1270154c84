package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/internal/wording"
)

// TestProgramsOfOtherPeople: a configuration that comes with a folder starts no program
// until this user has named it for that folder.
func TestProgramsOfOtherPeople(t *testing.T) {
	t.Setenv(asCommand, "1")
	root := t.TempDir()
	mine, theirs := filepath.Join(root, "mine"), filepath.Join(root, "theirs")
	t.Setenv("XDG_CONFIG_HOME", mine)
	mark, script := filepath.Join(root, "mark"), filepath.Join(root, "engine.sh")
	text := fmt.Sprintf("touch %s\nexec %s engine --game tictactoe --player random\n", mark, mustAbs(t, os.Args[0]))
	if err := os.WriteFile(script, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
	opponents := "evaluation.opponents=[\"ugi:sh " + script + ",nodes=1\"]"
	started := func() bool { return os.Remove(mark) == nil }
	const refusal = "its configuration names programs that were not named for it on this machine"
	a, b := filepath.Join(root, "a"), filepath.Join(root, "b")

	// Named on the command line it is started, announced, and started when the run goes on.
	_, errOut, err := call(t, "", tiny(a, "--set", "generations=1", "--set", opponents)...)
	if err != nil || !started() || strings.Count(errOut, "starting the program sh "+script) != 1 {
		t.Fatalf("%v\n%s", err, errOut)
	}
	mustCall(t, "train", "--run", a, "--set", "generations=2")
	if !started() {
		t.Error("a run of this user does not start its program")
	}
	// Neither another user nor a fork starts it unasked, and without matches nobody does.
	mustFail(t, 2, []string{"train", "--from", a, "--run", b}, refusal)
	mustFail(t, 2, []string{"train", "--from", a, "--run", b, "--set", "generations=3"}, "--set 'evaluation.opponents=[\"ugi:sh "+script)
	mustFail(t, 2, []string{"train", "--config", filepath.Join(a, "config.yaml"), "--run", b}, refusal)
	mustCall(t, "train", "--from", a, "--run", filepath.Join(root, "c"), "--set", "generations=3", "--no-rating")
	mustCall(t, "train", "--run", a, "--set", "generations=2", "--no-rating")
	t.Setenv("XDG_CONFIG_HOME", theirs)
	mustFail(t, 2, []string{"train", "--run", a}, refusal)
	mustFail(t, 2, []string{"train", "--run", copyOf(t, a, filepath.Join(root, "copy"))}, refusal)
	if started() {
		t.Error("a program was started unasked")
	}
	// Named again it is.
	mustCall(t, "train", "--from", a, "--run", b, "--set", "generations=3", "--set", opponents)
	if !started() {
		t.Error("a program that was named was not started")
	}
	mustCall(t, "train", "--run", b)
}

// TestSavedGamesStartNoProgram: a saved game may be somebody else's, too. Its programs are
// started only if they are named on the command line, which the refusal spells out.
func TestSavedGamesStartNoProgram(t *testing.T) {
	t.Setenv(asCommand, "1")
	root := t.TempDir()
	mark, script, file := filepath.Join(root, "mark"), filepath.Join(root, "engine.sh"), filepath.Join(root, "game.json")
	text := fmt.Sprintf("touch %s\nexec %s engine --game tictactoe --player random\n", mark, mustAbs(t, os.Args[0]))
	if err := os.WriteFile(script, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
	engine := "ugi:sh " + script + ",nodes=1"
	for _, seats := range [][2]string{{"you", engine}, {engine, "you"}, {engine, engine}} {
		writeFile(t, file, fmt.Sprintf(`{"game":"tictactoe","preset":"standard","moves":"","seats":[%q,%q]}`, seats[0], seats[1]))
		mustFail(t, 2, []string{"play", "--load", file}, "it names a program, "+engine, "--first "+wording.Quoted(seats[0])+" --second "+wording.Quoted(seats[1]))
		if os.Remove(mark) == nil {
			t.Errorf("seats %q: a program was started unasked", seats)
		}
	}
	_, errOut, err := call(t, "quit\n", "play", "--load", file, "--first", "you", "--second", engine)
	if err != nil || os.Remove(mark) != nil || !strings.Contains(errOut, "starting the program sh "+script) {
		t.Errorf("a program that was named was not started: %v\n%s", err, errOut)
	}
}
