// Package schools is the command about the schools of Kon'reh.
package schools

import (
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/match/archive"
	"github.com/ludozero/ludozero/player/school"
	"github.com/ludozero/ludozero/study"
	"github.com/ludozero/ludozero/study/schools"
	"github.com/spf13/cobra"
)

// New returns the command.
func New(env *shell.Env) *cobra.Command {
	c := &cobra.Command{
		Use:   "schools",
		Short: "Compare the schools of Kon'reh, list them, print one as a start for your own",
		Long: "A school is a way to play Kon'reh in a YAML file. As a player it is school:ID, or school:PATH.yaml for one of your own;\n" +
			"school:none has no doctrine and is what the others are compared with. What show prints is a file to begin with;\n" +
			"docs/schools.md has the format.",
		Example: "  ludozero schools list\n" +
			"  ludozero schools show ykrul",
		Args: shell.NoSuchCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(compare(env), list(), show(), words())
	return c
}

func compare(env *shell.Env) *cobra.Command {
	o := schools.DefaultOptions()
	game := shell.GameFlags{Env: env, Name: "konreh"}
	var flags shell.StudyFlags
	c := &cobra.Command{
		Use:   "compare [SCHOOL...]",
		Short: "Let schools play: how strong they are, what a doctrine does, whether they play as the book says",
		Long: "Plays three series of games of the schools, all of the book unless some are named by ID, name or path:\n\n" +
			"  a round robin of every two of them and school:none: ratings, and who beats whom;\n" +
			"  each against school:none at each of the --weights of its doctrine: what the doctrine does to its score, and to\n" +
			"  how it plays, with a test of every difference that the book's table names;\n" +
			"  each against --networks at --sims simulations a move.\n\n" +
			"Games begin after --opening-turns drawn at random, each opening played twice with seats exchanged and the same for\n" +
			"all pairs of a round. docs/schools.md explains figures and tests.\n\n" +
			"A plan with games and hours is printed first; --plan prints only the plan. With --out a folder keeps the games: the\n" +
			"same command resumes after any stop and prints the result of a finished comparison. The folder has the result as\n" +
			"report.txt, report.html, schools.json and CSV files.",
		Example: "  ludozero schools compare --plan\n" +
			"  ludozero schools compare ykrul vilikari --depth 1 --rounds 2 --pairs 2 --other-pairs 1 --network-pairs 1 --sims 2",
		RunE: func(c *cobra.Command, args []string) error {
			g, err := game.Open()
			if err != nil {
				return err
			}
			o.Schools = args
			return flags.Run(c, func(ctx context.Context, p archive.Progress) (study.Study, error) {
				return schools.New(ctx, o, g, env.Players, c.Flags().Changed, p)
			})
		},
	}
	c.Flags().StringVar(&game.Rules, "rules", "standard,max_turns=600", "rules in one word, PRESET,OPTION=VALUE,...; see ludozero rules")
	flags.Add(c, &o.Options, o.Settings(), "games")
	return c
}

func list() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "list",
		Short:   "List the schools that are part of this program",
		Args:    cobra.NoArgs,
		Example: "  ludozero schools list",
		RunE: func(c *cobra.Command, _ []string) error {
			type row struct {
				ID     string `json:"id"`
				Name   string `json:"name"`
				About  string `json:"about"`
				Digest string `json:"digest"`
			}
			var rows []row
			for _, s := range school.Shipped() {
				rows = append(rows, row{s.ID, s.Name, s.About, s.Digest()})
			}
			if asJSON {
				return shell.WriteJSON(c, rows)
			}
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, r := range rows {
				fmt.Fprintf(w, "%s\t%s\t%s\n", r.ID, r.Name, r.About)
			}
			return w.Flush()
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON, with a digest of each file")
	return c
}

func show() *cobra.Command {
	return &cobra.Command{
		Use:   "show ID",
		Short: "Print the file of a school, checked",
		Long: "Prints the file of a school, whose ID, name or path this is. A file of your own is checked: all that is wrong with it\n" +
			"is reported with its line, and nothing is printed.",
		Args:    cobra.ExactArgs(1),
		Example: "  ludozero schools show ykrul",
		RunE: func(c *cobra.Command, args []string) error {
			s, err := school.Find(args[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(c.OutOrStdout(), s.Text)
			return err
		},
	}
}

func words() *cobra.Command {
	return &cobra.Command{
		Use:     "words",
		Short:   "List the features, events and conditions that files of schools may name",
		Args:    cobra.NoArgs,
		Example: "  ludozero schools words",
		RunE: func(c *cobra.Command, _ []string) error {
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "Features, for terms and conditions")
			for _, f := range school.Features() {
				fmt.Fprintf(w, "  %s\t%s\n", f.Name, f.Doc)
			}
			fmt.Fprintln(w, "\nConditions alone")
			for _, x := range school.Extras() {
				fmt.Fprintf(w, "  %s\t%s\n", x.Name, x.Doc)
			}
			fmt.Fprintln(w, "\nEvents, for never and favour")
			for _, e := range school.Events() {
				fmt.Fprintf(w, "  %s\t%s\n", e.Name, e.Doc)
			}
			return w.Flush()
		},
	}
}
