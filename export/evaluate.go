package export

import (
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/infer"
)

// evaluator asks the float32 network about one position at a time.
type evaluator struct {
	info  *engine.Info
	shape model.Shape
	net   *infer.Net
	// planes and globals are the inputs of the position last asked about.
	planes, globals []float32
	cells           []int32
}

func newEvaluator(n *Network) (*evaluator, error) {
	info, err := n.info()
	if err != nil {
		return nil, err
	}
	net, err := infer.New(n.Card.Network, n.Weights, infer.Options{MaxBatch: 1})
	if err != nil {
		return nil, err
	}
	s := n.Card.Network.Shape
	return &evaluator{info: info, shape: s, net: net, planes: make([]float32, s.Planes*s.Cells()), globals: make([]float32, s.Globals)}, nil
}

// evaluate fills logits, one for each legal action, wdl [3] and turns [1], which may be
// nil.
func (e *evaluator) evaluate(state engine.State, legal []engine.Action, logits, wdl, turns []float32) error {
	state.Encode(e.planes, e.globals)
	e.cells = slices.Grow(e.cells[:0], len(legal))
	for _, a := range legal {
		e.cells = append(e.cells, e.info.Policy.Cells[a])
	}
	return e.net.Forward(e.planes, e.globals, []int32{0, int32(len(legal))}, e.cells, logits, wdl, turns)
}
