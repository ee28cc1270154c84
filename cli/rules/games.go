// Package rules holds the commands about games as such: games, rules, doctor and
// signature.
package rules

import (
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/guide"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/report/rulebook"
	"github.com/spf13/cobra"
)

// NewGames is the command games.
func NewGames(env *shell.Env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "games",
		Short:   "List the games",
		Args:    cobra.NoArgs,
		Example: "  ludozero games",
		RunE: func(c *cobra.Command, _ []string) error {
			type row struct {
				Name    string   `json:"name"`
				Doc     string   `json:"doc"`
				Presets []string `json:"presets"`
			}
			var rows []row
			for _, f := range env.Families {
				r := row{Name: f.Name, Doc: f.Doc}
				for _, p := range f.Presets {
					r.Presets = append(r.Presets, p.Name)
				}
				rows = append(rows, r)
			}
			if asJSON {
				return shell.WriteJSON(c, rows)
			}
			for _, r := range rows {
				fmt.Fprintf(c.OutOrStdout(), "%-12s %s\n%-12s presets: %s\n", r.Name, r.Doc, "", strings.Join(r.Presets, ", "))
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// NewRules is the command rules.
func NewRules(env *shell.Env) *cobra.Command {
	var f shell.GameFlags
	var asJSON, page bool
	var section string
	c := &cobra.Command{
		Use:     "rules",
		Short:   "Explain a game, list its presets and options, or show what a rules word means",
		Args:    cobra.NoArgs,
		Example: "  ludozero rules --game konreh --page\n  ludozero rules --game konreh --section cross\n  ludozero rules --game konreh\n  ludozero rules --game konreh --rules blitz,balance=pie",
		RunE: func(c *cobra.Command, _ []string) error {
			family, err := f.Family()
			if err != nil {
				return err
			}
			if page || section != "" {
				if asJSON {
					return shell.Usagef("--json: the page of rules is text: want --page and --section without it")
				}
				return writePage(c, family, env.Guides[family.Name], section)
			}
			g, err := f.Open()
			if err != nil {
				return err
			}
			preset, options := shell.SplitRules(g.Rules())
			s, err := family.Settings(preset, options)
			if err != nil {
				return err
			}
			if asJSON {
				return shell.WriteJSON(c, rulesJSON(family, g, s))
			}
			_, err = fmt.Fprint(c.OutOrStdout(), rulesText(family, g, s))
			return err
		},
	}
	f.Add(c, env)
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().BoolVar(&page, "page", false, "print the page of rules for people")
	c.Flags().StringVar(&section, "section", "", "print one section of that page, or the paragraph about an option, option-NAME if a section has its name")
	return c
}

// rulesText lists presets and options, in lines that fit a terminal but for the data of a
// board.
func rulesText(family *engine.Family, g engine.Game, s engine.Settings) string {
	var b strings.Builder
	wrap := func(text, first, next string) {
		b.WriteString(wording.Wrap(strings.Fields(text), rulebook.TextWidth, first, next))
	}
	wrap(family.Name+": "+family.Doc, "", "")
	b.WriteString("\nPresets\n")
	wide := 0
	for _, p := range family.Presets {
		wide = max(wide, len(p.Name))
	}
	for _, p := range family.Presets {
		wrap(p.Doc, fmt.Sprintf("  %-*s  ", wide, p.Name), strings.Repeat(" ", wide+4))
	}
	if len(family.Options) > 0 {
		fmt.Fprintf(&b, "\nOptions, as they are under %q\n", g.Rules())
	}
	for i := range family.Options {
		o := &family.Options[i]
		value := o.Name + "=" + s.Values[o.Name]
		if s.Values[o.Name] != o.Default {
			value += " (default " + o.Default + ")"
		}
		fmt.Fprintf(&b, "  %s\n", value)
		wrap(o.Doc+" ("+o.Range()+")", "      ", "      ")
	}
	return b.String()
}

// writePage prints the page of rules of a game, or a section of it.
func writePage(c *cobra.Command, f *engine.Family, about *guide.Guide, section string) error {
	if about == nil || about.Rules == "" {
		return shell.Usagef("%s has no page of rules", f.Name)
	}
	color, err := shell.WantColor("auto", c.OutOrStdout())
	if err != nil {
		return err
	}
	text, err := rulebook.Text(f, about.Rules, section, color)
	if err != nil {
		return shell.Usagef("--section: %w", err)
	}
	_, err = fmt.Fprint(c.OutOrStdout(), text)
	return err
}

func rulesJSON(family *engine.Family, g engine.Game, s engine.Settings) any {
	type option struct {
		Name    string   `json:"name"`
		Value   string   `json:"value"`
		Default string   `json:"default"`
		Values  []string `json:"values,omitempty"`
		Min     *int     `json:"min,omitempty"`
		Max     *int     `json:"max,omitempty"`
		Form    string   `json:"form,omitempty"`
		Doc     string   `json:"doc"`
	}
	type preset struct {
		Name string            `json:"name"`
		Doc  string            `json:"doc"`
		Set  map[string]string `json:"set,omitempty"`
	}
	doc := struct {
		Game    string   `json:"game"`
		Rules   string   `json:"rules"`
		Presets []preset `json:"presets"`
		Options []option `json:"options"`
	}{Game: family.Name, Rules: g.Rules()}
	for _, p := range family.Presets {
		doc.Presets = append(doc.Presets, preset{p.Name, p.Doc, p.Set})
	}
	for i := range family.Options {
		o := &family.Options[i]
		x := option{Name: o.Name, Value: s.Values[o.Name], Default: o.Default, Values: o.Values, Doc: o.Doc}
		switch {
		case o.Data != nil:
			x.Form = o.Data.Form
		case len(o.Values) == 0:
			x.Min, x.Max = &o.Min, &o.Max
		}
		doc.Options = append(doc.Options, x)
	}
	return doc
}
