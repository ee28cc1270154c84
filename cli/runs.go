package cli

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

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/model"
	"github.com/spf13/cobra"
)

// maxDepth is how far below the given folder runs are looked for: enough for
// runs sorted by game and day, and an end for who names the root of a disk.
const maxDepth = 3

func newRuns(env *shell.Env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "runs [DIR]",
		Short: "List runs and how far they are, compare two, see whether one is healthy, or pack one",
		Long: "Lists the runs in a folder (default: runs) and the folders below it, one line each: how far the last checkpoint is,\n" +
			"the time spent learning, the core-hours of that (of all runs behind it, in a fork), the losses of policy, value, turns left and, in networks with a head for it, the opponent's\n" +
			"reply, the Elo of the newest network that was measured, and its scores against fixed opponents. A run is running while a process works on it, finished when\n" +
			"a budget or its generations are reached, stopped if it was left before, packed if it is a pack, damaged if its configuration, events, metrics,\n" +
			"ratings or the newest network cannot be read or do not belong together. Games are not opened: `ludozero data check`\n" +
			"does that. A run at work is not disturbed; nothing is written.",
		Args:    cobra.MaximumNArgs(1),
		Example: "  ludozero runs\n  ludozero runs runs/konreh-quick --json",
		RunE: func(c *cobra.Command, args []string) error {
			dir := "runs"
			if len(args) > 0 {
				dir = args[0]
			}
			list, err := findRuns(env, dir)
			if err != nil {
				return err
			}
			if asJSON {
				return shell.WriteJSON(c, list)
			}
			return printRuns(c.OutOrStdout(), dir, list)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.AddCommand(newRunsCompare(env), newRunsHealth(env), newRunsPack(env), newRunsTensorBoard(env))
	return c
}

// findRuns reads the run in dir, or else the runs below it, and names them by
// their place there. A folder directly in it that is or holds no run is listed
// as foreign, unless its name hides it.
func findRuns(env *shell.Env, dir string) ([]*trainedRun, error) {
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s: want a folder", dir)
	}
	if err != nil {
		return nil, shell.Usage(err)
	}
	if isRun(dir) {
		r, err := readNamedRun(env, dir)
		return []*trainedRun{r}, err
	}
	list, err := runsBelow(env, dir, "", 1)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b *trainedRun) int { return cmp.Compare(a.Name, b.Name) })
	return list, nil
}

// readNamedRun reads a run under the name of its folder.
func readNamedRun(env *shell.Env, dir string) (*trainedRun, error) {
	whole, err := filepath.Abs(dir) // "." has no name
	if err != nil {
		return nil, err
	}
	return readRun(env, dir, filepath.Base(whole)), nil
}

// runsBelow reads the runs in a folder at the given depth; prefix is its name.
func runsBelow(env *shell.Env, dir, prefix string, depth int) ([]*trainedRun, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	list := []*trainedRun{}
	for _, e := range entries {
		path, name := filepath.Join(dir, e.Name()), prefix+e.Name()
		if strings.HasPrefix(e.Name(), ".") || !shell.IsDir(path) {
			continue
		}
		if isRun(path) {
			list = append(list, readRun(env, path, name))
			continue
		}
		var inner []*trainedRun
		lost := error(nil)
		if depth < maxDepth && e.Type()&fs.ModeSymlink == 0 { // links may lead in circles
			inner, lost = runsBelow(env, path, name+"/", depth+1)
		}
		switch {
		case lost != nil:
			list = append(list, foreign(path, name, shell.OneLine(lost)))
		case len(inner) == 0 && depth == 1:
			list = append(list, foreign(path, name, "it is no run and holds none"))
		}
		list = append(list, inner...)
	}
	return list, nil
}

func foreign(path, name, problem string) *trainedRun {
	return &trainedRun{Name: name, Path: path, State: stateForeign, Problem: problem, Networks: []int{}, Ratings: []rating{}}
}

func printRuns(out io.Writer, dir string, list []*trainedRun) error {
	if len(list) == 0 {
		_, err := fmt.Fprintf(out, "no run in %s\n", dir)
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	replies := slices.ContainsFunc(list, func(r *trainedRun) bool { return r.Losses != nil && r.Losses.Reply != 0 })
	fmt.Fprintf(w, "run\tstate\tgame\trules\tgeneration\tstep\tgames\tpositions\tlearned\tcore-hours\t%s\tElo so far (95 %%)\tscore (95 %%) or problem\n", lossHeading(replies))
	for _, r := range list {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", shell.PlainName(r.Name)+r.from(), r.State, shell.OrDash(r.Game), shell.OrDash(r.Rules), r.progress(), r.elo(), r.remark())
	}
	return w.Flush()
}

// progress is the columns from the generation to the losses.
func (r *trainedRun) progress() string {
	if r.State == stateForeign {
		return strings.Repeat("-\t", 6) + "-"
	}
	losses := "-"
	if l := r.Losses; l != nil {
		losses = l.String()
	}
	generation, learned := fmt.Sprint(r.Generation), shell.Elapsed(r.Elapsed)
	if n := r.cfg.Generations; n > 0 {
		generation += fmt.Sprintf("/%d", n)
	}
	if b := r.cfg.Budget; b > 0 {
		learned += "/" + shell.Elapsed(b)
	}
	return fmt.Sprintf("%s\t%d\t%d\t%d\t%s\t%s\t%s", generation, r.Step, r.Games, r.Positions, learned, r.coreHours(), losses)
}

// coreHours are those of the run and, of a fork, those of all runs behind it, too.
func (r *trainedRun) coreHours() string {
	text := "-"
	if r.CoreTime != nil {
		text = model.CoreHours(r.CoreTime.Seconds())
	}
	if b := r.cfg.CoreBudget; b > 0 {
		text += "/" + model.CoreHours(b.Seconds())
	}
	if r.Origin != "" {
		text += " of " + r.Spent.CoreHours()
	}
	return text
}

// elo is the rating of the newest network that was measured.
func (r *trainedRun) elo() string {
	if r.Elo == nil {
		return "-"
	}
	text := eloFrom(&r.Elo.RatedElo)
	if r.Elo.Generation != r.Generation {
		text = fmt.Sprintf("generation %d %s", r.Elo.Generation, text)
	}
	return text
}

// remark is the last column: what is wrong, or else how strong the run is and
// where its report is.
func (r *trainedRun) remark() string {
	switch {
	case r.Problem != "":
		return r.Problem
	case r.Report != "":
		return r.strength() + "; report in " + shell.PlainName(r.Report)
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

func (l *lossMeans) String() string {
	text := fmt.Sprintf("%.3f %.3f %.3f", l.Policy, l.Value, l.Turns)
	if l.Reply != 0 {
		text += fmt.Sprintf(" %.3f", l.Reply)
	}
	return text
}

// from is what follows the name of a pack, and of a fork.
func (r *trainedRun) from() string {
	text := ""
	if r.Packed != "" {
		text = " of " + shell.PlainName(r.Packed)
	}
	if r.Origin != "" {
		text += " from " + shell.PlainName(r.Origin)
	}
	return text
}
