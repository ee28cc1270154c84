package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/match/archive"
)

// pilotTime is how long a player is watched for a plan, and pilotLimit how long its
// first game is waited for; pilotGames are enough.
const (
	pilotTime  = 2 * time.Second
	pilotLimit = 15 * time.Second
	pilotGames = 20
)

// pilot is what was seen of a player that played itself for a moment.
type pilot struct {
	games     int           // that it has played to their ends
	decisions float64       // of a game; the game's own guess if it has played none
	decision  time.Duration // takes it so long
}

// pilotGame is the next game that a player is watched in: its rules, the player and the
// player's seed.
type pilotGame func(number int) (engine.Game, match.Contestant, uint64, error)

// watch has a player play itself for pilotTime, or for one game if that takes longer,
// each game of maxTurns at most if that is not 0. A game that is not over when the time is
// up tells the time of a decision alone.
func watch(ctx context.Context, maxTurns int, begin pilotGame) (pilot, error) {
	var x pilot
	began := time.Now()
	decided, whole := 0, 0
	for ; x.games < pilotGames; x.games++ {
		stop := pilotTime
		if x.games == 0 {
			stop = pilotLimit
		}
		n, turns, err := watchGame(ctx, maxTurns, begin, x.games, began.Add(stop))
		if err != nil {
			return x, err
		}
		decided += n
		if time.Since(began) >= stop {
			if x.games == 0 {
				x.decisions = float64(turns) // one decision a turn
			}
			break
		}
		whole += n
	}
	x.decision = time.Since(began) / time.Duration(max(1, decided))
	if x.games > 0 {
		x.decisions = float64(whole) / float64(x.games)
	}
	return x, nil
}

// watchGame has the player play a game with itself until it is over or time is up, and returns
// the number of its decisions and how many turns the game's own guess has for it.
func watchGame(ctx context.Context, maxTurns int, begin pilotGame, number int, until time.Time) (decisions, turns int, err error) {
	g, contestant, seed, err := begin(number)
	if err != nil {
		return 0, 0, err
	}
	one, err := contestant.New()
	if err != nil {
		return 0, 0, err
	}
	one.NewGame(seed)
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	if turns = engine.TurnsLeft(s); maxTurns > 0 {
		turns = min(turns, maxTurns)
	}
	limited, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	for s.Actor() != engine.Nobody && limited.Err() == nil && (maxTurns == 0 || s.Turn() < maxTurns) {
		if s.Actor() == engine.Chance {
			s.Apply(s.Chance(nil)[0].Code, h)
			continue
		}
		a, err := one.Choose(limited, s, h)
		if limited.Err() != nil {
			break
		}
		if err != nil {
			return 0, 0, err
		}
		s.Apply(a, h)
		decisions++
	}
	return decisions, turns, context.Cause(ctx)
}

// gamesIn counts the games that the folders of series have.
func gamesIn(folders []string) (n int, err error) {
	for _, dir := range folders {
		data, err := os.ReadFile(filepath.Join(dir, archive.JournalFile))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return 0, err
		}
		n += bytes.Count(data, []byte("\n"))
	}
	return n, nil
}

// rounded writes a large number.
func rounded(x float64) string {
	switch {
	case x >= 1e9:
		return fmt.Sprintf("%.1f billion", x/1e9)
	case x >= 1e6:
		return fmt.Sprintf("%.1f million", x/1e6)
	}
	return fmt.Sprintf("%.0f", x)
}

// hours writes how long something takes.
func hours(d time.Duration) string {
	switch {
	case d >= time.Hour:
		return fmt.Sprintf("%.1f hours", d.Hours())
	case d >= time.Minute:
		return fmt.Sprintf("%.0f minutes", d.Minutes())
	}
	return fmt.Sprintf("%.0f seconds", d.Seconds())
}
