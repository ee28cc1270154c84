package cli

import (
	"os"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/internal/pty"
)

// TestTerminalShowsTheRun trains on a terminal: finished stages scroll, the rest
// is below and gone in the end.
func TestTerminalShowsTheRun(t *testing.T) {
	train := func(env ...string) (text, raw string) {
		e := pty.Emulate(t, 110, 60)
		c := command(env, "train", "--config", "../configs/tictactoe/tiny.yaml", "--run", t.TempDir()+"/run")
		c.Stdout, c.Stderr = e.TTY, e.TTY
		if err := c.Run(); err != nil {
			t.Errorf("%v: %v", env, err)
		}
		return e.End()
	}
	text, raw := train("TERM=xterm")
	at := 0
	for _, want := range []string{
		"0:00:00  tictactoe, rules standard", "generation 0 plays: 40 games", "generation 0 learns: step", "generation 1 is rated: ",
		"generation 2 learns: step", "all generations trained", "strength at 16 simulations", "generation 3    against random", "the report is ",
	} {
		i := strings.Index(text[at:], want)
		if i < 0 {
			t.Fatalf("the screen has no %q after the lines before:\n%s", want, text)
		}
		at += i
	}
	for _, label := range []string{"\nplays  ", "\nlearns  ", "\ntime  ", "\nlosses  ", "█"} {
		if strings.Contains(text, label) {
			t.Errorf("%q is left on the screen:\n%s", label, text)
		}
		if label[0] == '\n' && !strings.Contains(raw, label[1:]) {
			t.Errorf("%q was never shown", label[1:])
		}
	}
	if text, raw := train("TERM=dumb"); strings.Contains(raw, "\x1b") || !strings.Contains(text, "generation 2 learns") {
		t.Errorf("a dumb terminal gets\n%q", raw)
	}
}

// TestInterruptOnATerminal: Ctrl-C takes the block away and says how to go on.
func TestInterruptOnATerminal(t *testing.T) {
	e := pty.Emulate(t, 110, 30)
	c := command([]string{"TERM=xterm", "NO_COLOR=1"}, "train", "--config", "../configs/tictactoe/tiny.yaml", "--run", t.TempDir()+"/run",
		"--set", "generations=100000", "--set", "evaluation.during.share=0")
	c.Stdout, c.Stderr = e.TTY, e.TTY
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	e.See("losses   policy")
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err == nil || c.ProcessState.ExitCode() != 1 {
		t.Errorf("interrupted training ended with %v", err)
	}
	text, raw := e.End()
	if !strings.Contains(text, "interrupted; the newest network is in") || !strings.Contains(text, "the same command goes on") ||
		strings.Contains(text, "\nlosses ") || strings.Contains(text, "█") {
		t.Errorf("in the end one sees\n%s", text)
	}
	if strings.Contains(raw, "\x1b[33m") || strings.Contains(raw, "\x1b[?25l") {
		t.Errorf("with NO_COLOR there is colour, or the cursor was hidden:\n%q", raw)
	}
}
