// Package heuristics is the command about the rules of thumb of Kon'reh's rulebook.
package heuristics

import (
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/match/archive"
	"github.com/ludozero/ludozero/player/school"
	"github.com/ludozero/ludozero/study"
	"github.com/ludozero/ludozero/study/heuristics"
	"github.com/spf13/cobra"
)

// New returns the command.
func New(env *shell.Env) *cobra.Command {
	c := &cobra.Command{
		Use:   "heuristics",
		Short: "Ask whether the rules of thumb of Kon'reh's rulebook hold, one by one",
		Long: "Each rule of thumb is a small school file: a player with that rule and nothing else. test plays it against the same\n" +
			"player without the rule, asks searches what obeying and breaking it costs, and counts how often games obey it.\n" +
			"docs/heuristics.md explains method and figures.",
		Example: "  ludozero heuristics list\n" +
			"  ludozero heuristics show cross-exit",
		Args: shell.NoSuchCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(list(), show(), test(env), drills(env))
	return c
}

func list() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "list",
		Short:   "List the rules of thumb, what the book calls them and where it has them",
		Args:    cobra.NoArgs,
		Example: "  ludozero heuristics list",
		RunE: func(c *cobra.Command, _ []string) error {
			rules := heuristics.Rules()
			if asJSON {
				return shell.WriteJSON(c, rules)
			}
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, r := range rules {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", r.ID, r.Tag, r.Says, r.Source)
			}
			return w.Flush()
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON, with what each rule claims")
	return c
}

func show() *cobra.Command {
	return &cobra.Command{
		Use:   "show ID",
		Short: "Print the school file of a rule of thumb",
		Long: "Prints the file of the player school:only-ID: a start for a rule of your own, which plays as school:PATH.yaml.\n" +
			"`ludozero schools words` has the words that it may use.",
		Args:    cobra.ExactArgs(1),
		Example: "  ludozero heuristics show cross-exit",
		RunE: func(c *cobra.Command, args []string) error {
			known := ""
			for _, r := range heuristics.Rules() {
				if r.ID != args[0] {
					known += " " + r.ID
					continue
				}
				s, err := school.Find(r.School())
				if err != nil {
					return err
				}
				_, err = fmt.Fprint(c.OutOrStdout(), s.Text)
				return err
			}
			return shell.Usagef("no rule of thumb %q: want one of%s", args[0], known)
		},
	}
}

func test(env *shell.Env) *cobra.Command {
	o := heuristics.DefaultOptions()
	var flags shell.StudyFlags
	c := &cobra.Command{
		Use:   "test",
		Short: "Test the rules of thumb and print which of them the data support",
		Long: "Three ways, of which the first two make findings. On and off: games of a player with one rule against the same player\n" +
			"without. Regret: in positions of games that the networks play, one network chooses the best move that a rule speaks of\n" +
			"and the best that it does not, another one judges what follows from each. Observed: how often games obey a rule, and\n" +
			"how those fare who do; nothing follows from that alone. The tests are declared in the program and corrected for their\n" +
			"number. The first of --networks is tested, the others have to agree.\n\n" +
			"A plan is printed first; --plan prints only the plan. With --out a folder keeps everything: the same command resumes\n" +
			"after any stop and prints the result of a finished test. The folder has it as report.txt, report.html,\n" +
			"heuristics.json and CSV files.",
		Args: cobra.NoArgs,
		Example: "  ludozero heuristics test --networks konreh,runs/mine --out reports/heuristics\n" +
			"  ludozero heuristics test --networks konreh,runs/mine,runs/other --run runs/mine --plan",
		RunE: func(c *cobra.Command, _ []string) error {
			g, err := (&shell.GameFlags{Env: env, Name: konreh.Family.Name, Rules: o.Rules}).Open()
			if err != nil {
				return err
			}
			if len(o.Runs) > 0 {
				if o.Recorded, err = recordsOf(env.Families, o.Runs); err != nil {
					return err
				}
			}
			return flags.Run(c, func(_ context.Context, p archive.Progress) (study.Study, error) {
				return heuristics.New(o, g.(*konreh.Game), env.Players, p)
			})
		},
	}
	flags.Add(c, &o.Options, o.Settings(), "games and searches")
	return c
}

func drills(env *shell.Env) *cobra.Command {
	var rules, playerText string
	var asJSON bool
	c := &cobra.Command{
		Use:   "drills",
		Short: "Show the drills of the rulebook and how a search evaluates them",
		Long: "The book describes its drills without boards; the positions are ours (docs/heuristics.md). The player evaluates each\n" +
			"position, and what the act that a rule speaks of gains over the best other move. alphabeta and minimax expect no\n" +
			"score; theirs is a lead of what they count, from -1 to 1.",
		Args:    cobra.NoArgs,
		Example: "  ludozero heuristics drills --player net:konreh,sims=50",
		RunE: func(c *cobra.Command, _ []string) error {
			g, err := (&shell.GameFlags{Env: env, Name: konreh.Family.Name, Rules: rules}).Open()
			if err != nil {
				return err
			}
			spec, err := env.Players.Parse(playerText)
			if err != nil {
				return shell.Usage(err)
			}
			ctx, stop := shell.Interruptible(c.Context())
			defer stop()
			r, err := heuristics.AskDrills(ctx, g.(*konreh.Game), spec)
			if err != nil {
				return shell.StudyError(err)
			}
			return shell.Print(c, asJSON, r, r.WriteText)
		},
	}
	flags := c.Flags()
	flags.StringVar(&rules, "rules", "", "rules of Kon'reh in one word, PRESET,OPTION=VALUE,...; see ludozero rules")
	flags.StringVar(&playerText, "player", "net:konreh,sims=400", "who is asked, a player that judges positions")
	flags.BoolVar(&asJSON, "json", false, "print JSON")
	return c
}
