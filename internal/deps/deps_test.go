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
// right below it. The longest name that fits a package is its rule. Packages under
// internal may be imported everywhere and import only each other; tests are free.
// It is the architecture: a change here is a change of design. No arrow leads to a
// later line.
const policy = `
stats/interval      :
stats/...           : stats/...

engine              :
engine/guide        : engine
engine/kit          : engine
engine/*            : engine engine/guide engine/kit engine/manual
engine/connect4/*   : engine engine/connect4
engine/konreh/*     : engine engine/konreh
engine/games        : engine engine/*
engine/enginetest   : engine
engine/enginetest/* : engine engine/enginetest engine/kit
engine/newgame      :
engine/newgame/*    : engine engine/guide engine/kit

mcts                : engine
mcts/signature      : engine engine/enginetest/racegame mcts

model/kernel        :
model/precision     :
model/safetensors   :
model               : model/safetensors
model/infer         : model model/kernel model/precision
model/graph         : model model/kernel
model/nnue          : model/kernel model/safetensors
model/onnx          : model
model/zoo           : model

selfplay/record     : engine stats/interval
selfplay/record/recordtest : engine selfplay/record
selfplay/census     : engine selfplay/record
selfplay            : engine mcts model/precision selfplay/record

match/opening       : engine
match               : engine match/opening stats/...
match/archive       : engine match

train/plan          : engine model model/precision selfplay selfplay/record
train/replay        : engine selfplay/record train/plan
train/rundir        : engine model selfplay/record train/plan
train/calibration   : engine mcts model model/infer model/precision selfplay/record train/plan train/replay train/rundir
train/play          : engine mcts model model/infer model/kernel model/precision selfplay selfplay/record train/plan train/rundir
train               : engine model model/graph model/kernel train/plan train/replay
train/fit           : engine mcts model model/infer selfplay/record train train/plan train/replay train/rundir
train/run           : engine mcts model model/infer model/kernel model/precision selfplay selfplay/record train train/calibration train/plan train/play train/replay train/rundir

cluster             : engine match match/archive model/kernel selfplay selfplay/record train/plan train/play train/rundir
cluster/broker      : cluster

player/alphabeta    : engine engine/kit
player/alphabeta/positions : engine player/alphabeta selfplay/record
player/alphabeta/fit : engine player/alphabeta player/alphabeta/positions selfplay/record
player              : engine match match/opening mcts model/precision player/alphabeta
player/school       : engine engine/konreh engine/konreh/measure match player player/alphabeta
player/solver       : engine engine/connect4 engine/connect4/solve match player
player/kinds        : engine/connect4 engine/konreh player player/school player/solver
player/nnue         : engine match model/nnue player player/alphabeta
player/nnue/fit     : engine model/kernel model/nnue model/safetensors player/alphabeta player/alphabeta/positions player/nnue selfplay/record
player/ugi          : engine match player
player/analysis     : engine match player
player/foreign      : engine match player player/ugi
player/table        : engine match
player/open         : engine match mcts model model/infer model/kernel model/precision model/zoo player player/foreign player/nnue selfplay train/plan train/rundir

bench               : engine match mcts model model/infer model/kernel model/precision player player/alphabeta player/nnue/fit selfplay selfplay/record train train/plan train/replay

report/figure       :
report/board        : engine
report/rulebook     : engine engine/guide report/board
report/sheet        : stats/... report/figure
report/ratings      : engine match match/archive stats/... train/plan train/rundir
report/health       : train/plan train/rundir
report/tensorboard  : train/rundir
report/sample       : engine report/board selfplay/record
report              : match stats/... model selfplay/census train/plan train/rundir report/...
configs             : engine train/plan train/rundir report/ratings
report/trained      : configs engine match model selfplay/census selfplay/record train/plan train/rundir report report/...

study               : engine match match/archive model/kernel player player/open report/sheet
study/yardstick     : engine match stats/...
study/yardstick/sets: study/yardstick
study/yardstick/sets/* : engine engine/... player/alphabeta
study/*             : engine engine/konreh engine/konreh/measure match match/archive match/opening model/kernel model/precision player player/open player/school stats/... report/figure report/sheet study
study/switches      : engine match match/archive player player/open report/sheet stats/... study
study/sweep         : configs engine match match/archive model/kernel model/precision player player/open report/sheet stats/... study study/yardstick train/rundir
study/fits          : configs engine match/archive model/kernel player/open study/sweep train/fit train/plan train/rundir
study/lab           : engine match match/archive player player/open report/figure report/sheet stats/... study study/luck
study/restricted    : engine match match/archive player player/open report/sheet stats/... study study/lab
study/even          : engine match match/archive player player/open report/figure report/sheet stats/... study study/balance study/lab

export              : engine engine/manual engine/query model model/infer model/onnx model/precision
web/client          :
web/table           : engine engine/guide match player player/table report/board report/rulebook
web/worker          : engine engine/guide engine/manual engine/query match player player/analysis player/nnue mcts model model/infer model/precision web/table
web/serve           : engine engine/guide match model/zoo player player/nnue player/open web/client web/table
web/site            : player model model/onnx web/client web/worker
web/watch           : engine selfplay/record train/plan train/rundir report/... web/client

cli/...             : ...
cmd/ludozero        : cli

scripts/guides      : engine/games report/rulebook
scripts/npm         : engine/games export model model/precision model/zoo player player/nnue web/worker
scripts/ratings     : match player model/zoo
scripts/ship        : model model/zoo train/rundir
scripts/soak        :
scripts/versus      : engine engine/konreh model model/graph model/infer model/kernel model/onnx model/precision train train/plan train/replay
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

// ruleOf is the index of the rule of a package, of those that fit the one that says most;
// -1 if there is none.
func ruleOf(list []rule, pkg string) int {
	best := -1
	for i, r := range list {
		if fits(r.of, pkg) && (best < 0 || len(r.of) > len(list[best].of)) {
			best = i
		}
	}
	return best
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

// heavy are packages that only those in by may link, themselves or through others, with
// the reason. Commands that only read or play are not among them.
var heavy = []struct {
	pkg, why string
	by       []string
}{
	{
		pkg: "gorgonia.org/gorgonia", why: "only what trains needs the training graph: not what reads, plays or measures, nor workers",
		by: []string{
			"model/graph", "train", "train/fit", "train/run", "bench", "study/fits",
			"cli", "cli/bench", "cli/train", "cmd/ludozero",
			"cli/pack",  // checks that the optimizer can go on
			"cli/sweep", // fit trains in this process
			"scripts/versus",
		},
	},
	{
		pkg: "github.com/nats-io/nats.go", why: "only the cluster's commands speak with other machines; leases know no network",
		by: []string{"cluster/broker", "cli", "cli/serve", "cli/train", "cli/work", "cmd/ludozero"},
	},
}

// banned keeps impure packages out, with the reason. Direct imports
// only, unless deep is set.
var banned = []struct {
	in, pkg, why string
	deep         bool
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
	{in: "train/plan", pkg: module + "/model/kernel", why: "a configuration is read without computing", deep: true},
	{in: "train/replay", pkg: module + "/model/kernel", why: "which positions are drawn follows from the shards alone", deep: true},
	{in: "train/rundir", pkg: module + "/model/kernel", why: "the folder of a run is read without computing", deep: true},
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
	list, used := rules(t), map[string]bool{} // the rules, and "of knows" of those that something needs
	for _, p := range packages(t) {
		isInternal := strings.HasPrefix(p.ImportPath, "internal/")
		at := ruleOf(list, p.ImportPath)
		if at < 0 && !isInternal {
			t.Errorf("%s is not in the import policy", p.ImportPath)
			continue
		}
		var r rule
		if at >= 0 {
			r = list[at]
			used[r.of] = true
		}
		for _, dep := range p.Imports {
			dep, own := strings.CutPrefix(dep, module+"/")
			if !own || strings.HasPrefix(dep, "internal/") {
				continue
			}
			if to := ruleOf(list, dep); to > at {
				t.Errorf("%s imports %s: its rule comes later, want an arrow to an earlier line or the same", p.ImportPath, dep)
			}
			allowed := false
			for _, k := range r.knows {
				if fits(k, dep) {
					allowed, used[r.of+" "+k] = true, true
				}
			}
			if !allowed {
				t.Errorf("%s imports %s: the policy allows it %v", p.ImportPath, dep, r.knows)
			}
		}
	}
	for _, r := range list {
		if !used[r.of] {
			t.Errorf("the policy names %s, which is no package", r.of)
			continue
		}
		for _, k := range r.knows {
			if !used[r.of+" "+k] {
				t.Errorf("the policy allows %s to import %s, and it does not", r.of, k)
			}
		}
	}
}

func TestHeavyPackages(t *testing.T) {
	all := packages(t)
	for _, h := range heavy {
		links := func(p listed) bool { return slices.Contains(p.Deps, h.pkg) }
		for _, p := range all {
			if links(p) && !slices.Contains(h.by, p.ImportPath) {
				t.Errorf("%s links %s: %s", p.ImportPath, h.pkg, h.why)
			}
		}
		for _, name := range h.by {
			if !slices.ContainsFunc(all, func(p listed) bool { return p.ImportPath == name && links(p) }) {
				t.Errorf("%s may link %s, and does not", name, h.pkg)
			}
		}
	}
}

func TestBannedImports(t *testing.T) {
	for _, p := range packages(t) {
		for _, b := range banned {
			if p.ImportPath != b.in && !strings.HasPrefix(p.ImportPath, b.in+"/") {
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
