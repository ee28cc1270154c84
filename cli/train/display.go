package train

import (
	"io"
	"math"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// display shows the events of a run: a line for each finished stage, and below
// them a block on a terminal; on one that is too small for that a bar, and
// elsewhere a line every LineEvery.
type display struct {
	out, errOut io.Writer
	json        bool
	cfg         *plan.Config
	bar         *shell.Bar
	block       *block // nil: no terminal; then bar is not
	view        *view  // what block shows
	saved       string // path of the last checkpoint of this process
	stage       bool   // one stage of a generation, and no more
	auto        string // what settings that were auto have become; "": there were none
	measuring   string // how much measuring comes on top of the learning time; "": none
	// plays and learns are how far the two sides of a concurrent run are.
	plays  *rundir.SelfPlayEvent
	learns *rundir.TrainingEvent
}

func newDisplay(out, errOut io.Writer, asJSON bool, cfg *plan.Config) *display {
	d := &display{out: out, errOut: errOut, json: asJSON, cfg: cfg}
	if asJSON {
		return d
	}
	if d.block = newBlock(errOut); d.block != nil {
		color, _ := shell.WantColor("auto", errOut)
		d.view = &view{cfg: cfg, color: color}
	} else {
		total, unit := int(cfg.Budget.Seconds()), "s"
		switch {
		case cfg.Budget > 0:
		case cfg.CoreBudget > 0:
			total, unit = int(math.Ceil(cfg.CoreBudget.Seconds())), "core-seconds"
		default:
			total, unit = cfg.Generations, "generations"
		}
		d.bar = shell.NewBar(errOut, total, unit)
	}
	return d
}

func (d *display) close() {
	switch {
	case d.block != nil:
		d.block.clear()
	case d.bar != nil:
		d.bar.Clear()
	}
}

func (d *display) event(e rundir.Event) {
	if d.json {
		if stageDone(e) {
			_ = shell.WriteLine(d.out, e) // a reader that has gone ends no training
		}
		return
	}
	if e.Checkpoint != nil {
		d.saved = e.Checkpoint.Path // one line for each stage is enough; the last says where
	}
	if d.block != nil {
		d.live(e)
		return
	}
	if e.Checkpoint != nil {
		return
	}
	text, kept := d.text(e)
	if !kept && d.cfg.Overlaps() && e.Rating == nil {
		text = d.bothText(e)
	}
	if kept {
		d.bar.Println(d.out, wording.Clock(e.Elapsed)+"  "+text)
		return
	}
	if d.stage {
		d.setStage(e, text)
		return
	}
	done := int(e.Elapsed.Seconds())
	switch {
	case d.cfg.Budget > 0:
	case d.cfg.CoreBudget > 0:
		done = int(e.CoreTime.Seconds())
	case !d.cfg.Overlaps():
		done = generationOf(e)
	case d.learns != nil: // a generation is done when it was learned from
		done = d.learns.Generation
	default:
		done = 0
	}
	d.bar.Set(min(done, d.bar.Total), text)
}

// live shows an event on a terminal.
func (d *display) live(e rundir.Event) {
	d.view.event(e)
	kept := false
	if e.Checkpoint == nil {
		var text string
		if text, kept = d.text(e); kept {
			d.block.println(d.out, wording.Clock(e.Elapsed)+"  "+text)
		}
	}
	if e.Stop == nil {
		d.block.draw(kept, d.view.lines)
	}
}

// recall shows what earlier processes have left of the run.
func (d *display) recall(dir string) {
	if d.block == nil {
		return
	}
	if past, err := rundir.ReadEvents(dir); err == nil { // else the training says what is wrong
		d.view.recall(past)
	}
}

// stageDone tells events that deserve a line from mere progress.
func stageDone(e rundir.Event) bool {
	return !(e.SelfPlay != nil && !e.SelfPlay.Done || e.Training != nil && !e.Training.Done || e.Rating != nil && !e.Rating.Done)
}

func generationOf(e rundir.Event) int {
	switch {
	case e.SelfPlay != nil:
		return e.SelfPlay.Generation
	case e.Rating != nil:
		return e.Rating.Generation
	}
	return e.Training.Generation
}
