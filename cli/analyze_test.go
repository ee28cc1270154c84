package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/cli/shell"
)

// answer is what analyze writes of a line.
type answer struct {
	ID     int
	Error  string
	Actor  string
	Value  *float64
	Solved bool
	Policy map[string]float64
	Visits map[string]int
	Values map[string]float64
	Choice json.RawMessage
	PV     []string
}

func answers(t testing.TB, out string) []answer {
	t.Helper()
	var list []answer
	for line := range strings.Lines(out) {
		var a answer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatal(err)
		}
		list = append(list, a)
	}
	return list
}

// TestAnalyzeReferencePositions asks about positions of all presets and phases
// and compares the moves that have a share with those that are legal.
func TestAnalyzeReferencePositions(t *testing.T) {
	lines, whole := reference(t, "konreh-positions.jsonl.gz", "preset", "options", "pos")
	n, over := 0, 0
	var input []string
	var want []fields
	for i := 0; i < len(lines); i += 8 {
		input, want = append(input, lines[i]), append(want, whole[i])
	}
	out, _, err := call(t, strings.Join(input, "\n"), "analyze", "--jsonl", "--player", "mcts:sims=8,cap=20", "--workers", "3")
	for i, a := range answers(t, out) {
		var legal []string
		if err := json.Unmarshal(want[i]["moves"], &legal); err != nil {
			t.Fatal(err)
		}
		if len(legal) == 0 {
			if over++; !strings.Contains(a.Error, "the game is over: ") || a.Choice != nil {
				t.Errorf("%s: error %q, choice %s", input[i], a.Error, a.Choice)
			}
			continue
		}
		n++
		if got := slices.Sorted(maps.Keys(a.Policy)); !slices.Equal(got, legal) {
			t.Errorf("%s: policy over %v, want %v", input[i], got, legal)
		}
		if a.Actor != "first" && a.Actor != "second" || a.Value == nil || string(a.Choice) != fmt.Sprintf("%q", a.PV[0]) || a.Error != "" {
			t.Errorf("%s: %+v", input[i], a)
		}
	}
	if n < 100 || (over > 0) != (shell.ExitCode(err) == 1) {
		t.Errorf("%d positions answered, %d over, %v", n, over, err)
	}
}

// TestAnalyzeColumns has Connect Four's moves as digits, with spaces and
// without, and a choice that is a number: a move that wins, and the only one
// that parries.
func TestAnalyzeColumns(t *testing.T) {
	in := `{"id":1,"moves":"112233"}` + "\n" + `{"id":2,"moves":"1 12 233 7"}` + "\n" + `{"id":3}`
	out, _, err := call(t, in, "analyze", "--game", "connect4", "--jsonl", "--player", "minimax:depth=2")
	if err != nil {
		t.Fatal(err, out)
	}
	list := answers(t, out)
	for i, want := range []string{"first 4 [4] 1", "second 4 [4] 0"} {
		a := list[i]
		if got := fmt.Sprintf("%s %s %v %.0f", a.Actor, a.Choice, a.PV, *a.Value); got != want || a.Policy["4"] != 1 {
			t.Errorf("line %d: %s, policy %v, want %s", i+1, got, a.Policy, want)
		}
	}
	if len(list[2].Policy) != 7 {
		t.Errorf("the start: %+v", list[2])
	}
}

// TestAnalysesDependOnSeedAndNumberAlone: not on workers, nor on other lines.
func TestAnalysesDependOnSeedAndNumberAlone(t *testing.T) {
	var in, sparse strings.Builder
	for i := range 60 {
		line := fmt.Sprintf(`{"id":%d,"moves":%q}`, i, "4433554"[:i%8]) + "\n\n"
		in.WriteString(line)
		if i%7 == 3 {
			sparse.WriteString(line)
		} else {
			sparse.WriteString("bad\n")
		}
	}
	ask := func(in, seed, workers string) []string {
		out, _, _ := call(t, in, "analyze", "--game", "connect4", "--jsonl", "--player", "mcts:sims=50", "--seed", seed, "--workers", workers)
		return slices.Collect(strings.Lines(out))
	}
	one := ask(in.String(), "1", "1")
	if len(one) != 60 {
		t.Fatalf("%d lines of output, want 60", len(one))
	}
	if many := ask(in.String(), "1", "4"); !slices.Equal(many, one) {
		t.Error("four workers write something else than one")
	}
	if other := ask(in.String(), "2", "1"); slices.Equal(other, one) {
		t.Error("the seed changes nothing")
	}
	if a, b := answers(t, one[0])[0], answers(t, one[8])[0]; maps.Equal(a.Visits, b.Visits) {
		t.Error("two lines with one position have the same random games")
	}
	for i, line := range ask(sparse.String(), "1", "3") {
		if i%7 == 3 && line != one[i] {
			t.Errorf("line %d among bad ones is answered with\n%swant\n%s", i+1, line, one[i])
		}
	}
}

func TestAnalyzeWithANetwork(t *testing.T) {
	net := "net:" + weightFile(t, "tictactoe")
	in := strings.Repeat(`{"moves":"b2 a1"}`+"\n", 5)
	for _, options := range []string{",sims=1", ",sims=32", ",sims=32,search=gumbel", ",time=50ms"} {
		out, _, err := call(t, in, "analyze", "--game", "tictactoe", "--jsonl", "--player", net+options)
		if err != nil {
			t.Fatal(err, out)
		}
		for _, a := range answers(t, out) {
			visits := 0
			for _, n := range a.Visits {
				visits += n
			}
			if len(a.Policy) != 7 || a.Value == nil || len(a.PV) == 0 || (visits == 0) != (options == ",sims=1") {
				t.Errorf("%s: %+v", options, a)
			}
		}
	}
	mustFail(t, 1, []string{"analyze", "--game", "connect4", "--player", net + ",sims=1", "--jsonl"}, "tictactoe")
}

// TestRulesOfAnalyzedLines: --rules apply to lines that name none.
func TestRulesOfAnalyzedLines(t *testing.T) {
	in := "{}\n" + `{"preset":"standard"}` + "\n" + `{"options":["balance=single"]}` + "\n" + `{"preset":"nonsense"}`
	out, _, err := call(t, in, "analyze", "--jsonl", "--player", "random", "--rules", "micro,balance=pie")
	list := answers(t, out)
	if shell.ExitCode(err) != 1 || len(list) != 4 {
		t.Fatal(err, out)
	}
	for i, want := range []int{6, 8, 8, 0} {
		if a := list[i]; len(a.Policy) != want || a.Value != nil || (a.Error != "") != (want == 0) {
			t.Errorf("line %d: %+v, want %d moves", i+1, a, want)
		}
	}
}

func TestAnalyzeForPeople(t *testing.T) {
	out := mustCall(t, "analyze", "--game", "tictactoe", "--player", "exact", "--moves", "a1 b1 a2 b2", "--color", "never")
	if !strings.Contains(out, "x to act (first player), asked: exact\nplays    a3\nvalue    +1.000 for x, solved") ||
		!strings.Contains(out, "\n  move   policy  visits   value\n") || !strings.Contains(out, " a3  100.0 %       -  +1.000\n") {
		t.Errorf("analyze says\n%swant a win by a3", out)
	}
	object := decode[map[string]any](t, mustCall(t, "analyze", "--game", "tictactoe", "--player", "exact", "--moves", "a1 b1 a2 b2", "--json"))
	if object["choice"] != "a3" || object["solved"] != true || object["value"] != 1.0 {
		t.Errorf("analyze --json: %v", object)
	}
	mustFail(t, 1, []string{"analyze", "--game", "tictactoe", "--player", "exact", "--moves", "a1 b1 a2 b2 a3"}, "the game is over")
	mustFail(t, 2, []string{"analyze", "--game", "tictactoe", "--player", "exact", "--moves", "a1 a1"}, "taken")
	mustFail(t, 2, []string{"analyze", "--player", ""}, "player")
	mustFail(t, 2, []string{"analyze", "--player", "random", "--jsonl", "--workers", "-1"}, "--workers -1")
	mustFail(t, 2, []string{"analyze", "--player", "random", "--workers", "2"}, "belongs to --jsonl")
	mustFail(t, 2, []string{"analyze", "--player", "random", "--jsonl", "--luck"}, "--jsonl and --luck: want one of them")
	mustFail(t, 2, []string{"analyze", "--player", "random", "--color", "never", "--json"}, "--color and --json: want one of them")
}

// TestPlayersOfManyRulesets are sent away and come back, and answer alike.
func TestPlayersOfManyRulesets(t *testing.T) {
	var in strings.Builder
	for i := range 48 {
		fmt.Fprintf(&in, `{"options":["max_turns=%d"]}`+"\n", 500+i%(16+3))
	}
	args := []string{"analyze", "--jsonl", "--player", "mcts:sims=20,cap=10"}
	one, _, err := call(t, in.String(), append(args, "--workers", "1")...)
	if err != nil {
		t.Fatal(err)
	}
	if two, _, err := call(t, in.String(), append(args, "--workers", "2")...); err != nil || two != one {
		t.Errorf("two workers write something else than one: %v", err)
	}
}

// TestLinesStartNoProgram: what a line says is not the user's word.
func TestLinesStartNoProgram(t *testing.T) {
	for _, flags := range [][]string{nil, {"--unordered"}} {
		out, errOut, err := call(t, `{"id":1,"player":"ugi:touch started,nodes=1"}`, append([]string{"analyze", "--game", "connect4", "--jsonl"}, flags...)...)
		if !strings.Contains(out, "a line starts no program") || shell.ExitCode(err) != 1 || strings.Contains(errOut, "touch") {
			t.Errorf("%q: %s%s%v", flags, out, errOut, err)
		}
	}
}
