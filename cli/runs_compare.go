package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/report/ratings"
	"github.com/ludozero/ludozero/train/rundir"
	"github.com/spf13/cobra"
)

func newRunsCompare(env *shell.Env) *cobra.Command {
	var by string
	var pairs int
	var asJSON bool
	c := &cobra.Command{
		Use:   "compare A B",
		Short: "Say what two runs have not in common, and which learned better",
		Long: "Prints the settings in which two runs differ, how both went over learning time or generations, and their scores\n" +
			"against the same opponents, with a warning where those were measured under different conditions. The line of a\n" +
			"generation has the games that it was trained on last, and that training: rates are of one process, losses are means.\n\n" +
			"With --match the last networks of both play each other, in pairs of games with seats exchanged, under the evaluation\n" +
			"settings of A: simulations, opening turns, turns at most, seed. The rules must be the same.",
		Args:    cobra.ExactArgs(2),
		Example: "  ludozero runs compare runs/first runs/second\n  ludozero runs compare runs/first runs/second --by generation --match 100",
		RunE: func(c *cobra.Command, args []string) error {
			over, ok := axes[by]
			if !ok {
				return shell.Usagef("--by %q: want time or generation", by)
			}
			if pairs < 0 {
				return shell.Usagef("--match %d: want a number of pairs, or 0 for no match", pairs)
			}
			both, err := readComparison(env, args[0], args[1])
			if err != nil {
				return err
			}
			var d *duel
			if pairs > 0 {
				if d, err = newDuel(&both.A.trainedRun, &both.B.trainedRun, pairs); err != nil {
					return err
				}
			}
			ctx, stop := shell.Interruptible(c.Context())
			defer stop()
			out := c.OutOrStdout()
			if !asJSON { // a match takes long, the rest is there now
				if err := both.print(out, over); err != nil {
					return err
				}
			}
			if d != nil {
				both.Match, err = d.play(ctx, c)
			}
			var lost error
			switch {
			case asJSON:
				if both.Match != nil {
					both.Match.Games = nil
				}
				lost = shell.WriteJSON(c, both)
			case both.Match != nil:
				fmt.Fprintln(out)
				lost = both.Match.WriteText(out)
			}
			return errors.Join(err, lost)
		},
	}
	c.Flags().StringVar(&by, "by", "time", "put side by side what has the same learning time, or the same generation")
	c.Flags().IntVar(&pairs, "match", 0, "let the last networks play so many pairs of games (0: none)")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON, which has every generation")
	return c
}

// comparison is all that `runs compare` finds out.
type comparison struct {
	A comparedRun `json:"a"`
	B comparedRun `json:"b"`
	// Configuration has the keys in which the runs differ.
	Configuration []keyDifference `json:"configuration"`
	Ratings       []*ratingPair   `json:"ratings"`
	Match         *match.Result   `json:"match,omitempty"` // without its games
}

// comparedRun is a run with its course.
type comparedRun struct {
	trainedRun
	Generations []milestone `json:"generations"`
}

type keyDifference struct {
	Key string `json:"key"`
	A   string `json:"a"`
	B   string `json:"b"`
}

// readComparison reads two runs, which must be good, and their differences.
func readComparison(env *shell.Env, pathA, pathB string) (*comparison, error) {
	var sides [2]comparedRun
	var wrong, broken []error
	for i, path := range []string{pathA, pathB} {
		if !shell.IsDir(path) || !isRun(path) {
			wrong = append(wrong, fmt.Errorf("%s: it is not the folder of a run", path))
			continue
		}
		r, err := readNamedRun(env, path)
		switch {
		case err != nil:
		case r.Problem != "":
			err = fmt.Errorf("run %s: %s", path, r.Problem)
		case !r.known:
			err = fmt.Errorf("run %s: it has not begun: there is no configuration yet", path)
		default:
			sides[i].trainedRun = *r
			sides[i].Generations = r.milestones()
		}
		if err != nil {
			broken = append(broken, err)
		}
	}
	if len(wrong) > 0 {
		return nil, shell.Usage(errors.Join(append(wrong, broken...)...))
	}
	if len(broken) > 0 {
		return nil, errors.Join(broken...)
	}
	c := &comparison{A: sides[0], B: sides[1], Configuration: []keyDifference{}}
	for _, d := range configs.Diff(c.A.cfg, c.B.cfg) {
		c.Configuration = append(c.Configuration, keyDifference{d.Key, d.Old, d.New})
	}
	c.Ratings = pairRatings(&c.A.trainedRun, &c.B.trainedRun)
	return c, nil
}

func (c *comparison) print(out io.Writer, over axis) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, s := range c.sides() {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s, %s\tgeneration %d after %s, core-hours %s\n", s.letter, s.run.Path+s.run.from(), s.run.State, s.run.Game, s.run.Rules,
			s.run.Generation, shell.Elapsed(s.run.Elapsed), s.run.coreHours())
	}
	w.Flush()
	for _, s := range c.sides() {
		if kept := s.run.Networks; len(kept) > 0 && len(kept) <= s.run.Generation {
			fmt.Fprintf(out, "%s has kept the networks of generations %s and no others\n", s.letter, spans(kept))
		}
	}
	fmt.Fprintln(out)
	if len(c.Configuration) == 0 {
		fmt.Fprintln(out, "the configurations are the same")
	} else {
		fmt.Fprintln(w, "setting\tA\tB")
		for _, d := range c.Configuration {
			fmt.Fprintf(w, "%s\t%s\t%s\n", d.Key, shell.OrDash(d.A), shell.OrDash(d.B))
		}
		w.Flush()
	}
	fmt.Fprintln(out)
	c.printCourse(w, over)
	w.Flush()
	fmt.Fprintln(out)
	c.printRatings(w)
	return w.Flush()
}

// spans words ascending numbers: 0, 5, 10, 12 to 15.
func spans(list []int) string {
	var words []string
	for i := 0; i < len(list); {
		end := i + 1
		for end < len(list) && list[end] == list[end-1]+1 {
			end++
		}
		switch end - i {
		case 1, 2:
			for _, n := range list[i:end] {
				words = append(words, strconv.Itoa(n))
			}
		default:
			words = append(words, fmt.Sprintf("%d to %d", list[i], list[end-1]))
		}
		i = end
	}
	return strings.Join(words, ", ")
}

// side is one of the two runs with the letter that stands for it.
type side struct {
	letter string
	run    *comparedRun
}

func (c *comparison) sides() []side { return []side{{"A", &c.A}, {"B", &c.B}} }

// printRatings prints the scores side by side, what they were measured under,
// and what speaks against comparing them.
func (c *comparison) printRatings(w io.Writer) {
	if len(c.Ratings) == 0 {
		fmt.Fprintln(w, "neither run has been measured against opponents")
		return
	}
	fmt.Fprintln(w, "opponent\tnetwork\tA's score (95 %), won-drawn-lost\tB's")
	first := firstName(c.A.Path)
	if firstName(c.B.Path) != first {
		first = "first"
	}
	var warnings []string
	opponents := map[string][]string{} // whose conditions differ, by warning
	for _, p := range c.Ratings {
		network := "trained"
		if p.Untrained {
			network = first
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", p.Opponent, network, scoreOrDash(p.A), scoreOrDash(p.B))
		if text := strings.Join(p.Differ, ", "); text != "" {
			if opponents[text] == nil {
				warnings = append(warnings, text)
			}
			opponents[text] = append(opponents[text], p.Opponent)
		}
	}
	for _, s := range c.sides() {
		g := s.run.ratedGeneration()
		var conditions []string
		for _, m := range s.run.compared() {
			conditions = append(conditions, m.conditionText())
		}
		for _, text := range unique(conditions) {
			fmt.Fprintf(w, "%s: generation %d at %s\n", s.letter, g, text)
		}
		if g >= 0 && g != s.run.Generation {
			fmt.Fprintf(w, "warning: %s was measured at generation %d, its last is %d\n", s.letter, g, s.run.Generation)
		}
	}
	for _, text := range warnings {
		scope := ""
		if len(opponents[text]) < c.sharedRatings() {
			scope = " against " + strings.Join(unique(opponents[text]), ", ")
		}
		fmt.Fprintf(w, "warning: the scores%s do not compare: %s\n", scope, text)
	}
}

// sharedRatings is the number of scores that both runs have.
func (c *comparison) sharedRatings() int {
	n := 0
	for _, p := range c.Ratings {
		if p.A != nil && p.B != nil {
			n++
		}
	}
	return n
}

// unique leaves out words that were there before.
func unique(words []string) []string {
	var list []string
	seen := map[string]bool{}
	for _, w := range words {
		if !seen[w] {
			seen[w] = true
			list = append(list, w)
		}
	}
	return list
}

func scoreOrDash(r *rating) string {
	if r == nil {
		return "-"
	}
	return fmt.Sprintf("%s  %s", r, r.Tally)
}

func (r *rating) conditionText() string {
	limit := "no limit of turns"
	if r.MaxTurns > 0 {
		limit = fmt.Sprintf("drawn after %d turns", r.MaxTurns)
	}
	if r.Clock != "" {
		limit += ", clock " + r.Clock
	}
	return fmt.Sprintf("%d simulations a move, %d pairs of games, openings of %d random turns, %s, seed %d",
		r.Simulations, r.Pairs, r.OpeningTurns, limit, r.Seed)
}

// duel is a match between the last networks of two runs.
type duel struct {
	cfg   match.Config
	game  engine.Game
	sides []match.Contestant
}

// newDuel reads both networks. The runs must have the same rules.
func newDuel(a, b *trainedRun, pairs int) (*duel, error) {
	if a.Game != b.Game || a.Rules != b.Rules {
		return nil, fmt.Errorf("no match: A plays %s, rules %s; B plays %s, rules %s: want the same", a.Game, a.Rules, b.Game, b.Rules)
	}
	g, err := a.env.Open(a.cfg.Game, a.cfg.Rules)
	if err != nil {
		return nil, err
	}
	ev := &a.cfg.Evaluation
	d := &duel{cfg: ev.Match, game: g}
	d.cfg.Pairs = pairs
	for _, r := range []*trainedRun{a, b} {
		path := rundir.WeightsPath(r.Path, r.Generation)
		side, err := a.env.Players.Contestant(g, ratings.NetworkName(path, ev.Simulations), path, fmt.Sprintf("sims=%d", ev.Simulations))
		if err != nil {
			return nil, err
		}
		d.sides = append(d.sides, side)
	}
	return d, nil
}

// play returns what was played until ctx ended, nil if that is no pair.
func (d *duel) play(ctx context.Context, c *cobra.Command) (*match.Result, error) {
	r, err := shell.RunMatch(ctx, c, d.cfg, d.game, d.sides[0], d.sides[1])
	if r == nil || err == nil {
		return r, err
	}
	return r, fmt.Errorf("the match was not finished: %w", err)
}
