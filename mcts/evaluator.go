package mcts

import "github.com/ludozero/ludozero/engine"

// ByNetwork returns an Evaluator that calls network, which it must not share.
func ByNetwork(info *engine.Info, network Network) Evaluator {
	return ByBatch(NewBatch(info), network)
}

// ByBatch returns an Evaluator that calls network through batch, with the batch's
// cache and folding. It must share neither.
func ByBatch(batch *Batch, network Network) Evaluator {
	return &byBatch{batch: batch, network: network}
}

type byBatch struct {
	batch   *Batch
	network Network
	places  []int // [leaves], in the batch
}

func (e *byBatch) Evaluate(leaves []Leaf, offsets []int32, logits []float32, evaluations []Evaluation) error {
	e.batch.Clear()
	e.places = e.places[:0]
	for i := range leaves {
		place := e.batch.Add(leaves[i].State, leaves[i].Actions)
		if place == Known {
			e.write(i, Known, offsets, logits, evaluations)
		}
		e.places = append(e.places, place)
	}
	if err := e.batch.Evaluate(e.network); err != nil {
		return err
	}
	for i, place := range e.places {
		if place != Known {
			e.write(i, place, offsets, logits, evaluations)
		}
	}
	return nil
}

// write copies the evaluation at place in the batch to leaf i's.
func (e *byBatch) write(i, place int, offsets []int32, logits []float32, evaluations []Evaluation) {
	copy(logits[offsets[i]:offsets[i+1]], e.batch.Logits(place))
	evaluations[i] = e.batch.Evaluation(place)
}
