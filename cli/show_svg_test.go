package cli

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

// TestPicturesOfTheDocs makes the pictures of docs/playing.md with the commands
// that stand there.
func TestPicturesOfTheDocs(t *testing.T) {
	text, err := os.ReadFile("../docs/playing.md")
	if err != nil {
		t.Fatal(err)
	}
	made := 0
	for line := range strings.Lines(string(text)) {
		command, file, ok := strings.Cut(strings.TrimSpace(line), " --svg ")
		command, ours := strings.CutPrefix(command, "ludozero show ")
		if !ok || !ours || !strings.HasSuffix(file, ".svg") {
			continue
		}
		made++
		args := []string{"show"}
		for i, part := range strings.Split(command, `"`) {
			if i%2 == 1 {
				args = append(args, part)
			} else {
				args = append(args, strings.Fields(part)...)
			}
		}
		svg := mustCall(t, append(args, "--svg", "-")...)
		path := filepath.Join("../docs/images", file)
		if *update {
			if err := os.WriteFile(path, []byte(svg), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(path); err != nil || string(want) != svg {
			t.Errorf("%s is not what its command makes (%v): run with -update", path, err)
		}
	}
	if made != 2 {
		t.Errorf("%d commands of pictures, want 2", made)
	}
}
