package train

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// TestProgress feeds the display what a long run would send it.
func TestProgress(t *testing.T) {
	var out, errOut strings.Builder
	cfg := plan.DefaultConfig()
	cfg.Budget = time.Minute
	d := newDisplay(&out, &errOut, false, &cfg)
	at := func(seconds int, e rundir.Event) {
		d.bar.Last = time.Now().Add(-shell.LineEvery) // as if so much time had passed
		e.Elapsed = time.Duration(seconds) * time.Second
		d.event(e)
	}
	at(20, rundir.Event{SelfPlay: &rundir.SelfPlayEvent{Generation: 3, Games: 7, GamesWant: 50, PositionsPerSecond: 160, EvaluationsPerSecond: 9000, CacheHits: 0.254}})
	at(40, rundir.Event{Training: &rundir.TrainingEvent{Generation: 3, StepsDone: 5, StepsWant: 20, PolicyLoss: 2}})
	at(50, rundir.Event{RarelyDecided: &rundir.RarelyDecidedEvent{Generation: 3, Rules: "blitz", Games: 52, Draws: 50}})
	at(55, rundir.Event{RarelyDecided: &rundir.RarelyDecidedEvent{Generation: 9, Rules: "blitz", Games: 60, Draws: 20, Over: true}})
	at(3999, rundir.Event{Stop: &rundir.StopEvent{Reason: "budget"}})
	d.close()
	const want = "20/60 s  generation 3 plays: 7/50 games, 160 positions/s, 9000 evaluations/s, 25 % cached\n" +
		"40/60 s  generation 3 learns: 5/20 steps, loss policy 2.000 value 0.000 turns 0.000, 0 samples/s\n"
	if errOut.String() != want {
		t.Errorf("progress\n%swant\n%s", errOut.String(), want)
	}
	if want := "0:00:50  warning: 50 of the last 52 games by blitz were drawn: such games teach little of who wins\n" +
		"0:00:55  games by blitz are decided again: 20 of the last 60 were drawn\n1:06:39  time budget used up\n"; out.String() != want {
		t.Errorf("lines %q, want %q", out.String(), want)
	}

	// A budget of core time has a bar in that.
	errOut.Reset()
	out.Reset()
	cfg.Budget, cfg.CoreBudget = 0, 90*time.Second
	d = newDisplay(&out, &errOut, false, &cfg)
	at(40, rundir.Event{CoreTime: 70 * time.Second, Training: &rundir.TrainingEvent{Generation: 3}})
	if !strings.HasPrefix(errOut.String(), "70/90 core-seconds  ") {
		t.Errorf("progress %q, want it in core time", errOut.String())
	}
	at(60, rundir.Event{CoreTime: 90 * time.Second, Stop: &rundir.StopEvent{Reason: "core_budget"}})
	if want := "0:01:00  core time used up\n"; out.String() != want {
		t.Errorf("line %q, want %q", out.String(), want)
	}

	// Without a budget the bar counts generations.
	errOut.Reset()
	cfg.CoreBudget, cfg.Generations = 0, 9
	d = newDisplay(&out, &errOut, false, &cfg)
	at(40, rundir.Event{Training: &rundir.TrainingEvent{Generation: 3}})
	if !strings.HasPrefix(errOut.String(), "3/9 generations  ") {
		t.Errorf("progress %q, want it in generations", errOut.String())
	}

	// A concurrent run shows both sides, whichever has something new.
	errOut.Reset()
	cfg.Mode = plan.ModeConcurrent
	d = newDisplay(&out, &errOut, false, &cfg)
	at(1, rundir.Event{SelfPlay: &rundir.SelfPlayEvent{Generation: 4, Games: 7, GamesWant: 50, PositionsPerSecond: 160}})
	at(2, rundir.Event{Training: &rundir.TrainingEvent{Generation: 3, StepsDone: 5, StepsWant: 20, SamplesPerSecond: 900}})
	at(3, rundir.Event{SelfPlay: &rundir.SelfPlayEvent{Generation: 4, Games: 9, GamesWant: 50, PositionsPerSecond: 161}})
	const both = "0/9 generations  generation 4 plays: 7/50 games, 160 positions/s\n" +
		"3/9 generations  generation 4 plays: 7/50 games, 160 positions/s; generation 3 learns: 5/20 steps, 900 samples/s\n" +
		"3/9 generations  generation 4 plays: 9/50 games, 161 positions/s; generation 3 learns: 5/20 steps, 900 samples/s\n"
	if errOut.String() != both {
		t.Errorf("progress\n%swant\n%s", errOut.String(), both)
	}
	cfg.Mode = plan.ModeAlternating

	// JSON has no progress, only what is finished.
	out.Reset()
	d = newDisplay(&out, io.Discard, true, &cfg)
	d.event(rundir.Event{SelfPlay: &rundir.SelfPlayEvent{Generation: 3}})
	d.event(rundir.Event{Training: &rundir.TrainingEvent{Generation: 3}})
	d.event(rundir.Event{SelfPlay: &rundir.SelfPlayEvent{Generation: 3, Done: true}})
	d.close()
	var e rundir.Event
	if err := json.Unmarshal([]byte(out.String()), &e); err != nil || e.SelfPlay == nil || !e.SelfPlay.Done {
		t.Errorf("events %q, %v, want the finished stage alone", out.String(), err)
	}
}
