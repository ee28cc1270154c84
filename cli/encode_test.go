package cli

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/engine/query"
)

// encoded is a line of encode.
type encoded struct {
	ID int `json:"id"`
	query.Encoding
	Ones   []int        `json:"ones"`
	Others [][2]float32 `json:"others"`
}

// TestEncodeSaysWhatTheRulesSay follows a random game of each family by its words, asks for
// every position of it, and compares with the state.
func TestEncodeSaysWhatTheRulesSay(t *testing.T) {
	for _, f := range games.All() {
		t.Run(f.Name, func(t *testing.T) {
			g, err := f.Parse("")
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(1, 2))
			s, h := g.NewState(), g.NewHistory()
			s.Start(h)
			var words, lines []string
			var states []engine.State
			var legal [][]engine.Action
			scratch := new([]engine.Weighted)
			for len(words) < 60 {
				kept := g.NewState()
				kept.CopyFrom(s)
				list := engine.AppendPossible(nil, scratch, s, h)
				states, legal = append(states, kept), append(legal, list)
				lines = append(lines, fmt.Sprintf(`{"id":%d,"moves":%q}`, len(lines), strings.Join(words, " ")))
				if len(list) == 0 {
					break
				}
				a := list[rng.IntN(len(list))]
				words = append(words, string(s.AppendAction(nil, a)))
				s.Apply(a, h)
			}
			in := strings.Join(lines, "\n")
			dense, sparse := objects(t, mustCallWith(t, in, "encode", "--game", f.Name, "--jsonl")), objects(t, mustCallWith(t, in, "encode", "--game", f.Name, "--jsonl", "--sparse"))
			if len(dense) != len(states) || len(sparse) != len(states) {
				t.Fatalf("%d and %d answers to %d lines", len(dense), len(sparse), len(states))
			}
			for i, s := range states {
				checkEncoding(t, g, s, legal[i], readEncoded(t, i, dense[i]))
				if thin := readEncoded(t, i, sparse[i]); sparse[i]["planes"] != nil || !slices.Equal(thicken(thin, len(readEncoded(t, i, dense[i]).Planes)), readEncoded(t, i, dense[i]).Planes) {
					t.Errorf("%s: --sparse has other planes", s.AppendPosition(nil))
				}
			}
		})
	}
}

func readEncoded(t *testing.T, id int, object fields) (e encoded) {
	t.Helper()
	text, err := json.Marshal(object)
	if err == nil {
		err = json.Unmarshal(text, &e)
	}
	if err != nil || e.ID != id {
		t.Fatalf("%v: line %d has id %d: %s", err, id, e.ID, text)
	}
	return e
}

// thicken lays sparse planes of size inputs out flat.
func thicken(e encoded, size int) []float32 {
	planes := make([]float32, size)
	for _, i := range e.Ones {
		planes[i] = 1
	}
	for _, x := range e.Others {
		planes[int(x[0])] = x[1]
	}
	return planes
}

func checkEncoding(t *testing.T, g engine.Game, s engine.State, legal []engine.Action, e encoded) {
	t.Helper()
	info, line := g.Info(), string(s.AppendPosition(nil))
	if e.Rules != g.Rules() || e.Position.Position != line || e.Actor != s.Actor().String() || e.Turn != s.Turn() || !slices.Equal(e.Actions, legal) {
		t.Fatalf("%s: %+v", line, e)
	}
	for i, a := range legal {
		if e.Words[i] != string(s.AppendAction(nil, a)) {
			t.Errorf("%s: action %d is %s", line, a, e.Words[i])
		}
	}
	if packed, err := base64.StdEncoding.DecodeString(e.Packed); err != nil || string(packed) != string(s.Pack(nil)) {
		t.Errorf("%s: packed %x, %v", line, packed, err)
	}
	if o := s.Outcome(); o.Over != (e.Result != nil) || o.Over && e.Result.Reason != o.Reason {
		t.Errorf("%s: result %+v, want %+v", line, e.Result, o)
	}
	if len(e.Symmetries) == 0 || e.Symmetries[0] != info.Symmetries[0].Name {
		t.Errorf("%s: symmetries %q", line, e.Symmetries)
	}
	if a := s.Actor(); a != engine.First && a != engine.Second {
		if len(e.Planes)+len(e.Globals)+len(e.Cells) != 0 || e.Mask != "" || (a == engine.Chance) != (len(e.Chance) > 0 && len(e.Chance) == len(e.Words)) {
			t.Errorf("%s: nobody decides, and yet %+v", line, e)
		}
		return
	}
	planes, globals := make([]float32, info.Features.Planes*info.Features.Cells()), make([]float32, info.Features.Globals)
	s.Encode(planes, globals)
	if !slices.Equal(planes, e.Planes) || !slices.Equal(globals, e.Globals) {
		t.Errorf("%s: other inputs than the state's", line)
	}
	mask, err := base64.StdEncoding.DecodeString(e.Mask)
	if err != nil || len(mask) != (info.NumActions+7)/8 {
		t.Fatalf("%s: mask %q: %v", line, e.Mask, err)
	}
	for a := range engine.Action(info.NumActions) {
		if i, is := slices.BinarySearch(legal, a); is != (mask[a/8]>>(a%8)&1 != 0) || is && e.Cells[i] != info.Policy.Cells[a] {
			t.Errorf("%s: action %d: legal %v, not so in mask or cells", line, a, is)
		}
	}
}

func TestEncodeNamesWhatIsWrong(t *testing.T) {
	in := `{"moves":"4"}` + "\n" + `{"moves":"9","id":"x"}` + "\n" + `{"pos":5}` + "\n" + `{"options":["size=9"]}`
	out, _, err := call(t, in, "encode", "--game", "connect4", "--jsonl")
	if shell.ExitCode(err) != 1 || !strings.Contains(err.Error(), "errors in 3 lines") {
		t.Errorf("%v, want exit code 1 for three bad lines", err)
	}
	list := objects(t, out)
	for i, want := range []string{"", `move 1, \"9\"`, "pos: 5: want text", `no option \"size\"`} {
		if !strings.Contains(string(list[i]["error"]), want) || want != "" && list[i]["planes"] != nil {
			t.Errorf("line %d: error %s, want %s and no answer", i+1, list[i]["error"], want)
		}
	}
	if out, _, err := call(t, `{"rules":"blitz","position":"7b/8/8/8/8/8/8/2R5 A"}`, "encode", "--jsonl"); err == nil ||
		!strings.Contains(out, `"error":"rules: \"blitz\": want preset and options\nposition: \"7b/8/8/8/8/8/8/2R5 A\": want pos"`) {
		t.Errorf("rules and position by names that are not read: %v\n%s", err, out)
	}
	for _, line := range []string{`{"moves":"4 1"}`, `{"pos":"","position":"my own","preset":"standard","rules":"of mine"}`} {
		once, _, err := call(t, line, "encode", "--game", "connect4", "--jsonl")
		if again, _, _ := call(t, once, "encode", "--game", "connect4", "--jsonl"); err != nil || again != once {
			t.Errorf("%s: its answer as a question: %v\n%s\n%s", line, err, once, again)
		}
	}
	if string(list[1]["id"]) != `"x"` {
		t.Error("a bad line loses its id")
	}
	if _, _, err := call(t, "", "encode"); shell.ExitCode(err) != 2 {
		t.Errorf("without --jsonl: %v, want exit code 2", err)
	}
}
