// Package deps holds the import policy of the module as a test.
package deps

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/ludozero/ludozero"

// policy says which packages of this module a package may import: after its name,
// those it knows. "x/..." stands for x and all below it, "x/*" for the packages
// right below it. The first line that fits a package is its rule. Packages under
// internal may be imported everywhere and import only each other; tests are free.
// It is the architecture: a change here is a change of design. Rooms are in the
// order of docs/architecture.md, so that an arrow to a later line is a mistake.
const policy = `
stats/interval      :
stats/...           : stats/...

engine              :
engine/guide        : engine
engine/games        : engine engine/*
engine/enginetest   : engine
engine/enginetest/* : engine engine/enginetest engine/kit
engine/kit          : engine
engine/newgame      :
engine/newgame/*    : engine engine/guide engine/kit
engine/*            : engine engine/guide engine/kit engine/manual
engine/connect4/*   : engine engine/connect4 engine/kit
engine/konreh/*     : engine engine/konreh engine/kit

mcts                : engine
mcts/signature      : engine engine/enginetest/racegame mcts

model/kernel        :
model/precision     :
model/safetensors   :
model               : model/kernel model/safetensors
model/infer         : model model/kernel model/precision
model/graph         : model model/kernel
model/nnue          : model/kernel model/safetensors
model/onnx          : model
model/zoo           : model

selfplay/record     : engine stats/interval
selfplay/record/recordtest : engine selfplay/record
selfplay/census     : engine selfplay/record
selfplay            : engine mcts model/precision selfplay/record

train/plan          : engine model model/precision selfplay selfplay/record
train/rundir        : engine model selfplay/record train/plan
train               : engine model model/graph model/kernel selfplay/record train/plan
train/fit           : engine mcts model model/infer selfplay/record train train/plan train/rundir
train/run           : engine mcts model model/infer model/kernel model/precision selfplay selfplay/record train train/plan train/rundir

cluster/broker      : cluster
cluster             : engine match match/archive model/kernel selfplay selfplay/record train/plan train/run train/rundir

match/opening       : engine
match               : engine match/opening stats/...
match/archive       : engine match

player/alphabeta    : engine engine/kit
player/alphabeta/fit : engine player/alphabeta player/alphabeta/positions selfplay/record
player/alphabeta/positions : engine player/alphabeta selfplay/record
player/school       : engine engine/konreh engine/konreh/measure match player player/alphabeta
player/solver       : engine engine/connect4 engine/connect4/solve match player
player/kinds        : engine/connect4 engine/konreh player player/school player/solver
player/nnue         : engine match model/nnue player player/alphabeta
player/nnue/fit     : engine model/kernel model/nnue model/safetensors player/alphabeta player/alphabeta/positions player/nnue selfplay/record
player/ugi          : engine match player
player/analysis     : engine match player
player/foreign      : engine match player player/ugi
player/table        : engine match player
player/open         : engine match mcts model model/infer model/kernel model/precision model/zoo player player/foreign player/nnue selfplay train/plan train/rundir
player              : engine match match/opening mcts model/precision player/alphabeta

bench               : engine match mcts model model/infer model/kernel model/precision player player/alphabeta player/nnue/fit selfplay selfplay/record train train/plan

report/figure       :
report/board        : engine
report/rulebook     : engine engine/guide report/board
report/sheet        : stats/... report/figure
report/ratings      : engine match match/archive stats/... train/plan train/rundir
report/health       : train/plan train/rundir
report/tensorboard  : train/rundir
report/sample       : engine report/board selfplay/record
report              : match stats/... model selfplay/census train/plan train/rundir report/...

study               : engine match match/archive model/kernel player player/open report/sheet
study/yardstick     : engine match stats/...
study/yardstick/sets: study/yardstick
study/yardstick/sets/* : engine engine/... player/alphabeta
study/switches      : engine match match/archive model/kernel player player/open report/sheet stats/... study
study/sweep         : configs engine match match/archive model/kernel model/precision player player/open report/sheet stats/... study study/yardstick train/rundir
study/fits          : configs engine match/archive model/kernel player/open study/sweep train/fit train/plan train/rundir
study/even          : engine match match/archive model/kernel player player/open report/figure report/sheet stats/... study study/balance study/lab
study/restricted    : engine match match/archive model/kernel player player/open report/sheet stats/... study study/lab
study/lab           : engine match match/archive model/kernel player player/open report/figure report/sheet stats/... study study/luck
study/*             : engine engine/konreh engine/konreh/measure match match/archive match/opening model/kernel model/precision player player/open player/school stats/... report/figure report/sheet study

export              : engine engine/manual engine/query model model/infer model/onnx model/precision
web/client          :
web/table           : engine engine/guide match player player/table report/board report/rulebook
web/worker          : engine engine/guide engine/manual engine/query match player player/analysis player/nnue mcts model model/infer model/precision web/table
web/serve           : engine engine/guide match model/zoo player player/nnue player/open web/client web/table
web/site            : player model model/onnx web/client web/worker
web/watch           : engine selfplay/record train/plan train/rundir report/... web/client

configs             : engine train/plan train/rundir report/ratings

report/trained      : configs engine match model selfplay/census selfplay/record stats/... train/plan train/rundir report report/...
cli/...             : ...
cmd/ludozero        : cli

scripts/guides      : engine/games report/rulebook
scripts/npm         : model model/onnx model/zoo player web/worker
scripts/ratings     : match player model/zoo
scripts/ship        : model model/zoo train/run train/rundir
scripts/soak        :
scripts/versus      : engine engine/konreh model model/graph model/infer model/kernel model/onnx model/precision train train/plan
`

// rule is a line of the policy.
type rule struct {
	of    string
	knows []string
}

func rules(t *testing.T) (list []rule) {
	t.Helper()
	for line := range strings.Lines(policy) {
		if of, knows, ok := strings.Cut(line, ":"); ok {
			list = append(list, rule{strings.TrimSpace(of), strings.Fields(knows)})
		}
	}
	return list
}

// fits reports whether a package is what a name of the policy stands for.
func fits(name, pkg string) bool {
	if below, ok := strings.CutSuffix(name, "..."); ok {
		return below == "" || pkg == strings.TrimSuffix(below, "/") || strings.HasPrefix(pkg, below)
	}
	if right, ok := strings.CutSuffix(name, "/*"); ok {
		return path.Dir(pkg) == right
	}
	return name == pkg
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
	{in: "player/ugi", pkg: "os", why: "the protocol is spoken over readers and writers"},
	{in: "model/zoo", pkg: "os", why: "shipped networks are in the binary, and in pages"},
	{in: "web/table", pkg: "os", why: "tables run in a browser"},
	{in: "web/table", pkg: "net/http", why: "tables know no transport"},
	{in: "engine", pkg: "github.com/parquet-go/parquet-go", why: "rules know no files", deep: true},
	{in: "mcts", pkg: "github.com/parquet-go/parquet-go", why: "search knows no files", deep: true},
	{in: "engine", pkg: "gorgonia.org/gorgonia", why: "playing needs no training graph", deep: true},
	{in: "mcts", pkg: "gorgonia.org/gorgonia", why: "playing needs no training graph", deep: true},
	{in: "model", pkg: "gorgonia.org/gorgonia", why: "inference needs no training graph", deep: true, except: []string{"model/graph"}},
	{in: "selfplay", pkg: "gorgonia.org/gorgonia", why: "playing needs no training graph", deep: true},
	{in: "match", pkg: "gorgonia.org/gorgonia", why: "playing needs no training graph", deep: true},
	{in: "player", pkg: "gorgonia.org/gorgonia", why: "playing needs no training graph", deep: true},
	{in: "train/plan", pkg: "gorgonia.org/gorgonia", why: "a configuration is read without training", deep: true},
	{in: "train/plan", pkg: module + "/model/kernel", why: "a configuration is read without computing", deep: true},
	{in: "train/rundir", pkg: "gorgonia.org/gorgonia", why: "the folder of a run is read without training", deep: true},
	{in: "train/rundir", pkg: module + "/model/kernel", why: "the folder of a run is read without computing", deep: true},
	{in: "report", pkg: "gorgonia.org/gorgonia", why: "a report reads the figures of a run and trains nothing", deep: true},
	{in: "web", pkg: "gorgonia.org/gorgonia", why: "pages show runs and play games and train nothing", deep: true},
	{in: "study", pkg: "gorgonia.org/gorgonia", why: "studies play matches; sweeps start runs as processes; only fits train here", deep: true, except: []string{"study/fits"}},
	{in: "cli/balance", pkg: "gorgonia.org/gorgonia", why: "the command trains nothing", deep: true},
	{in: "cli/engine", pkg: "gorgonia.org/gorgonia", why: "the command trains nothing", deep: true},
	{in: "cli/heuristics", pkg: "gorgonia.org/gorgonia", why: "the command trains nothing", deep: true},
	{in: "cli/lab", pkg: "gorgonia.org/gorgonia", why: "the command trains nothing", deep: true},
	{in: "cli/match", pkg: "gorgonia.org/gorgonia", why: "the command trains nothing", deep: true},
	{in: "cli/play", pkg: "gorgonia.org/gorgonia", why: "the command trains nothing", deep: true},
	{in: "cli/positions", pkg: "gorgonia.org/gorgonia", why: "the command trains nothing", deep: true},
	{in: "cli/rules", pkg: "gorgonia.org/gorgonia", why: "the command trains nothing", deep: true},
	{in: "cli/schools", pkg: "gorgonia.org/gorgonia", why: "the command trains nothing", deep: true},
	{in: "cli/shell", pkg: "gorgonia.org/gorgonia", why: "the command trains nothing", deep: true},
	{in: "engine", pkg: "github.com/nats-io/nats.go", why: "only the cluster's commands speak with other machines", deep: true},
	{in: "mcts", pkg: "github.com/nats-io/nats.go", why: "only the cluster's commands speak with other machines", deep: true},
	{in: "model", pkg: "github.com/nats-io/nats.go", why: "only the cluster's commands speak with other machines", deep: true},
	{in: "selfplay", pkg: "github.com/nats-io/nats.go", why: "only the cluster's commands speak with other machines", deep: true},
	{in: "train", pkg: "github.com/nats-io/nats.go", why: "only the cluster's commands speak with other machines", deep: true},
	{in: "stats", pkg: "github.com/nats-io/nats.go", why: "only the cluster's commands speak with other machines", deep: true},
	{in: "match", pkg: "github.com/nats-io/nats.go", why: "only the cluster's commands speak with other machines", deep: true},
	{in: "player", pkg: "github.com/nats-io/nats.go", why: "only the cluster's commands speak with other machines", deep: true},
	{in: "report", pkg: "github.com/nats-io/nats.go", why: "only the cluster's commands speak with other machines", deep: true},
	{in: "study", pkg: "github.com/nats-io/nats.go", why: "only the cluster's commands speak with other machines", deep: true},
	{in: "bench", pkg: "github.com/nats-io/nats.go", why: "only the cluster's commands speak with other machines", deep: true},
	{in: "export", pkg: "github.com/nats-io/nats.go", why: "only the cluster's commands speak with other machines", deep: true},
	{in: "web", pkg: "github.com/nats-io/nats.go", why: "only the cluster's commands speak with other machines", deep: true},
	{in: "configs", pkg: "github.com/nats-io/nats.go", why: "only the cluster's commands speak with other machines", deep: true},
	{in: "cmd/ludozero-wasm", pkg: "github.com/nats-io/nats.go", why: "only the cluster's commands speak with other machines", deep: true},
	{in: "cluster", pkg: "github.com/nats-io/nats.go", why: "leases know no network", deep: true, except: []string{"cluster/broker"}},
	{in: "configs", pkg: "gorgonia.org/gorgonia", why: "a configuration is read without training", deep: true},
	{in: "configs", pkg: module + "/model/kernel", why: "a configuration is read without computing", deep: true},
}

type listed struct {
	ImportPath, Name, Dir  string
	GoFiles, Imports, Deps []string
}

func packages(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Name,Dir,GoFiles,Imports,Deps", module+"/...")
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
	list, used := rules(t), map[string]bool{}
	for _, p := range packages(t) {
		isInternal := strings.HasPrefix(p.ImportPath, "internal/")
		at := slices.IndexFunc(list, func(r rule) bool { return fits(r.of, p.ImportPath) })
		if at < 0 && !isInternal {
			t.Errorf("%s is not in the import policy", p.ImportPath)
			continue
		}
		var knows []string
		if at >= 0 {
			knows = list[at].knows
			used[list[at].of] = true
		}
		for _, dep := range p.Imports {
			dep, own := strings.CutPrefix(dep, module+"/")
			if !own || strings.HasPrefix(dep, "internal/") || slices.ContainsFunc(knows, func(k string) bool { return fits(k, dep) }) {
				continue
			}
			t.Errorf("%s imports %s: the policy allows it %v", p.ImportPath, dep, knows)
		}
	}
	for _, r := range list {
		if !used[r.of] {
			t.Errorf("the policy names %s, which is no package", r.of)
		}
	}
}

func TestBannedImports(t *testing.T) {
	for _, p := range packages(t) {
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

// unguarded are the files that may open others by package os, with the reason.
// Everything else goes through internal/input, since a run, a pack or a folder of
// games can come from anywhere.
var unguarded = map[string]string{
	"internal/atomicfile/atomicfile.go": "a folder is opened to be synced",
	"bench/machine.go":                  "the system's own files in /proc and /sys",
	"train/run/process.go":              "the system's own file in /proc",
}

func TestGuardedReading(t *testing.T) {
	opens := regexp.MustCompile(`\bos\.(ReadFile|Open)\(`)
	used := map[string]bool{}
	for _, p := range packages(t) {
		if strings.HasPrefix(p.ImportPath, "scripts/") { // tools of developers, for their own files
			continue
		}
		for _, name := range p.GoFiles {
			text, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				t.Fatal(err)
			}
			file := p.ImportPath + "/" + name
			if call := opens.Find(text); call != nil {
				used[file] = true
				if unguarded[file] == "" {
					t.Errorf("%s: %s...): want input.Read or input.Open, which refuse pipes, devices and endless files", file, call)
				}
			}
		}
	}
	for file := range unguarded {
		if !used[file] {
			t.Errorf("the list of exceptions names %s, which opens no file so", file)
		}
	}
}
