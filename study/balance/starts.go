package balance

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match/opening"
)

// Starts are the ways to settle the start of a game (engine.Settler): the tree of the
// decisions up to there, and the different positions that its lines lead to. A game with
// nothing to settle has one start, its initial position.
type Starts struct {
	// List are the different positions. Transpositions are one, and so are positions that
	// are images of each other under a symmetry of the rules.
	List []Start
	// Lines is the number of lines.
	Lines int
	root  node
}

// Start is a position in which the start is settled.
type Start struct {
	// Words is the first line that leads there, "" for the initial position.
	Words string
	// Lines counts the lines that lead there or to an image of it.
	Lines   int
	opening opening.Opening
}

// node is a position on the way to a settled start.
type node struct {
	actor engine.Player
	next  []node // empty if the start is settled
	start int    // where it is, an index of Starts.List
}

// maxLines is more than anyone can play equally often.
const maxLines = 10_000

// FindStarts finds the starts of g. It fails if chance decides or the game can end before
// the start is settled.
func FindStarts(g engine.Game) (*Starts, error) {
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	f := &finder{game: g, image: g.NewState(), starts: &Starts{}, known: map[string]int{}}
	var err error
	if f.starts.root, err = f.find(s, h, "", nil); err != nil {
		return nil, fmt.Errorf("starts of %s %s: %w", g.Info().Name, g.Rules(), err)
	}
	return f.starts, nil
}

// finder finds starts, depth first.
type finder struct {
	game   engine.Game
	image  engine.State
	starts *Starts
	known  map[string]int // indices of starts by packed position
}

// find returns the node of s, which actions, written as words, have led to.
func (f *finder) find(s engine.State, h *engine.History, words string, actions []engine.Action) (node, error) {
	n := node{actor: s.Actor()}
	switch {
	case n.actor == engine.Nobody:
		return n, fmt.Errorf("after %q the game is over before its start is settled", words)
	case engine.Settled(s):
		n.start = f.number(s, Start{Words: words, opening: opening.Opening{Actions: actions, Turn: s.Turn()}})
		if f.starts.Lines > maxLines {
			return n, fmt.Errorf("more than %d lines settle it", maxLines)
		}
		return n, nil
	case n.actor == engine.Chance:
		return n, fmt.Errorf("after %q chance decides before the start is settled", words)
	}
	for _, a := range s.Legal(nil, h) {
		next, past := f.game.NewState(), f.game.NewHistory()
		next.CopyFrom(s)
		past.CopyFrom(h)
		next.Apply(a, past)
		child, err := f.find(next, past, strings.TrimSpace(words+" "+string(s.AppendAction(nil, a))), append(slices.Clip(actions), a))
		if err != nil {
			return n, err
		}
		n.next = append(n.next, child)
	}
	return n, nil
}

// number returns the index of the settled position s, which is added as one if it is new.
func (f *finder) number(s engine.State, one Start) int {
	f.starts.Lines++
	key, mask := string(s.Pack(nil)), s.SymmetryMask()
	for i := range f.game.Info().Symmetries {
		if mask>>i&1 != 0 {
			f.image.CopyFrom(s)
			f.image.Transform(i)
			key = min(key, string(f.image.Pack(nil)))
		}
	}
	at, ok := f.known[key]
	if !ok {
		at = len(f.starts.List)
		f.known[key] = at
		f.starts.List = append(f.starts.List, one)
	}
	f.starts.List[at].Lines++
	return at
}

// choose returns the start that players reach who know the first player's score in each:
// every decision goes to what is best for who makes it, the first of equals.
func (s *Starts) choose(first []float64) int {
	at, _ := s.root.choose(first)
	return at
}

func (n *node) choose(first []float64) (start int, score float64) {
	if n.next == nil {
		return n.start, first[n.start]
	}
	for i := range n.next {
		at, x := n.next[i].choose(first)
		if i == 0 || n.actor == engine.First && x > score || n.actor == engine.Second && x < score {
			start, score = at, x
		}
	}
	return start, score
}
