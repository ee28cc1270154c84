package work

import (
	"fmt"
	"io"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/cluster"
	"github.com/ludozero/ludozero/internal/wording"
)

// display tells what a worker does: a line for what has changed, and below them one that
// is drawn again on a terminal; elsewhere such a line for each generation and every minute.
type display struct {
	out, errOut io.Writer
	run         string
	away, full  bool
	drawn       bool
	last        time.Time // of the line about the present
	generation  int       // that a line was about
}

const (
	// lineEvery is how often a log gets a line if nothing has changed.
	lineEvery = time.Minute
	// awayAfter is for how long the trainer does not answer until that is said: not in
	// the moment when it is started again.
	awayAfter = 5 * time.Second
)

func newDisplay(out, errOut io.Writer) *display {
	return &display{out: out, errOut: errOut, generation: -1}
}

// view shows what a worker does.
func (d *display) view(v cluster.WorkerView) {
	if v.Run != "" && v.Run != d.run {
		d.run = v.Run
		d.say("plays for the run %s", wording.Plain(v.Run))
	}
	for _, why := range v.Refused {
		d.say("warning: games were refused: %s", wording.Plain(why))
	}
	switch {
	case v.Away >= awayAfter && !d.away:
		d.away = true
		d.say("the trainer does not answer: %s; games are played as far as they may be, and kept", wording.OneLine(v.Why))
	case v.Why == nil && d.away:
		d.away = false
		d.say("the trainer is back")
	}
	if full := v.Disk != nil; full != d.full {
		if d.full = full; full {
			d.say("games cannot be kept, and none are played until they can: %s", wording.OneLine(v.Disk))
		} else {
			d.say("games can be kept again")
		}
	}
	now := time.Now()
	if width := shell.Columns(d.errOut); width > 0 {
		fmt.Fprintf(d.errOut, "\r%s%s", ansi.Truncate(line(&v), width-1, "…"), ansi.EraseLineRight)
		d.drawn = true
	} else if fresh := v.Generation > d.generation; fresh || now.Sub(d.last) >= lineEvery {
		d.last, d.generation = now, max(d.generation, v.Generation)
		fmt.Fprintln(d.errOut, line(&v))
	}
}

// line says what a worker does at the moment.
func line(v *cluster.WorkerView) string {
	text := "waits for the trainer"
	switch {
	case v.Series:
		text = fmt.Sprintf("a series of games, %s, %.0f positions/s", wording.Count(v.Leases, "lease"), v.PositionsPerSecond)
	case v.Generation >= 0:
		text = fmt.Sprintf("generation %d, %s, %.0f positions/s", v.Generation, wording.Count(v.Leases, "lease"), v.PositionsPerSecond)
	case v.Run != "":
		text = "waits for games"
	}
	if v.Resting {
		text += ", begins no game at present"
	}
	text += "; " + wording.Count(v.Games, "game") + " played"
	if v.Waiting > 0 {
		text += fmt.Sprintf(", %s without a receipt (%.1f MB)", wording.Count(v.Waiting, "parcel"), float64(v.WaitingBytes)/1e6)
	}
	if v.Away >= awayAfter {
		text += ", the trainer has been away for " + wording.Clock(v.Away)
	}
	return text
}

// over says that the run has all its games.
func (d *display) over() {
	name := ""
	if d.run != "" {
		name = " " + wording.Plain(d.run)
	}
	d.say("the run%s is over", name)
}

// say prints a line that stays.
func (d *display) say(format string, args ...any) {
	d.close()
	fmt.Fprintf(d.out, format+"\n", args...)
}

// close takes the line about the present off the terminal.
func (d *display) close() {
	if d.drawn {
		fmt.Fprint(d.errOut, "\r"+ansi.EraseLineRight)
		d.drawn = false
	}
}
