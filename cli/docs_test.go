package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/player"
)

// pages are the texts for people, by their paths from the top of the tree.
func pages(t *testing.T) map[string]string {
	t.Helper()
	list := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/reports/*/*.md", "model/zoo/*.md", "results/*/*.md"} {
		names, err := filepath.Glob(filepath.Join("..", pattern))
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: no pages (%v)", pattern, err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			list[filepath.ToSlash(strings.TrimPrefix(name, "../"))] = string(text)
		}
	}
	return list
}

// prose returns a page without its blocks of code, and the blocks.
func prose(page string) (text string, blocks []string) {
	var out, block strings.Builder
	inside := false
	for line := range strings.Lines(page) {
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "```"):
			if inside {
				blocks = append(blocks, block.String())
				block.Reset()
			}
			inside = !inside
		case inside:
			block.WriteString(line)
		default:
			out.WriteString(line)
		}
	}
	return out.String(), blocks
}

var (
	link      = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	codeSpan  = regexp.MustCompile("`[^`]+`")
	named     = regexp.MustCompile(`<a id="([^"]+)"></a>`)
	notInSlug = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)

	blockCommand = regexp.MustCompile(`(?m)(?:^|[|$] )(?:bin/)?ludozero( .*)?$`)
	shortCommand = regexp.MustCompile(`^(?:` + strings.Join(commandNames(), "|") + `) (?:[a-z]+ )?--[a-z]`)
	spanCommand  = regexp.MustCompile(`^(?:[A-Z_]+=\S+ )*(?:bin/)?ludozero( .*)$`)
)

// anchors are the names that links can have after #: those of headings, as
// GitHub makes them, and those that a page gives itself.
func anchors(page string) map[string]bool {
	names := map[string]bool{}
	text, _ := prose(page)
	for line := range strings.Lines(text) {
		if heading, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && strings.HasPrefix(line, "#") {
			heading = link.ReplaceAllString(heading, "]")
			slug := strings.ReplaceAll(notInSlug.ReplaceAllString(strings.ToLower(strings.TrimSpace(heading)), ""), " ", "-")
			for i, s := 1, slug; ; i++ {
				if !names[s] {
					names[s] = true
					break
				}
				s = fmt.Sprintf("%s-%d", slug, i)
			}
		}
		for _, m := range named.FindAllStringSubmatch(line, -1) {
			names[m[1]] = true
		}
	}
	return names
}

// TestLinksLead: every link to a file or a heading of the tree leads there.
func TestLinksLead(t *testing.T) {
	all := pages(t)
	n := 0
	for name, page := range all {
		text, _ := prose(page)
		for _, m := range link.FindAllStringSubmatch(codeSpan.ReplaceAllString(text, ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			n++
			file, anchor, _ := strings.Cut(m[1], "#")
			target := name
			if file != "" {
				target = filepath.ToSlash(filepath.Join(filepath.Dir(name), file))
			}
			if _, err := os.Stat(filepath.Join("..", target)); err != nil {
				t.Errorf("%s: link to %s: %v", name, m[1], err)
				continue
			}
			if anchor != "" && !anchors(all[target])[anchor] {
				t.Errorf("%s: link to %s: %s has no such heading", name, m[1], target)
			}
		}
	}
	if n < 100 {
		t.Errorf("%d links, want all", n)
	}
}

// commandNames are the words that follow ludozero.
func commandNames() (names []string) {
	for _, c := range builtinRoot().Commands() {
		names = append(names, c.Name())
	}
	return names
}

// shellWords splits a line as a shell would, up to what is no part of the command:
// a comment, a redirection, the next command.
func shellWords(line string) []string {
	var list []string
	var word strings.Builder
	inside, quote := false, rune(0)
	end := func() {
		if inside {
			list = append(list, word.String())
			word.Reset()
			inside = false
		}
	}
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, inside = r, true
		case r == ' ':
			end()
		case strings.ContainsRune("|<>;&", r), r == '#' && !inside:
			end()
			return list
		default:
			inside = true
			word.WriteRune(r)
		}
	}
	end()
	return list
}

// commandLines are the commands that a page shows: those of its blocks, with all
// that they take, and those named within text, which may leave things out.
func commandLines(page string) (full, named []string) {
	text, blocks := prose(page)
	for _, b := range blocks {
		for _, m := range blockCommand.FindAllStringSubmatch(strings.ReplaceAll(b, "\\\n", " "), -1) {
			full = append(full, m[1])
		}
	}
	for _, span := range codeSpan.FindAllString(text, -1) {
		span = strings.Trim(span, "`")
		if m := spanCommand.FindStringSubmatch(span); m != nil {
			named = append(named, m[1])
		} else if shortCommand.MatchString(span) {
			named = append(named, span)
		}
	}
	return full, named
}

// checkCommand complains of a command that is not there, of flags that it has not
// and, in full lines, of what it would not take: values of flags, the number of
// arguments, keys of --set, players.
func checkCommand(line string, full bool) error {
	root := builtinRoot()
	root.InitDefaultHelpCmd()
	c, args, err := root.Find(shellWords(line))
	if err != nil {
		return err
	}
	if c.HasSubCommands() && !strings.Contains(c.Use, " ") { // what is left is a command that it does not have
		words := slices.DeleteFunc(slices.Clone(args), func(a string) bool { return strings.HasPrefix(a, "-") })
		if err := c.ValidateArgs(words); err != nil {
			return err
		}
	}
	c.InitDefaultHelpFlag()
	c.InitDefaultVersionFlag()
	for _, a := range args {
		name, _, _ := strings.Cut(strings.TrimPrefix(a, "--"), "=")
		if strings.HasPrefix(a, "--") && c.Flags().Lookup(name) == nil {
			return fmt.Errorf("%s has no flag --%s", c.CommandPath(), name)
		}
	}
	if !full {
		return nil
	}
	if err := c.ParseFlags(args); err != nil {
		return err
	}
	if err := c.ValidateArgs(c.Flags().Args()); err != nil {
		return err
	}
	kinds := map[string]bool{"net": true, "ugi": true}
	for name := range player.Builtin() {
		kinds[name] = true
	}
	for _, word := range c.Flags().Args() {
		kind, _, described := strings.Cut(word, ":")
		if kinds[kind] && described && !strings.Contains(word, "./") { // that would be a file of the reader's
			if _, err := builtinEnv().Players.Parse(word); err != nil {
				return err
			}
		}
	}
	if c.Flags().Lookup("set") == nil {
		return nil
	}
	settings, _ := c.Flags().GetStringArray("set")
	file, _ := c.Flags().GetString("config")
	if _, err := os.Stat("../" + file); file != "" && err == nil { // else the name of a file in the binary
		file = "../" + file
	}
	_, err = configs.Load(configs.DefaultRun(games.All()), file, append([]string{"generations=1"}, settings...), nil)
	return err
}

// TestCommandsOfPagesAreThere: every command that a page shows is one, with the flags that it
// is shown with.
func TestCommandsOfPagesAreThere(t *testing.T) {
	n := 0
	for name, page := range pages(t) {
		full, named := commandLines(page)
		n += len(full) + len(named)
		for i, line := range append(full, named...) {
			if err := checkCommand(line, i < len(full)); err != nil {
				t.Errorf("%s: ludozero %s: %v", name, line, err)
			}
		}
	}
	if n < 150 {
		t.Errorf("%d commands, want all", n)
	}
}

// TestTestsOfPagesAreThere: every test that a page names with its package exists.
func TestTestsOfPagesAreThere(t *testing.T) {
	n := 0
	for name, page := range pages(t) {
		for _, m := range regexp.MustCompile("`go test (?:-\\S+ )*\\./(\\S+) -run (\\w+)").FindAllStringSubmatch(page, -1) {
			if m[2] == "xxx" { // no test, for a benchmark
				continue
			}
			n++
			files, err := filepath.Glob(filepath.Join("..", m[1], "*_test.go"))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(files, func(file string) bool {
				text, err := os.ReadFile(file)
				return err == nil && regexp.MustCompile(`(?m)^func (?:Test|Example)\w*`+strings.TrimPrefix(m[2], "Test")).Match(text)
			}) {
				t.Errorf("%s: %s: no such test", name, m[0])
			}
		}
	}
	if n < 20 {
		t.Errorf("%d tests, want all", n)
	}
}

func TestCommandsThatAreNotThere(t *testing.T) {
	for _, c := range []struct {
		line string
		full bool
		want string
	}{
		{"trian --run runs/first", false, "trian"},
		{"data retire", false, "retire"},
		{"train --nonsense", false, "nonsense"},
		{"match random", true, "accepts 2 arg(s)"},
		{"match random mcts:sims=none # a comment", true, "sims"},
		{"perft --depth x", true, "depth"},
		{"train --run runs/first --set train.nonsense=1", true, "train.nonsense"},
		{"train --config configs/konreh/nonsense.yaml", true, "nonsense.yaml"},
	} {
		if err := checkCommand(c.line, c.full); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want an error with %q", c.line, err, c.want)
		}
	}
	if err := checkCommand(`show --moves "d1f1 h5f5" --nonsense`, false); err == nil {
		t.Error("words in quotes hide a flag")
	}
}

// TestOptionsOfPlayersAreExplained: docs/playing.md names every option of every kind of
// player with each word that it can be, where another page does not; what its tables name
// is an option of players with networks.
func TestOptionsOfPlayersAreExplained(t *testing.T) {
	all := pages(t)
	_, section, _ := strings.Cut(all["docs/playing.md"], "\n## Players\n")
	section, _, _ = strings.Cut(section, "\n### Opponents by name\n")
	elsewhere := map[string]string{"school": all["docs/schools.md"], "ugi": all["docs/ugi.md"]}
	form := regexp.MustCompile(`(?m)^  ([a-z]+):(.*)$`)
	option := regexp.MustCompile(`([a-z_]+)=([^],) ]+)`)
	ofNetworks := map[string]bool{}
	n := 0
	for _, kind := range form.FindAllStringSubmatch(builtinEnv().Players.Help(), -1) {
		page := cmp.Or(elsewhere[kind[1]], section)
		for _, o := range option.FindAllStringSubmatch(kind[2], -1) {
			n++
			name, values := o[1], o[2]
			ofNetworks[name] = ofNetworks[name] || kind[1] == "net"
			if !strings.Contains(page, "`"+name+"`") && !regexp.MustCompile("`[^`\n]*\\b"+name+"=").MatchString(page) {
				t.Errorf("%s: no page explains the option %s", kind[1], name)
				continue
			}
			for word := range strings.SplitSeq(values, "|") {
				if regexp.MustCompile(`^[a-z][a-z0-9]*$`).MatchString(word) && word != "true" && word != "false" && !regexp.MustCompile(`\b`+word+`\b`).MatchString(page) {
					t.Errorf("%s: no page explains %s=%s", kind[1], name, word)
				}
			}
		}
	}
	if n < 40 {
		t.Errorf("%d options, want all", n)
	}
	_, tables, _ := strings.Cut(section, "\n### How a network searches\n")
	for _, row := range regexp.MustCompile("(?m)^\\| (`.*?) \\|").FindAllStringSubmatch(tables, -1) {
		for _, o := range regexp.MustCompile("`([a-z_]+)=").FindAllStringSubmatch(row[1], -1) {
			if !ofNetworks[o[1]] {
				t.Errorf("docs/playing.md explains %s, which is no option of net", o[1])
			}
		}
	}
}
