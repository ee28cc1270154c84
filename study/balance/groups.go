package balance

import (
	"slices"

	"github.com/ludozero/ludozero/study"
)

// group is players by their indices.
type group struct {
	label    string
	members  []int
	networks int
	sims     int
}

// groups are networks by ascending strength, then other players.
func groups(players []study.Participant) []group {
	var list []group
	for i := range players {
		p := &players[i]
		at := slices.IndexFunc(list, func(g group) bool { return g.label == label(p) })
		if at < 0 {
			at = len(list)
			list = append(list, group{label: label(p), sims: p.Simulations})
		}
		list[at].members = append(list[at].members, i)
		if p.Network != "" {
			list[at].networks++
		}
	}
	slices.SortStableFunc(list, func(a, b group) int {
		switch {
		case a.networks > 0 && b.networks > 0:
			return a.sims - b.sims
		case a.networks > 0:
			return -1
		case b.networks > 0:
			return 1
		}
		return 0
	})
	return list
}

// mainGroup is the one that verdicts are by: the strongest networks, or the first
// player.
func mainGroup(list []group) int {
	at := 0
	for i := range list {
		if list[i].networks > 0 {
			at = i
		}
	}
	return at
}

// Asked are the players whose views of the first decisions are wanted: the networks
// at their greatest strength.
func Asked(players []study.Participant) []int {
	list := groups(players)
	if g := list[mainGroup(list)]; g.networks > 0 {
		return g.members
	}
	return nil
}
