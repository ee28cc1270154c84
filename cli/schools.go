package cli

import (
	"fmt"
	"text/tabwriter"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/player/school"
	"github.com/spf13/cobra"
)

func newSchools(env *shell.Env) *cobra.Command {
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
	c.AddCommand(newSchoolsCompare(env), newSchoolsList(env), newSchoolsShow(env), newSchoolsWords(env))
	return c
}

func newSchoolsList(*shell.Env) *cobra.Command {
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

func newSchoolsShow(*shell.Env) *cobra.Command {
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

func newSchoolsWords(*shell.Env) *cobra.Command {
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
