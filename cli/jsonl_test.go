package cli

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/cli/shell"
)

type fields = map[string]json.RawMessage

// reference reads one of Kon'reh's files of checked positions or games, which
// its package explains, and returns lines that hold only the named fields,
// with the whole objects.
func reference(t *testing.T, name string, keep ...string) (lines []string, whole []fields) {
	t.Helper()
	f, err := os.Open("../engine/konreh/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	in := bufio.NewScanner(z)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var o fields
		if err := json.Unmarshal(in.Bytes(), &o); err != nil {
			t.Fatal(err)
		}
		asked := fields{}
		for _, k := range keep {
			if v, ok := o[k]; ok {
				asked[k] = v
			}
		}
		b, err := json.Marshal(asked)
		if err != nil {
			t.Fatal(err)
		}
		lines, whole = append(lines, string(b)), append(whole, o)
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	return lines, whole
}

// objects reads the lines of an output.
func objects(t testing.TB, out string) []fields {
	t.Helper()
	var list []fields
	for line := range strings.Lines(out) {
		list = append(list, decode[fields](t, line))
	}
	return list
}

// compact writes a value without spaces and escapes that JSON does not need.
func compact(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func compare(t *testing.T, out string, want []fields, keys ...string) {
	t.Helper()
	got := objects(t, out)
	if len(got) != len(want) {
		t.Fatalf("%d lines of output, want %d", len(got), len(want))
	}
	for i := range want {
		for _, k := range keys {
			if w, ok := want[i][k]; ok && string(got[i][k]) != compact(t, w) {
				t.Fatalf("line %d: %s is %s, want %s", i+1, k, got[i][k], w)
			}
		}
	}
}

func TestMovesOfReferencePositions(t *testing.T) {
	lines, whole := reference(t, "konreh-positions.jsonl.gz", "preset", "options", "pos")
	if len(lines) < 800 {
		t.Fatalf("only %d positions", len(lines))
	}
	out, _, err := call(t, strings.Join(lines, "\n"), "moves", "--game", "konreh", "--jsonl", "--after")
	if err != nil {
		t.Fatal(err)
	}
	compare(t, out, whole, "preset", "options", "pos", "moves", "after")
	// What the command wrote may be fed to it again.
	again, _, err := call(t, out, "moves", "--game", "konreh", "--jsonl", "--after")
	if err != nil || again != out {
		t.Errorf("the output of moves as its input: %v, other output: %v", err, again != out)
	}
}

func TestReplayOfReferenceGames(t *testing.T) {
	lines, whole := reference(t, "konreh-games.jsonl.gz", "preset", "options", "pos", "moves")
	if len(lines) < 250 {
		t.Fatalf("only %d games", len(lines))
	}
	out, _, err := call(t, strings.Join(lines, "\n")+"\n", "replay", "--game", "konreh", "--jsonl")
	if err != nil {
		t.Fatal(err)
	}
	compare(t, out, whole, "preset", "options", "pos", "moves", "winner", "why", "turns", "final")
	for i, o := range objects(t, out) {
		draw := string(o["winner"]) == `"draw"`
		if p := string(o["winner_player"]); draw != (p == `"draw"`) || !draw && p != `"first"` && p != `"second"` {
			t.Errorf("line %d: winner %s, winner_player %s", i+1, o["winner"], p)
		}
	}
}

// TestWinnerIsSideAndPlayer has a game that side B won, with the players as they
// began and after the pie rule exchanged them.
func TestWinnerIsSideAndPlayer(t *testing.T) {
	const fresh = " HD,r0,s0,x0,c0,n-,h0,k0"
	for suffix, want := range map[string]string{"": `"second" "B"`, "/s": `"first" "B"`} {
		in := fmt.Sprintf(`{"options":["balance=pie"],"pos":%q}`, "7b/8/8/8/8/8/8/2R5 A over:reforge"+fresh+fresh+" 0 8"+suffix)
		out, _, err := call(t, in, "replay", "--jsonl")
		if err != nil {
			t.Fatal(err, out)
		}
		o := objects(t, out)[0]
		if got := fmt.Sprintf("%s %s", o["winner_player"], o["winner"]); got != want {
			t.Errorf("%q: winner %s, want %s", suffix, got, want)
		}
	}
	out, _, err := call(t, `{"moves":"d1f1"}`, "replay", "--jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if o := objects(t, out)[0]; string(o["winner"])+string(o["winner_player"])+string(o["why"]) != "nullnullnull" {
		t.Errorf("a game that goes on has a winner: %s", out)
	}
}

// TestBadLinesSpoilNoOther mixes bad lines among good ones.
func TestBadLinesSpoilNoOther(t *testing.T) {
	const good = `{"preset":"standard","pos":"","moves":"d1f1 h5f5"}`
	for _, c := range []struct{ line, want string }{
		{`{"preset":`, "unexpected end"},
		{`nonsense`, "invalid character"},
		{`[1]`, "array"},
		{`null`, "want an object"},
		{"{\"id\":\"\xff\"}", "the line is no UTF-8"},
		{`"text"`, "string"},
		{`{} {}`, "invalid character"},
		{`{"preset":"nonsense"}`, `no preset "nonsense"`},
		{`{"preset":5,"options":"x=y"}`, "preset: 5: want text"},
		{`{"preset":5,"options":"x=y"}`, `options: "x=y": want a list of texts`},
		{`{"options":["nonsense=1"]}`, `no option "nonsense"`},
		{`{"options":["seed=maybe"]}`, "seed=maybe"},
		{`{"options":["balance=pie,buyback=true"]}`, "balance=pie,buyback=true"},
		{`{"pos":"nonsense"}`, `position "nonsense"`},
		{`{"moves":"d1f1 a1a9"}`, `move 2, "a1a9"`},
		{`{"moves":"d1f1 d1f1"}`, `move 2, "d1f1"`},
		{`{"moves":["d1f1"]}`, `moves: ["d1f1"]: want text`},
	} {
		in := strings.Join([]string{good, c.line, good}, "\n")
		out, _, err := call(t, in, "replay", "--jsonl")
		if shell.ExitCode(err) != 1 || !strings.Contains(err.Error(), "errors in 1 line") {
			t.Errorf("%s: %v, want exit code 1 for one bad line", c.line, err)
		}
		list := objects(t, out)
		if len(list) != 3 {
			t.Fatalf("%s: %d lines of output, want 3", c.line, len(list))
		}
		for i, o := range list {
			var text string
			if e := o["error"]; e != nil {
				if err := json.Unmarshal(e, &text); err != nil {
					t.Fatal(err)
				}
			}
			if i == 1 && (!strings.Contains(text, c.want) || o["final"] != nil) {
				t.Errorf("%s: error %q, final %s, want %q and no answer", c.line, text, o["final"], c.want)
			}
			if i != 1 && (text != "" || o["final"] == nil) {
				t.Errorf("beside %s: error %q, want an answer", c.line, text)
			}
		}
	}
}

// TestMovesBehindMoves: a text of moves is played first.
func TestMovesBehindMoves(t *testing.T) {
	out := mustCallWith(t, `{"moves":"a1 b2"}`+"\n", "moves", "--game", "tictactoe", "--jsonl")
	if want := `{"moves":["a2","a3","b1","b3","c1","c2","c3"]}` + "\n"; out != want {
		t.Errorf("moves wrote %s, want %s", out, want)
	}
}

// TestRulesOfLinesAreNotConfused asks for rulesets whose words look alike one
// after the other, so that one worker remembers the first.
func TestRulesOfLinesAreNotConfused(t *testing.T) {
	in := `{"preset":"standard","options":["balance=pie","buyback=true"]}` + "\n" +
		`{"preset":"standard","options":["balance=pie,buyback=true"]}` + "\n" +
		`{"preset":"standard,balance=pie","options":["buyback=true"]}`
	out, _, err := call(t, in, "moves", "--jsonl")
	list := objects(t, out)
	if shell.ExitCode(err) != 1 || len(list) != 3 || list[0]["error"] != nil || list[1]["error"] == nil || list[2]["error"] == nil {
		t.Errorf("%v %s", err, out)
	}
}

func TestOtherFieldsPassThrough(t *testing.T) {
	out, _, err := call(t, `{"id":12345678901234567890,"x":{"b":[1.50],"a":"<&>"},"error":"old","winner":"old","POS":"no position"}`, "moves", "--game", "tictactoe", "--jsonl")
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"POS":"no position","id":12345678901234567890,"moves":["a1","a2","a3","b1","b2","b3","c1","c2","c3"],"winner":"old","x":{"b":[1.50],"a":"<&>"}}` + "\n"
	if out != want {
		t.Errorf("moves wrote\n%swant\n%s", out, want)
	}
	out, _, _ = call(t, `{"id":7,"pos":"nonsense","moves":"a1","final":"old","turns":3}`, "replay", "--game", "tictactoe", "--jsonl")
	if o := objects(t, out)[0]; string(o["id"]) != "7" || o["final"] != nil || o["turns"] != nil || o["error"] == nil {
		t.Errorf("a bad line keeps its own fields and no answers: %s", out)
	}
}

// TestOrderIsKept gives all workers work of uneven length.
func TestOrderIsKept(t *testing.T) {
	const n = 5000
	var in strings.Builder
	for i := range n {
		fmt.Fprintf(&in, "{\"id\":%d,\"moves\":%q}\n\n", i, strings.Repeat("d1f1 h5f5 ", min(1, i%97%2)))
	}
	out, _, err := call(t, in.String(), "replay", "--jsonl")
	if err != nil {
		t.Fatal(err)
	}
	list := objects(t, out)
	if len(list) != n {
		t.Fatalf("%d lines of output, want %d", len(list), n)
	}
	for i, o := range list {
		if string(o["id"]) != fmt.Sprint(i) {
			t.Fatalf("line %d is the answer to object %s", i, o["id"])
		}
	}
}

func TestInputWithoutLines(t *testing.T) {
	for _, in := range []string{"", "\n", " \n\t\r\n"} {
		if out, _, err := call(t, in, "moves", "--jsonl"); out != "" || err != nil {
			t.Errorf("moves of %q: %q, %v", in, out, err)
		}
	}
}

// TestLongLineAndNoFinalNewline has a line far beyond every buffer.
func TestLongLineAndNoFinalNewline(t *testing.T) {
	long := strings.Repeat("long ", 1<<18)
	in := fmt.Sprintf("{\"id\":1,\"x\":%q}\r\n{\"id\":2}", long)
	out, _, err := call(t, in, "moves", "--game", "tictactoe", "--jsonl")
	if err != nil {
		t.Fatal(err)
	}
	list := objects(t, out)
	if len(list) != 2 || len(list[0]["x"]) != len(long)+2 || string(list[1]["id"]) != "2" || list[1]["moves"] == nil {
		t.Errorf("%d lines of output, lengths %d", len(list), len(out))
	}
}

// TestLinesAreAnsweredAtOnce talks to the command: it must answer a line before
// the next one is there.
func TestLinesAreAnsweredAtOnce(t *testing.T) {
	fromTest, toCommand := io.Pipe()
	fromCommand, toTest := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := execute(t.Context(), []string{"moves", "--game", "tictactoe", "--jsonl"}, fromTest, toTest, io.Discard)
		toTest.Close()
		done <- err
	}()
	answers := bufio.NewReader(fromCommand)
	for i := range 100 {
		if _, err := fmt.Fprintf(toCommand, "{\"id\":%d}\n", i); err != nil {
			t.Fatal(err)
		}
		line, err := answers.ReadString('\n')
		if err != nil || string(decode[fields](t, line)["id"]) != fmt.Sprint(i) {
			t.Fatalf("line %d was answered with %q, %v", i, line, err)
		}
	}
	toCommand.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

type brokenReader struct{ text io.Reader }

func (r brokenReader) Read(p []byte) (int, error) {
	n, err := r.text.Read(p)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestBrokenStreamsAreErrors(t *testing.T) {
	args := []string{"moves", "--game", "tictactoe", "--jsonl"}
	err := execute(t.Context(), args, brokenReader{strings.NewReader("{}\n{}\n")}, io.Discard, io.Discard)
	if shell.ExitCode(err) != 1 || !strings.Contains(err.Error(), "standard input: unexpected EOF") {
		t.Errorf("input breaks off: %v", err)
	}
	err = execute(t.Context(), args, strings.NewReader(strings.Repeat("{}\n", 10_000)), brokenWriter{}, io.Discard)
	if shell.ExitCode(err) != 1 || !strings.Contains(err.Error(), "short write") {
		t.Errorf("output cannot be written: %v", err)
	}
}

func TestLineCommandsRefuseOtherUses(t *testing.T) {
	mustFail(t, 2, []string{"moves"}, "--jsonl is required")
	mustFail(t, 2, []string{"replay", "--jsonl", "--rules", "letter"}, "every line names its own")
}

// TestReplayReadsTheGamesOfThePage: a file that the page in the browser saves.
func TestReplayReadsTheGamesOfThePage(t *testing.T) {
	const saved = `{"game":"konreh","preset":"tutor","options":["reforge_turns=4"],"pos":"","moves":"d1f1 h5f5","seats":["you","minimax:depth=1"]}`
	out, _, err := call(t, saved+"\n", "replay", "--game", "konreh", "--jsonl")
	if err != nil || !strings.Contains(out, `"turns":1`) || strings.Contains(out, "error") {
		t.Errorf("%v\n%s", err, out)
	}
}
