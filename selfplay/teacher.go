package selfplay

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/selfplay/record"
)

// TeacherConfig lets another player play both seats in some games of the first
// generations. A game that uniform play draws tells an untrained network nothing of
// who wins; what a shallow search plays is decided, and trains the value. The policy
// has no target there unless the player gives a distribution.
type TeacherConfig struct {
	// Player is a description that Job.Teacher knows; empty: there is no teacher.
	Player string `mapstructure:"player"`
	// Share is the share of the games of generation 0 that it plays, drawn for each. It
	// falls evenly to none at generation Generations.
	Share       float64 `mapstructure:"share"`
	Generations int     `mapstructure:"generations"`
	// RandomShare is the share of its decisions that are drawn from all legal actions
	// instead, so that games differ and have mistakes to learn from.
	RandomShare float64 `mapstructure:"random_share"`
	// Temperature above 0 asks a player that values all actions for a distribution, in
	// proportion to exp(lead/(4·Temperature)) with the lead in nats of the odds of
	// winning, and for an expected result. Between equals the lead is four times the
	// expected score, so that it is a temperature in expected score there; with a decided
	// game the distribution stays as sharp.
	Temperature float64 `mapstructure:"temperature"`
}

// defaultTeacher is switched off by its player.
func defaultTeacher() TeacherConfig {
	return TeacherConfig{Share: 0.5, Generations: 20, RandomShare: 0.1}
}

// Validate joins every problem of c, each with its key, value and rule.
func (c *TeacherConfig) Validate() error {
	var l problems.List
	l.If(!(c.Share > 0 && c.Share <= 1), "share: %g: want above 0, at most 1; an empty player is no teacher", c.Share)
	problems.Range(&l, "generations", c.Generations, 1, maxGrowthGenerations)
	problems.Range(&l, "random_share", c.RandomShare, 0, 1)
	problems.Range(&l, "temperature", c.Temperature, 0, 1)
	return l.Err()
}

// ShareAt returns the share of a generation's games that the teacher plays.
func (c *TeacherConfig) ShareAt(generation int) float64 {
	if c.Player == "" || generation >= c.Generations {
		return 0
	}
	return c.Share * float64(c.Generations-generation) / float64(c.Generations)
}

// goOnFrom makes c the configuration of a run whose generation 0 is a generation of a
// run of c.
func (c *TeacherConfig) goOnFrom(generation int) {
	switch share := c.ShareAt(generation); {
	case c.Player == "":
	case share == 0:
		*c = defaultTeacher()
	default:
		c.Share, c.Generations = share, c.Generations-generation
	}
}

// Teacher decides in games of one ruleset, one game after another. A worker owns it.
type Teacher interface {
	// NewGame forgets the last game; what follows is a function of seed.
	NewGame(ctx context.Context, seed uint64) error
	// Choose decides in s, whose past is h and whose legal actions, ascending, are
	// legal, at least two.
	Choose(ctx context.Context, s engine.State, h *engine.History, legal []engine.Action) (Lesson, error)
	// EndGame releases what NewGame would forget.
	EndGame()
}

// Lesson is what a teacher says of a position.
type Lesson struct {
	Action engine.Action // what it plays
	// Policy is its distribution over the legal actions, of any positive sum; nil: none.
	Policy []float32
	// Value is the result that it expects, in [-1, 1] in the view of the player who
	// decides; meaningless unless Valued.
	Value  float32
	Valued bool
}

// teachers are a worker's, by rules word.
type teachers map[string]Teacher

func (t teachers) of(job *Job, g engine.Game) (Teacher, error) {
	if teacher := t[g.Rules()]; teacher != nil {
		return teacher, nil
	}
	teacher, err := job.Teacher(g)
	if err == nil {
		t[g.Rules()] = teacher
	}
	return teacher, err
}

// taught is the teacher's part in a game. Its zero value is a game without one.
type taught struct {
	rng     *rand.Rand // its own: other games draw as if there were no teacher; nil: none
	seed    uint64     // of the teacher
	teacher Teacher    // from its first decision on
}

// newTaught draws whether the teacher plays the game with this seed.
func newTaught(c *TeacherConfig, generation int, gameSeed uint64) taught {
	share := c.ShareAt(generation)
	if share == 0 {
		return taught{}
	}
	rng := rand.New(seed.Stream(gameSeed, "teacher", 0))
	if rng.Float64() >= share {
		return taught{}
	}
	return taught{rng: rng, seed: rng.Uint64()}
}

// end lets the teacher rest.
func (t *taught) end() {
	if t.teacher != nil {
		t.teacher.EndGame()
	}
}

// teacherDecides reports whether the game waits for the teacher: advance has led it to
// a choice that the teacher makes.
func (g *game) teacherDecides() bool {
	return g.taught.rng != nil && g.tree.RootState().Actor() != engine.Nobody
}

// teach has the teacher decide, of the actions that advance left in g.legal. Between two
// decisions the worker's core may go to somebody else. The worker plays no other game
// until this one is over, so that one teacher serves all its games of a ruleset.
func (w *worker) teach(ctx context.Context, g *game) error {
	if err := w.take(ctx); err != nil {
		return err
	}
	t := &g.taught
	if t.teacher == nil {
		var err error
		if t.teacher, err = w.teachers.of(w.job, g.ruleset); err == nil {
			err = t.teacher.NewGame(ctx, t.seed)
		}
		if err != nil {
			return fmt.Errorf("teacher of game %d: %w", g.number, err)
		}
	}
	s := g.tree.RootState()
	row := g.newRow(s)
	row.PolicyKind, row.RootDraw, row.Legal = record.PolicyTeacher, record.DrawUnknown, slices.Clone(g.legal)
	if c := &g.cfg.Teacher; t.rng.Float64() < c.RandomShare {
		row.Action = g.legal[t.rng.IntN(len(g.legal))]
	} else {
		lesson, err := t.teacher.Choose(ctx, s, g.tree.History(), row.Legal)
		if err != nil && ctx.Err() != nil {
			return ctx.Err() // a player may tell the cause, such as a budget, as its own error
		}
		if err == nil && !slices.Contains(g.legal, lesson.Action) {
			err = fmt.Errorf("action %d is not legal", lesson.Action)
		}
		if err != nil {
			return fmt.Errorf("teacher %s in game %d at %s: %w", c.Player, g.number, row.Position, err)
		}
		if row.Action = lesson.Action; lesson.Policy != nil {
			row.Policy = record.AppendPolicy(make([]uint16, 0, len(lesson.Policy)), lesson.Policy)
		}
		if lesson.Valued {
			row.RootValue, row.RootDraw = lesson.Value, 0
		}
	}
	g.rows = append(g.rows, row)
	g.before = nil
	g.ply++
	g.tree.Advance(row.Action)
	w.job.Counters.Decisions.Add(1)
	return nil
}

// errNoTeacher is returned for games that somebody else should play.
var errNoTeacher = errors.New("self_play.teacher.player: there is nobody here who makes that player")
