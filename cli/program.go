package cli

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// program is how a person calls this program: name is its file's, call what a shell
// understands, which differs where go run made the file.
type program struct{ name, call string }

// madeByGoRun matches the folders that go run starts programs in: one of its own, and the
// cache of builds when nothing has changed since.
var madeByGoRun = regexp.MustCompile(`/go-build[0-9]+/b[0-9]+/exe$|/[0-9a-f]{2}/[0-9a-f]{64}-d$`)

// called returns the program of a process that was started as the file arg. info is how
// it was built, and here says that the working folder is the top of a module.
func called(arg string, info *debug.BuildInfo, here bool) program {
	name := strings.TrimSuffix(filepath.Base(arg), ".exe")
	p := program{name, name}
	if info == nil || !madeByGoRun.MatchString(filepath.ToSlash(filepath.Dir(arg))) {
		return p
	}
	switch path, module := info.Path, info.Main.Path; {
	case path == "command-line-arguments" || path == module && here:
		p.call = "go run ."
	default:
		p.call = "go run " + path
	}
	return p
}

func thisProgram() program {
	info, _ := debug.ReadBuildInfo()
	_, err := os.Stat("go.mod")
	return called(os.Args[0], info, err == nil)
}

// version names the source and the compiler of a program.
func version(info *debug.BuildInfo, known bool) string {
	if !known {
		return "unknown"
	}
	text := cmp.Or(info.Main.Version, "(devel)")
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			text += ", commit " + s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			text += ", changed"
		}
	}
	return text + ", " + info.GoVersion
}

// naming returns a function that gives commands of ludozero in a text, which help and
// errors name, to this program. They are known by their first word, one of root's.
func (p program) naming(root *cobra.Command) func(string) string {
	var words []string
	for _, c := range root.Commands() {
		words = append(words, regexp.QuoteMeta(c.Name()))
	}
	command := regexp.MustCompile(`\bludozero(\s+(?:` + strings.Join(words, "|") + `|help)\b)`)
	return func(text string) string {
		return command.ReplaceAllString(text, strings.ReplaceAll(p.call, "$", "$$")+"$1")
	}
}

// namedError is an error in words that name commands of this program.
type namedError struct {
	error
	text string
}

func (e namedError) Error() string { return e.text }
func (e namedError) Unwrap() error { return e.error }

// nameHelp applies named to the help of c and the commands below it.
func nameHelp(c *cobra.Command, named func(string) string) {
	c.Short, c.Long, c.Example = named(c.Short), named(c.Long), named(c.Example)
	c.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = named(f.Usage) })
	for _, sub := range c.Commands() {
		nameHelp(sub, named)
	}
}
