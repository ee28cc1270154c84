package trained

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/train/rundir"
)

// ErrNoRun is why a folder is not compared.
var ErrNoRun = errors.New("it is not the folder of a run")

// Comparison is what two runs have not in common.
type Comparison struct {
	A comparedRun `json:"a"`
	B comparedRun `json:"b"`
	// Configuration has the keys in which the runs differ.
	Configuration []KeyDifference `json:"configuration"`
	Ratings       []*ratingPair   `json:"ratings"`
	Match         *match.Result   `json:"match,omitempty"` // without its games
}

// comparedRun is a run with its course.
type comparedRun struct {
	Run
	Generations []milestone `json:"generations"`
}

// KeyDifference is a key of the configuration with both values.
type KeyDifference struct {
	Key string `json:"key"`
	A   string `json:"a"`
	B   string `json:"b"`
}

// Compare reads two runs, which must be good, and their differences.
func Compare(games engine.Families, pathA, pathB string) (*Comparison, error) {
	var sides [2]comparedRun
	var wrong, broken []error
	for i, path := range []string{pathA, pathB} {
		if !isDir(path) || !IsRun(path) {
			wrong = append(wrong, fmt.Errorf("%s: %w", path, ErrNoRun))
			continue
		}
		r, err := Read(games, path)
		switch {
		case err != nil:
		case r.Problem != "":
			err = fmt.Errorf("run %s: %s", path, r.Problem)
		case !r.known:
			err = fmt.Errorf("run %s: it has not begun: there is no configuration yet", path)
		default:
			sides[i].Run = *r
			sides[i].Generations = r.milestones()
		}
		if err != nil {
			broken = append(broken, err)
		}
	}
	if err := errors.Join(append(wrong, broken...)...); err != nil {
		return nil, err
	}
	c := &Comparison{A: sides[0], B: sides[1], Configuration: []KeyDifference{}}
	for _, d := range configs.Diff(c.A.Config, c.B.Config) {
		c.Configuration = append(c.Configuration, KeyDifference{d.Key, d.Old, d.New})
	}
	c.Ratings = pairRatings(&c.A.Run, &c.B.Run)
	return c, nil
}

// Write prints the comparison, with the course of both runs by time or by generation.
func (c *Comparison) Write(out io.Writer, by string) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, s := range c.sides() {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s, %s\tgeneration %d after %s, core-hours %s\n", s.letter, wording.PlainName(s.run.Path)+s.run.from(), s.run.State, s.run.Game, s.run.Rules,
			s.run.Generation, wording.Clock(s.run.Elapsed), s.run.coreHours())
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
			fmt.Fprintf(w, "%s\t%s\t%s\n", d.Key, wording.OrDash(wording.PlainName(d.A)), wording.OrDash(wording.PlainName(d.B)))
		}
		w.Flush()
	}
	fmt.Fprintln(out)
	c.printCourse(w, axes[by])
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

func (c *Comparison) sides() []side { return []side{{"A", &c.A}, {"B", &c.B}} }

// printRatings prints the scores side by side, what they were measured under,
// and what speaks against comparing them.
func (c *Comparison) printRatings(w io.Writer) {
	if len(c.Ratings) == 0 {
		fmt.Fprintln(w, "neither run has been measured against opponents")
		return
	}
	fmt.Fprintln(w, "opponent\tnetwork\tA's score (95 %), won-drawn-lost\tB's")
	first := rundir.FirstName(c.A.Path)
	if rundir.FirstName(c.B.Path) != first {
		first = "first"
	}
	var warnings []string
	opponents := map[string][]string{} // whose conditions differ, by warning
	for _, p := range c.Ratings {
		network := "trained"
		if p.Untrained {
			network = first
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", wording.PlainName(p.Opponent), network, scoreOrDash(p.A), scoreOrDash(p.B))
		if text := strings.Join(p.Differ, ", "); text != "" {
			if opponents[text] == nil {
				warnings = append(warnings, text)
			}
			name := p.Opponent
			if p.Untrained {
				name += " (" + first + ")"
			}
			opponents[text] = append(opponents[text], name)
		}
	}
	for _, s := range c.sides() {
		g := s.run.ratedGeneration()
		var conditions []string
		measured := map[string]int{} // under these conditions; of several generations the newest
		for _, m := range s.run.compared() {
			text := m.conditionText()
			conditions, measured[text] = append(conditions, text), max(measured[text], m.Generation)
		}
		for _, text := range unique(conditions) {
			fmt.Fprintf(w, "%s: generation %d at %s\n", s.letter, measured[text], text)
		}
		if g >= 0 && g != s.run.Generation {
			fmt.Fprintf(w, "warning: %s was measured at generation %d, its last is %d\n", s.letter, g, s.run.Generation)
		}
	}
	for _, text := range warnings {
		scope := ""
		if len(opponents[text]) < c.sharedRatings() {
			scope = " against " + wording.PlainName(strings.Join(unique(opponents[text]), ", "))
		}
		fmt.Fprintf(w, "warning: the scores%s do not compare: %s\n", scope, text)
	}
}

// sharedRatings is the number of scores that both runs have.
func (c *Comparison) sharedRatings() int {
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
