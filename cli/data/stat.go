package data

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/selfplay/census"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/spf13/cobra"
)

// maxForms is how many forms of moves are printed: more than the games here
// have. The others are summed up.
const maxForms = 20

func newDataStat(env *shell.Env) *cobra.Command {
	var by string
	var asJSON bool
	c := &cobra.Command{
		Use:   "stat PATH...",
		Short: "Say what recorded games are like",
		Long: "Counts games, rows, results, ends, lengths, legal actions, searches and moves. Moves are counted by their form:\n" +
			"their word with every square or number as #: ## leads from a square to another. The page of rules of a game, ludozero\n" +
			"rules --page, explains its words. Games that can say so themselves also count uses of their rules, such as captures.\n" +
			"First's score has its 95 % interval.",
		Args:    cobra.MinimumNArgs(1),
		Example: "  ludozero data stat runs/first\n  ludozero data stat runs/first --by generation",
		RunE: func(c *cobra.Command, args []string) error {
			if by != "" && by != "generation" && by != "rules" {
				return shell.Usagef("--by %q: want generation or rules", by)
			}
			files, err := findShards(args)
			if err != nil {
				return shell.Usage(err)
			}
			ctx, stop := shell.Interruptible(c.Context())
			defer stop()
			all := census.NewCollector(env.Families, by)
			err = shell.NewBar(c.ErrOrStderr(), len(files), "shards").Each(ctx, len(files), func(i int) (string, error) {
				err := all.Add(files[i].Path)
				if errors.Is(err, census.ErrGames) {
					err = shell.Usage(err)
				}
				return wording.Count(all.Rows, "row"), err
			})
			if err != nil {
				return err
			}
			d, err := all.Groups()
			if err != nil {
				return err
			}
			return shell.Print(c, asJSON, d, func(out io.Writer) error { return printStats(d, out) })
		},
	}
	c.Flags().StringVar(&by, "by", "", "tell games apart by generation or by rules")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON, which has all figures for each group")
	return c
}

func printStats(d *census.Groups, out io.Writer) error {
	fmt.Fprintf(out, "%s, %s of run %s\n\n", d.Game, wording.Count(d.Shards, "shard"), strings.Join(d.Runs, ", "))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if d.By == "" {
		printSummary(w, d.Groups[0])
	} else {
		printGroups(d, w)
	}
	return w.Flush()
}

func printGroups(d *census.Groups, w io.Writer) {
	resignations := resignColumns(d)
	fmt.Fprintf(w, "%s\tgames\trows\tbytes/row\tfirst's score\tdraws\tturns\tlegal\tentropy\tsurprise\tfull\tvisits", d.By)
	if resignations {
		fmt.Fprint(w, "\tresigned\twrong of played on")
	}
	fmt.Fprintln(w)
	for _, g := range d.Groups {
		name := g.Rules
		if g.Generation != nil {
			name = fmt.Sprint(*g.Generation)
		}
		entropy, surprise := "-", "-"
		if g.PolicyEntropy != nil {
			entropy, surprise = fmt.Sprintf("%.2f", g.PolicyEntropy.Mean), fmt.Sprintf("%.2f", g.Surprise.Mean)
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%.1f\t%s\t%s\t%.1f\t%.1f\t%s\t%s\t%s\t%.0f", name, g.Games, g.Rows, g.BytesPerRow, g.FirstScore,
			wording.PercentOf(g.Draws, g.Games), g.Turns.Mean, g.LegalActions.Mean, entropy, surprise, wording.Percent(g.FullSearches), g.VisitsPerRow)
		if resignations {
			resigned := 0
			if g.Resignations != nil {
				resigned = g.Resignations.Resigned
			}
			fmt.Fprintf(w, "\t%s\t%s", wording.PercentOf(resigned, g.Games), wrongResignations(g.Resignations))
		}
		fmt.Fprintln(w)
	}
}

// printSummary prints all that is known of the games, a line for each thing.
func printSummary(w io.Writer, d *census.Summary) {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%s\t%s\n", name, fmt.Sprintf(format, args...))
	}
	games := strconv.Itoa(d.Games)
	if d.Repeated > 0 {
		games += fmt.Sprintf(", of which %d repeat others and are no evidence for an interval", d.Repeated)
	}
	line("games", "%s", games)
	for _, rules := range slices.Sorted(maps.Keys(d.GamesByRules)) {
		line("", "%d by %s", d.GamesByRules[rules], rules)
	}
	line("rows", "%d, %.1f bytes each", d.Rows, d.BytesPerRow)
	line("first player", "won %s, lost %s, drew %s; score %s", wording.PercentOf(d.FirstWins, d.Games), wording.PercentOf(d.SecondWins, d.Games),
		wording.PercentOf(d.Draws, d.Games), d.FirstScore)
	var list []string
	for _, side := range slices.Sorted(maps.Keys(d.WinsBySide)) {
		list = append(list, fmt.Sprintf("%s %s", side, wording.PercentOf(d.WinsBySide[side], d.Games)))
	}
	line("wins by side", "%s", strings.Join(list, ", "))
	for i, e := range d.Ends {
		name := ""
		if i == 0 {
			name = "ends"
		}
		draws := ""
		if e.Draws > 0 {
			draws = fmt.Sprintf(", %s drawn", wording.PercentOf(e.Draws, e.Games))
		}
		line(name, "%s %d (%s)%s", e.Reason, e.Games, wording.PercentOf(e.Games, d.Games), draws)
	}
	printResignations(d.Resignations, d.Games, line)
	if d.GamesByBeginning[record.BeginningStart] != d.Games {
		list = nil
		for _, beginning := range slices.Sorted(maps.Keys(d.GamesByBeginning)) {
			list = append(list, fmt.Sprintf("%s %s", beginning, wording.PercentOf(d.GamesByBeginning[beginning], d.Games)))
		}
		line("beginnings", "%s", strings.Join(list, ", "))
	}
	line("turns", "%s", d.Turns)
	line("plies", "%s", d.Plies)
	line("legal actions", "%s", d.LegalActions)
	line("policy entropy", "%s nats", d.PolicyEntropy)
	line("surprise", "%s nats", d.Surprise)
	list = nil
	for _, kind := range slices.Sorted(maps.Keys(d.RowsByPolicy)) {
		list = append(list, fmt.Sprintf("%s %s", kind, wording.PercentOf(d.RowsByPolicy[kind], d.Rows)))
	}
	line("searches", "%s full, %.1f visits; targets: %s", wording.Percent(d.FullSearches), d.VisitsPerRow, strings.Join(list, ", "))
	line("moves", "%d, %s without a search", d.Moves, wording.PercentOf(d.MovesWithoutRow, d.Moves))
	if d.Rolls > 0 {
		line("chance", "%d outcomes", d.Rolls)
	}
	for i, k := range d.ActionsByKind {
		name := ""
		if i == 0 {
			name = "uses"
		}
		line(name, "%s %d, %.3g a game, in %s of the games", k.Kind, k.Actions, k.PerGame, wording.PercentOf(k.Games, d.Games))
	}
	printForms(d, line)
}

func printForms(d *census.Summary, line func(name, format string, args ...any)) {
	rest := 0
	for i, f := range d.ActionsByForm {
		if i >= maxForms {
			rest += f.Actions
			continue
		}
		line("  "+f.Form, "%d, %.3g a game", f.Actions, f.PerGame)
	}
	if rest > 0 {
		line("  others", "%d, %.3g a game", rest, float64(rest)/float64(d.Games))
	}
}
