package runs

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/cluster"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/report/ratings"
	"github.com/ludozero/ludozero/train/rundir"
	"github.com/spf13/cobra"
)

// helper is who has played for a run.
type helper struct {
	Worker string `json:"worker"`
	Name   string `json:"name"`
	// First and Last are the generations of the games that it sent; -1: none.
	First  int    `json:"first_generation"`
	Last   int    `json:"last_generation"`
	CutOff string `json:"cut_off,omitempty"`
}

func newRunsForget(env *shell.Env) *cobra.Command {
	var worker string
	var asJSON bool
	c := &cobra.Command{
		Use:   "forget RUN",
		Short: "List who has played for a run, and take it back to before the games of one of them",
		Long: "Lists the workers that have sent games of a run that several machines play (`ludozero train --serve`), with the\n" +
			"generations of these games, and who was cut off since it computes wrongly.\n\n" +
			"With --worker, a name or an identity of that list, or `cut-off` for all who were cut off, the run goes back to the last\n" +
			"checkpoint that has learned from none of its games: later checkpoints, their games, whoever played them, and their\n" +
			"ratings are removed. The same train command then makes them again. The time they took stays spent. Nobody may be\n" +
			"at work on the run. Where retention has removed what resuming takes, it goes further back.",
		Args:    cobra.ExactArgs(1),
		Example: "  ludozero runs forget runs/first\n  ludozero runs forget runs/first --worker cut-off",
		RunE: func(c *cobra.Command, args []string) error {
			dir := args[0]
			list, err := helpersOf(dir)
			if err != nil {
				return err
			}
			if worker == "" {
				return shell.Print(c, asJSON, list, func(out io.Writer) error { return writeHelpers(out, list) })
			}
			first := -1
			for _, h := range list {
				if is := h.Worker == worker || h.Name == worker || worker == "cut-off" && h.CutOff != ""; is && h.First >= 0 && (first < 0 || h.First < first) {
					first = h.First
				}
			}
			if first < 0 {
				return shell.Usagef("--worker %s: nobody of that name has sent games that %s still has; without --worker those who have are listed", worker, dir)
			}
			if generations, err := rundir.Generations(dir); err != nil {
				return err
			} else if len(generations) == 0 {
				return fmt.Errorf("%s: no run, or one without a checkpoint", dir)
			}
			to, err := rundir.GoBack(dir, first)
			if err == nil {
				err = ratings.Forget(env.Families, dir, to)
			}
			if err == nil { // last: stopped before, the same command does the rest
				err = cluster.ForgetBook(dir, to)
			}
			if err != nil {
				return err
			}
			result := struct {
				Generation int `json:"generation"`
			}{to}
			return shell.Print(c, asJSON, result, func(out io.Writer) error {
				_, err := fmt.Fprintf(out, "%s is back at generation %d; train goes on from there\n", wording.PlainName(dir), to)
				return err
			})
		},
	}
	c.Flags().StringVar(&worker, "worker", "", "take the run back to before the games of this worker, or of all that were `cut-off`")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// helpersOf lists who has sent games of a run, in the order of their first.
func helpersOf(dir string) ([]helper, error) {
	book, err := cluster.ReadBook(dir)
	if err != nil {
		return nil, err
	}
	if len(book) == 0 {
		return nil, errors.New("nobody has sent games of this run, or its folder cluster was removed")
	}
	var list []helper
	for _, e := range book {
		i := slices.IndexFunc(list, func(h helper) bool { return h.Worker == e.Worker })
		if i < 0 {
			list = append(list, helper{Worker: e.Worker, First: -1, Last: -1})
			i = len(list) - 1
		}
		h := &list[i]
		if e.Name != "" {
			h.Name = e.Name
		}
		if e.CutOff != "" {
			h.CutOff = e.CutOff
			continue
		}
		if h.First < 0 {
			h.First = e.Generation
		}
		h.First, h.Last = min(h.First, e.Generation), max(h.Last, e.Generation)
	}
	return list, nil
}

func writeHelpers(out io.Writer, list []helper) error {
	var b strings.Builder
	for _, h := range list {
		games := "no games"
		if h.First >= 0 {
			games = fmt.Sprintf("games of generations %d to %d", h.First, h.Last)
		}
		fmt.Fprintf(&b, "%s  %s: %s\n", h.Worker, wording.PlainName(h.Name), games)
		if h.CutOff != "" {
			fmt.Fprintf(&b, "    %s\n", wording.Plain(h.CutOff))
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}
