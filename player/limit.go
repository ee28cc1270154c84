package player

import (
	"errors"
	"strconv"
	"time"
)

// netEdges and uctEdges bound the trees of searches that are limited by time, which no
// number of simulations sizes. A net's tree grows to 1 GiB, for some 500,000 positions
// of Kon'reh, which one fast core evaluates in two seconds; rollouts are slower. The
// least is enough for a few positions of any game here, the most is what package mcts
// allows, 2 GiB.
const (
	netEdges   = 1 << 24
	uctEdges   = 1 << 21
	leastEdges = 1 << 12
	mostEdges  = 1 << 26
	// edgeBytes is the most that an edge of a tree takes: 64 of a network's search by time,
	// 32 with choice=visits and moves_left=0, 44 of rollouts with the position behind it.
	edgeBytes = 64
)

// errPlan refuses a Gumbel search for a time.
var errPlan = errors.New("search=gumbel: it plans a number of simulations, which nobody knows if time is the limit: want puct")

// bounds names the options that say how long a decision is searched.
func bounds() []string { return []string{"sims", "time"} }

// boundOptions are the options of kinds that search for a number of simulations
// or for a time, in a tree of that many edges at most.
func boundOptions(edges int) []Option {
	return []Option{
		{Name: "sims", Doc: "simulations a move", Min: 1, Max: 1_000_000},
		TimeOption(),
		{Name: "edges", Doc: "moves that the tree has room for; a search whose tree is full ends", Default: strconv.Itoa(edges),
			Min: leastEdges, Max: mostEdges, Bytes: edgeBytes, Needs: "time"},
	}
}

// TimeOption is the limit by time of every kind that has one.
func TimeOption() Option {
	return Option{Name: "time", Doc: "time a move, or " + timeByClock + ": by what the clock of the game shows",
		MinTime: time.Millisecond, MaxTime: time.Hour, Words: []string{timeByClock}}
}

// ByClock says that the clock of the game limits decisions.
func (v *Values) ByClock() bool { return v.Values["time"] == timeByClock }

// pace is the limit by time that a description sets, if any.
func (v *Values) pace() (p pace, ok bool) {
	if p.clock = v.ByClock(); p.clock {
		return p, true
	}
	p.limit, ok = v.Time("time")
	return p, ok
}
