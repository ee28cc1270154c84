package deps

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ludozero/ludozero/engine/games"
)

// spellings are names of games that are not the names of their families, in lower case.
// They hold letters that no other word has in this order.
var spellings = []string{"kon'reh", "connect four", "connectfour", "tic-tac-toe", "tic tac toe", "diamond chess", "diamond-chess", "konkvest", "knaw", "kn@w", "racegame"}

// ordinary are names of games that are words, too: only a whole string or the package
// names the game.
var ordinary = []string{"elements"}

// leastName is how many letters make the name of a game no part of other words.
const leastName = 5

// ofGames are the packages that may name games, besides those in a folder that begins with
// a game's name, each with the reason.
var ofGames = map[string]string{
	"engine/games":                  "the list of games",
	"cli/builtin":                   "what each game brings to the commands",
	"player/kinds":                  "which players each game brings",
	"player/solver":                 "a player of one game",
	"player/school":                 "a player of one game",
	"study/schools":                 "the schools of one game",
	"study/heuristics":              "the rules of thumb of one game",
	"cli/schools":                   "the schools of one game",
	"cli/heuristics":                "the rules of thumb of one game",
	"study/yardstick/sets":          "positions of single games",
	"study/yardstick/sets/generate": "makes positions of single games",
	"scripts/versus":                "compares speed on one network of one game",
}

// mayName are single files that may, each with the reason.
var mayName = map[string]string{
	"train/plan/hash.go":          "hashes of runs leave out what was the default when the first were made",
	"mcts/signature/signature.go": "one number for all programs needs a game with chance that stays the same",
}

// TestGeneralCodeNamesNoGame: no identifier, string or import of code for all games is
// the name of one. Comments, tests and the examples of help may name any.
func TestGeneralCodeNamesNoGame(t *testing.T) {
	names := slices.Clone(spellings)
	for _, f := range games.All() {
		if !slices.Contains(ordinary, f.Name) && len(f.Name) >= leastName {
			names = append(names, f.Name)
		}
	}
	used := map[string]bool{}
	found, err := namedGames(os.DirFS("../.."), names, used)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		t.Error(f)
	}
	for _, list := range []map[string]string{ofGames, mayName} {
		for name := range list {
			if !used[name] {
				t.Errorf("the lists of exceptions have %s, which names no game", name)
			}
		}
	}
}

// TestNamedGamesAreFound in what must not name one.
func TestNamedGamesAreFound(t *testing.T) {
	const code = `package p

import "m/engine/konreh"

// Kon'reh may be named here.
var c = Command{Example: "play --game konreh", Long: "Rules of Kon'reh."}

func readKonreh() { konreh.Read(elements, "elements") }
`
	tree := fstest.MapFS{}
	for name, text := range map[string]string{"cli/p/p.go": code, "cli/p/p_test.go": code, "engine/konreh/p.go": code, "web/p.js": "// konreh\nx = \"konreh\"\n"} {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	found, err := namedGames(tree, []string{"konreh", "kon'reh"}, map[string]bool{})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, f := range found {
		lines = append(lines, strings.SplitN(f, " ", 2)[0])
	}
	if want := []string{"cli/p/p.go:3:", "cli/p/p.go:6:", "cli/p/p.go:8:", "cli/p/p.go:8:", "cli/p/p.go:8:", "web/p.js:2:"}; !slices.Equal(lines, want) {
		t.Errorf("found %q, want %q", found, want)
	}
}

// namedGames lists the places of a tree that name a game, as file:line: and the word.
// used receives the exceptions that were needed.
func namedGames(tree fs.FS, names []string, used map[string]bool) (found []string, err error) {
	err = fs.WalkDir(tree, ".", func(file string, d fs.DirEntry, err error) error {
		base := path.Base(file)
		switch {
		case err != nil:
			return err
		case d.IsDir() && (file == "runs" || base == "bin" || base == "parts" || base == "testdata" || base == "docs" || slices.Contains(ordinary, base) || len(base) > 2 && base[0] == '.' || slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(base, name) })):
			return fs.SkipDir
		case d.IsDir() || strings.HasSuffix(base, "_test.go"):
			return nil
		}
		text, err := fs.ReadFile(tree, file)
		if err != nil {
			return err
		}
		var here []string
		switch path.Ext(base) {
		case ".go":
			here, err = namedInGo(file, text, names)
		case ".js", ".html", ".css":
			here = namedInPage(file, string(text), names)
		}
		for _, exception := range []string{file, path.Dir(file)} {
			if len(here) > 0 && ofGames[exception]+mayName[exception] != "" {
				used[exception], here = true, nil
			}
		}
		found = append(found, here...)
		return err
	})
	return found, err
}

// gameIn returns the name of a game that text holds, "" if none.
func gameIn(text string, names []string) string {
	text = strings.ToLower(text)
	if i := slices.IndexFunc(names, func(name string) bool { return strings.Contains(text, name) }); i >= 0 {
		return names[i]
	}
	return ""
}

func namedInGo(file string, text []byte, names []string) (found []string, err error) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	note := func(at token.Pos, name string) {
		if name != "" {
			found = append(found, fmt.Sprintf("%s:%d: general code names %s", file, set.Position(at).Line, name))
		}
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			key, ok := n.Key.(*ast.Ident)
			return !ok || key.Name != "Example"
		case *ast.Ident:
			note(n.Pos(), gameIn(n.Name, names))
		case *ast.BasicLit:
			value, err := strconv.Unquote(n.Value)
			if n.Kind != token.STRING || err != nil {
				break
			}
			name := gameIn(value, names)
			if name == "" && slices.Contains(ordinary, path.Base(value)) {
				name = path.Base(value)
			}
			note(n.Pos(), name)
		}
		return true
	})
	return found, nil
}

// namedInPage looks into the lines of a file of a page that are no comments.
func namedInPage(file, text string, names []string) (found []string) {
	line := 0
	for l := range strings.Lines(text) {
		line++
		l = strings.TrimSpace(l)
		if name := gameIn(l, names); name != "" && !strings.HasPrefix(l, "//") && !strings.HasPrefix(l, "*") && !strings.HasPrefix(l, "/*") {
			found = append(found, fmt.Sprintf("%s:%d: general code names %s", file, line, name))
		}
	}
	return found
}
