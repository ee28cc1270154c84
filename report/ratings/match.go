// Package ratings keeps the matches of a run's networks in a file in the run's folder,
// and computes from them the Elo of the networks over generations.
//
// During a run networks are rated from time to time, each against the fixed opponents
// of the configuration and the network rated before it; at its end the last and the
// first are rated once more, with more games. The package
// plays no games: `ludozero train` does.
package ratings

import (
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/stats/rating"
)

// version changes when a line of the file changes its meaning. New fields need no new
// version.
const version = 1

// Match is one whole match of a network of a run: a line of the file.
type Match struct {
	Version int `json:"version"`
	// Final says that the match was played at the end of the run, not during it.
	Final bool `json:"final,omitempty"`
	// Generation is the generation of the network, player A of Result, and Simulations
	// its budget per move. Learned is the learning time when it was written; 0 if
	// unknown.
	Generation  int           `json:"generation"`
	Simulations int           `json:"simulations"`
	Learned     time.Duration `json:"learned_ns"`
	// Opponent describes the fixed opponent. It is empty if the match was against
	// the network of the earlier generation Other of the same run, with the same number
	// of simulations.
	Opponent string `json:"opponent,omitempty"`
	Other    int    `json:"other,omitempty"`
	// Took is how long the match lasted.
	Took time.Duration `json:"took_ns"`
	// Result holds every game. Paths in its names of networks are relative to the
	// run's folder.
	Result *match.Result `json:"result"`
}

// OpponentName is the fixed opponent, or "generation N" of another network.
func (m *Match) OpponentName() string {
	if m.Opponent != "" {
		return m.Opponent
	}
	return generationName(m.Other)
}

func generationName(generation int) string { return fmt.Sprintf("generation %d", generation) }

// Repeats reports whether m and o are matches of the same players under the same
// conditions and with the same openings, so that, clocks aside, the longer one begins
// with the games of the shorter one. Only one of them is evidence.
func (m *Match) Repeats(o *Match) bool {
	a, b := m.Result, o.Result
	return m.Generation == o.Generation && m.Simulations == o.Simulations && m.Opponent == o.Opponent && m.Other == o.Other &&
		a.Game == b.Game && a.GameVersion == b.GameVersion && a.Rules == b.Rules &&
		a.Seed == b.Seed && a.OpeningTurns == b.OpeningTurns && a.MaxTurns == b.MaxTurns && a.Clock == b.Clock
}

// opening identifies one of a match's openings, which follow from the seed: matches
// with the same seed share them.
type opening struct {
	seed        uint64
	turns, pair int
}

// pairing is the match for package rating. a and b are the players' numbers, and
// number gives each opening one.
func (m *Match) pairing(a, b int, number func(opening) int) rating.Pairing {
	p := rating.Pairing{A: a, B: b, Repeated: m.Result.RepeatedPairs}
	games := m.Result.Games
	for i := 0; i+1 < len(games); i += 2 {
		o := rating.OpenedPair{
			Opening: number(opening{m.Result.Seed, m.Result.OpeningTurns, i / 2}),
			First:   int(2 * games[i].Points), Second: int(2 * games[i+1].Points),
		}
		p.Pairs[o.First][o.Second]++
		p.Opened = append(p.Opened, o)
	}
	return p
}

// check refuses a match that contradicts itself.
func (m *Match) check() error {
	switch r := m.Result; {
	case r == nil:
		return fmt.Errorf("there is no result")
	case m.Generation < 0 || m.Other < 0 || m.Opponent == "" && m.Other >= m.Generation:
		return fmt.Errorf("generation %d against %s", m.Generation, m.OpponentName())
	}
	return m.Result.Check()
}

// ownNetwork matches names of networks of a run, wherever its folder was.
var ownNetwork = regexp.MustCompile(`^net:.*checkpoints[/\\](\d{6,})[/\\]weights\.safetensors,sims=(\d+)$`)

// oldMatch is a match of rating.json, which earlier programs wrote when a run
// ended.
func oldMatch(r *match.Result) (Match, error) {
	m := Match{Version: version, Final: true, Opponent: r.B, Result: r}
	words := ownNetwork.FindStringSubmatch(r.A)
	if words == nil {
		return m, fmt.Errorf("%q is no network of a run", r.A)
	}
	var err error
	if m.Generation, err = strconv.Atoi(words[1]); err == nil {
		m.Simulations, err = strconv.Atoi(words[2])
	}
	return m, err
}
