package train

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

func bound(x float64) *float64 { return &x }

// shown is the block after events, as it is in 100 columns.
func shown(v *view, events ...rundir.Event) string {
	for _, e := range events {
		v.event(e)
	}
	return strings.Join(v.lines(100), "\n")
}

func wantLines(t *testing.T, got string, want ...string) {
	t.Helper()
	if all := strings.Join(want, "\n"); got != all {
		t.Errorf("the block is\n%s\nwant\n%s", got, all)
	}
}

// TestViewOfARun feeds a view what a run with a budget sends.
func TestViewOfARun(t *testing.T) {
	cfg := plan.DefaultConfig()
	cfg.Budget = 10 * time.Minute
	v := &view{cfg: &cfg}
	at := func(seconds int, e rundir.Event) rundir.Event {
		e.Elapsed = time.Duration(seconds) * time.Second
		return e
	}
	got := shown(v,
		at(0, rundir.Event{Start: &rundir.StartEvent{Game: "konreh", Rules: "standard"}}),
		at(150, rundir.Event{SelfPlay: &rundir.SelfPlayEvent{GamesWant: 64, Games: 16, PositionsPerSecond: 160, EvaluationsPerSecond: 9000, CacheHits: 0.254, DrawRate: 0.25, FirstScore: 0.5, MeanTurns: 61.2}}),
	)
	wantLines(t, got,
		"plays    █████░░░░░░░░░░░░░░░  generation 0  16/64 games  160 positions/s  9000 evaluations/s  25 % cached",
		"time     █████░░░░░░░░░░░░░░░  0:02:30 learned  0:07:30 left",
		"games    25 % drawn  first player 50 %  61 turns",
		"run      konreh  standard")
	for g := range 7 {
		got = shown(v,
			at(160, rundir.Event{Training: &rundir.TrainingEvent{Generation: g, StepsDone: 5, StepsWant: 5, PolicyLoss: 2 - float64(g)/10, ValueLoss: 1, TurnsLoss: 0.1, SamplesPerSecond: 900, Done: true}}),
			at(160, rundir.Event{Checkpoint: &rundir.CheckpointEvent{Generation: g + 1}}))
	}
	wantLines(t, got,
		"learns   ████████████████████  generation 6  5/5 steps  900 samples/s",
		"time     █████░░░░░░░░░░░░░░░  0:02:40 learned  0:07:20 left",
		"losses   policy 1.400 (-0.500)  value 1.000 (+0.000)  turns 0.100 (+0.000)  in 5 generations",
		"games    25 % drawn  first player 50 %  61 turns",
		"run      konreh  standard")
	got = shown(v, at(160, rundir.Event{Rating: &rundir.RatingEvent{Generation: 7, Games: 4, GamesWant: 8}}))
	if !strings.HasPrefix(got, "rates    ██████████░░░░░░░░░░  generation 7  4/8 games\ntime ") || strings.Contains(got, "learns") {
		t.Errorf("a rating under way is shown as\n%s", got)
	}
	got = shown(v,
		at(160, rundir.Event{Rating: &rundir.RatingEvent{Generation: 7, Done: true, Took: 50 * time.Second, Elo: &rundir.RatedElo{Anchor: "generation 0", Value: bound(312), Low: bound(250), High: bound(380)}}}),
		at(170, rundir.Event{Training: &rundir.TrainingEvent{Generation: 7, StepsDone: 1, StepsWant: 5, PolicyLoss: 1.3, ValueLoss: 0.9, TurnsLoss: 0.1}}))
	if !strings.Contains(got, "\nElo      +312 (+250 to +380) from generation 0\n") || !strings.Contains(got, "\nlosses   policy 1.300 (-0.500)  value 0.900 (-0.100)") {
		t.Errorf("after a rating\n%s", got)
	}
	if !strings.Contains(got, "  0:02:50 learned  0:00:50 measured  0:07:10 left\n") {
		t.Errorf("the time line has no measuring:\n%s", got)
	}
	got = shown(v, at(180, rundir.Event{Checkpoint: &rundir.CheckpointEvent{Generation: 8}}))
	if !strings.Contains(got, "from generation 0  (generation 7)") {
		t.Errorf("an older rating is shown as\n%s", got)
	}
}

// TestViewOfACoreBudget: the time left is for as many cores as there were until now.
func TestViewOfACoreBudget(t *testing.T) {
	cfg := plan.DefaultConfig()
	cfg.CoreBudget = 20 * time.Minute
	v := &view{cfg: &cfg}
	at := func(minutes, cores int, e rundir.Event) rundir.Event {
		e.Elapsed, e.CoreTime = time.Duration(minutes)*time.Minute, time.Duration(cores)*time.Minute
		return e
	}
	wantLines(t, shown(v, at(4, 4, rundir.Event{Start: &rundir.StartEvent{Game: "konreh"}})),
		"time     ████░░░░░░░░░░░░░░░░  0:04:00 learned  0:04:00 of 0:20:00 core time",
		"run      konreh")
	wantLines(t, shown(v, at(7, 10, rundir.Event{Checkpoint: &rundir.CheckpointEvent{Generation: 1}})),
		"time     ██████████░░░░░░░░░░  0:07:00 learned  0:10:00 of 0:20:00 core time  about 0:05:00 left",
		"run      konreh")
}

// TestViewWarns as long as a warning holds.
func TestViewWarns(t *testing.T) {
	cfg := plan.DefaultConfig()
	cfg.Generations = 20
	v := &view{cfg: &cfg, color: true}
	got := shown(v,
		rundir.Event{Start: &rundir.StartEvent{}},
		rundir.Event{RarelyDecided: &rundir.RarelyDecidedEvent{Rules: "blitz", Games: 52, Draws: 50}},
		rundir.Event{Rating: &rundir.RatingEvent{Generation: 1, Problem: "no such file", Done: true}},
		rundir.Event{SelfPlay: &rundir.SelfPlayEvent{Advice: "raise the threshold", Games: 1, Done: true}})
	for _, want := range []string{"50 of the last 52 games by blitz were drawn", "generation 1 could not be rated, and no other will be: no such file", "raise the threshold"} {
		if !regexp.MustCompile("(?m)^\\x1b\\[33mwarning  " + want + ".*\\x1b\\[m$").MatchString(got) {
			t.Errorf("the block has no yellow warning %q:\n%q", want, got)
		}
	}
	got = shown(v, rundir.Event{Warning: &rundir.WarningEvent{Code: "value-blind", Text: "The value is off."}})
	if !strings.Contains(got, "warning  The value is off.") {
		t.Errorf("the block has no warning of a figure:\n%s", got)
	}
	v.color = false
	got = shown(v,
		rundir.Event{Warning: &rundir.WarningEvent{Code: "value-blind", Over: true}},
		rundir.Event{SelfPlay: &rundir.SelfPlayEvent{Games: 1, Done: true}},
		rundir.Event{RarelyDecided: &rundir.RarelyDecidedEvent{Rules: "blitz", Games: 60, Draws: 20, Over: true}},
		rundir.Event{Elapsed: time.Minute, Checkpoint: &rundir.CheckpointEvent{Generation: 6}})
	if strings.Contains(got, "raise") || strings.Contains(got, "value is off") || strings.Contains(got, "blitz") || strings.Contains(got, "\x1b") || !strings.Contains(got, "no such file") {
		t.Errorf("later the block is\n%s", got)
	}
	if !strings.Contains(got, "time     ██████░░░░░░░░░░░░░░  0:01:00 learned  about 0:02:20 left") {
		t.Errorf("after 6 of 20 generations in a minute the block is\n%s", got)
	}
	// The next process measures networks again.
	got = shown(v, rundir.Event{Start: &rundir.StartEvent{}})
	if strings.Contains(got, "no such file") {
		t.Errorf("in another process the block is\n%s", got)
	}
}

// TestViewOfBothSides: a concurrent run plays and learns at once, and what an
// earlier process did is not shown as being done.
func TestViewOfBothSides(t *testing.T) {
	cfg := plan.DefaultConfig()
	cfg.Generations, cfg.Mode = 4, plan.ModeConcurrent
	v := &view{cfg: &cfg}
	v.recall([]rundir.Event{
		{Start: &rundir.StartEvent{}}, {SelfPlay: &rundir.SelfPlayEvent{Games: 3, MeanTurns: 9}},
		{Training: &rundir.TrainingEvent{StepsDone: 1, PolicyLoss: 2, Done: true}},
		{Rating: &rundir.RatingEvent{Done: true, Elo: &rundir.RatedElo{Anchor: "random", Low: bound(99)}}},
		{Elapsed: time.Minute, Stop: &rundir.StopEvent{}},
	})
	wantLines(t, shown(v, rundir.Event{Elapsed: time.Minute, Start: &rundir.StartEvent{Game: "g", Rules: "r", Generation: 1}}),
		"time     █████░░░░░░░░░░░░░░░  0:01:00 learned",
		"Elo      above +99 from random  (generation 0)",
		"losses   policy 2.000  value 0.000  turns 0.000",
		"games    0 % drawn  first player 0 %  9 turns",
		"run      g  r")
	got := shown(v,
		rundir.Event{SelfPlay: &rundir.SelfPlayEvent{Generation: 2, Games: 5, GamesWant: 10}},
		rundir.Event{Training: &rundir.TrainingEvent{Generation: 1, StepsDone: 1, StepsWant: 4}})
	if !strings.HasPrefix(got, "plays    ██████████░░░░░░░░░░  generation 2 of 4  5/10 games") || !strings.Contains(got, "\nlearns   █████░░░░░░░░░░░░░░░  generation 1 of 4  1/4 steps") {
		t.Errorf("both sides are shown as\n%s", got)
	}
	got = shown(v,
		rundir.Event{Rating: &rundir.RatingEvent{Generation: 2, Games: 1, GamesWant: 4}},
		rundir.Event{SelfPlay: &rundir.SelfPlayEvent{Generation: 2, Games: 6, GamesWant: 10}})
	if !strings.HasPrefix(got, "rates    █████░░░░░░░░░░░░░░░  generation 2  1/4 games\ntime ") {
		t.Errorf("a rating is shown as\n%s", got)
	}
}
