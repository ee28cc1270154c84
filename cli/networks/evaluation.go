package networks

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/model/nnue"
	"github.com/ludozero/ludozero/model/zoo"
	player "github.com/ludozero/ludozero/player/nnue"
	"github.com/ludozero/ludozero/player/open"
)

// evaluationPrefix begins the word of an evaluation, as that of the player that has it.
const evaluationPrefix = player.KindName + ":"

// EvaluationInfo is what there is to say of an evaluation for alpha-beta.
type EvaluationInfo struct {
	// Evaluation is the name of a shipped one or a path, Weights identifies the file.
	Evaluation string     `json:"evaluation"`
	Weights    string     `json:"weights"`
	Card       *nnue.Card `json:"card"`
	// Matches tells how a shipped one did against the network, nil if they never met.
	Matches *zoo.Matches `json:"matches,omitempty"`
}

func describeEvaluation(word string) (*EvaluationInfo, error) {
	e, err := open.Evaluation(word)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(e.Card.Rules, func(a, b nnue.RulesShare) int { return cmp.Compare(b.Share, a.Share) })
	i := &EvaluationInfo{
		Evaluation: strings.TrimPrefix(word, open.ShippedPrefix), Weights: strings.TrimPrefix(e.Identity, player.IdentityPrefix), Card: e.Card,
	}
	if zoo.HasEvaluation(e.Card.Game) {
		m, err := zoo.EvaluationMatches(e.Card.Game)
		if err != nil {
			return nil, err
		}
		if m != nil && m.Evaluation == i.Weights {
			i.Matches = m
		}
	}
	return i, nil
}

func (i *EvaluationInfo) write(out io.Writer, most int) error {
	c := i.Card
	s := newSheet(evaluationPrefix+i.Evaluation, most)
	bits := 0
	for _, in := range c.Inputs {
		bits += in.Bits
	}
	s.line("plays", "%s, game version %d", c.Game, c.GameVersion)
	s.line("network", "%d units for each seat, %s and %s of a position", c.Units, wording.Count(bits, "bit"), wording.Count(len(c.Terms), "term"))
	s.line("weights", "%s", i.Weights)
	s.line("learned", "%d samples of %s in %s", c.Samples, wording.Count(c.Positions, "position"), wording.Count(c.Games, "game"))
	s.lines("from", c.Runs)
	terms := ""
	if c.TermsLoss > 0 {
		terms = fmt.Sprintf(", of the game's own terms %.4f", c.TermsLoss)
	}
	s.line("loss", "%.4f nats in games held out%s; none is below %.4f", c.HeldLoss, terms, c.LeastLoss)
	s.rules(len(c.Rules), func(k int) (string, float64) { return c.Rules[k].Rules, c.Rules[k].Share }, c.Licence)
	if i.Matches != nil {
		var list []string
		for _, m := range i.Matches.Matches {
			list = append(list, fmt.Sprintf("%s against the shipped network in %s of %d ms a move", m.ScoreText(), wording.Count(m.Games, "game"), m.Milliseconds))
		}
		s.lines("strength", list)
	}
	return s.print(out)
}
