package rules

import (
	"fmt"
	"io"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest"
	"github.com/ludozero/ludozero/internal/problems"
	"github.com/spf13/cobra"
)

// A Diagnosis is what doctor found out about one ruleset.
type Diagnosis struct {
	Rules string `json:"rules"`
	// Perft counts from depth 1.
	Perft  []uint64          `json:"perft"`
	Random *enginetest.Stats `json:"random_games"`
	Faults []string          `json:"faults"`
}

// NewDoctor is the command doctor.
func NewDoctor(env *shell.Env) *cobra.Command {
	var f shell.GameFlags
	var count, depth int
	var seed uint64
	var asJSON bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Check a game against the engine contract and describe its random games",
		Long: "Plays random games under every preset, or under the given rules, and holds every position against the engine\n" +
			"contract: legal moves, copies, text, packing, hashes, symmetries, encoding, allocations. Prints perft counts and\n" +
			"what random games are like. If the game brings a guide, its claims are held against the rules. Exit code 1 if a fault\n" +
			"was found.",
		Args:    cobra.NoArgs,
		Example: "  ludozero doctor --game connect4\n  ludozero doctor --game konreh --rules blitz,balance=pie --games 500",
		RunE: func(c *cobra.Command, _ []string) error {
			if count < 1 || depth < 1 {
				return shell.Usagef("--games %d, --depth %d: want at least 1", count, depth)
			}
			family, err := f.Family()
			if err != nil {
				return err
			}
			words := []string{f.Rules}
			if f.Rules == "" {
				words = nil
				for _, p := range family.Presets {
					words = append(words, p.Name)
				}
			}
			out := c.OutOrStdout()
			faults := 0
			if err := enginetest.CheckFamily(family); err != nil {
				faults++
				fmt.Fprintf(c.ErrOrStderr(), "FAULT %s: %v\n", family.Name, err)
			}
			if about := env.Guides[family.Name]; about != nil {
				if err := about.Check(family); err != nil {
					faults++
					fmt.Fprintf(c.ErrOrStderr(), "FAULT guide of %s: %v\n", family.Name, err)
				}
			}
			var all []Diagnosis
			progress := shell.NewBar(c.ErrOrStderr(), len(words), "rulesets")
			for i, word := range words {
				progress.Set(i, word)
				g, err := family.Parse(word)
				if err != nil {
					return shell.Usage(err)
				}
				d := diagnose(g, count, depth, seed)
				faults += len(d.Faults)
				all = append(all, d)
				if !asJSON {
					progress.Clear()
					d.print(out)
				}
			}
			progress.Clear()
			if asJSON {
				if err := shell.WriteJSON(c, all); err != nil {
					return err
				}
			}
			if faults > 0 {
				return fmt.Errorf("%d faults in %s", faults, family.Name)
			}
			return nil
		},
	}
	f.Add(c, env)
	c.Flags().IntVar(&count, "games", 200, "random games for each ruleset")
	c.Flags().IntVar(&depth, "depth", 4, "depth of the perft counts")
	c.Flags().Uint64Var(&seed, "seed", 1, "seed of the random games")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// diagnose examines one ruleset. A game that panics has a fault like any other.
func diagnose(g engine.Game, games, depth int, seed uint64) (d Diagnosis) {
	d = Diagnosis{Rules: g.Rules(), Faults: []string{}, Random: &enginetest.Stats{}}
	defer func() {
		if p := recover(); p != nil {
			d.Faults = append(d.Faults, fmt.Sprintf("panic: %v", p))
		}
	}()
	stats, err := enginetest.Check(g, games, seed)
	d.Random = &stats
	for _, err := range []error{err, enginetest.CheckAllocations(g, seed)} {
		for _, fault := range problems.Flat(err) {
			d.Faults = append(d.Faults, fault.Error())
		}
	}
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	for n := 1; n <= depth; n++ {
		d.Perft = append(d.Perft, engine.CountPerft(g, s, h, n))
	}
	return d
}

func (d *Diagnosis) print(out io.Writer) {
	fmt.Fprintf(out, "%s\n  perft %v\n  %s\n", d.Rules, d.Perft, d.Random)
	for _, f := range d.Faults {
		fmt.Fprintf(out, "  FAULT %s\n", f)
	}
	if len(d.Faults) == 0 {
		fmt.Fprintln(out, "  no fault")
	}
}
