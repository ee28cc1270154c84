// Package query answers what a program in another language asks of the rules, in values
// that are written as JSON: the legal actions of a position, what a network is shown of it,
// the position that an action leads to. The command encode, the program for WebAssembly
// and the files of an export say the same by it.
package query

import (
	"encoding/base64"
	"strings"

	"github.com/ludozero/ludozero/engine"
)

// Position is a position with all that the rules say of it.
type Position struct {
	Rules    string `json:"rules"`
	Position string `json:"position"`
	// Actor is first, second, chance or nobody; Side is the seat of the decision.
	Actor string `json:"actor"`
	Side  string `json:"side"`
	// Turn counts the finished turns of players.
	Turn int `json:"turn"`
	// Result is nil while the game goes on.
	Result *Result `json:"result"`
	// Actions are the legal ones in ascending order, Words the same as text. Where chance
	// decides they are its outcomes, and Chance has their probabilities.
	Actions []engine.Action `json:"actions"`
	Words   []string        `json:"words"`
	Chance  []float64       `json:"chance,omitempty"`
}

// Result is the end of a game.
type Result struct {
	// Winner is first, second or draw; WinnerSide is the seat of the winner, or draw.
	Winner     string `json:"winner"`
	WinnerSide string `json:"winner_side"`
	Reason     string `json:"reason"`
}

// Encoding is a position as a network sees it, from the seat of the acting side.
type Encoding struct {
	Position
	// Planes is [Planes, Height, Width] laid out flat, Globals [Globals]. Both are empty
	// where no player decides.
	Planes  []float32 `json:"planes"`
	Globals []float32 `json:"globals"`
	// Cells has for each of Actions the place of its logit in the policy output.
	Cells []int32 `json:"cells"`
	// Mask has a bit for each action number, bit a%8 of byte a/8, 1 for a legal one; base64.
	Mask string `json:"mask"`
	// Symmetries name those that map the position to an equivalent one.
	Symmetries []string `json:"symmetries"`
	// Packed is the position as records keep it, base64.
	Packed string `json:"packed"`
}

// Scratch is memory that calls share. The zero value is ready.
type Scratch struct {
	actions []engine.Action
	chance  []engine.Weighted
}

// Of says what the rules say of s, whose history is h.
func (m *Scratch) Of(g engine.Game, s engine.State, h *engine.History) *Position {
	info := g.Info()
	m.actions = engine.AppendPossible(m.actions[:0], &m.chance, s, h)
	p := &Position{
		Rules: g.Rules(), Position: string(s.AppendPosition(nil)), Actor: s.Actor().String(), Side: info.Sides[s.Side()], Turn: s.Turn(),
		Actions: append([]engine.Action{}, m.actions...), Words: make([]string, len(m.actions)),
	}
	for i, a := range m.actions {
		p.Words[i] = string(s.AppendAction(nil, a))
	}
	if s.Actor() == engine.Chance {
		for _, o := range m.chance {
			p.Chance = append(p.Chance, o.Prob)
		}
	}
	if o := s.Outcome(); o.Over {
		p.Result = &Result{Winner: "draw", WinnerSide: "draw", Reason: o.Reason}
		if o.Winner != engine.Nobody {
			p.Result.Winner, p.Result.WinnerSide = o.Winner.String(), info.Sides[s.SideOf(o.Winner)]
		}
	}
	return p
}

// Encode says in addition what a network is shown of s.
func (m *Scratch) Encode(g engine.Game, s engine.State, h *engine.History) *Encoding {
	info := g.Info()
	f := &info.Features
	e := &Encoding{
		Position: *m.Of(g, s, h), Planes: []float32{}, Globals: []float32{}, Cells: []int32{}, Symmetries: []string{},
		Packed: base64.StdEncoding.EncodeToString(s.Pack(make([]byte, 0, info.PackedBytes))),
	}
	for i, held := 0, s.SymmetryMask(); i < len(info.Symmetries); i++ {
		if held>>i&1 != 0 {
			e.Symmetries = append(e.Symmetries, info.Symmetries[i].Name)
		}
	}
	if a := s.Actor(); a != engine.First && a != engine.Second {
		return e
	}
	e.Planes, e.Globals = make([]float32, f.Planes*f.Cells()), make([]float32, f.Globals)
	s.Encode(e.Planes, e.Globals)
	mask := make([]byte, (info.NumActions+7)/8)
	for _, a := range e.Actions {
		e.Cells = append(e.Cells, info.Policy.Cells[a])
		mask[a/8] |= 1 << (a % 8)
	}
	e.Mask = base64.StdEncoding.EncodeToString(mask)
	return e
}

// Sparse lists the inputs that are 1 by their indices, and pairs of index and value of those
// that are neither 0 nor 1.
func Sparse(inputs []float32) (ones []int, others [][2]float32) {
	ones, others = []int{}, [][2]float32{}
	for at, x := range inputs {
		switch x {
		case 0:
		case 1:
			ones = append(ones, at)
		default:
			others = append(others, [2]float32{float32(at), x})
		}
	}
	return ones, others
}

// Question names a position: moves, as words with blanks between, from a position line or,
// if that is empty, from the start, under a ruleset.
type Question struct {
	Game    string   `json:"game"`
	Preset  string   `json:"preset,omitempty"`
	Options []string `json:"options,omitempty"`
	Pos     string   `json:"pos,omitempty"`
	Moves   string   `json:"moves,omitempty"`
}

// SetUp makes the game of q among games, and a state of it in the position of q.
func (q *Question) SetUp(games engine.Families) (engine.Game, engine.State, *engine.History, error) {
	family, err := games.ByName(q.Game)
	if err != nil {
		return nil, nil, nil, err
	}
	g, err := family.New(q.Preset, q.Options)
	if err != nil {
		return nil, nil, nil, err
	}
	s, h := g.NewState(), g.NewHistory()
	if err := engine.SetUp(s, h, q.Pos); err != nil {
		return nil, nil, nil, err
	}
	if err := engine.PlayWords(s, h, strings.Fields(q.Moves)); err != nil {
		return nil, nil, nil, err
	}
	return g, s, h, nil
}
