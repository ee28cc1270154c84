package data

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/selfplay/census"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/spf13/cobra"
)

func newDataResign(env *shell.Env) *cobra.Command {
	var thresholds []float64
	var decisions []int
	var minTurns int
	var asJSON bool
	c := &cobra.Command{
		Use:   "resign PATH...",
		Short: "Tell what resigning would have saved, and how often it would have been wrong",
		Long: "Applies rules of resignation, self_play.resignation, to recorded games that were played to their ends: how many a\n" +
			"player would have resigned, how many of these that player won or drew after all, and what share of all searched\n" +
			"positions came after it. Choose a rule by it before a run resigns, and let the run play on a share of its games\n" +
			"(played_on) to see whether it stays right: data stat counts these.",
		Args:    cobra.MinimumNArgs(1),
		Example: "  ludozero data resign runs/first\n  ludozero data resign runs/first --threshold 0.9 --decisions 3,6 --min-turns 40",
		RunE: func(c *cobra.Command, args []string) error {
			w := &whatIf{}
			for _, t := range thresholds {
				for _, k := range decisions {
					r := resigning{Threshold: t, Decisions: k, MinTurns: minTurns}
					rule := r.rule()
					if err := rule.Validate(); err != nil || t == 0 {
						return shell.Usage(errors.Join(err, fmt.Errorf("--threshold %g, --decisions %d, --min-turns %d: want a threshold above 0", t, k, minTurns)))
					}
					w.Rules = append(w.Rules, r)
				}
			}
			files, err := findShards(args)
			if err != nil {
				return shell.Usage(err)
			}
			ctx, stop := shell.Interruptible(c.Context())
			defer stop()
			library := census.NewLibrary(env.Families)
			err = shell.NewBar(c.ErrOrStderr(), len(files), "shards").Each(ctx, len(files), func(i int) (string, error) {
				s, _, err := library.Open(files[i].Path)
				if err != nil {
					return "", err
				}
				rows, err := s.Rows()
				if err != nil {
					return "", err
				}
				for _, game := range record.Games(rows) {
					w.add(game)
				}
				return wording.Count(w.Games, "game"), nil
			})
			if err != nil {
				return err
			}
			if w.Games == 0 {
				return errors.New("no game that a network played to its end")
			}
			return shell.Print(c, asJSON, w, w.WriteText)
		},
	}
	c.Flags().Float64SliceVar(&thresholds, "threshold", []float64{0.8, 0.9, 0.95, 0.98}, "root values below minus this count")
	c.Flags().IntSliceVar(&decisions, "decisions", []int{3, 6}, "how many of a player's own searches in a row")
	c.Flags().IntVar(&minTurns, "min-turns", 20, "turns before which nobody resigns")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// resigning is what one rule would have done.
type resigning struct {
	Threshold float64 `json:"threshold"`
	Decisions int     `json:"decisions"`
	MinTurns  int     `json:"min_turns"`
	// Resigned games, of which the one who would have resigned Won and Drew some after all.
	Resigned int `json:"resigned"`
	Won      int `json:"won"`
	Drew     int `json:"drew"`
	// Repeated ones are the same as another from first action to last, and no evidence.
	Repeated int `json:"repeated,omitempty"`
	// Saved positions came after it.
	Saved int `json:"saved"`

	known map[uint64]struct{} // the resigned ones, by record.GameID
}

func (r *resigning) rule() selfplay.ResignationConfig {
	return selfplay.ResignationConfig{Threshold: r.Threshold, Decisions: r.Decisions, MinTurns: r.MinTurns}
}

// whatIf is what rules would have done in Games with Positions that were searched.
type whatIf struct {
	Games     int         `json:"games"`
	Positions int         `json:"positions"`
	Rules     []resigning `json:"rules"`
}

// add counts a game, unless it was resigned or a teacher played it.
func (w *whatIf) add(game []record.Row) {
	last := &game[len(game)-1]
	if last.Reason == record.ReasonResignation || last.Taught() {
		return
	}
	w.Games++
	w.Positions += len(game)
	for i := range w.Rules {
		r := &w.Rules[i]
		rule := r.rule()
		at := rule.WouldResign(game)
		if at < 0 {
			continue
		}
		r.Resigned++
		if r.known == nil {
			r.known = map[uint64]struct{}{}
		}
		r.known[record.GameID(game)] = struct{}{}
		r.Repeated = r.Resigned - len(r.known)
		r.Saved += len(game) - 1 - at
		switch game[at].Outcome {
		case 1:
			r.Won++
		case 0:
			r.Drew++
		}
	}
}

// WriteText writes the table.
func (w *whatIf) WriteText(out io.Writer) error {
	fmt.Fprintf(out, "%s played to their ends, %s\n", wording.Count(w.Games, "game"), wording.Count(w.Positions, "searched position"))
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "threshold\tdecisions\tresigned\twon\tdrawn\twrong (95 %)\tpositions saved")
	for _, r := range w.Rules {
		wrong := "-"
		if r.Resigned > 0 {
			n := record.Resignations{PlayedOn: r.Resigned, Wrong: r.Won + r.Drew, Repeated: r.Repeated}
			share, low, high := n.ErrorRate()
			wrong = fmt.Sprintf("%.1f %% (%.1f to %.1f)", 100*share, 100*low, 100*high)
		}
		fmt.Fprintf(t, "%g\t%d\t%d\t%d\t%d\t%s\t%.1f %%\n", r.Threshold, r.Decisions, r.Resigned, r.Won, r.Drew, wrong, 100*float64(r.Saved)/float64(w.Positions))
	}
	return t.Flush()
}
