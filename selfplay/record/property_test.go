package record

import (
	"bytes"
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/ludozero/ludozero/engine"
)

// wideInfo is a game with the action space of Konkvest and many legal actions.
var wideInfo = &engine.Info{Name: "wide", Version: 1, EncoderVersion: 1, NumActions: 26_904, NumChance: 36, MaxLegal: 600, PackedBytes: 90}

// anyRows draws valid rows of wideInfo.
func anyRows(t *rapid.T) []Row {
	text := rapid.StringMatching(`[a-z,=é ]{1,8}`)
	value := rapid.Float32Range(-1, 1)
	code := rapid.SliceOfN(rapid.Map(rapid.Int32Range(0, 26_903), func(a int32) engine.Action { return engine.Action(a) }), 0, 3)
	var rows []Row
	number := rapid.Int64Range(0, 1<<40).Draw(t, "first game")
	for range rapid.IntRange(1, 4).Draw(t, "games") {
		number += rapid.Int64Range(1, 3).Draw(t, "game step")
		base := Row{
			Run: head.Run, Game: wideInfo.Name, Rules: text.Draw(t, "rules"), Generation: rapid.Int32Range(0, head.Generation).Draw(t, "generation"),
			GameNumber: number, Seed: rapid.Uint64().Draw(t, "seed"), Reason: text.Draw(t, "reason"),
			Beginning: rapid.SampledFrom(beginnings).Draw(t, "beginning"),
		}
		turns := rapid.Int32Range(0, 2000).Draw(t, "turns")
		won := rapid.Int8Range(-1, 1).Draw(t, "first's outcome")
		first, taught := len(rows), rapid.Bool().Draw(t, "taught")
		for range rapid.IntRange(1, 5).Draw(t, "rows") {
			r := base
			r.Ply = base.Ply + rapid.Int32Range(0, 3).Draw(t, "ply")
			base.Ply = r.Ply + 1
			r.Turn = rapid.Int32Range(base.Turn, turns).Draw(t, "turn")
			base.Turn = r.Turn
			r.TurnsLeft = turns - r.Turn
			r.Player = rapid.Int8Range(0, 1).Draw(t, "player")
			r.Side = rapid.Int8Range(0, 1).Draw(t, "side")
			r.Outcome = won * (1 - 2*r.Player)
			r.Position = text.Draw(t, "position")
			r.Packed = rapid.SliceOfN(rapid.Byte(), wideInfo.PackedBytes, wideInfo.PackedBytes).Draw(t, "packed")
			r.Before = code.Draw(t, "before")
			seen := map[engine.Action]bool{}
			for range rapid.IntRange(1, 40).Draw(t, "legal") {
				seen[engine.Action(rapid.Int32Range(0, 26_903).Draw(t, "action"))] = true
			}
			r.Legal = slices.Sorted(maps.Keys(seen))
			r.Action = rapid.SampledFrom(r.Legal).Draw(t, "played")
			if taught {
				r.PolicyKind, r.RootDraw = PolicyTeacher, DrawUnknown
				if rapid.Bool().Draw(t, "distribution") {
					r.Policy = AppendPolicy(nil, append([]float32{1}, make([]float32, len(r.Legal)-1)...))
				}
				if rapid.Bool().Draw(t, "valued") {
					r.RootValue, r.RootDraw = value.Draw(t, "expected"), 0
				}
				rows = append(rows, r)
				continue
			}
			r.PolicyKind = rapid.SampledFrom(policyKinds[:len(policyKinds)-1]).Draw(t, "kind")
			if r.PolicyKind != PolicyNone {
				probs := rapid.SliceOfN(rapid.Float32Range(0, 1), len(r.Legal), len(r.Legal)).Draw(t, "probs")
				probs[0]++
				r.Policy = AppendPolicy(nil, probs)
				r.Surprise = rapid.Float32Range(0, MaxSurprise).Draw(t, "surprise")
			}
			if rapid.Bool().Draw(t, "has visits") {
				r.Visits = rapid.SliceOfN(rapid.Int32Min(0), len(r.Legal), len(r.Legal)).Draw(t, "visits")
			}
			r.RootValue, r.NetworkValue = value.Draw(t, "root value"), value.Draw(t, "network value")
			r.RootDraw = rapid.Float32Range(0, 1-float32(math.Abs(float64(r.RootValue)))).Draw(t, "root draw")
			r.Full = rapid.Bool().Draw(t, "full")
			rows = append(rows, r)
		}
		if taught {
			rows[len(rows)-1].After = code.Draw(t, "after")
		} else {
			endGame(t, rows[first:], won, code)
		}
	}
	return rows
}

// endGame draws how a game ends: by its rules, with or without a player who would
// have resigned, or by the resignation of its last row's player, who has lost.
func endGame(t *rapid.T, game []Row, won int8, code *rapid.Generator[[]engine.Action]) {
	last := &game[len(game)-1]
	if last.Outcome == -1 && won != 0 && rapid.Bool().Draw(t, "resigned") {
		last.Resigns = true
		for i := range game {
			game[i].Reason = ReasonResignation
		}
		return
	}
	last.After = code.Draw(t, "after")
	if rapid.Bool().Draw(t, "would have resigned") {
		game[rapid.IntRange(0, len(game)-1).Draw(t, "row")].Resigns = true
	}
}

// TestAnyValidRowsReadBack: both readers return what was written, bytes do not
// depend on the past, and a broken bit is seen.
func TestAnyValidRowsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := anyRows(t)
		data, meta, err := Marshal(wideInfo, head, rows)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Parse("s", data, wideInfo)
		if err != nil || s.Meta != meta {
			t.Fatalf("Parse = %+v, %v, want %+v", s, err, meta)
		}
		got, err := s.Rows()
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(clean(got), clean(rows)) {
			t.Fatal("rows differ")
		}
		checkColumns(t, s, rows)
		again, _, err := Marshal(wideInfo, head, got)
		if err != nil || !bytes.Equal(again, data) {
			t.Fatalf("written again the bytes differ: %v", err)
		}
		again[rapid.IntRange(0, len(data)-1).Draw(t, "byte")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		if _, err := Parse("s", again, wideInfo); !errors.Is(err, ErrCorrupt) {
			t.Fatalf("a bit was flipped: %v", err)
		}
	})
}

// TestColumnsOverManyPages has lists that fill several pages of a column.
func TestColumnsOverManyPages(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rows := make([]Row, 3000)
	for i := range rows {
		rows[i] = Row{
			Run: head.Run, Game: wideInfo.Name, Rules: []string{"standard", "pie", "other"}[i*3/len(rows)], GameNumber: int64(i), Position: "x",
			Packed: make([]byte, wideInfo.PackedBytes), PolicyKind: PolicyNone, Reason: "r", Outcome: int8(i%3 - 1),
			Beginning: BeginningStart,
		}
		n := r.IntN(600) + 1
		for a := range n {
			rows[i].Legal = append(rows[i].Legal, engine.Action(a*44+r.IntN(44)))
		}
		rows[i].Action = rows[i].Legal[n/2]
		if i%2 == 0 {
			rows[i].PolicyKind = PolicyImproved
			probs := make([]float32, n)
			for a := range probs {
				probs[a] = r.Float32()
			}
			rows[i].Policy = AppendPolicy(nil, probs)
		}
		for k := range rows[i].Packed {
			rows[i].Packed[k] = byte(r.Uint32())
		}
	}
	s, err := Parse("s", marshal(t, wideInfo, rows), wideInfo)
	if err != nil {
		t.Fatal(err)
	}
	leaf, _ := s.file.Schema().Lookup("legal", "list", "element")
	index, err := s.file.RowGroups()[0].ColumnChunks()[leaf.ColumnIndex].OffsetIndex()
	if err != nil || index.NumPages() < 3 {
		t.Fatalf("%d pages, %v: want several", index.NumPages(), err)
	}
	checkColumns(t, s, rows)
}
