package enginetest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest"
	"github.com/ludozero/ludozero/engine/enginetest/pienim"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/tictactoe"
)

// faulty is a sound state but for the methods that its fault replaces.
type faulty struct {
	engine.State
	f *fault
	// applied counts the moves this state has seen, wherever it is now.
	applied int
}

// fault is a breach of the contract; nil functions leave the sound ones.
type fault struct {
	info         func(*engine.Info)
	legal        func(s *faulty, dst []engine.Action, h *engine.History) []engine.Action
	chance       func(s *faulty, dst []engine.Weighted) []engine.Weighted
	apply        func(s *faulty, a engine.Action, h *engine.History)
	outcome      func(s *faulty) engine.Outcome
	turn         func(s *faulty) int
	side         func(s *faulty) engine.Side
	hash         func(s *faulty) uint64
	encodingHash func(s *faulty) uint64
	copyFrom     func(s, src *faulty)
	start        func(s *faulty, h *engine.History)
	encode       func(s *faulty, planes, globals []float32)
	symmetryMask func(s *faulty) uint32
	transform    func(s *faulty, i int)
	pack         func(s *faulty, dst []byte) []byte
	unpack       func(s *faulty, src []byte) error
	line         func(s *faulty, dst []byte) []byte
	parse        func(s *faulty, line string) error
	word         func(s *faulty, dst []byte, a engine.Action) []byte
	turned       func(sound []int32) []int32
	settled      func(s *faulty) bool
	neutral      func(s *faulty) (engine.Action, bool)
	turnsLeft    func(s *faulty) int
}

type faultyGame struct {
	engine.Game
	f    *fault
	info *engine.Info
}

func newFaulty(g engine.Game, f *fault) *faultyGame {
	info := *g.Info()
	if f.info != nil {
		f.info(&info)
	}
	return &faultyGame{g, f, &info}
}

func (g *faultyGame) Info() *engine.Info { return g.info }
func (g *faultyGame) Turned() []int32 {
	sound := slices.Clone(engine.Turned(g.Game))
	if g.f.turned != nil {
		return g.f.turned(sound)
	}
	return sound
}
func (g *faultyGame) NewState() engine.State {
	return &faulty{State: g.Game.NewState(), f: g.f}
}

func (s *faulty) Swap() bool {
	t, ok := s.State.(engine.Swapper)
	return ok && t.Swap()
}

func (s *faulty) Legal(dst []engine.Action, h *engine.History) []engine.Action {
	if s.f.legal != nil {
		return s.f.legal(s, dst, h)
	}
	return s.State.Legal(dst, h)
}

func (s *faulty) Chance(dst []engine.Weighted) []engine.Weighted {
	if s.f.chance != nil {
		return s.f.chance(s, dst)
	}
	return s.State.Chance(dst)
}

func (s *faulty) Apply(a engine.Action, h *engine.History) {
	s.applied++
	if s.f.apply != nil {
		s.f.apply(s, a, h)
		return
	}
	s.State.Apply(a, h)
}

func (s *faulty) Outcome() engine.Outcome {
	if s.f.outcome != nil {
		return s.f.outcome(s)
	}
	return s.State.Outcome()
}

func (s *faulty) Turn() int {
	if s.f.turn != nil {
		return s.f.turn(s)
	}
	return s.State.Turn()
}

func (s *faulty) Side() engine.Side {
	if s.f.side != nil {
		return s.f.side(s)
	}
	return s.State.Side()
}

func (s *faulty) Hash() uint64 {
	if s.f.hash != nil {
		return s.f.hash(s)
	}
	return s.State.Hash()
}

func (s *faulty) EncodingHash() uint64 {
	if s.f.encodingHash != nil {
		return s.f.encodingHash(s)
	}
	return s.State.EncodingHash()
}

func (s *faulty) CopyFrom(src engine.State) {
	t := src.(*faulty)
	s.applied = t.applied
	if s.f.copyFrom != nil {
		s.f.copyFrom(s, t)
		return
	}
	s.State.CopyFrom(t.State)
}

func (s *faulty) Start(h *engine.History) {
	s.applied = 0
	if s.f.start != nil {
		s.f.start(s, h)
		return
	}
	s.State.Start(h)
}

func (s *faulty) Encode(planes, globals []float32) {
	if s.f.encode != nil {
		s.f.encode(s, planes, globals)
		return
	}
	s.State.Encode(planes, globals)
}

func (s *faulty) SymmetryMask() uint32 {
	if s.f.symmetryMask != nil {
		return s.f.symmetryMask(s)
	}
	return s.State.SymmetryMask()
}

func (s *faulty) Transform(i int) {
	if s.f.transform != nil {
		s.f.transform(s, i)
		return
	}
	s.State.Transform(i)
}

func (s *faulty) Pack(dst []byte) []byte {
	if s.f.pack != nil {
		return s.f.pack(s, dst)
	}
	return s.State.Pack(dst)
}

func (s *faulty) Unpack(src []byte) error {
	s.applied = 0
	if s.f.unpack != nil {
		return s.f.unpack(s, src)
	}
	return s.State.Unpack(src)
}

func (s *faulty) ParsePosition(line string) error {
	if s.f.parse != nil {
		return s.f.parse(s, line)
	}
	return s.State.ParsePosition(line)
}

func (s *faulty) AppendPosition(dst []byte) []byte {
	if s.f.line != nil {
		return s.f.line(s, dst)
	}
	return s.State.AppendPosition(dst)
}

func (s *faulty) AppendAction(dst []byte, a engine.Action) []byte {
	if s.f.word != nil {
		return s.f.word(s, dst, a)
	}
	return s.State.AppendAction(dst, a)
}

func (s *faulty) Settled() bool {
	if s.f.settled != nil {
		return s.f.settled(s)
	}
	return engine.Settled(s.State)
}

func (s *faulty) Neutral() (engine.Action, bool) {
	if s.f.neutral != nil {
		return s.f.neutral(s)
	}
	return engine.Neutral(s.State)
}

func (s *faulty) TurnsLeft() int {
	if s.f.turnsLeft != nil {
		return s.f.turnsLeft(s)
	}
	return engine.TurnsLeft(s.State)
}

func TestCheckFindsFaults(t *testing.T) {
	tic, err := tictactoe.Family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	race, nim, shifting := racegame.New(), pienim.New(""), pienim.New("shifting")
	low := pienim.New("standard,height=2")
	// exchange turns two cells of the three heaps' rows into each other.
	exchange := func(a, b int32) func([]int32) []int32 {
		return func([]int32) []int32 {
			t := []int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
			t[a], t[b] = b, a
			return t
		}
	}
	for _, c := range []struct {
		name string
		g    engine.Game
		want string // part of the error
		f    fault
	}{
		{"sound", tic, "", fault{}},
		{"sound", race, "", fault{}},
		{"sound", shifting, "", fault{}},
		{"short policy table", tic, "policy table", fault{info: func(in *engine.Info) { in.Policy.Cells = in.Policy.Cells[1:] }}},
		{"head cell out of range", tic, "head cell", fault{info: func(in *engine.Info) { in.Policy.Planes = 0 }}},
		{"board too wide for a network", tic, "width of the board", fault{info: func(in *engine.Info) { in.Features.Width = engine.MaxWidth + 1 }}},
		{"board too flat for a network", tic, "height of the board: 2, networks take", fault{info: func(in *engine.Info) { in.Features.Height = 2 }}},
		{"more actions than searches take", tic, "searches and records take at most 65535", fault{info: func(in *engine.Info) {
			in.Policy.Cells = append(slices.Clone(in.Policy.Cells), make([]int32, 1<<16)...)
			in.NumActions, in.Symmetries = len(in.Policy.Cells), in.Symmetries[:1]
		}}},
		{"a line with the word that ends lines", tic, "the word moves", fault{
			line:  func(s *faulty, dst []byte) []byte { return append(s.State.AppendPosition(dst), " moves"...) },
			parse: func(s *faulty, line string) error { return s.State.ParsePosition(strings.TrimSuffix(line, " moves")) }}},
		{"missing head cell", tic, "no head cell", fault{info: func(in *engine.Info) {
			in.Policy.Cells = slices.Clone(in.Policy.Cells)
			in.Policy.Cells[3] = -1
		}}},
		{"unnamed head plane", tic, "head plane names", fault{info: func(in *engine.Info) { in.Policy.PlaneNames = nil }}},
		{"unnamed input", tic, "global names", fault{info: func(in *engine.Info) { in.Features.GlobalNames = nil }}},
		{"mapping of cells that is none", tic, "no permutation", fault{info: func(in *engine.Info) {
			in.Symmetries = slices.Clone(in.Symmetries)
			in.Symmetries[1].Cells = make([]int32, 9)
		}}},
		{"tables of another symmetry", tic, "symmetry \"mirror\"", fault{info: func(in *engine.Info) {
			in.Symmetries = slices.Clone(in.Symmetries)
			in.Symmetries[1].Actions = in.Symmetries[2].Actions
		}}},
		{"cells of another symmetry", tic, "its image", fault{info: func(in *engine.Info) {
			in.Symmetries = slices.Clone(in.Symmetries)
			in.Symmetries[1].Cells = in.Symmetries[2].Cells
		}}},
		{"too few turned cells", tic, "no permutation of the board", fault{turned: func([]int32) []int32 { return []int32{0} }}},
		{"cells turned in a ring", tic, "is turned to 1, and 1 to 2", fault{turned: func([]int32) []int32 { return []int32{1, 2, 0, 3, 4, 5, 6, 7, 8} }}},
		{"turned against the actions' symmetries", nim, "the image of action", fault{turned: exchange(0, 1)}},
		{"turned against the cells' symmetries", nim, "but turned afterwards", fault{turned: exchange(1, 2)}},
		{"turned off the board", nim, "which is off it", fault{turned: exchange(1, 3)}},
		{"turned beside the board", low, "is off the board, yet turned", fault{turned: exchange(2, 3)}},
		{"MaxLegal too small", tic, "MaxLegal", fault{info: func(in *engine.Info) { in.MaxLegal = 8 }}},
		{"forgotten action", tic, "legal actions of the image", fault{
			legal: func(s *faulty, dst []engine.Action, h *engine.History) []engine.Action {
				n := len(dst)
				dst = s.State.Legal(dst, h)
				if len(dst)-n == 6 {
					dst = dst[:n+5]
				}
				return dst
			}}},
		{"descending actions", tic, "want them ascending", fault{
			legal: func(s *faulty, dst []engine.Action, h *engine.History) []engine.Action {
				n := len(dst)
				dst = s.State.Legal(dst, h)
				slices.Reverse(dst[n:])
				return dst
			}}},
		{"overwritten prefix", tic, "overwrites", fault{
			legal: func(s *faulty, dst []engine.Action, h *engine.History) []engine.Action {
				return s.State.Legal(dst[:0], h)
			}}},
		{"moves after the end", tic, "legal actions for actor nobody", fault{
			legal: func(s *faulty, dst []engine.Action, h *engine.History) []engine.Action {
				if s.State.Outcome().Over {
					return append(dst, 0)
				}
				return s.State.Legal(dst, h)
			}}},
		{"improbable dice", race, "sum to", fault{
			chance: func(s *faulty, dst []engine.Weighted) []engine.Weighted {
				dst = s.State.Chance(dst)
				for i := range dst {
					dst[i].Prob *= 0.9
				}
				return dst
			}}},
		{"outcome without an end", tic, "with actor", fault{
			outcome: func(s *faulty) engine.Outcome {
				return engine.Outcome{Over: s.State.Turn() >= 3, Winner: engine.Nobody, Reason: "tired"}
			}}},
		{"end without a reason", tic, "reason \"\"", fault{
			outcome: func(s *faulty) engine.Outcome {
				o := s.State.Outcome()
				o.Reason = ""
				return o
			}}},
		{"turns in twos", tic, "turn count", fault{turn: func(s *faulty) int { return 2 * s.State.Turn() }}},
		{"side of the opponent", nim, "decides, but", fault{side: func(s *faulty) engine.Side { return 1 - s.State.Side() }}},
		{"hash of the path", tic, "hash", fault{hash: func(s *faulty) uint64 { return s.State.Hash() + uint64(s.applied) }}},
		{"hash that Transform forgets", tic, "unpacked bytes", fault{
			hash: func(s *faulty) uint64 { return s.State.Hash() + uint64(s.applied&16) },
			transform: func(s *faulty, i int) {
				s.State.Transform(i)
				s.applied |= 16
			}}},
		{"one EncodingHash for all", tic, "two encodings", fault{encodingHash: func(*faulty) uint64 { return 1 }}},
		{"EncodingHash of more than is shown", shifting, "one encoding has", fault{
			encodingHash: func(s *faulty) uint64 { return s.State.EncodingHash() + uint64(s.State.Turn()) }}},
		{"cell left alone", tic, "plane", fault{
			encode: func(s *faulty, planes, globals []float32) {
				old := planes[4]
				s.State.Encode(planes, globals)
				planes[4] = old
			}}},
		{"plane below 0", tic, "want a finite number of at least 0", fault{
			encode: func(s *faulty, planes, globals []float32) {
				s.State.Encode(planes, globals)
				planes[2] = -0.5
			}}},
		{"global left alone", tic, "global", fault{
			encode: func(s *faulty, planes, globals []float32) {
				old := globals[0]
				s.State.Encode(planes, globals)
				globals[0] = old
			}}},
		{"stones off the board", nim, "where the mask is", fault{
			encode: func(s *faulty, planes, globals []float32) {
				s.State.Encode(planes, globals)
				planes[3] = 1
			}}},
		{"copy that shares", tic, "changed the original", fault{copyFrom: func(s, src *faulty) { s.State = src.State }}},
		{"copy of nothing", tic, "a copy differs", fault{copyFrom: func(*faulty, *faulty) {}}},
		{"two entries a move", shifting, "by 2 positions", fault{
			apply: func(s *faulty, a engine.Action, h *engine.History) {
				s.State.Apply(a, h)
				h.Push(1, []uint64{1})
			}}},
		{"truncated history remembered", tic, "leads elsewhere after", fault{
			apply: func(s *faulty, a engine.Action, h *engine.History) {
				s.State.Apply(a, h)
				h.Push(uint64(a)<<60, nil)
				forgetful++
				if forgetful%2 == 0 {
					h.Truncate(0)
				}
			}}},
		{"start that is none", tic, "Start after a move", fault{
			start: func(s *faulty, h *engine.History) {
				if s.State.Turn() != 1 {
					s.State.Start(h)
				}
			}}},
		{"symmetry by name only", tic, "symmetry", fault{transform: func(*faulty, int) {}}},
		{"symmetry without the identity", tic, "symmetry mask", fault{symmetryMask: func(*faulty) uint32 { return 2 }}},
		{"long bytes", tic, "Pack appends", fault{pack: func(s *faulty, dst []byte) []byte { return append(s.State.Pack(dst), 0) }}},
		{"any bytes welcome", tic, "Unpack accepts", fault{
			unpack: func(s *faulty, src []byte) error {
				_ = s.State.Unpack(src)
				return nil
			}}},
		{"refused line that counts", tic, "changed the state", fault{
			parse: func(s *faulty, line string) error {
				err := s.State.ParsePosition(line)
				if err != nil {
					s.State.Start(nil)
				}
				return err
			}}},
		{"settled before the pie", nim, "exchanges the sides", fault{settled: func(*faulty) bool { return true }, neutral: func(*faulty) (engine.Action, bool) { return 0, false }}},
		{"settled twice", tic, "yet not after action", fault{settled: func(s *faulty) bool { return s.State.Turn() != 3 }}},
		{"settled by the path", tic, "Unpack gives another position", fault{settled: func(s *faulty) bool { return s.applied != 0 }}},
		{"asked when all is settled", nim, "would settle it", fault{neutral: func(s *faulty) (engine.Action, bool) {
			return s.State.Legal(nil, nil)[0], engine.Settled(s.State)
		}}},
		{"neutral swap", nim, "exchanges the sides", fault{neutral: func(s *faulty) (engine.Action, bool) {
			a, ok := engine.Neutral(s.State)
			return a + 1, ok
		}}},
		{"neutral nothing", nim, "is not legal", fault{neutral: func(s *faulty) (engine.Action, bool) {
			_, ok := engine.Neutral(s.State)
			return 99, ok
		}}},
		{"no turn left", tic, "TurnsLeft is 0", fault{turnsLeft: func(s *faulty) int { return 8 - s.State.Turn() }}},
		{"pace by the path", tic, "Unpack gives another position", fault{turnsLeft: func(s *faulty) int { return 1 + s.applied }}},
		{"one word for all", tic, "no word of its own", fault{
			word: func(_ *faulty, dst []byte, _ engine.Action) []byte { return append(dst, "a1"...) }}},
	} {
		t.Run(c.name, func(t *testing.T) {
			forgetful = 0
			_, err := enginetest.Check(newFaulty(c.g, &c.f), 20, 1)
			switch {
			case c.want == "" && err != nil:
				t.Errorf("Check = %v, want nil", err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("Check = %v, want an error with %q", err, c.want)
			}
		})
	}
}

// forgetful is the state that a fault keeps outside of all states.
var forgetful int

func TestCheckAllocationsFindsFaults(t *testing.T) {
	tic, err := tictactoe.Family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	if err := enginetest.CheckAllocations(tic, 1); err != nil {
		t.Errorf("CheckAllocations = %v for a sound game", err)
	}
	err = enginetest.CheckAllocations(newFaulty(tic, &fault{
		legal: func(s *faulty, dst []engine.Action, h *engine.History) []engine.Action {
			return append(dst, s.State.Legal(nil, h)...)
		}}), 1)
	if err == nil || !strings.Contains(err.Error(), "Legal allocates") {
		t.Errorf("CheckAllocations = %v, want that Legal allocates", err)
	}
}

func TestCheckFamilyFindsFaults(t *testing.T) {
	sound := func() engine.Family {
		f := pienim.Family
		f.Presets, f.Options = slices.Clone(f.Presets), slices.Clone(f.Options)
		return f
	}
	for _, c := range []struct {
		want  string
		spoil func(*engine.Family)
	}{
		{"", func(*engine.Family) {}},
		{"a preset", func(f *engine.Family) { f.Presets = nil }},
		{"not explained", func(f *engine.Family) { f.Options[0].Doc = "" }},
		{"no option", func(f *engine.Family) { f.Presets[1].Set = map[string]string{"shfit": "true"} }},
		{"want 2 to 4", func(f *engine.Family) { f.Options[0].Default = "9" }},
		{"have an Info of their own", func(f *engine.Family) { f.Name = "chess" }},
		{"are called", func(f *engine.Family) {
			build := f.Build
			f.Build = func(s engine.Settings) (engine.Game, error) {
				s.Rules = "standard"
				return build(s)
			}
		}},
	} {
		f := sound()
		c.spoil(&f)
		err := enginetest.CheckFamily(&f)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("CheckFamily = %v, want nil", err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("CheckFamily = %v, want an error with %q", err, c.want)
		}
	}
}

func TestCheckIsReproducible(t *testing.T) {
	a, err := enginetest.Check(racegame.New(), 30, 7)
	if err != nil {
		t.Fatal(err)
	}
	b, err := enginetest.Check(racegame.New(), 30, 7)
	if err != nil {
		t.Fatal(err)
	}
	if a.String() != b.String() || a.Games != 30 || a.Rolls == 0 {
		t.Errorf("same seed, statistics\n%v\n%v", &a, &b)
	}
}
