package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestShowDrawsThePosition to a file and to standard output, with the whole last
// turn marked.
func TestShowDrawsThePosition(t *testing.T) {
	path := filepath.Join(t.TempDir(), "board.svg")
	args := []string{"show", "--game", "konreh", "--position", "7b/8/3r4/8/2G5/8/8/2B5 A m HD,r0,s0,x0,c0,n-,h1,k0 HD,r0,s0,x0,c0,n-,h1,k0 3 10",
		"--moves", "c1h1 seed", "--svg"}
	text := mustCall(t, append(args, path)...)
	if !strings.Contains(text, "B to act") {
		t.Errorf("with a file, show prints\n%s", text)
	}
	svg, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"turn 12, B: a slide or a special", "Last move: c1 to h1, placed on a8", "Rooted"} {
		if !strings.Contains(string(svg), want) {
			t.Errorf("the picture does not say %q:\n%s", want, svg)
		}
	}
	if got := mustCall(t, append(args, "-")...); got != string(svg) {
		t.Errorf("on standard output, show prints\n%s\nthe file has\n%s", got, svg)
	}
	if got := mustCall(t, "show", "--game", "tictactoe", "--svg", "-"); strings.Contains(got, "Last move") {
		t.Errorf("nothing was played, yet it says\n%s", got)
	}
}
