// Package deps holds the import policy of the module as a test.
package deps

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/ludozero/ludozero"

// allowed lists, for each package, what of this module it may import. A name
// ending in /... stands for the packages below it. Packages under internal are
// allowed everywhere and may import only each other; tests are free. It is the
// architecture: a change here is a change of design.
var allowed = map[string][]string{
	"engine":              {},
	"engine/konreh":       {"engine"},
	"engine/connect4":     {"engine"},
	"engine/tictactoe":    {"engine"},
	"engine/games":        {"engine", "engine/konreh", "engine/connect4", "engine/tictactoe"},
	"engine/enginetest":   {"engine"},
	"engine/enginetest/*": {"engine", "engine/enginetest"},
	"mcts":                {"engine"},
	"mcts/signature":      {"engine", "engine/games", "engine/enginetest/racegame", "mcts"},
	"model/kernel":        {},
	"model/safetensors":   {},
	"model":               {"model/kernel", "model/safetensors"},
	"model/infer":         {"model", "model/kernel"},
	"model/graph":         {"model", "model/kernel"},
	"model/onnx":          {"model"},
	"model/zoo":           {"model"},
	"selfplay/record":     {"engine"},
	"selfplay/census":     {"engine", "selfplay/record"},
	"selfplay":            {"engine", "mcts", "selfplay/record"},
	"train":               {"engine", "model", "model/graph", "model/kernel", "model/safetensors", "selfplay/record"},
	"train/health":        {"train/run"},
	"train/run":           {"engine", "engine/games", "mcts", "model", "model/kernel", "model/infer", "selfplay", "selfplay/record", "train"},
	"train/sweep":         {"evaluation", "evaluation/design", "evaluation/rating", "train/run"},
	"train/tensorboard":   {"train/run"},
	"train/run/bench":     {"engine", "engine/games", "mcts", "model", "model/infer", "model/kernel", "selfplay", "selfplay/record", "train", "train/run"},
	"evaluation":          {"engine", "evaluation/opening", "evaluation/rating", "evaluation/sprt"},
	"evaluation/history":  {"evaluation", "evaluation/rating"},
	"evaluation/opening":  {"engine"},
	"evaluation/archive":  {"engine", "evaluation"},
	"evaluation/report":   {"evaluation", "evaluation/history", "evaluation/rating", "evaluation/report/figure", "evaluation/report/sample", "model", "selfplay/census", "train/health", "train/run"},
	"evaluation/design":   {"evaluation/rating"},
	"evaluation/rating":   {},
	"evaluation/rating/*": {},
	"evaluation/sprt":     {"evaluation/rating"},
	"evaluation/resample": {"evaluation/rating"},
	"evaluation/balance":  {"engine", "evaluation", "evaluation/opening", "evaluation/player", "evaluation/rating", "evaluation/report/figure", "evaluation/report/sheet", "evaluation/resample"},
	"evaluation/doctrine": {"engine", "engine/konreh", "engine/konreh/measure", "evaluation", "evaluation/player", "evaluation/rating", "evaluation/report/figure", "evaluation/report/sheet", "evaluation/resample"},
	"evaluation/player":   {"engine", "engine/connect4", "engine/connect4/solve", "engine/konreh", "evaluation", "evaluation/opening", "evaluation/player/alphabeta", "evaluation/player/school", "mcts"},
	// Other programs as players.
	"evaluation/player/foreign": {"engine", "evaluation", "evaluation/player", "evaluation/ugi"},
	// A protocol over readers and writers; processes are elsewhere.
	"evaluation/ugi": {"engine", "evaluation", "evaluation/player"},
	// Its positions are made with solvers; players are asked as in a match.
	"evaluation/yardstick":          {"engine", "evaluation"},
	"evaluation/yardstick/generate": {"engine", "engine/connect4", "engine/connect4/solve"},
	"evaluation/yardstick/races":    {"engine", "engine/konreh", "engine/konreh/race", "evaluation/player/alphabeta"},

	// Solvers know their game and nothing of players.
	"engine/connect4/solve": {"engine", "engine/connect4"},
	"engine/konreh/race":    {"engine", "engine/konreh"},

	// The measures of the rulebook know positions and nothing of players.
	"engine/konreh/measure": {"engine", "engine/konreh"},

	// Handwritten engines know their game and nothing of matches.
	"evaluation/player/alphabeta":     {"engine", "engine/konreh"},
	"evaluation/player/alphabeta/fit": {"engine", "engine/konreh", "evaluation/player/alphabeta"},
	// The schools of Kon'reh bend that engine, through an interface of its own.
	"evaluation/player/school": {"engine", "engine/konreh", "engine/konreh/measure"},

	// Plots know nothing of what they show.
	"evaluation/report/figure": {},
	"evaluation/report/sheet":  {"evaluation/rating", "evaluation/report/figure"},
	// A picture is drawn from what the engine says of it alone.
	"evaluation/report/board": {"engine"},
	// Games are chosen from shards of whatever game.
	"evaluation/report/sample": {"engine", "engine/games", "evaluation/report/board", "selfplay/record"},

	// Rules of thumb of Kon'reh ask its schools and any player that judges.
	"evaluation/heuristic": {"engine", "engine/konreh", "evaluation", "evaluation/player", "evaluation/player/school", "evaluation/rating", "evaluation/report/figure", "evaluation/report/sheet", "evaluation/resample"},

	// What leaves for other programs is made in memory.
	"export":          {"engine", "model", "model/infer", "model/onnx"},
	"evaluation/play": {"engine", "evaluation", "evaluation/player"},
	// What runs in a page, and the folder that such a page is.
	"web/worker": {"engine", "engine/games", "evaluation", "evaluation/player", "mcts", "model", "model/infer", "web/table"},
	"web/site":   {"evaluation/player", "model", "model/onnx", "web/client", "web/worker"},

	// A table runs in a browser, too; its players come from whoever has them.
	"web/table":       {"engine", "engine/games", "evaluation", "evaluation/play", "evaluation/player"},
	"web/client":      {},
	"web/serve":       {"web/client", "web/table"},
	"web/watch":       {"engine", "engine/games", "evaluation/report", "evaluation/report/board", "evaluation/report/sample", "selfplay/record", "train/health", "train/run", "web/client"},
	"configs":         {"mcts", "model", "selfplay", "train", "train/run", "evaluation"},
	"cmd/ludozero":    {"..."},
	"scripts/ratings": {"evaluation", "evaluation/player", "model/zoo"},
	"scripts/ship":    {"model", "model/zoo", "train/run"},
	"scripts/soak":    {},
	"scripts/versus":  {"engine", "engine/konreh", "model", "model/graph", "model/infer", "model/kernel", "model/onnx", "train"},
}

// banned keeps heavy or impure packages out, with the reason. Direct imports
// only, unless deep is set.
var banned = []struct {
	in, pkg, why string
	deep         bool
	except       []string
}{
	{in: "engine", pkg: "os", why: "rules are functions of their arguments and run in a browser"},
	{in: "engine", pkg: "time", why: "rules have no clock"},
	{in: "mcts", pkg: "os", why: "search is a deterministic core and runs in a browser"},
	{in: "mcts", pkg: "time", why: "search has no clock"},
	{in: "export", pkg: "os", why: "an export is made in memory"},
	{in: "evaluation/ugi", pkg: "os", why: "the protocol is spoken over readers and writers"},
	{in: "model/zoo", pkg: "os", why: "shipped networks are in the binary, and in pages"},
	{in: "web/table", pkg: "os", why: "tables run in a browser"},
	{in: "web/table", pkg: "net/http", why: "tables know no transport"},
	{in: "engine", pkg: "github.com/parquet-go/parquet-go", why: "rules know no files", deep: true},
	{in: "mcts", pkg: "github.com/parquet-go/parquet-go", why: "search knows no files", deep: true},
	{in: "engine", pkg: "gorgonia.org/gorgonia", why: "playing needs no training graph", deep: true},
	{in: "mcts", pkg: "gorgonia.org/gorgonia", why: "playing needs no training graph", deep: true},
	{in: "model", pkg: "gorgonia.org/gorgonia", why: "inference needs no training graph", deep: true, except: []string{"model/graph"}},
	{in: "selfplay", pkg: "gorgonia.org/gorgonia", why: "playing needs no training graph", deep: true},
	// A report reads the figures of a training run and plays nothing.
	{in: "evaluation", pkg: "gorgonia.org/gorgonia", why: "playing needs no training graph", deep: true, except: []string{"evaluation/report"}},
}

type listed struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

func list(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,Deps", module+"/...")
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %v\n%s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	var all []listed
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		p.ImportPath = strings.TrimPrefix(p.ImportPath, module+"/")
		all = append(all, p)
	}
}

func TestImportPolicy(t *testing.T) {
	for _, p := range list(t) {
		isInternal := strings.HasPrefix(p.ImportPath, "internal/")
		rule, ok := allowed[p.ImportPath]
		if !ok {
			rule, ok = allowed[path.Dir(p.ImportPath)+"/*"]
		}
		if !ok && !isInternal {
			t.Errorf("%s is not in the import policy", p.ImportPath)
			continue
		}
		for _, dep := range p.Imports {
			dep, own := strings.CutPrefix(dep, module+"/")
			if !own || strings.HasPrefix(dep, "internal/") || slices.Contains(rule, "...") || slices.Contains(rule, dep) {
				continue
			}
			t.Errorf("%s imports %s: the policy allows it %v", p.ImportPath, dep, rule)
		}
	}
}

func TestBannedImports(t *testing.T) {
	for _, p := range list(t) {
		for _, b := range banned {
			if p.ImportPath != b.in && !strings.HasPrefix(p.ImportPath, b.in+"/") || slices.Contains(b.except, p.ImportPath) {
				continue
			}
			deps := p.Imports
			if b.deep {
				deps = p.Deps
			}
			if slices.Contains(deps, b.pkg) {
				t.Errorf("%s imports %s: %s", p.ImportPath, b.pkg, b.why)
			}
		}
	}
}
