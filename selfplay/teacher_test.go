package selfplay

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/selfplay/record"
)

// lots is a teacher that chooses by lot. What it draws depends on all its decisions
// since NewGame, as a player's memory may. Of three or more actions it gives a
// distribution and a value.
type lots struct {
	rng     *rand.Rand
	playing bool
}

func (l *lots) NewGame(_ context.Context, s uint64) error {
	if l.playing {
		return errors.New("the game before has not ended")
	}
	l.rng, l.playing = rand.New(seed.Stream(s, "lots", 0)), true
	return nil
}

func (l *lots) Choose(_ context.Context, s engine.State, h *engine.History, legal []engine.Action) (Lesson, error) {
	if !l.playing || !slices.Equal(s.Legal(nil, h), legal) {
		return Lesson{}, errors.New("asked outside a game, or of other actions than are legal")
	}
	var x Lesson
	if len(legal) > 2 {
		for range legal {
			x.Policy = append(x.Policy, l.rng.Float32())
		}
		x.Value, x.Valued = 1-2*float32(s.Actor()), true
	}
	x.Action = legal[l.rng.IntN(len(legal))]
	return x, nil
}

func (l *lots) EndGame() { l.playing = false }

func newLots(engine.Game) (Teacher, error) { return &lots{}, nil }

// withTeacher is everywhere with a teacher in half of the games of player's generation.
func withTeacher() Config {
	c := everywhere()
	c.Teacher = TeacherConfig{Player: "lots", Share: 2.0 / 3, Generations: 12, RandomShare: 0.2}
	return c
}

// TestTeacherPlaysSomeGames of every kind, the same with any number of workers; the
// others are as they are without a teacher.
func TestTeacherPlaysSomeGames(t *testing.T) {
	taught, all, distributions := 0, 0, 0
	for _, g := range testGames(t) {
		earlier := earlierOf(t, g, nil, 20)
		make := func(workers int) Job {
			j := job(g, workers, 60)
			playerOf(&j).Earlier, j.Teacher = earlier, newLots
			return j
		}
		got := play(t, withTeacher(), make(1))
		cfg := withTeacher()
		cfg.Teacher.Player = ""
		without := play(t, cfg, make(1))
		for _, workers := range []int{3, 20} {
			cfg := withTeacher()
			cfg.GamesInFlight = 2
			if again := play(t, cfg, make(workers)); !reflect.DeepEqual(again, got) {
				t.Errorf("%s: %d workers play other games than one", g.Info().Name, workers)
			}
		}
		var rows []record.Row
		for i, f := range got {
			replays(t, []engine.Game{g}, f)
			rows = append(rows, f.Rows...)
			all++
			if !f.Rows[0].Taught() {
				if !reflect.DeepEqual(f, without[i]) {
					t.Errorf("%s: game %d has no teacher and is another than without any", g.Info().Name, f.Number)
				}
				continue
			}
			taught++
			for k := range f.Rows {
				r := &f.Rows[k]
				value, draw := float32(0), float32(record.DrawUnknown)
				if len(r.Policy) > 0 {
					distributions++
					value, draw = 1-2*float32(r.Player), 0
				}
				if r.RootValue != value || r.RootDraw != draw {
					t.Errorf("%s: game %d, ply %d: root value %g beside draw %g, want the teacher's %g, %g", g.Info().Name, f.Number, r.Ply, r.RootValue, r.RootDraw, value, draw)
				}
			}
		}
		if _, _, err := record.Marshal(g.Info(), record.Head{Run: "test", Generation: 3}, rows); err != nil {
			t.Errorf("%s: %v", g.Info().Name, err)
		}
	}
	if share := float64(taught) / float64(all); math.Abs(share-0.5) > 0.08 || distributions == 0 {
		t.Errorf("the teacher plays %.2f of %d games with %d distributions, want half and some", share, all, distributions)
	}
}

// TestTeacherDecidesAtRandomSometimes: without a choice of its own it is not asked.
func TestTeacherDecidesAtRandomSometimes(t *testing.T) {
	cfg := withTeacher()
	cfg.Teacher.RandomShare, cfg.Teacher.Share, cfg.Teacher.Generations = 1, 1, 1_000_000
	j := job(racegame.New(), 1, 10)
	j.Teacher = func(engine.Game) (Teacher, error) { return broken{&lots{}}, nil }
	taught := 0
	for _, f := range play(t, cfg, j) {
		if f.Rows[0].Taught() {
			taught++
		}
	}
	if taught != 10 {
		t.Errorf("%d of 10 games are a teacher's, want all", taught)
	}
}

// broken answers with an action that is not legal.
type broken struct{ *lots }

func (broken) Choose(context.Context, engine.State, *engine.History, []engine.Action) (Lesson, error) {
	return Lesson{Action: 9999}, nil
}

// TestTeacherThatFails ends the job with an error that names teacher and game.
func TestTeacherThatFails(t *testing.T) {
	cfg := withTeacher()
	cfg.Teacher.RandomShare = 0
	for want, teacher := range map[string]func(engine.Game) (Teacher, error){
		"self_play.teacher.player":    nil,
		"made up":                     func(engine.Game) (Teacher, error) { return nil, errTest },
		"action 9999 is not legal":    func(engine.Game) (Teacher, error) { return broken{&lots{}}, nil },
		"the game before has not end": func(engine.Game) (Teacher, error) { return &lots{playing: true}, nil },
	} {
		j := job(racegame.New(), 2, 30)
		j.Teacher = teacher
		err := Run(t.Context(), cfg, j, func(*Finished) error { return nil })
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "teacher") {
			t.Errorf("Run = %v, want %q of the teacher", err, want)
		}
	}
}

// stopped is a teacher that is asked when the work is ended, and answers with the cause.
type stopped struct {
	*lots
	end context.CancelCauseFunc
}

func (s stopped) Choose(ctx context.Context, _ engine.State, _ *engine.History, _ []engine.Action) (Lesson, error) {
	s.end(errTest)
	return Lesson{}, context.Cause(ctx)
}

// TestWorkThatEndsInATeachersGame is no failure of the teacher.
func TestWorkThatEndsInATeachersGame(t *testing.T) {
	ctx, end := context.WithCancelCause(t.Context())
	cfg := withTeacher()
	cfg.Teacher.RandomShare = 0
	j := job(racegame.New(), 2, 30)
	j.Teacher = func(engine.Game) (Teacher, error) { return stopped{&lots{}, end}, nil }
	if err := Run(ctx, cfg, j, func(*Finished) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("Run = %v, want context.Canceled", err)
	}
}

// TestTeacherShareFalls evenly to none, also where a fork goes on.
func TestTeacherShareFalls(t *testing.T) {
	c := DefaultConfig()
	if s := c.Teacher.ShareAt(0); s != 0 {
		t.Errorf("without a player the share is %g, want 0", s)
	}
	c.Teacher = TeacherConfig{Player: "lots", Share: 0.8, Generations: 8, RandomShare: 0.1}
	for generation, want := range map[int]float64{0: 0.8, 2: 0.6, 7: 0.1, 8: 0, 1000: 0} {
		if got := c.Teacher.ShareAt(generation); math.Abs(got-want) > 1e-9 {
			t.Errorf("share of generation %d is %g, want %g", generation, got, want)
		}
		fork := c
		fork.GoOnFrom(generation)
		if err := fork.Validate(); err != nil {
			t.Error(err)
		}
		for later := range 9 {
			if got, want := fork.Teacher.ShareAt(later), c.Teacher.ShareAt(generation+later); math.Abs(got-want) > 1e-9 {
				t.Errorf("a fork of generation %d has share %g in its generation %d, want %g", generation, got, later, want)
			}
		}
	}
}
