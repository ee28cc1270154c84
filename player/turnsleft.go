package player

import (
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/mcts"
)

// trustTurns is how far a network's estimate of the turns left may be from the
// game's own, as a factor: a network that has learned little says anything.
const trustTurns = 3

// turnsEstimate asks a network how many player turns are left. It costs an evaluation
// and allocates nothing once its buffers have grown.
type turnsEstimate struct {
	info            *engine.Info
	network         mcts.Network
	planes, globals []float32
	cells           []int32
	logits          []float32
	wdl             [3]float32
	turns           [1]float32
	offsets         [2]int32
}

func newTurnsEstimate(g engine.Game, network mcts.Network) *turnsEstimate {
	f := &g.Info().Features
	return &turnsEstimate{
		info: g.Info(), network: network,
		planes: make([]float32, f.Planes*f.Cells()), globals: make([]float32, f.Globals),
		cells: make([]int32, 0, g.Info().MaxLegal), logits: make([]float32, g.Info().MaxLegal),
	}
}

// turnsLeft is an estimate for s, whose legal actions are list, within a factor of
// trustTurns of the game's own, or the game's own if o is nil.
func (o *turnsEstimate) turnsLeft(s engine.State, list []engine.Action) (float64, error) {
	usual := float64(engine.TurnsLeft(s))
	if o == nil {
		return usual, nil
	}
	s.Encode(o.planes, o.globals)
	o.cells = o.cells[:0]
	for _, a := range list {
		o.cells = append(o.cells, o.info.Policy.Cells[a])
	}
	o.offsets[1] = int32(len(o.cells))
	if err := o.network.Forward(o.planes, o.globals, o.offsets[:], o.cells, o.logits[:len(o.cells)], o.wdl[:], o.turns[:]); err != nil {
		return 0, err
	}
	// Written so that what is no number counts as the least.
	said := float64(o.turns[0])
	if !(said > usual/trustTurns) {
		said = usual / trustTurns
	}
	return min(said, usual*trustTurns), nil
}
