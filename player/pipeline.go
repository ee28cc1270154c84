package player

import (
	"sync"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/mcts"
)

const (
	// groupLeaves is how many leaves are backed up before others are collected in their
	// place, and the most that are evaluated in one batch. On kernels for AMX a batch of
	// eight takes half of the time that its positions take one by one.
	groupLeaves = 8
	// pendingPerThread is how many leaves are pending for each thread of a search for a
	// time: those that it evaluates, and as many that wait for it while others are
	// backed up and collected.
	pendingPerThread = 2 * groupLeaves
)

// pipeline searches trees with one or more evaluators. The goroutine that calls step is
// the only one that touches the tree: it collects leaves, backs them up, and evaluates
// some where it would wait. The others evaluate the rest; they live from begin to end.
//
// What is searched does not depend on them: leaves are collected until as many are
// pending as allowed, then a group of the oldest is backed up, in the order in which they
// were collected, whoever has evaluated them and when.
type pipeline struct {
	own  *worker
	more []*worker
	// The pending leaves, a ring. They are numbered in the order of collection; leaf n is
	// at n modulo the length. oldest <= taken <= next.
	leaves  []mcts.Leaf
	answers []answer
	oldest  int // the first that is pending
	next    int // how many were collected

	lock  sync.Mutex
	work  sync.Cond // there are leaves to evaluate, or nothing more to do
	done  sync.Cond // leaves were evaluated
	taken int       // how many were collected and given to an evaluator, or dropped
	idle  int       // workers that wait for work
	// waits says that the owner waits for done.
	waits, over bool
	err         error // of the first evaluation that failed
	group       sync.WaitGroup
}

// answer is the evaluation of a leaf.
type answer struct {
	logits     []float32
	evaluation mcts.Evaluation
	known      bool
}

// worker evaluates leaves, a batch at a time.
type worker struct {
	evaluator   mcts.Evaluator
	offsets     [groupLeaves + 1]int32
	logits      []float32 // [groupLeaves × MaxLegal]
	evaluations [groupLeaves]mcts.Evaluation
}

// newPipeline returns a pipeline for trees of g with up to pending leaves, one thread for
// each of evaluators, which must not share anything that is not safe to.
func newPipeline(g engine.Game, pending int, evaluators ...mcts.Evaluator) *pipeline {
	p := &pipeline{leaves: make([]mcts.Leaf, pending), answers: make([]answer, pending)}
	p.work.L, p.done.L = &p.lock, &p.lock
	for _, e := range evaluators {
		p.more = append(p.more, &worker{evaluator: e, logits: make([]float32, min(pending, groupLeaves)*g.Info().MaxLegal)})
	}
	p.own, p.more = p.more[0], p.more[1:]
	return p
}

// begin starts the goroutines of a search. end must follow.
func (p *pipeline) begin() {
	for _, w := range p.more {
		p.group.Go(func() { p.serve(w) })
	}
}

// end waits for the evaluations that have begun, backs up what they gave, cancels what is
// still pending, and returns once all goroutines have ended.
func (p *pipeline) end(t *mcts.Tree) {
	p.lock.Lock()
	p.over = true
	p.taken = p.next
	p.work.Broadcast()
	p.lock.Unlock()
	p.group.Wait()
	for ; p.oldest < p.next; p.oldest++ {
		leaf, a := p.pending(p.oldest)
		if a.known {
			t.Backup(leaf, a.logits, a.evaluation)
		} else {
			t.Cancel(leaf)
		}
	}
	p.over, p.err = false, nil
}

// count is the number of leaves that are pending.
func (p *pipeline) count() int { return p.next - p.oldest }

// pending is leaf n and its answer.
func (p *pipeline) pending(n int) (*mcts.Leaf, *answer) {
	return &p.leaves[n%len(p.leaves)], &p.answers[n%len(p.leaves)]
}

// step collects leaves until window of them are pending, or no more can be, and backs up
// the oldest ones. It returns the error of an evaluation; end must follow then.
func (p *pipeline) step(t *mcts.Tree, window int) error {
	group := min(window, groupLeaves)
	for p.count() < window {
		at := p.next % len(p.leaves)
		most := min(window-p.count(), groupLeaves, len(p.leaves)-at)
		n := t.Collect(p.leaves[at : at+most])
		for i := range p.answers[at : at+n] {
			p.answers[at+i].known = false
		}
		p.offer(n)
		if n < most {
			break
		}
	}
	last := min(p.oldest+group, p.next)
	if err := p.await(last); err != nil {
		return err
	}
	for ; p.oldest < last; p.oldest++ {
		leaf, a := p.pending(p.oldest)
		t.Backup(leaf, a.logits, a.evaluation)
	}
	return nil
}

// offer makes n more leaves known to the workers.
func (p *pipeline) offer(n int) {
	p.lock.Lock()
	p.next += n
	if p.idle > 0 && n > 0 {
		p.work.Signal()
	}
	p.lock.Unlock()
}

// await returns once the leaves before last are evaluated.
func (p *pipeline) await(last int) error {
	p.lock.Lock()
	defer p.lock.Unlock()
	for n := p.oldest; n < last && p.err == nil; {
		switch _, a := p.pending(n); {
		case a.known:
			n++
		case p.taken < p.next:
			p.evaluate(p.own)
		default:
			p.waits = true
			p.done.Wait()
			p.waits = false
		}
	}
	return p.err
}

// serve evaluates leaves until the search is over.
func (p *pipeline) serve(w *worker) {
	p.lock.Lock()
	defer p.lock.Unlock()
	for !p.over {
		if p.taken < p.next {
			p.evaluate(w)
			continue
		}
		p.idle++
		p.work.Wait()
		p.idle--
	}
}

// evaluate takes a batch of leaves and evaluates it, with p.lock released meanwhile: an
// equal part of those that wait, so that nobody has all of them and others none.
func (p *pipeline) evaluate(w *worker) {
	threads := 1 + len(p.more)
	at := p.taken % len(p.leaves)
	n := min((p.next-p.taken+threads-1)/threads, groupLeaves, len(p.leaves)-at)
	p.taken += n
	if p.taken < p.next && p.idle > 0 {
		p.work.Signal()
	}
	p.lock.Unlock()
	err := w.run(p.leaves[at:at+n], p.answers[at:at+n])
	p.lock.Lock()
	if err != nil {
		if p.err == nil {
			p.err = err
		}
	} else {
		for i := range p.answers[at : at+n] {
			p.answers[at+i].known = true
		}
	}
	if p.waits {
		p.done.Signal()
	}
}

func (w *worker) run(leaves []mcts.Leaf, answers []answer) error {
	for i := range leaves {
		w.offsets[i+1] = w.offsets[i] + int32(len(leaves[i].Actions))
	}
	n := len(leaves)
	if err := w.evaluator.Evaluate(leaves, w.offsets[:n+1], w.logits, w.evaluations[:n]); err != nil {
		return err
	}
	for i := range answers {
		answers[i].logits = append(answers[i].logits[:0], w.logits[w.offsets[i]:w.offsets[i+1]]...)
		answers[i].evaluation = w.evaluations[i]
	}
	return nil
}
