package export

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/query"
)

// Vector is a position with the network's inputs and outputs in float32: one line of
// VectorsFile. A line needs no other; numbers have the shortest digits that identify a
// float32.
type Vector struct {
	// Rules and Position are the ruleset and the position line, from which the rest
	// follows. Side is the side to act, from whose seat the inputs are.
	Rules    string `json:"rules"`
	Position string `json:"position"`
	Side     string `json:"side"`
	// Ones are the indices in planes, [Planes, Height, Width] laid out flat, of
	// what is 1; Others are pairs of an index and a value for what is neither 0
	// nor 1.
	Ones   []int        `json:"ones"`
	Others [][2]float32 `json:"others,omitempty"`
	// Globals are all of them in order.
	Globals []float32 `json:"globals"`
	// Actions are the legal ones in ascending order, Words the same as text.
	Actions []engine.Action `json:"actions"`
	Words   []string        `json:"words"`
	// Logits are the logits of Actions: outputs policy[cells[action]] with the table
	// cells of the card.
	Logits []float32 `json:"logits"`
	// WDL are the logits of win, draw and loss of the player to act, Turns the turns
	// left.
	WDL   [3]float32 `json:"wdl"`
	Turns float32    `json:"turns"`
}

// vectors asks the network about positions.
func vectors(n *Network, list []Position) ([]Vector, error) {
	e, err := newEvaluator(n)
	if err != nil {
		return nil, err
	}
	all := make([]Vector, len(list))
	for i, p := range list {
		v := &all[i]
		*v = Vector{
			Rules: p.Game.Rules(), Position: string(p.State.AppendPosition(nil)), Side: e.info.Sides[p.State.Side()],
			Actions: p.Legal, Logits: make([]float32, len(p.Legal)),
		}
		var turns [1]float32
		if err := e.evaluate(p.State, p.Legal, v.Logits, v.WDL[:], turns[:]); err != nil {
			return nil, err
		}
		v.Turns = turns[0]
		v.Ones, v.Others = query.Sparse(e.planes)
		v.Globals = append([]float32{}, e.globals...)
		for _, a := range p.Legal {
			v.Words = append(v.Words, string(p.State.AppendAction(nil, a)))
		}
	}
	return all, nil
}

func encodeVectors(n *Network, list []Position) ([]byte, error) {
	all, err := vectors(n, list)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for i := range all {
		if err := e.Encode(&all[i]); err != nil {
			return nil, fmt.Errorf("position %q: the network's answers are not finite numbers, which JSON lacks (%w): its weights are damaged or too large", all[i].Position, err)
		}
	}
	return b.Bytes(), nil
}
