package cli

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
)

// TestSite makes one with the shipped networks and tries it.
func TestSite(t *testing.T) {
	for _, name := range []string{"go", "node", "npm"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("this machine: no %s, by which sites are made", name)
		}
	}
	dir := filepath.Join(t.TempDir(), "deep", "site")
	if out := mustCall(t, "export", "--web", dir); !strings.Contains(out, dir) {
		t.Errorf("it says %q", out)
	}
	t.Run("thinks as analyze does", func(t *testing.T) { siteThinks(t, dir) })
	t.Run("without ONNX Runtime", func(t *testing.T) { siteWithoutRuntime(t, dir) })
	t.Run("in a browser", func(t *testing.T) { siteInBrowser(t, dir) })
	t.Run("of a run", func(t *testing.T) { siteOfRun(t, dir) })
}

// siteQuestion is a line for analyze and, with a game and a player, for a site.
type siteQuestion struct {
	Game    string   `json:"game,omitempty"`
	Preset  string   `json:"preset,omitempty"`
	Options []string `json:"options,omitempty"`
	Pos     string   `json:"pos,omitempty"`
	Moves   string   `json:"moves,omitempty"`
	Player  string   `json:"player,omitempty"`
	Seed    uint64   `json:"seed,omitempty"`
	Line    uint64   `json:"line,omitempty"`
}

// konrehQuestions are positions of all presets in which somebody is to decide: all
// in the middle of a turn, and n in all.
func konrehQuestions(t *testing.T, n int) []siteQuestion {
	t.Helper()
	f, err := os.Open("../engine/konreh/testdata/konreh-positions.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var rare, others []siteQuestion
	presets := map[string]bool{}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var p struct {
			Preset  string
			Options []string
			Pos     string
		}
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		q := siteQuestion{Preset: p.Preset, Options: p.Options, Pos: p.Pos}
		phase := strings.Fields(q.Pos)[2]
		switch {
		case strings.HasPrefix(phase, "over"):
		case phase == "m":
			others = append(others, q)
		default:
			rare = append(rare, q)
		}
		presets[q.Preset] = true
	}
	if err := lines.Err(); err != nil || len(rare) < 50 || len(presets) < 7 {
		t.Fatalf("%v: %d positions in the middle of a turn, %d presets", err, len(rare), len(presets))
	}
	for i := range others { // spread over the file, which goes by presets
		if len(rare) < n && i%2 == 0 {
			rare = append(rare, others[i])
		}
	}
	return rare
}

// connect4Questions are positions after random moves.
func connect4Questions(t *testing.T, n int) []siteQuestion {
	t.Helper()
	g, err := connect4.Family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var list []siteQuestion
	for len(list) < n {
		s, h := g.NewState(), g.NewHistory()
		s.Start(h)
		var words []string
		for range rng.IntN(24) {
			if legal := s.Legal(nil, h); len(legal) > 0 {
				a := legal[rng.IntN(len(legal))]
				words = append(words, string(s.AppendAction(nil, a)))
				s.Apply(a, h)
			}
		}
		if s.Actor() != engine.Nobody {
			list = append(list, siteQuestion{Moves: strings.Join(words, " ")})
		}
	}
	return list
}

// lineByLine writes one JSON value a line.
func lineByLine[T any](t *testing.T, list []T) string {
	t.Helper()
	var b strings.Builder
	for _, x := range list {
		text, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(text)
		b.WriteByte('\n')
	}
	return b.String()
}

// siteThinks as analyze does: in 500 positions the choices are the same in 99 of
// 100, and where they are not the two best moves have almost as many visits. The
// networks are computed by ONNX Runtime in WebAssembly there and by our kernels here.
func siteThinks(t *testing.T, dir string) {
	sims := 64
	if testing.Short() {
		sims = 12
	}
	type answer struct {
		Choice any            `json:"choice"`
		Visits map[string]int `json:"visits"`
		Error  string         `json:"error"`
	}
	positions, same, sameVisits := 0, 0, 0
	for game, questions := range map[string][]siteQuestion{"konreh": konrehQuestions(t, 430), "connect4": connect4Questions(t, 70)} {
		player := fmt.Sprintf("net:%s,sims=%d", game, sims)
		here, _, err := call(t, lineByLine(t, questions), "analyze", "--game", game, "--player", player, "--jsonl")
		if err != nil {
			t.Fatal(err)
		}
		asked := slices.Clone(questions)
		for i := range asked {
			asked[i].Game, asked[i].Player, asked[i].Seed, asked[i].Line = game, player, 1, uint64(i+1)
		}
		node := exec.CommandContext(t.Context(), "node", "../scripts/site/ask.mjs", dir)
		node.Stdin = strings.NewReader(lineByLine(t, asked))
		var said bytes.Buffer
		node.Stderr = &said
		there, err := node.Output()
		if err != nil || said.Len() > 0 {
			t.Fatalf("%v\n%s", err, said.String())
		}
		mine, its := strings.Split(strings.TrimSpace(here), "\n"), strings.Split(strings.TrimSpace(string(there)), "\n")
		if len(mine) != len(questions) || len(its) != len(questions) {
			t.Fatalf("%s: %d and %d answers to %d questions", game, len(mine), len(its), len(questions))
		}
		for i := range questions {
			var a, b answer
			if err := json.Unmarshal([]byte(mine[i]), &a); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(its[i]), &b); err != nil || b.Error != "" {
				t.Fatalf("%+v: %v, %s", asked[i], err, its[i])
			}
			positions++
			if fmt.Sprint(a.Visits) == fmt.Sprint(b.Visits) {
				sameVisits++
			}
			if fmt.Sprint(a.Choice) == fmt.Sprint(b.Choice) {
				same++
			} else if n := mostVisits(a.Visits); n[0]-n[1] > 2 {
				t.Errorf("%+v: the site plays %v by %v, want %v by %v", asked[i], b.Choice, b.Visits, a.Choice, a.Visits)
			}
		}
	}
	t.Logf("%d positions at %d simulations: %d choices and the visits of %d are the same", positions, sims, same, sameVisits)
	if positions != 500 || same*100 < positions*99 {
		t.Errorf("%d of %d choices are the same, want 99 %% of 500", same, positions)
	}
}

// mostVisits are the two largest counts.
func mostVisits(visits map[string]int) [2]int {
	var top [2]int
	for _, n := range visits {
		if n > top[0] {
			top[1], top[0] = top[0], n
		} else if n > top[1] {
			top[1] = n
		}
	}
	return top
}

// siteWithoutRuntime plays on where ONNX Runtime does not run, and says so. Where it
// could not be loaded it is tried again for the next player.
func siteWithoutRuntime(t *testing.T, dir string) {
	twice := lineByLine(t, []siteQuestion{{Game: "konreh", Player: "net:konreh,sims=4"}, {Game: "konreh", Player: "net:konreh,sims=5"}})
	for mode, warnings := range map[string]int{"plain": 2, "late": 1} {
		node := exec.CommandContext(t.Context(), "node", "../scripts/site/ask.mjs", dir, mode)
		node.Stdin = strings.NewReader(twice)
		var said bytes.Buffer
		node.Stderr = &said
		out, err := node.Output()
		if err != nil || strings.Count(string(out), `"choice":"`) != 2 || strings.Count(said.String(), "without ONNX Runtime") != warnings {
			t.Errorf("%s: %v: %s\n%s", mode, err, out, said.String())
		}
	}
}

// TestExportWebRefuses what it cannot do, with the reason.
func TestExportWebRefuses(t *testing.T) {
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "index.html"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--web", full}, "there are files in it"},
		{[]string{"--web", ""}, "folder"},
		{[]string{"--web", filepath.Join(full, "x"), "--out", "y"}, "--out"},
		{[]string{"--web", filepath.Join(full, "x"), "--vectors", "3"}, "--vectors"},
		{[]string{"--web", filepath.Join(full, "x"), "--model", "nix"}, "nix"},
	} {
		if _, _, err := call(t, "", append([]string{"export"}, c.args...)...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want an error about %q", c.args, err, c.want)
		}
	}
	t.Chdir(t.TempDir())
	if _, _, err := call(t, "", "export", "--web", "site"); err == nil || !strings.Contains(err.Error(), "make complete") {
		t.Errorf("away from the source tree: %v", err)
	}
}
