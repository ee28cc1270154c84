package cli

import (
	"bytes"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func TestProgramIsNamedAsItWasCalled(t *testing.T) {
	inModule := &debug.BuildInfo{Path: "example.org/hop", Main: debug.Module{Path: "example.org/hop"}}
	below := &debug.BuildInfo{Path: "example.org/games/hop", Main: debug.Module{Path: "example.org/games"}}
	file := &debug.BuildInfo{Path: "command-line-arguments"}
	for _, c := range []struct {
		arg  string
		info *debug.BuildInfo
		here bool
		want program
	}{
		{"bin/ludozero", below, true, program{"ludozero", "ludozero"}},
		{"/usr/bin/hop.exe", inModule, true, program{"hop", "hop"}},
		{"/tmp/go-build17/b001/exe/hop", inModule, true, program{"hop", "go run ."}},
		{"/home/a/.cache/go-build/42/42891296d84447965e80e780fbbe91839a3562421cfab5c8c882976fc27cce75-d/hop", inModule, true, program{"hop", "go run ."}},
		{"/home/a/go-build/exe/hop", inModule, true, program{"hop", "hop"}},
		{"/tmp/go-build17/b001/exe/hop", inModule, false, program{"hop", "go run example.org/hop"}},
		{"/tmp/go-build17/b001/exe/hop", below, true, program{"hop", "go run example.org/games/hop"}},
		{"/tmp/go-build17/b001/exe/main", file, false, program{"main", "go run ."}},
		{"/tmp/go-build17/b001/exe/hop", nil, true, program{"hop", "hop"}},
	} {
		if got := called(filepath.FromSlash(c.arg), c.info, c.here); got != c.want {
			t.Errorf("%s, %+v, %v: %+v, want %+v", c.arg, c.info, c.here, got, c.want)
		}
	}
}

// TestHintsNameTheProgram: help, errors and what commands print name the program that a
// person has, never this module's.
func TestHintsNameTheProgram(t *testing.T) {
	run := func(in string, args ...string) (string, error) {
		var out bytes.Buffer
		err := execute(t.Context(), args, strings.NewReader(in), &out, &out, func(o *options) { o.program = program{"hop", "go run ."} })
		return out.String(), err
	}
	var walk func(path []string, c *cobra.Command)
	walk = func(path []string, c *cobra.Command) {
		text, err := run("", append(path, "--help")...)
		if err != nil {
			t.Fatal(err)
		}
		if c.Example != "" && !strings.Contains(text, "  go run . ") {
			t.Errorf("%s --help has no example of the program:\n%s", path, text)
		}
		for _, w := range []string{"ludozero " + strings.Join(path, " "), "see ludozero"} {
			if len(path) > 0 && strings.Contains(text, w) {
				t.Errorf("%s --help says %q", path, w)
			}
		}
		for _, sub := range c.Commands() {
			walk(append(path[:len(path):len(path)], sub.Name()), sub)
		}
	}
	walk(nil, builtinRoot())
	for _, c := range []struct{ in, args, want string }{
		{"4\nquit\n", "play --game connect4 --against random", "\n  go run . play --game connect4"},
		{"", "balance --game tictactoe --players random --games 2", "go run . balance --game tictactoe"},
	} {
		out, err := run(c.in, strings.Fields(c.args)...)
		if err != nil || !strings.Contains(out, c.want) || strings.Contains(out, "ludozero "+strings.Fields(c.args)[0]) {
			t.Errorf("%s: %v: want %q in\n%s", c.args, err, c.want, out)
		}
	}
	for _, c := range []struct{ args, want string }{
		{"match random", "usage: go run . match A B"},
		{"replay --game konreh", "`go run . show` lists the moves"},
		{"data", "go run . data"},
	} {
		out, err := run("", strings.Fields(c.args)...)
		if text := out + errText(err); !strings.Contains(text, c.want) {
			t.Errorf("%s: want %q in %s", c.args, c.want, text)
		}
	}
}

func TestVersion(t *testing.T) {
	built := &debug.BuildInfo{GoVersion: "go1.26", Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"}}}
	for want, got := range map[string]string{
		"v1.2.3, commit abc, changed, go1.26": version(built, true),
		"(devel), go1.26":                     version(&debug.BuildInfo{GoVersion: "go1.26", Settings: []debug.BuildSetting{{Key: "vcs.modified", Value: "false"}}}, true),
		"unknown":                             version(nil, false),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if out := mustCall(t, "--version"); !strings.HasPrefix(out, "ludozero version ") || !strings.HasSuffix(out, runtime.Version()+"\n") {
		t.Errorf("--version prints %q", out)
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
