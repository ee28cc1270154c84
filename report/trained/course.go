package trained

import (
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/train/rundir"
)

// milestone is a generation of a run that was trained: what had been done when
// its checkpoint was written, and the two stages that made it.
type milestone struct {
	Generation int           `json:"generation"`
	Step       int           `json:"step"`
	Games      int           `json:"games"`
	Positions  int           `json:"positions"`
	Elapsed    time.Duration `json:"elapsed_ns"`
	// SelfPlay is of the games of the generation before, Training of the steps
	// that followed. They are left out where a process was killed before it had
	// noted them. A pack has no events: there they are what its metrics say.
	SelfPlay *rundir.SelfPlayEvent `json:"self_play,omitempty"`
	Training *rundir.TrainingEvent `json:"training,omitempty"`
}

// milestones lists the generations of a run that were trained, also those whose
// checkpoints retention let go. A stage that was done again counts as it was
// done last.
func (r *Run) milestones() []milestone {
	played := map[int]*rundir.SelfPlayEvent{}
	learned := map[int]*rundir.TrainingEvent{}
	for _, e := range r.events {
		if e.SelfPlay != nil && e.SelfPlay.Done {
			played[e.SelfPlay.Generation] = e.SelfPlay
		}
		if e.Training != nil && e.Training.Done {
			learned[e.Training.Generation] = e.Training
		}
	}
	list := []milestone{}
	for i := range r.rows {
		m := &r.rows[i]
		g := int(m.Generation)
		elapsed := time.Duration(math.Round(m.LearnedSeconds * float64(time.Second)))
		if len(r.events) == 0 {
			played[g-1], learned[g-1] = selfPlayOf(m), trainingOf(m)
		}
		list = append(list, milestone{g, int(m.Step), int(m.Games), int(m.Positions), elapsed, played[g-1], learned[g-1]})
	}
	return list
}

// selfPlayOf is the last event of the games that a row of metrics is about, trainingOf that
// of its training, as far as the row tells; nil if there were none.
func selfPlayOf(m *rundir.Metrics) *rundir.SelfPlayEvent {
	if m.NewGames == 0 {
		return nil
	}
	return &rundir.SelfPlayEvent{
		Generation: int(m.Generation) - 1, Games: int(m.NewGames), GamesWant: int(m.NewGames), Positions: int(m.NewPositions), Simulations: int(m.Simulations),
		PositionsPerSecond: m.PositionsPerSecond, EvaluationsPerSecond: m.EvaluationsPerSecond, CacheHits: m.CacheHits,
		MeanTurns: m.MeanTurns, DrawRate: m.DrawRate, FirstScore: m.FirstScore,
		PlayedOn: int(m.PlayedOn), WronglyResigned: int(m.WronglyResigned), Taught: int(m.TaughtGames), TaughtDraws: int(m.TaughtDraws), Done: true,
	}
}

func trainingOf(m *rundir.Metrics) *rundir.TrainingEvent {
	if m.Steps == 0 {
		return nil
	}
	return &rundir.TrainingEvent{
		Generation: int(m.Generation) - 1, Step: int(m.Step), StepsDone: int(m.Steps), StepsWant: int(m.Steps), WindowPositions: int(m.WindowPositions),
		PolicyLoss: m.PolicyLoss, ValueLoss: m.ValueLoss, TurnsLoss: m.TurnsLoss, ReplyLoss: m.ReplyLoss,
		GradientNorm: m.GradientNorm, LearningRate: m.LearningRate, SamplesPerSecond: m.SamplesPerSecond, Done: true,
	}
}

// axis is what two runs are put side by side over.
type axis struct {
	name  string
	at    func(*milestone) int64
	label func(int64) string
}

// IsAxis tells whether runs can be put side by side by that: time or generation.
func IsAxis(by string) bool { return axes[by].at != nil }

var axes = map[string]axis{
	"time": {
		"learned", func(m *milestone) int64 { return int64(m.Elapsed) }, func(x int64) string { return wording.Clock(time.Duration(x)) },
	},
	"generation": {
		"generation", func(m *milestone) int64 { return int64(m.Generation) }, func(x int64) string { return fmt.Sprint(x) },
	},
}

// marksInCommon is how many lines, at most, a table has for what two runs both
// reached: they fit on a screen with two runs and the rest.
const marksInCommon = 10

// marks divides what both runs reached evenly, and adds where the longer ends.
func (x axis) marks(a, b []milestone) []int64 {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	endA, endB := x.at(&a[len(a)-1]), x.at(&b[len(b)-1])
	common, end := min(endA, endB), max(endA, endB)
	var list []int64
	for i := range int64(marksInCommon) {
		// In this order the product of nanoseconds stays far below 2^63.
		if mark := common/marksInCommon*(i+1) + common%marksInCommon*(i+1)/marksInCommon; mark > 0 && (len(list) == 0 || mark > list[len(list)-1]) {
			list = append(list, mark)
		}
	}
	if end > common {
		list = append(list, end)
	}
	return list
}

// last returns the last milestone up to a mark, nil if there is none.
func (x axis) last(list []milestone, mark int64) *milestone {
	var found *milestone
	for i := range list {
		if x.at(&list[i]) <= mark {
			found = &list[i]
		}
	}
	return found
}

// printCourse prints both runs at each mark where they have come further.
func (c *Comparison) printCourse(w io.Writer, x axis) {
	for _, s := range c.sides() {
		if len(s.run.Generations) == 0 {
			fmt.Fprintf(w, "%s has not trained one generation\n", s.letter)
		}
	}
	marks := x.marks(c.A.Generations, c.B.Generations)
	if len(marks) == 0 {
		return
	}
	replies := slices.ContainsFunc(slices.Concat(c.A.Generations, c.B.Generations), func(m milestone) bool { return m.Training != nil && m.Training.ReplyLoss != 0 })
	fmt.Fprintf(w, "%s\trun\tgeneration\tafter\tgames\tpositions\tsteps\t%s\tdrawn\tturns/game\tfirst's score\tpositions/s\tevaluations/s\tsamples/s\n", x.name, lossHeading(replies))
	shown := map[string]*milestone{}
	for _, mark := range marks {
		label := x.label(mark)
		for _, s := range c.sides() {
			m := x.last(s.run.Generations, mark)
			if m == nil || m == shown[s.letter] {
				continue
			}
			shown[s.letter] = m
			fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%d\t%d\t%d\t", label, s.letter, m.Generation, wording.Clock(m.Elapsed), m.Games, m.Positions, m.Step)
			m.printStages(w)
			label = ""
		}
	}
}

func (m *milestone) printStages(w io.Writer) {
	losses, samples := "-", "-"
	if t := m.Training; t != nil && t.StepsDone > 0 {
		losses, samples = LossesOf(t).String(), speed(t.SamplesPerSecond)
	}
	games := "-\t-\t-\t-\t-"
	if s := m.SelfPlay; s != nil {
		games = fmt.Sprintf("%s\t%.1f\t%s\t%s\t%s", wording.Percent(s.DrawRate), s.MeanTurns, wording.Percent(s.FirstScore), speed(s.PositionsPerSecond), speed(s.EvaluationsPerSecond))
	}
	fmt.Fprintf(w, "%s\t%s\t%s\n", losses, games, samples)
}

// speed writes so many a second; 0 is unknown.
func speed(x float64) string {
	if x == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f", x)
}
