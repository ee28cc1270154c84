package trained

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/model"
)

// maxDepth is how far below the given folder runs are looked for: enough for
// runs sorted by game and day, and an end for who names the root of a disk.
const maxDepth = 3

// Find reads the run in dir, or else the runs below it, and names them by
// their place there. A folder directly in it that is or holds no run is listed
// as foreign, unless its name hides it.
func Find(games engine.Families, dir string) ([]*Run, error) {
	if IsRun(dir) {
		r, err := Read(games, dir)
		return []*Run{r}, err
	}
	list, err := runsBelow(games, dir, "", 1)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b *Run) int { return cmp.Compare(a.Name, b.Name) })
	return list, nil
}

// Read reads a run under the name of its folder.
func Read(games engine.Families, dir string) (*Run, error) {
	whole, err := filepath.Abs(dir) // "." has no name
	if err != nil {
		return nil, err
	}
	return readRun(games, dir, filepath.Base(whole)), nil
}

// runsBelow reads the runs in a folder at the given depth; prefix is its name.
func runsBelow(games engine.Families, dir, prefix string, depth int) ([]*Run, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	list := []*Run{}
	for _, e := range entries {
		path, name := filepath.Join(dir, e.Name()), prefix+e.Name()
		if strings.HasPrefix(e.Name(), ".") || !isDir(path) {
			continue
		}
		if IsRun(path) {
			list = append(list, readRun(games, path, name))
			continue
		}
		var inner []*Run
		lost := error(nil)
		if depth < maxDepth && e.Type()&fs.ModeSymlink == 0 { // links may lead in circles
			inner, lost = runsBelow(games, path, name+"/", depth+1)
		}
		switch {
		case lost != nil:
			list = append(list, foreign(path, name, wording.OneLine(lost)))
		case len(inner) == 0 && depth == 1:
			list = append(list, foreign(path, name, "it is no run and holds none"))
		}
		list = append(list, inner...)
	}
	return list, nil
}

func foreign(path, name, problem string) *Run {
	return &Run{Name: name, Path: path, State: stateForeign, Problem: problem, Networks: []int{}, Ratings: []rating{}}
}

// WriteList prints a line for each run in dir, and below them who plays for those whose
// trainer serves.
func WriteList(out io.Writer, dir string, list []*Run) error {
	if len(list) == 0 {
		_, err := fmt.Fprintf(out, "no run in %s\n", wording.PlainName(dir))
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	replies := slices.ContainsFunc(list, func(r *Run) bool { return r.Losses != nil && r.Losses.Reply != 0 })
	fmt.Fprintf(w, "run\tstate\tgame\trules\tgeneration\tstep\tgames\tpositions\tlearned\tcore-hours\t%s\tElo so far (95 %%)\tscore (95 %%) or problem\n", lossHeading(replies))
	for _, r := range list {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", wording.PlainName(r.Name)+r.from(), r.State, wording.OrDash(r.Game), wording.OrDash(r.Rules), r.progress(), r.elo(), r.remark())
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, r := range list {
		if r.Live == nil {
			continue
		}
		if _, err := fmt.Fprintf(out, "%s: %s\n", wording.PlainName(r.Name), r.Live.Text(time.Now(), r.State == StateRunning)); err != nil {
			return err
		}
	}
	return nil
}

// progress is the columns from the generation to the losses.
func (r *Run) progress() string {
	if r.State == stateForeign {
		return strings.Repeat("-\t", 6) + "-"
	}
	losses := "-"
	if l := r.Losses; l != nil {
		losses = l.String()
	}
	generation, learned := fmt.Sprint(r.Generation), wording.Clock(r.Elapsed)
	if n := r.Config.Generations; n > 0 {
		generation += fmt.Sprintf("/%d", n)
	}
	if b := r.Config.Budget; b > 0 {
		learned += "/" + wording.Clock(b)
	}
	return fmt.Sprintf("%s\t%d\t%d\t%d\t%s\t%s\t%s", generation, r.Step, r.Games, r.Positions, learned, r.coreHours(), losses)
}

// coreHours adds up the core-hours of the run and, for a fork, of all runs behind it.
func (r *Run) coreHours() string {
	text := "-"
	if r.CoreTime != nil {
		text = model.CoreHours(r.CoreTime.Seconds())
	}
	if b := r.Config.CoreBudget; b > 0 {
		text += "/" + model.CoreHours(b.Seconds())
	}
	if r.Origin != "" {
		text += " of " + r.Spent.CoreHours()
	}
	return text
}

// elo is the rating of the newest network that was measured.
func (r *Run) elo() string {
	if r.Elo == nil {
		return "-"
	}
	text := r.Elo.String()
	if r.Elo.Generation != r.Generation {
		text = fmt.Sprintf("generation %d %s", r.Elo.Generation, text)
	}
	return text
}

// remark is the last column: what is wrong, or else how strong the run is and
// where its report is.
func (r *Run) remark() string {
	switch {
	case r.Problem != "":
		return r.Problem
	case r.Report != "":
		return r.strength() + "; report in " + wording.PlainName(r.Report)
	}
	return r.strength()
}

// lossHeading stands over columns of losses; replies: some have that of the
// opponent's reply.
func lossHeading(replies bool) string {
	if replies {
		return "policy/value/turns/reply loss"
	}
	return "policy/value/turns loss"
}

func (l *LossMeans) String() string {
	policy := "-" // nothing had a policy target
	if l.Policy != 0 {
		policy = fmt.Sprintf("%.3f", l.Policy)
	}
	text := fmt.Sprintf("%s %.3f %.3f", policy, l.Value, l.Turns)
	if l.Reply != 0 {
		text += fmt.Sprintf(" %.3f", l.Reply)
	}
	return text
}

// from is what follows the name of a pack, and of a fork.
func (r *Run) from() string {
	text := ""
	if r.Packed != "" {
		text = " of " + wording.PlainName(r.Packed)
	}
	if r.Origin != "" {
		text += " from " + wording.PlainName(r.Origin)
	}
	return text
}
