package worker

import (
	"fmt"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/mcts"
)

// wdlOutputs are the logits of win, draw and loss, turnsOutputs the turns left.
const (
	wdlOutputs   = 3
	turnsOutputs = 1
)

// Run computes an ONNX model as model/onnx writes it: planes is [rows, Planes,
// Height, Width], globals [rows, Globals]. out receives the outputs of all rows,
// one output after the other: policy [rows, HeadCells], wdl [rows, 3], turns
// [rows]. It keeps no argument.
type Run func(planes, globals []float32, rows int, out []float32) error

// Remote is a network that the page computes. It is used by one goroutine at a time.
type Remote struct {
	run  Run
	head int // HeadCells
	out  []float32
}

var _ mcts.Network = (*Remote)(nil)

// NewRemote returns the network that run computes for games of info's family.
func NewRemote(info *engine.Info, run Run) *Remote {
	return &Remote{run: run, head: info.Policy.Planes*info.Features.Cells() + info.Policy.Globals}
}

// Outputs is how many numbers Run writes for each row.
func (r *Remote) Outputs() int { return r.head + wdlOutputs + turnsOutputs }

// Forward implements [mcts.Network].
func (r *Remote) Forward(planes, globals []float32, offsets, cells []int32, logits, wdl, turns []float32) error {
	rows := len(offsets) - 1
	if n := rows * r.Outputs(); cap(r.out) < n {
		r.out = make([]float32, n)
	}
	out := r.out[:rows*r.Outputs()]
	if err := r.run(planes, globals, rows, out); err != nil {
		return fmt.Errorf("network of %d positions: %w", rows, err)
	}
	for i := range rows {
		policy := out[i*r.head : (i+1)*r.head]
		for k := offsets[i]; k < offsets[i+1]; k++ {
			logits[k] = policy[cells[k]]
		}
	}
	rest := out[rows*r.head:]
	copy(wdl, rest[:rows*wdlOutputs])
	if turns != nil {
		copy(turns, rest[rows*wdlOutputs:])
	}
	return nil
}
