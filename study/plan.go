package study

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/match/archive"
	"github.com/ludozero/ludozero/player"
)

// Plan writes what a study will play and how long that takes, by a measured rate.
type Plan struct {
	out   io.Writer
	limit time.Duration
	// rounds is how many there are at most.
	rounds int
	// More says that work is left besides games.
	More bool
	// guessed says that no game of some player has ended while it was watched.
	guessed bool
}

// NewPlan returns a plan that is written to out.
func NewPlan(out io.Writer) *Plan { return &Plan{out: out} }

// Line writes a line under a head.
func (p *Plan) Line(head, format string, args ...any) {
	fmt.Fprintf(p.out, "%-10s %s\n", head, wording.Plain(fmt.Sprintf(format, args...)))
}

// Games writes the line of games, total in all, that are kept in folders, and returns
// the share of them that is still to be played.
func (p *Plan) Games(total int, folders []string, format string, args ...any) (left float64, err error) {
	var journals []string
	for _, dir := range folders {
		if dir != "" {
			journals = append(journals, filepath.Join(dir, archive.JournalFile))
		}
	}
	before, err := Lines(journals)
	if err != nil {
		return 0, err
	}
	text := ""
	if before > 0 {
		text = fmt.Sprintf("; %d of them played before", before)
	}
	p.Line("games", "%s%s", fmt.Sprintf(format, args...), text)
	if left = 1 - min(1, float64(before)/float64(max(1, total))); left == 0 && !p.More {
		p.Line("time", "nothing is left to play")
	}
	return left, nil
}

// Lines counts the lines of files, some of which may be missing.
func Lines(files []string) (n int, err error) {
	for _, path := range files {
		data, err := input.Read(path, input.Large)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return 0, err
		}
		n += bytes.Count(data, []byte("\n"))
	}
	return n, nil
}

// Player watches a player and writes what was seen.
func (p *Plan) Player(ctx context.Context, name string, maxTurns int, begin PilotGame) (Pilot, error) {
	x, err := Watch(ctx, maxTurns, begin)
	if err != nil {
		return x, err
	}
	seen := "by " + wording.Count(x.games, "game")
	if x.games == 0 {
		p.guessed, seen = true, "the game's own guess"
	}
	p.Line("", "%s: %v a decision, %s a game (%s)", name, Short(x.Decision), wording.Count(int(math.Round(x.Decisions)), "decision"), seen)
	return x, nil
}

// Time writes how long work takes that takes one core this long, and how that is
// known; "" for what Player has measured.
func (p *Plan) Time(work time.Duration, workers int, by string) {
	if by == "" {
		by = "by what was just measured, other work on this machine included"
		if p.guessed {
			by += "; lengths of games are guesses in part"
		}
	}
	cores := runtime.GOMAXPROCS(0)
	if workers == 0 {
		workers = cores
	}
	p.Line("time", "about %s with %d at the same time, %s", hours(work/time.Duration(min(workers, cores))), workers, by)
	if p.limit > 0 {
		p.Line("limit", "%v of core time: the last of %d rounds that fits in it is the last", p.limit, p.rounds)
	}
}

// pilotTime is how long a player is watched, pilotLimit how long its first game is
// waited for; pilotGames are enough.
const (
	pilotTime  = 2 * time.Second
	pilotLimit = 15 * time.Second
	pilotGames = 20
)

// Pilot is what was seen of a player that played itself for a moment.
type Pilot struct {
	games int // played to the end
	// Decisions is their mean number in a game and Turns that of turns, or the game's own
	// guess; Decision is the time that one takes.
	Decisions, Turns float64
	Decision         time.Duration
	// Rules and Actions are the last game, to its end or as far as it was watched.
	Rules   engine.Game
	Actions []engine.Action
}

// Game is the time that one game takes.
func (x *Pilot) Game() float64 { return x.Decisions * float64(x.Decision) }

// PilotGame returns the next game that a player is watched in: its rules, the player
// and the player's seed.
type PilotGame func(number int) (engine.Game, match.Contestant, uint64, error)

// Alone has the player of spec play itself by the rules of g, with seeds of a stream of
// their own.
func Alone(g engine.Game, spec *player.Spec, from uint64, stream string) PilotGame {
	return func(number int) (engine.Game, match.Contestant, uint64, error) {
		return g, spec.Contestant(g), seed.Number(from, stream, uint64(number)), nil
	}
}

// Watch has a player play itself for pilotTime, or for one game if that takes longer,
// games of at most maxTurns if that is not 0. A game that is cut off tells only the
// time of a decision.
func Watch(ctx context.Context, maxTurns int, begin PilotGame) (Pilot, error) {
	var x Pilot
	began := time.Now()
	decided, whole, turns := 0, 0, 0
	for ; x.games < pilotGames; x.games++ {
		stop := pilotTime
		if x.games == 0 {
			stop = pilotLimit
		}
		n, s, err := x.watchGame(ctx, maxTurns, begin, began.Add(stop))
		if err != nil {
			return x, err
		}
		decided += n
		if time.Since(began) >= stop {
			if x.games == 0 {
				if x.Turns = float64(s.Turn()); s.Actor() != engine.Nobody {
					x.Turns += float64(engine.TurnsLeft(s))
				}
				if maxTurns > 0 {
					x.Turns = min(x.Turns, float64(maxTurns))
				}
				x.Decisions = x.Turns * max(1, float64(n)/float64(max(1, s.Turn())))
			}
			break
		}
		whole, turns = whole+n, turns+s.Turn()
	}
	x.Decision = time.Since(began) / time.Duration(max(1, decided))
	if x.games > 0 {
		x.Decisions, x.Turns = float64(whole)/float64(x.games), float64(turns)/float64(x.games)
	}
	return x, nil
}

// watchGame plays one game until it or the time is over, and returns its number of
// decisions and where it ended.
func (x *Pilot) watchGame(ctx context.Context, maxTurns int, begin PilotGame, until time.Time) (decisions int, s engine.State, err error) {
	g, contestant, from, err := begin(x.games)
	if err != nil {
		return 0, nil, err
	}
	one, err := contestant.New()
	if err != nil {
		return 0, nil, err
	}
	defer match.Dismiss(one)
	if err := one.NewGame(ctx, from); err != nil {
		return 0, nil, err
	}
	dice := rand.New(seed.Stream(from, "pilot dice", 0))
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	x.Rules, x.Actions = g, x.Actions[:0]
	limited, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	for s.Actor() != engine.Nobody && limited.Err() == nil && (maxTurns == 0 || s.Turn() < maxTurns) {
		var a engine.Action
		if s.Actor() == engine.Chance {
			a = engine.Draw(s.Chance(nil), dice.Float64())
		} else {
			t, err := one.Think(limited, s, h, match.Bounds{})
			if limited.Err() != nil {
				break
			}
			if err != nil {
				return 0, nil, err
			}
			a = t.Choice
			decisions++
		}
		x.Actions = append(x.Actions, a)
		s.Apply(a, h)
	}
	return decisions, s, context.Cause(ctx)
}

// Rounded writes a large number.
func Rounded(x float64) string {
	switch {
	case x >= 1e9:
		return fmt.Sprintf("%.1f billion", x/1e9)
	case x >= 1e6:
		return fmt.Sprintf("%.1f million", x/1e6)
	}
	return fmt.Sprintf("%.0f", x)
}

func hours(d time.Duration) string {
	switch {
	case d >= time.Hour:
		return fmt.Sprintf("%.1f hours", d.Hours())
	case d >= 90*time.Second:
		return fmt.Sprintf("%.0f minutes", d.Minutes())
	case d >= 1500*time.Millisecond:
		return fmt.Sprintf("%.0f seconds", d.Seconds())
	}
	return "a second"
}

// Short writes a time that one of many steps takes.
func Short(d time.Duration) string {
	if d < 100*time.Microsecond {
		return d.Round(100 * time.Nanosecond).String()
	}
	return d.Round(10 * time.Microsecond).String()
}
