package lab

import (
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/open"
)

// MaxStrengths is how many players a sheet has room for.
const MaxStrengths = 4

// Beginner and Handwritten are in every ladder.
const (
	Beginner    = "random"
	Handwritten = "alphabeta:depth=1"
)

// Ladder describes players of all the rules, which are of one game, from a beginner to the
// best that this program brings: the shipped network, if there is one and it was trained
// on all of them, at two strengths, or else the search that plays every game. note, if not
// empty, says why it is not the network.
func Ladder(players *open.Players, rules []engine.Game) (texts []string, note string, err error) {
	texts = []string{Beginner, Handwritten}
	shipped, err := players.Shipped(rules[0].Info().Name)
	if err != nil {
		return nil, "", err
	}
	var untrained []string
	if shipped != nil {
		for _, g := range rules {
			trained, err := shipped.TrainedOn(g)
			if err != nil {
				return nil, "", err
			}
			if !trained {
				untrained = append(untrained, g.Rules())
			}
		}
		if len(untrained) == 0 {
			return append(texts, player.NetText(shipped.Word(), 4), player.NetText(shipped.Word(), 64)), "", nil
		}
		note = fmt.Sprintf("The shipped network %s was not trained on %s, so that nobody here has learned these rules: --players net:PATH,sims=64 hands in a network that has.", shipped.Name, strings.Join(untrained, " and "))
	}
	return append(texts, "alphabeta:nodes=512", "alphabeta:nodes=4096"), note, nil
}

// NetworkOf is the word for the network of a described player, "" if none plays, or one
// whose word is in quotes.
func NetworkOf(description string) string {
	rest, ok := strings.CutPrefix(description, "net:")
	word, _, _ := strings.Cut(rest, ",")
	if !ok || strings.ContainsAny(word, `"'`) {
		return ""
	}
	return word
}
