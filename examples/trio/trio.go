package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

// A board of three rows of four. Players put stones on empty cells in turn; three of one
// player side by side or in a column win, a full board is a draw. A cell is bit
// 4·row + column:
//
//	3 | 8 9 10 11
//	2 | 4 5  6  7
//	1 | 0 1  2  3
//	    a b  c  d
const (
	rows, cols = 3, 4
	cells      = rows * cols
	full       = 1<<cells - 1
)

// Family lists trio: one ruleset, no options.
var Family = engine.Family{
	Name:    "trio",
	Doc:     "Trio: three in a row or column on three rows of four.",
	Presets: []engine.Preset{{Name: "standard", Doc: "x moves first"}},
	Build:   func(engine.Settings) (engine.Game, error) { return game{}, nil },
}

type game struct{}

func (game) Info() *engine.Info          { return &info }
func (game) Rules() string               { return "standard" }
func (game) NewState() engine.State      { return new(State) }
func (game) NewHistory() *engine.History { return engine.NewHistory(0) }

var info = engine.Info{
	Name: "trio", Version: 1, EncoderVersion: 1, Sides: [2]string{"x", "o"},
	NumActions: cells, MaxLegal: cells, PackedBytes: 4,
	Features: engine.Features{
		Planes: 2, Height: rows, Width: cols, Globals: 1, MaskPlane: -1,
		PlaneNames: []string{"own stones", "other stones"}, GlobalNames: []string{"stones / 12"},
	},
	Policy: engine.PolicyHead{Planes: 1, Cells: []int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, PlaneNames: []string{"put a stone here"}},
	Symmetries: []engine.Symmetry{{Name: "identity"}, {
		Name: "mirror", Cells: []int32{3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8}, Actions: []engine.Action{3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8},
	}},
}

// State is a position: the stones of x and of o. The zero value is the start.
type State struct{ stones [2]uint16 }

func (s *State) taken() uint16     { return s.stones[0] | s.stones[1] }
func (s *State) next() engine.Side { return engine.Side(s.Turn() & 1) }

// three tells whether stones have a line: one that begins in column a or b, or at the
// foot of a column.
func three(b uint16) bool { return b&(b>>1)&(b>>2)&0x333 != 0 || b&(b>>cols)&(b>>(2*cols)) != 0 }

// The rules.

func (s *State) Outcome() engine.Outcome {
	for p, b := range s.stones {
		if three(b) {
			return engine.Outcome{Over: true, Winner: engine.Player(p), Reason: "three"}
		}
	}
	if s.taken() == full {
		return engine.Outcome{Over: true, Winner: engine.Nobody, Reason: "full"}
	}
	return engine.Outcome{}
}

func (s *State) Actor() engine.Player {
	if s.Outcome().Over {
		return engine.Nobody
	}
	return engine.Player(s.next())
}

func (s *State) Legal(dst []engine.Action, _ *engine.History) []engine.Action {
	if s.Outcome().Over {
		return dst
	}
	for free := full &^ s.taken(); free != 0; free &= free - 1 {
		dst = append(dst, engine.Action(bits.TrailingZeros16(free)))
	}
	return dst
}

func (s *State) Apply(a engine.Action, _ *engine.History)       { s.stones[s.next()] |= 1 << a }
func (s *State) Side() engine.Side                              { return s.next() }
func (s *State) SideOf(p engine.Player) engine.Side             { return engine.Side(p) }
func (s *State) Chance(dst []engine.Weighted) []engine.Weighted { return dst }
func (s *State) Turn() int                                      { return bits.OnesCount16(s.taken()) }
func (s *State) CopyFrom(src engine.State)                      { *s = *src.(*State) }
func (s *State) Begin(h *engine.History)                        { h.Clear() }

func (s *State) Start(h *engine.History) {
	*s = State{}
	s.Begin(h)
}

// What a network and the cache of a search see.

func (s *State) Hash() uint64         { return kit.Mix(uint64(s.stones[0]) | uint64(s.stones[1])<<16) }
func (s *State) EncodingHash() uint64 { return s.Hash() }
func (s *State) SymmetryMask() uint32 { return 3 }

func (s *State) Encode(planes, globals []float32) {
	clear(planes)
	for c := range cells {
		for i, side := range []engine.Side{s.next(), 1 - s.next()} {
			planes[i*cells+c] = float32(s.stones[side] >> c & 1)
		}
	}
	globals[0] = float32(s.Turn()) / cells
}

func (s *State) Transform(i int) {
	for side, b := range s.stones {
		if i == 1 {
			s.stones[side] = b&0x111<<3 | b&0x222<<1 | b&0x444>>1 | b&0x888>>3
		}
	}
}

// Text and bytes.

func (s *State) Pack(dst []byte) []byte {
	return binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(dst, s.stones[0]), s.stones[1])
}

func (s *State) Unpack(src []byte) error {
	if len(src) != info.PackedBytes {
		return fmt.Errorf("packed position: %d bytes, want %d", len(src), info.PackedBytes)
	}
	return s.set([2]uint16{binary.LittleEndian.Uint16(src), binary.LittleEndian.Uint16(src[2:])})
}

// set refuses stones that no game leads to.
func (s *State) set(stones [2]uint16) error {
	x, o := stones[0], stones[1]
	n := bits.OnesCount16(x) - bits.OnesCount16(o)
	switch {
	case x&o != 0 || x|o > full:
		return errors.New("position: a stone off the board or two on one cell")
	case n != 0 && n != 1:
		return errors.New("position: want as many x as o, or one more")
	case three(stones[n&1]):
		return errors.New("position: the side to move has three")
	}
	s.stones = stones
	return nil
}

func (s *State) board() kit.Stones {
	return kit.Stones{Rows: rows, Cols: cols, At: func(row, col int) byte {
		switch {
		case s.stones[0]>>(row*cols+col)&1 != 0:
			return 'x'
		case s.stones[1]>>(row*cols+col)&1 != 0:
			return 'o'
		}
		return '.'
	}}
}

func (s *State) AppendPosition(dst []byte) []byte {
	return append(s.board().Append(dst), ' ', info.Sides[s.next()][0])
}

func (s *State) ParsePosition(line string) error {
	var t State
	side, err := kit.ParseStones(line, rows, cols, "three rows and the side to move, as in \"..../.o../x... x\"", func(side, row, col int) {
		t.stones[side] |= 1 << (row*cols + col)
	})
	if err == nil && side != info.Sides[t.next()] {
		err = fmt.Errorf("side to move %q: the stones say %s", side, info.Sides[t.next()])
	}
	if err != nil {
		return err
	}
	return s.set(t.stones)
}

func (s *State) AppendAction(dst []byte, a engine.Action) []byte {
	return append(dst, 'a'+byte(a%cols), '1'+byte(a/cols))
}

func (s *State) ParseAction(word string, h *engine.History) (engine.Action, error) {
	return kit.ParseWord(s, word, h)
}

func (s *State) Board(bool) string { return s.board().Draw("abcd", [2]string{}) }

// The picture of the board, for pages.

var layout = func() *engine.Layout {
	box := func(x, y, w, h float64) []engine.Point {
		return []engine.Point{{X: x, Y: y}, {X: x + w, Y: y}, {X: x + w, Y: y + h}, {X: x, Y: y + h}}
	}
	l := &engine.Layout{
		Width: cols, Height: rows, Frame: box(0, 0, cols, rows), Shapes: []engine.Shape{{Corners: box(-.5, -.5, 1, 1)}},
		Zones: []engine.Zone{{Side: engine.NoSide}}, Sides: info.Sides,
		Kinds: []engine.PieceKind{{Name: "stone", Letters: [2]string{"x", "o"}, Colors: [2]string{"red", "blue"}}},
	}
	for c := range cells {
		row, col := c/cols, c%cols
		name := string(new(State).AppendAction(nil, engine.Action(c)))
		l.Cells = append(l.Cells, engine.Cell{Name: name, Center: engine.Point{X: float64(col) + .5, Y: rows - float64(row) - .5}, Shade: (row + col) & 1, Input: c})
	}
	return l
}()

func (s *State) Layout() *engine.Layout { return layout }

func (s *State) AppendPieces(dst []engine.Piece) []engine.Piece {
	for rest := s.taken(); rest != 0; rest &= rest - 1 {
		c := bits.TrailingZeros16(rest)
		dst = append(dst, engine.Piece{Cell: c, Side: engine.Side(s.stones[1] >> c & 1), Count: 1})
	}
	return dst
}

func (s *State) AppendMarks(dst []engine.Mark, a engine.Action, _ engine.State) []engine.Mark {
	return append(dst, engine.Mark{Kind: engine.MarkPlace, Side: s.next(), Cells: []int{int(a)}})
}
