package train

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/report/trained"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// lossesBack is over how many generations the block shows how losses have
// changed: enough for what a generation's games vary.
const lossesBack = 5

// view is what the block shows of a run: the newest of each kind of event.
type view struct {
	cfg   *plan.Config
	color bool

	start   *rundir.StartEvent
	stage   string // what is done now: "plays", "learns", "rates"; empty before
	plays   *rundir.SelfPlayEvent
	played  *rundir.SelfPlayEvent // the newest with finished games
	learns  *rundir.TrainingEvent
	rates   *rundir.RatingEvent
	losses  []trained.LossMeans // of finished generations, the newest last
	elo     *rundir.RatedElo
	eloOf   int // the generation
	warning []warning
	elapsed time.Duration
	// measured is the time of the ratings on the way, which is no learning time.
	measured time.Duration
	cores    time.Duration // core time
	// began, beganCores and from are the learning time, the core time and the
	// generations done when this process began to count, done the generations done now.
	began, beganCores time.Duration
	from, done        int
}

// warning is one that holds now.
type warning struct{ code, text string }

// event takes in what has happened.
func (v *view) event(e rundir.Event) {
	v.elapsed, v.cores = e.Elapsed, e.CoreTime
	switch {
	case e.Start != nil:
		v.start, v.began, v.beganCores, v.from, v.done = e.Start, e.Elapsed, e.CoreTime, e.Start.Generation, e.Start.Generation
		v.warn("rating", "") // another process tries again
	case e.SelfPlay != nil:
		v.plays = e.SelfPlay
		v.does("plays")
		if e.SelfPlay.Games > 0 {
			v.played = e.SelfPlay
		}
		if e.SelfPlay.Done {
			v.warn("resignation", e.SelfPlay.Advice)
		}
	case e.RarelyDecided != nil:
		v.warn("rarely-decided "+e.RarelyDecided.Rules, rarelyDecidedText(e.RarelyDecided))
	case e.Training != nil:
		v.learns = e.Training
		v.does("learns")
		if e.Training.Done && e.Training.StepsDone > 0 {
			v.losses = append(v.losses, *trained.LossesOf(e.Training))
		}
	case e.Rating != nil:
		v.stage, v.rates = "rates", e.Rating
		switch {
		case e.Rating.Problem != "":
			v.warn("rating", strings.TrimPrefix(ratingText(e.Rating), "warning: "))
		case e.Rating.Elo != nil:
			v.elo, v.eloOf = e.Rating.Elo, e.Rating.Generation
		}
		if e.Rating.Done {
			v.measured += e.Rating.Took
		}
	case e.Warning != nil:
		v.warn(e.Warning.Code, e.Warning.Text)
	case e.Checkpoint != nil:
		v.done = e.Checkpoint.Generation
	}
}

// does notes what is done now. A rating is until it ends: in a concurrent run
// games that were finished before are told meanwhile.
func (v *view) does(stage string) {
	if v.rates == nil || v.rates.Done {
		v.stage = stage
	}
}

// warn shows a warning from now on; without a text it is over.
func (v *view) warn(code, text string) {
	for i := range v.warning {
		if v.warning[i].code != code {
			continue
		}
		if text == "" {
			v.warning = slices.Delete(v.warning, i, i+1)
		} else {
			v.warning[i].text = text
		}
		return
	}
	if text != "" {
		v.warning = append(v.warning, warning{code, text})
	}
}

// recall takes in what earlier processes have left: how losses went, how strong
// the run is and what was off. What they were doing is over.
func (v *view) recall(past []rundir.Event) {
	for _, e := range past {
		v.event(e)
	}
	v.stage, v.plays, v.learns, v.rates = "", nil, nil, nil
}

// lines is the block for a terminal of that width, the most important ones
// first, since those that do not fit are left out.
func (v *view) lines(width int) []string {
	var list []string
	add := func(label string, parts ...string) {
		text := ""
		for _, p := range parts {
			if p == "" {
				continue
			}
			if text != "" {
				text += "  "
			}
			text += p
		}
		if text != "" {
			list = append(list, fmt.Sprintf("%-9s", label)+text)
		}
	}
	concurrent := v.cfg.Overlaps()
	if v.stage == "rates" && !v.rates.Done {
		add("rates", v.bar(width, v.rates.Games, v.rates.GamesWant), fmt.Sprintf("generation %d", v.rates.Generation), fmt.Sprintf("%d/%d games", v.rates.Games, v.rates.GamesWant))
	} else {
		if s := v.plays; s != nil && (concurrent || v.stage == "plays") {
			add("plays", v.bar(width, s.Games, s.GamesWant), v.generationText(s.Generation), fmt.Sprintf("%d/%d games", s.Games, s.GamesWant),
				fmt.Sprintf("%.0f positions/s", s.PositionsPerSecond), fmt.Sprintf("%.0f evaluations/s", s.EvaluationsPerSecond), cachedText(s))
		}
		if t := v.learns; t != nil && (concurrent || v.stage == "learns") {
			add("learns", v.bar(width, t.StepsDone, t.StepsWant), v.generationText(t.Generation), fmt.Sprintf("%d/%d steps", t.StepsDone, t.StepsWant),
				fmt.Sprintf("%.0f samples/s", t.SamplesPerSecond))
		}
	}
	if s := v.plays; s != nil && s.Cluster != nil {
		add("others", s.Cluster.Text())
	}
	add("time", v.timeText(width)...)
	if e := v.elo; e != nil {
		at := ""
		if v.eloOf != v.done {
			at = fmt.Sprintf("(generation %d)", v.eloOf)
		}
		add("Elo", e.String(), at)
	}
	for _, w := range v.warning {
		add("warning", w.text)
		if v.color {
			list[len(list)-1] = ansi.NewStyle().ForegroundColor(ansi.Yellow).Styled(list[len(list)-1])
		}
	}
	add("losses", v.lossText()...)
	if s := v.played; s != nil {
		add("games", fmt.Sprintf("%.0f %% drawn", 100*s.DrawRate), fmt.Sprintf("first player %.0f %%", 100*s.FirstScore), fmt.Sprintf("%.0f turns", s.MeanTurns), strings.TrimPrefix(taughtText(s), ", "))
	}
	if v.start != nil {
		add("run", v.start.Game, v.start.Rules)
	}
	return list
}

// bar is how much of some work is done.
func (v *view) bar(width, done, want int) string {
	size := shell.BarColumns
	if width < shell.MinColumns {
		size /= 2
	}
	full := 0
	if want > 0 {
		full = min(size*done/want, size)
	}
	return strings.Repeat("█", full) + strings.Repeat("░", size-full)
}

func (v *view) generationText(generation int) string {
	if n := v.cfg.Generations; n > 0 {
		return fmt.Sprintf("generation %d of %d", generation, n)
	}
	return fmt.Sprintf("generation %d", generation)
}

func cachedText(s *rundir.SelfPlayEvent) string {
	if s.CacheHits == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f %% cached", 100*s.CacheHits)
}

// timeText says how long the run has learned and how long it will, which without
// a budget of time follows from the core time or the generations of this process.
func (v *view) timeText(width int) []string {
	parts := []string{wording.Clock(v.elapsed) + " learned"}
	if v.measured > 0 {
		parts[0] += "  " + wording.Clock(v.measured) + " measured"
	}
	about := func(done, left float64) {
		if done > 0 {
			parts = append(parts, "about "+wording.Clock(time.Duration(float64(v.elapsed-v.began)/done*left))+" left")
		}
	}
	ofTime := func(now, budget time.Duration) string {
		return v.bar(width, int(min(now, budget).Milliseconds()), int(budget.Milliseconds()))
	}
	switch budget, cores, n := v.cfg.Budget, v.cfg.CoreBudget, v.cfg.Generations; {
	case budget > 0:
		left := max(budget-v.elapsed, 0)
		parts = []string{ofTime(v.elapsed, budget), parts[0], wording.Clock(left) + " left"}
	case cores > 0:
		parts = []string{ofTime(v.cores, cores), parts[0], wording.Clock(v.cores) + " of " + wording.Clock(cores) + " core time"}
		about((v.cores - v.beganCores).Seconds(), max(cores-v.cores, 0).Seconds())
	case n > 0:
		parts = []string{v.bar(width, v.done, n), parts[0]}
		about(float64(v.done-v.from), float64(n-v.done))
	}
	return parts
}

// lossText is the losses of the training that is under way or was last, with
// their change since lossesBack generations before.
func (v *view) lossText() []string {
	n := len(v.losses)
	var now trained.LossMeans
	switch {
	case v.learns != nil && !v.learns.Done && v.learns.ValueLoss > 0:
		now = *trained.LossesOf(v.learns)
	case n > 0:
		now = v.losses[n-1]
		n--
	default:
		return nil
	}
	back := min(n, lossesBack)
	var old trained.LossMeans
	if back > 0 {
		old = v.losses[n-back]
	}
	part := func(name string, now, old float64) string {
		text := fmt.Sprintf("%s %.3f", name, now)
		if back > 0 {
			text += fmt.Sprintf(" (%+.3f)", now-old)
		}
		return text
	}
	parts := []string{part("policy", now.Policy, old.Policy), part("value", now.Value, old.Value), part("turns", now.Turns, old.Turns)}
	if now.Reply != 0 {
		parts = append(parts, part("reply", now.Reply, old.Reply))
	}
	if back > 0 {
		parts = append(parts, "in "+wording.Count(back, "generation"))
	}
	return parts
}
