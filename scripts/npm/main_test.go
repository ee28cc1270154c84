package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/engine/query"
	"github.com/ludozero/ludozero/internal/chromium"
	"github.com/ludozero/ludozero/player/analysis"
	"github.com/ludozero/ludozero/web/worker"
)

// TestPackage makes the package and tries it.
func TestPackage(t *testing.T) {
	for _, name := range []string{"go", "bash", "node"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("this machine: no %s, by which the package is made or tried", name)
		}
	}
	dir := t.TempDir()
	t.Chdir("../..")
	if err := run(dir); err != nil {
		t.Fatal(err)
	}
	t.Run("answers as the rules do", func(t *testing.T) { answersAsRules(t, dir) })
	t.Run("plays", func(t *testing.T) { plays(t, dir) })
	t.Run("with ONNX Runtime", func(t *testing.T) { withRuntime(t, dir) })
	t.Run("page", func(t *testing.T) { page(t, dir) })
}

// TestProgramThatEnds, as one that runs out of memory, leaves nobody waiting and throws nothing.
func TestProgramThatEnds(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("this machine: no node")
	}
	out, err := exec.CommandContext(t.Context(), "node", "testdata/ended.mjs", "../../web/site/files/engine.js").CombinedOutput()
	const ended = "the program has ended with code 2 and answers no more\n"
	if want := "answer\n" + ended + ended + ended; err != nil || string(out) != want {
		t.Errorf("%v\n%s, want\n%s", err, out, want)
	}
}

// TestWrapperRefuses what it would not read, with a program that answers with the question.
func TestWrapperRefuses(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("this machine: no node")
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../clients/javascript")); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"wasm_exec.js": "", "ludozero.wasm": "", "engine.js": "export const start = () => async (method, question) => question;\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.CommandContext(t.Context(), "node", "testdata/refused.mjs", dir).CombinedOutput()
	const want = `load: onnx: want { ort }
newGame: rules: want { preset, options, pos }
newGame: option: want { preset, options, pos }
newGame: blitz: want { preset, options, pos }
undo: 3: want 0 to 2, the number of moves
undo: -1: want 0 to 2, the number of moves
search: sims: want { seed }
{"preset":"blitz","options":["balance=pie"],"game":"konreh","moves":"a b","player":"random","seed":5,"line":3}
{"preset":"blitz","options":["balance=pie"],"game":"konreh","moves":""}
`
	if err != nil || string(out) != want {
		t.Errorf("%v\n%s, want\n%s", err, out, want)
	}
}

// line is a question for testdata/ask.mjs.
type line struct {
	Method   string `json:"method"`
	Question any    `json:"question"`
}

// ask has node ask the package.
func ask(t *testing.T, dir string, lines []line, runtime ...string) (answers [][]byte) {
	t.Helper()
	var in bytes.Buffer
	for _, l := range lines {
		if err := json.NewEncoder(&in).Encode(l); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.CommandContext(t.Context(), "node", append([]string{"scripts/npm/testdata/ask.mjs", dir}, runtime...)...)
	var said bytes.Buffer
	c.Stdin, c.Stderr = &in, &said
	out, err := c.Output()
	if err != nil || said.Len() > 0 {
		t.Fatalf("%v\n%s", err, said.String())
	}
	answers = bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	if len(answers) != len(lines) {
		t.Fatalf("%d answers to %d questions", len(answers), len(lines))
	}
	return answers
}

// answersAsRules compares encodings of random positions of each game with the rules here.
func answersAsRules(t *testing.T, dir string) {
	var lines []line
	var want []*query.Encoding
	for _, f := range games.All() {
		g, err := f.Parse("")
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(3, 4))
		s, h := g.NewState(), g.NewHistory()
		s.Start(h)
		var words []string
		for range 25 {
			lines = append(lines, line{"encode", query.Question{Game: f.Name, Moves: strings.Join(words, " ")}})
			want = append(want, new(query.Scratch).Encode(g, s, h))
			legal := engine.AppendPossible(nil, new([]engine.Weighted), s, h)
			if len(legal) == 0 {
				break
			}
			a := legal[rng.IntN(len(legal))]
			words = append(words, string(s.AppendAction(nil, a)))
			s.Apply(a, h)
		}
	}
	for i, text := range ask(t, dir, lines) {
		var got query.Encoding
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(&got, want[i]) {
			t.Errorf("%+v: %s, want %+v", lines[i].Question, text, want[i])
		}
	}
}

// plays whole games of every game, and asks what is refused.
func plays(t *testing.T, dir string) {
	type game struct {
		Game   string `json:"game"`
		Preset string `json:"preset"`
		Player string `json:"player"`
	}
	lines := []line{{"games", nil}, {"position", query.Question{Game: "nonsense"}}, {"describe", query.Question{Game: "konreh", Preset: "micro"}}}
	for _, g := range []game{{"connect4", "", "net:connect4,sims=8"}, {"konreh", "micro", "net:konreh,sims=2"}, {"tictactoe", "", "minimax:depth=9"}, {"konreh", "lightning", "nnue:konreh,depth=1"}, {"knaw", "", "random"}} {
		lines = append(lines, line{"play", g})
	}
	answers := ask(t, dir, lines)
	var list []worker.Playable
	if err := json.Unmarshal(answers[0], &list); err != nil || len(list) != len(games.All()) || !slices.Equal(list[0].Networks, []string{"konreh"}) {
		t.Errorf("games: %v, %+v", err, list)
	}
	for i, want := range map[int]string{1: `no game \"nonsense\"`, 2: `"rules":"micro"`} {
		if !strings.Contains(string(answers[i]), want) {
			t.Errorf("%+v: %s, want %s", lines[i], answers[i], want)
		}
	}
	for i, text := range answers[3:] {
		var end struct {
			Result       *query.Result
			Moves, After []string
			Refused      string
			Encoded      bool
			AtOnce       []string `json:"at_once"`
			Together     []string
		}
		if err := json.Unmarshal(text, &end); err != nil || end.Result == nil {
			t.Fatalf("%+v: %v: %s", lines[3+i], err, text)
		}
		if end.Result.Reason == "" || len(end.After) != len(end.Moves)-2 || !strings.Contains(end.Refused, "nonsense") || !end.Encoded || !slices.Equal(end.AtOnce, end.Moves) || !slices.Equal(end.Together, end.Moves) {
			t.Errorf("%+v: %s", lines[3+i], text)
		}
		if lines[3+i].Question.(game).Game == "tictactoe" && end.Result.Winner != "draw" {
			t.Errorf("perfect play: %s", text)
		}
	}
}

// withRuntime searches by ONNX Runtime and without. If it could not be used the package warns,
// which ask refuses.
func withRuntime(t *testing.T, dir string) {
	const folder = ".cache/onnxruntime"
	if _, err := os.Stat(folder + "/node_modules/onnxruntime-web"); err != nil {
		t.Skip("ONNX Runtime: this machine: it is not installed; scripts/onnxruntime/install.sh web does so, if there are node and npm")
	}
	var lines []line
	for _, moves := range []string{"", "a4c4", "b3d3 h5f5", "c2e2 g6g4 h6f6", "a4a6", "d1d3"} {
		for _, name := range []string{"net:konreh,sims=24", "net:konreh,sims=1,precision=int8"} {
			lines = append(lines, line{"search", worker.Question{Question: query.Question{Game: "konreh", Moves: moves}, Request: analysis.Request{Player: name}, Seed: 1}})
		}
	}
	with, without := ask(t, dir, lines, folder+"/node_modules/onnxruntime-web/dist/ort.wasm.bundle.min.mjs"), ask(t, dir, lines)
	for i := range lines {
		var a, b analysis.Answer
		if err := errors.Join(json.Unmarshal(with[i], &a), json.Unmarshal(without[i], &b)); err != nil {
			t.Fatal(err)
		}
		rounded := i%2 == 1 // each in a way of its own
		if a.Choice == nil || b.Choice == nil || !rounded && (*a.Choice != *b.Choice || math.Abs(*a.Value-*b.Value) > 1e-4) || rounded && (math.Abs(*a.Value-*b.Value) > 0.1 || *a.Value == *b.Value) {
			t.Errorf("%+v: %s with ONNX Runtime, %s without", lines[i].Question, with[i], without[i])
		}
	}
}

// page plays whole games of three games on the example's page, and clicks a move.
func page(t *testing.T, dir string) {
	p := chromium.Open(t, 800, 600)
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(server.Close)
	p.Go(server.URL + "/example.html")
	p.Wait("document.querySelectorAll('#words button').length > 0")
	p.Wait("(() => { const g = document.querySelector('#game'); g.value = 'connect4'; g.onchange(); return true })()") // of the next game
	p.Click("#words button")
	p.Wait("document.querySelector('#moves').textContent.split(' ').length >= 2 && document.querySelectorAll('#words button').length > 0")
	p.Click("#watch")
	for _, of := range [][2]string{{"connect4", "standard"}, {"tictactoe", "standard"}, {"konreh", "micro"}} {
		p.Wait("(() => { const g = document.querySelector('#game'), r = document.querySelector('#preset'); g.value = '" + of[0] + "'; g.onchange(); r.value = '" + of[1] + "'; return r.value === '" + of[1] + "' })()")
		p.Click("#start")
		p.Wait("/: [a-z-]+$/.test(document.querySelector('#status').textContent)")
		if text := p.Text("#status"); !regexp.MustCompile(`^(\S+ wins|draw): [a-z-]+$`).MatchString(text) {
			t.Errorf("%s ends with %q", of[0], text)
		}
	}
}

// TestTypesAreThoseOfTheAnswers compares the fields of index.d.ts with what is written.
func TestTypesAreThoseOfTheAnswers(t *testing.T) {
	text, err := os.ReadFile("../../clients/javascript/index.d.ts")
	if err != nil {
		t.Fatal(err)
	}
	for name, of := range map[string]any{
		"Question": query.Question{}, "Limits": analysis.Limits{}, "Request": analysis.Request{}, "SearchQuestion": worker.Question{}, "Position": query.Position{}, "Encoding": query.Encoding{}, "Result": query.Result{},
		"Analysis": analysis.Answer{}, "Playable": worker.Playable{}, "Preset": engine.Preset{}, "Option": engine.Option{}, "Data": engine.Data{},
	} {
		m := regexp.MustCompile(`(?s)export interface ` + name + `(?: extends [\w, ]+)? \{\n(.*?)\n\}`).FindSubmatch(text)
		if m == nil {
			t.Errorf("no interface %s", name)
			continue
		}
		var got []string
		for _, f := range regexp.MustCompile(`(?m)^  (\w+)(\??):`).FindAllSubmatch(m[1], -1) {
			got = append(got, string(f[1])+string(f[2]))
		}
		var want []string
		kind := reflect.TypeOf(of)
		for i := range kind.NumField() {
			f := kind.Field(i)
			if f.Anonymous || f.Tag.Get("json") == "-" {
				continue
			}
			key, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
			if rest == "omitempty" {
				key += "?"
			}
			want = append(want, key)
		}
		if !slices.Equal(got, want) {
			t.Errorf("interface %s has %q, want %q", name, got, want)
		}
	}
}

// TestManifestListsTheFiles: what the folder has the package has too.
func TestManifestListsTheFiles(t *testing.T) {
	text, err := os.ReadFile("../../clients/javascript/package.json")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct{ Files []string }
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"index.js", "index.d.ts", "engine.js", "wasm_exec.js", "ludozero.wasm", "site.json", "example.html", networksFolder, "LICENSE", "NOTICE", "licences.txt"} {
		if !slices.ContainsFunc(manifest.Files, func(p string) bool { ok, _ := filepath.Match(p, name); return ok }) {
			t.Errorf("%s is in no pattern of %q", name, manifest.Files)
		}
	}
}
