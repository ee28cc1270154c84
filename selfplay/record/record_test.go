package record

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/internal/seal"
)

var head = Head{Run: "test", Generation: 5, Number: 7, ConfigHash: "c0ffee", Kernel: "generic"}

func game(t testing.TB, f *engine.Family, rules string) engine.Game {
	t.Helper()
	g, err := f.Parse(rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func connect4Rows(t testing.TB, games int) ([]Row, *engine.Info) {
	g := game(t, &connect4.Family, "")
	return randomRows(t, []engine.Game{g}, 40, games, 4, 1), g.Info()
}

func marshal(t testing.TB, info *engine.Info, rows []Row) []byte {
	t.Helper()
	data, _, err := Marshal(info, head, rows)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// clean makes rows comparable: the reader returns empty lists for none.
func clean(rows []Row) []Row {
	for i := range rows {
		r := &rows[i]
		for _, list := range []*[]engine.Action{&r.Before, &r.After} {
			if len(*list) == 0 {
				*list = nil
			}
		}
		if len(r.Policy) == 0 {
			r.Policy = nil
		}
		if len(r.Visits) == 0 {
			r.Visits = nil
		}
	}
	return rows
}

// TestSchemaIsPinned: a change here is a change of format; see FormatVersion.
func TestSchemaIsPinned(t *testing.T) {
	want, err := os.ReadFile("testdata/schema.txt")
	if err != nil {
		t.Fatal(err)
	}
	if schemaText != strings.TrimSpace(string(want)) {
		t.Errorf("the schema is\n%s", schemaText)
	}
}

func TestWrittenShardReadsBack(t *testing.T) {
	rows, info := connect4Rows(t, 30)
	path, meta, err := Write(t.TempDir(), info, head, rows)
	if err != nil {
		t.Fatal(err)
	}
	if base := filepath.Base(path); base != "gen000005-000000007.parquet" {
		t.Errorf("file name %s", base)
	}
	s, err := Open(path, info)
	if err != nil {
		t.Fatal(err)
	}
	if s.Meta != meta || meta.Rows != len(rows) || meta.FirstGame != 40 || meta.LastGame != 69 || meta.Head != head {
		t.Errorf("metadata %+v, written %+v", s.Meta, meta)
	}
	got, err := s.Rows()
	if err != nil {
		t.Fatal(err)
	}
	if clean(got); !reflect.DeepEqual(got, clean(rows)) {
		t.Error("rows differ")
	}
	checkColumns(t, s, rows)
}

// failer is what a test and a property check have in common.
type failer interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

// replyTo looks for the reply to row i from there on.
func replyTo(rows []Row, i int) Reply {
	for j := i + 1; j < len(rows) && rows[j].GameNumber == rows[i].GameNumber; j++ {
		if rows[j].Player == rows[i].Player {
			continue
		}
		if j-i > 127 {
			break
		}
		reply := Reply(2 * (j - i))
		if rows[j].Side != rows[i].Side {
			reply++
		}
		return reply
	}
	return 0
}

// checkColumns compares the fast reader with the rows.
func checkColumns(t failer, s *Shard, rows []Row) {
	t.Helper()
	c, err := s.Columns()
	if err != nil {
		t.Fatal(err)
	}
	if c.Rows != len(rows) {
		t.Fatalf("%d rows, want %d", c.Rows, len(rows))
	}
	replies, err := s.Replies(c)
	if err != nil {
		t.Fatal(err)
	}
	endings, err := s.Endings(c)
	if err != nil {
		t.Fatal(err)
	}
	roots, err := s.RootWDLs()
	if err != nil || len(roots) != len(rows) {
		t.Fatalf("what the search expected of %d rows, want %d: %v", len(roots), len(rows), err)
	}
	games := 0
	for i := range rows {
		r := &rows[i]
		if roots[i].Known() != (r.RootDraw != DrawUnknown) {
			t.Fatalf("row %d: evaluated: %v, want %v", i, roots[i].Known(), r.RootDraw != DrawUnknown)
		}
		if endings.Player[i] != r.Player {
			t.Fatalf("row %d: player %d, want %d", i, endings.Player[i], r.Player)
		}
		if win, draw, loss := roots[i].Probs(); roots[i].Known() && (win+draw+loss != 1 || min(win, draw, loss) < 0 || float32(draw) != r.RootDraw || float32(win-loss) != r.RootValue) {
			t.Fatalf("row %d: the search expected %g, %g, %g; want a value of %g, a draw with %g", i, win, draw, loss, r.RootValue, r.RootDraw)
		}
		if got, want := replies[i], replyTo(rows, i); got != want {
			t.Fatalf("row %d: reply %d rows on, other side %t; want %d, %t", i, got.Rows(), got.OtherSide(), want.Rows(), want.OtherSide())
		}
		left := r.TurnsLeft
		if r.Reason == ReasonResignation {
			left = TurnsUnknown
		}
		if i == len(rows)-1 || rows[i+1].GameNumber != r.GameNumber {
			if games >= len(c.GameEnd) || int(c.GameEnd[games]) != i+1 {
				t.Fatalf("games end at %v, want one to end at %d", c.GameEnd, i+1)
			}
			if got, want := fmt.Sprint(endings.Played[games]), fmt.Sprint(append([]engine.Action{r.Action}, r.After...)); got != want {
				t.Fatalf("the game that ends at %d was played on with %s, want %s", i+1, got, want)
			}
			games++
		}
		var legal []engine.Action
		for _, a := range c.LegalOf(i) {
			legal = append(legal, engine.Action(a))
		}
		if !reflect.DeepEqual(legal, r.Legal) || !bytes.Equal(c.PackedOf(i), r.Packed) || c.Rules[c.RulesOf[i]] != r.Rules ||
			c.Outcome[i] != r.Outcome || c.TurnsLeft[i] != left || c.Surprise[i] != r.Surprise || fmt.Sprint(c.PolicyOf(i)) != fmt.Sprint(r.Policy) {
			t.Fatalf("columns of row %d differ", i)
		}
	}
	if games != len(c.GameEnd) {
		t.Fatalf("%d games, want %d", len(c.GameEnd), games)
	}
}

func TestEqualRowsMakeEqualBytes(t *testing.T) {
	rows, info := connect4Rows(t, 20)
	again, _ := connect4Rows(t, 20)
	if !bytes.Equal(marshal(t, info, rows), marshal(t, info, again)) {
		t.Error("two shards of the same rows differ")
	}
}

// TestEveryAlteredByteIsSeen flips one bit in each byte of a small shard, cuts
// it at every length and lengthens it.
func TestEveryAlteredByteIsSeen(t *testing.T) {
	rows, info := connect4Rows(t, 1)
	data := marshal(t, info, rows)
	if _, err := Parse("whole", data, info); err != nil {
		t.Fatal(err)
	}
	for i := range data {
		data[i] ^= 1 << (i % 8)
		if _, err := Parse("x", data, info); !errors.Is(err, ErrCorrupt) {
			t.Fatalf("byte %d of %d altered: %v, want ErrCorrupt", i, len(data), err)
		}
		data[i] ^= 1 << (i % 8)
		if _, err := Parse("x", data[:i], info); !errors.Is(err, ErrCorrupt) {
			t.Fatalf("cut to %d of %d bytes: %v, want ErrCorrupt", i, len(data), err)
		}
	}
	if _, err := Parse("x", append(data, 0), info); !errors.Is(err, ErrCorrupt) {
		t.Errorf("lengthened: %v, want ErrCorrupt", err)
	}
}

func TestForeignAndUnknownAreRefused(t *testing.T) {
	rows, info := connect4Rows(t, 2)
	data := marshal(t, info, rows)
	other := *info
	other.Version++
	if _, err := Parse("s", data, &other); !errors.Is(err, ErrVersion) {
		t.Errorf("other rules version: %v", err)
	}
	other = *info
	other.EncoderVersion++
	if _, err := Parse("s", data, &other); !errors.Is(err, ErrVersion) {
		t.Errorf("other encoder version: %v", err)
	}
	if _, err := Parse("s.parquet", data, game(t, &tictactoe.Family, "").Info()); !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), "shard s.parquet: ") {
		t.Errorf("other game: %v", err)
	}
	// An earlier format and a later one, with checksums that fit.
	place := func(key string) int { return bytes.LastIndex(data, []byte(keyPrefix+key)) + len(keyPrefix+key) + 2 }
	for version, want := range map[byte]string{'1': "shard s: unknown version: format 1 of an earlier program", '4': `format "4"`} {
		data[place("format")] = version
		if err := seal.Seal(data); err != nil {
			t.Fatal(err)
		}
		if _, err := Parse("s", data, info); !errors.Is(err, ErrVersion) || !strings.Contains(err.Error(), want) {
			t.Errorf("format %c: %v", version, err)
		}
	}
	// A Parquet file of someone else.
	var foreign bytes.Buffer
	w := parquet.NewGenericWriter[struct{ A int }](&foreign)
	w.Write([]struct{ A int }{{1}})
	w.Close()
	if _, err := Parse("s", foreign.Bytes(), info); !errors.Is(err, ErrCorrupt) {
		t.Errorf("foreign Parquet: %v", err)
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none.parquet"), info); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// TestBadRowsAreRefused breaks one rule at a time. The writer refuses; so does
// the reader of a file that was written past the check, whose checksum is right.
func TestBadRowsAreRefused(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		name, want string
		columns    bool // Columns sees it too
		spoil      func(r *Row)
	}{
		{"run", "run", false, func(r *Row) { r.Run = "other" }},
		{"game", "game", false, func(r *Row) { r.Game = "chess" }},
		{"rules", "rules", false, func(r *Row) { r.Rules = "" }},
		{"generation", "generation 6", false, func(r *Row) { r.Generation = 6 }},
		{"ply", "ply", false, func(r *Row) { r.Ply = 0 }},
		{"player", "player 2", false, func(r *Row) { r.Player = 2 }},
		{"side", "side -1", false, func(r *Row) { r.Side = -1 }},
		{"position", "position", false, func(r *Row) { r.Position = "" }},
		{"packed", "packed", true, func(r *Row) { r.Packed = r.Packed[1:] }},
		{"no legal", "0 legal", true, func(r *Row) { r.Legal = nil }},
		{"order", "ascending", true, func(r *Row) { r.Legal[0], r.Legal[1] = r.Legal[1], r.Legal[0] }},
		{"range", "action space", true, func(r *Row) { r.Legal[len(r.Legal)-1] = 7 }},
		{"played", "not legal", false, func(r *Row) { r.Action = 100 }},
		{"kind", "kind", false, func(r *Row) { r.PolicyKind = "guess" }},
		{"kind none", "kind", false, func(r *Row) { r.PolicyKind = PolicyNone }},
		{"policy sum", "sums to", true, func(r *Row) { r.Policy[0] ^= 1 }},
		{"policy length", "policy of", true, func(r *Row) { r.Policy = r.Policy[1:] }},
		{"visits length", "visits of", false, func(r *Row) { r.Visits = r.Visits[1:] }},
		{"visits", "-1 visits", false, func(r *Row) { r.Visits[0] = -1 }},
		{"root value", "root value", false, func(r *Row) { r.RootValue = 1.01 }},
		{"root draw below 0", "root draw -0.25", false, func(r *Row) { r.RootDraw = -0.25 }},
		{"root draw unknown", "root draw -1", false, func(r *Row) { r.RootDraw = DrawUnknown }},
		{"root draw not a number", "root draw NaN", false, func(r *Row) { r.RootDraw = nan }},
		{"root draw without room", "root draw 0.75 beside root value -0.5: want 0 to 0.5", false, func(r *Row) { r.RootValue, r.RootDraw = -0.5, 0.75 }},
		{"network value", "network value NaN", false, func(r *Row) { r.NetworkValue = nan }},
		{"beginning", "beginning \"middle\"", false, func(r *Row) { r.Beginning = "middle" }},
		{"beginning differs", "beginning", false, func(r *Row) { r.Beginning = BeginningEarlier }},
		{"surprise", "surprise -1", true, func(r *Row) { r.Surprise = -1 }},
		{"surprise without end", "surprise +Inf", true, func(r *Row) { r.Surprise = float32(math.Inf(1)) }},
		{"outcome", "outcome 2", true, func(r *Row) { r.Outcome = 2 }},
		{"outcome of player", "contradicts", false, func(r *Row) { r.Player ^= 1 }},
		{"reason", "reason", false, func(r *Row) { r.Reason = "" }},
		{"reason differs", "reason", false, func(r *Row) { r.Reason = "boredom" }},
		{"turns left", "turns", false, func(r *Row) { r.TurnsLeft++ }},
		{"turns left below 0", "turns left -1", true, func(r *Row) { r.TurnsLeft = -1 }},
		{"before", "not of this game", false, func(r *Row) { r.Before = []engine.Action{99} }},
		{"after", "goes on", false, func(r *Row) { r.After = []engine.Action{1} }},
		{"game number", "game", true, func(r *Row) { r.GameNumber += 2 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows, info := connect4Rows(t, 4)
			bad := spoilable(t, rows)
			c.spoil(&rows[bad])
			_, meta, err := Marshal(info, head, rows)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "row ") {
				t.Errorf("writer: %v, want a row and %q", err, c.want)
			}
			if !strings.Contains(err.Error(), fmt.Sprintf("row %d:", bad)) && !strings.Contains(err.Error(), fmt.Sprintf("row %d:", bad+1)) {
				t.Errorf("writer: %v, want row %d or the one after", err, bad)
			}
			data, err := encode(&meta, rows)
			if err != nil {
				t.Fatal(err)
			}
			s, err := Parse("s.parquet", data, info)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Rows(); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "shard s.parquet: ") {
				t.Errorf("Rows: %v, want %q", err, c.want)
			}
			if _, err := s.Columns(); (err != nil) != c.columns {
				t.Errorf("Columns: %v", err)
			}
			if _, err := s.RootWDLs(); (err != nil) != strings.HasPrefix(c.name, "root") {
				t.Errorf("RootWDLs: %v", err)
			}
		})
	}
}

// spoilable finds a row with a policy target inside a decided game.
func spoilable(t *testing.T, rows []Row) int {
	for i := 1; i < len(rows)-2; i++ {
		if rows[i].Full && len(rows[i].Legal) == 7 && rows[i].Outcome != 0 &&
			rows[i-1].GameNumber == rows[i].GameNumber && rows[i+1].GameNumber == rows[i].GameNumber {
			return i
		}
	}
	t.Fatal("no row to spoil")
	return 0
}

func TestFileNames(t *testing.T) {
	last := ""
	for _, c := range []struct {
		generation int32
		number     int64
	}{{0, 0}, {0, 12}, {1, 0}, {1, 13}, {999999, 5}} {
		name := FileName(c.generation, c.number)
		if name <= last {
			t.Errorf("%s does not sort after %s", name, last)
		}
		last = name
		if g, n, ok := ParseFileName(name); g != c.generation || n != c.number || !ok {
			t.Errorf("ParseFileName(%s) = %d, %d, %v", name, g, n, ok)
		}
	}
	for _, name := range []string{"", "gen1-2.parquet", "gen000001-000000001.parquet.tmp-ludozero-1-1", "gen0000001-000000001.parquet",
		"gen99999999999-000000001.parquet", "xgen000001-000000001.parquet"} {
		if _, _, ok := ParseFileName(name); ok {
			t.Errorf("ParseFileName(%q) takes it", name)
		}
	}
}

func TestAppendPolicySumsToOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		probs := rapid.SliceOfN(rapid.Float32Range(0, 1), 1, 400).Draw(t, "probs")
		probs[rapid.IntRange(0, len(probs)-1).Draw(t, "positive")] += 1e-3
		total := 0.0
		for _, p := range probs {
			total += float64(p)
		}
		got := AppendPolicy(nil, probs)
		sum := 0
		for i, q := range got {
			sum += int(q)
			if exact := float64(probs[i]) / total * PolicyOne; math.Abs(float64(q)-exact) > 1.001 {
				t.Fatalf("entry %d is %d, exactly %g", i, q, exact)
			}
		}
		if sum != PolicyOne {
			t.Fatalf("sum %d", sum)
		}
	})
}

func TestAppendPolicyDoesNotAllocate(t *testing.T) {
	probs, dst := make([]float32, 50), make([]uint16, 0, 50)
	probs[3] = 1
	if n := testing.AllocsPerRun(100, func() { AppendPolicy(dst, probs) }); n != 0 {
		t.Errorf("AppendPolicy allocates %v times", n)
	}
}
