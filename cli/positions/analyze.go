package positions

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"text/tabwriter"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/open"
	"github.com/ludozero/ludozero/study/luck"
	"github.com/spf13/cobra"
)

// analyzeFlags are the flags of analyze besides those of the game.
type analyzeFlags struct {
	player, position, moves, color string
	seed                           uint64
	workers                        int
	jsonl, json, luck              bool
	expert                         *open.Expert // is asked, of rules that it knows; nil if --player says who
}

// NewAnalyze is the command analyze.
func NewAnalyze(env *shell.Env) *cobra.Command {
	var f shell.GameFlags
	var a analyzeFlags
	c := &cobra.Command{
		Use:   "analyze",
		Short: "Ask a player what it thinks of positions",
		Long: "Shows what a player thinks of the position after --moves from the start or from --position: its value, the moves\n" +
			"with their shares of the search and their values, and the line it expects.\n\n" +
			"With --jsonl it reads objects {\"preset\",\"options\":[\"k=v\"],\"pos\",\"moves\"}, all optional, one a line, and writes each\n" +
			"with \"actor\" (first or second), \"value\", \"solved\", \"policy\", \"visits\", \"values\", \"choice\" and \"pv\" added; --rules is\n" +
			"for lines that name no preset or options. Values are in [-1, 1] in the view of the actor, +1 a win. Where moves are\n" +
			"columns, \"moves\" may be \"4453\" and \"choice\" is a number. Where chance decides, \"actor\" is chance, \"policy\" are the\n" +
			"probabilities, and values are those of \"turn_of\", the player whose turn it is. A bad line gets \"error\"; the exit code is then 1. The answer to\n" +
			"a line depends on the seed and its number, not on other lines or on the workers.\n\n" +
			"With --luck it judges the game that --moves are, in games with dice: what each roll was worth, as the expected result\n" +
			"after it less the mean over all outcomes, and what each decision lost to the one that the player would have made.\n\n" +
			"Without --player the network that is shipped for the game is asked, if it was trained on the rules; see ludozero\n" +
			"networks. With --luck that is alphabeta:depth=1, as in data luck.\n\nPlayers:\n" + env.Players.Help(),
		Args: cobra.NoArgs,
		Example: "  ludozero analyze --game konreh --moves \"d1f1 h5f5\"\n" +
			"  ludozero analyze --game connect4 --player mcts:sims=2000 --moves 4443\n" +
			"  ludozero analyze --game konreh --player net:runs/konreh-quick,sims=400 --jsonl <positions.jsonl >judged.jsonl",
		RunE: func(c *cobra.Command, _ []string) error {
			g, err := f.Open()
			if err != nil {
				return err
			}
			switch {
			case c.Flags().Changed("player"):
			case a.luck:
				a.player = luck.DefaultJudge
			default:
				if a.expert, err = env.Players.Expert(g); err != nil {
					return shell.Usage(err)
				}
				a.player = a.expert.Text
			}
			spec, err := env.Players.Parse(a.player)
			if err != nil {
				return shell.Usage(err)
			}
			if err := shell.WantClock([]match.Contestant{spec.Contestant(g)}, "", ""); err != nil {
				return err
			}
			if a.jsonl {
				return a.lines(c, &f, g, spec)
			}
			if c.Flags().Changed("workers") {
				return shell.Usagef("--workers: one position is the work of one; it belongs to --jsonl")
			}
			if a.luck {
				return a.judge(c, g, spec)
			}
			return a.one(c, g, spec)
		},
	}
	f.Add(c, env)
	c.Flags().StringVar(&a.player, "player", "", "description of the player that is asked (default: the network shipped for the game)")
	c.Flags().StringVar(&a.position, "position", "", "position line (default: the start)")
	c.Flags().StringVar(&a.moves, "moves", "", "moves to play first, separated by spaces")
	c.Flags().Uint64Var(&a.seed, "seed", 1, "seed of the player")
	c.Flags().BoolVar(&a.jsonl, "jsonl", false, "read and write one JSON object a line")
	c.Flags().BoolVar(&a.json, "json", false, "print JSON")
	c.Flags().BoolVar(&a.luck, "luck", false, "tell luck and skill apart in the game of --moves")
	c.Flags().IntVar(&a.workers, "workers", 0, "with --jsonl: positions at the same time, 0: one for each core; changes no result but of players limited by time")
	c.Flags().StringVar(&a.color, "color", "auto", "colour the board: auto, always or never")
	c.MarkFlagsMutuallyExclusive("jsonl", "json")
	c.MarkFlagsMutuallyExclusive("jsonl", "luck")
	c.MarkFlagsMutuallyExclusive("jsonl", "position")
	c.MarkFlagsMutuallyExclusive("jsonl", "moves")
	return c
}

// lines answers the lines of the input.
func (f *analyzeFlags) lines(c *cobra.Command, gf *shell.GameFlags, g engine.Game, spec *player.Spec) error {
	if f.workers < 0 {
		return shell.Usagef("--workers %d: want 0 or more", f.workers)
	}
	family, err := gf.Family()
	if err != nil {
		return err
	}
	one, err := spec.New(g) // before any line, and for all of them
	if err != nil {
		return err
	}
	match.Dismiss(one)
	preset, options := shell.SplitRules(g.Rules())
	l := &lineCommand{
		readsMoves: true,
		writes:     []string{"actor", "turn_of", "value", "solved", "policy", "visits", "values", "choice", "pv"},
		workers:    f.workers,
		chunk:      1, // an answer takes long
		preset:     preset,
		options:    options,
		do: func(ctx context.Context, a *arena, r *request, object map[string]any) error {
			t, err := a.reach(r)
			if err != nil {
				return err
			}
			if t.player == nil {
				a.makeRoom()
			}
			return f.answer(ctx, t, spec, r.number, object)
		},
	}
	return l.run(c, family)
}

// prepare makes the table's player, if there is none, for a position that goes on.
func (f *analyzeFlags) prepare(t *jsonTable, spec *player.Spec) (err error) {
	if o := t.state.Outcome(); o.Over {
		return fmt.Errorf("the game is over: %s", o.Reason)
	}
	if t.player != nil {
		return nil
	}
	if f.expert != nil {
		if err := f.expert.Knows(t.game); err != nil {
			return err
		}
	}
	t.player, err = spec.New(t.game)
	return err
}

// ask has the table's player analyse the position on it, in which a player decides.
func (f *analyzeFlags) ask(ctx context.Context, t *jsonTable, number uint64) (*match.Analysis, error) {
	return match.Analyze(ctx, t.player, seed.Number(f.seed, "analyze", number), t.state, t.history)
}

// rolls has the table's player judge the outcomes of the chance decision on it. Values are
// turned into the view of the player whose turn it is.
func (f *analyzeFlags) rolls(ctx context.Context, t *jsonTable, number uint64) (mean float64, list []luck.Outcome, err error) {
	mean, list, err = luck.NewJudge(t.game, t.player).Roll(ctx, seed.Number(f.seed, "analyze", number), t.state, t.history)
	if luck.Owner(t.state) == engine.Second {
		mean = -mean
		for i := range list {
			list[i].Value = -list[i].Value
		}
	}
	return mean, list, err
}

// answer writes what the table's player thinks of the position on it into an object.
func (f *analyzeFlags) answer(ctx context.Context, t *jsonTable, spec *player.Spec, number uint64, object map[string]any) error {
	if err := f.prepare(t, spec); err != nil {
		return err
	}
	if t.state.Actor() != engine.Chance {
		x, err := f.ask(ctx, t, number)
		if err == nil {
			describe(object, t, x)
		}
		return err
	}
	mean, list, err := f.rolls(ctx, t, number)
	if err != nil {
		return err
	}
	probs, values := map[string]float64{}, map[string]float64{}
	for _, o := range list {
		word := string(t.state.AppendAction(nil, o.Code))
		probs[word], values[word] = short(o.Prob), short(o.Value)
	}
	object["actor"], object["turn_of"] = t.state.Actor().String(), luck.Owner(t.state).String()
	object["value"], object["solved"], object["policy"], object["visits"], object["values"] = short(mean), false, probs, map[string]int{}, values
	object["choice"], object["pv"] = nil, []string{}
	return nil
}

// describe writes an analysis of the position on the table into an object.
func describe(object map[string]any, t *jsonTable, a *match.Analysis) {
	word := func(x engine.Action) string { return string(t.state.AppendAction(nil, x)) }
	object["actor"] = t.state.Actor().String()
	object["value"], object["solved"] = nil, a.Solved
	if a.Judged {
		object["value"] = short(a.Value)
	}
	policy, visits, values := map[string]float64{}, map[string]int{}, map[string]float64{}
	for _, m := range a.Moves {
		policy[word(m.Action)] = short(m.Prob)
		if m.Visits > 0 {
			visits[word(m.Action)] = m.Visits
		}
		if m.Judged {
			values[word(m.Action)] = short(m.Value)
		}
	}
	object["policy"], object["visits"], object["values"] = policy, visits, values
	object["choice"] = word(a.Choice)
	if shell.NamesColumns(t.game) {
		column, err := strconv.Atoi(word(a.Choice))
		if err != nil {
			panic("BUG: a column that is no number: " + word(a.Choice))
		}
		object["choice"] = column
	}
	object["pv"] = shell.LineWords(t.game, t.state, t.history, a.Line)
}

// short leaves out digits that mean nothing, and the sign of zero.
func short(x float64) float64 { return math.Round(x*1e6)/1e6 + 0 }

// judge shows what the rolls and the decisions of a game were worth.
func (f *analyzeFlags) judge(c *cobra.Command, g engine.Game, spec *player.Spec) error {
	words := shell.MoveWords(g, f.moves)
	switch {
	case g.Info().NumChance == 0:
		return shell.Usagef("--luck: %s has no dice", g.Info().Name)
	case len(words) == 0:
		return shell.Usagef("--luck: it judges the rolls and moves of --moves")
	}
	p, err := spec.New(g)
	if err != nil {
		return err
	}
	defer match.Dismiss(p)
	ctx, stop := shell.Interruptible(c.Context())
	defer stop()
	x, err := luck.NewJudge(g, p).Game(ctx, f.seed, luck.Moves{Start: f.position, Words: words})
	if err != nil {
		return err
	}
	if f.json {
		return shell.WriteJSON(c, struct {
			Rules  string `json:"rules"`
			Player string `json:"player"`
			*luck.Game
		}{g.Rules(), spec.Text, x})
	}
	out := c.OutOrStdout()
	fmt.Fprintf(out, "%s, rules %s; asked: %s\n\n", g.Info().Name, g.Rules(), wording.PlainName(spec.Text))
	return x.WriteText(out)
}

// one shows the analysis of one position.
func (f *analyzeFlags) one(c *cobra.Command, g engine.Game, spec *player.Spec) error {
	useColor, err := shell.WantColor(f.color, c.OutOrStdout())
	if err != nil {
		return err
	}
	t := &jsonTable{game: g, state: g.NewState(), next: g.NewState(), history: g.NewHistory()}
	defer func() { match.Dismiss(t.player) }()
	if err := t.set(f.position, f.moves); err != nil {
		return shell.Usage(err)
	}
	ctx, stop := shell.Interruptible(c.Context())
	defer stop()
	if f.json {
		object := map[string]any{"rules": g.Rules(), "pos": string(t.state.AppendPosition(nil)), "player": spec.Text}
		if err := f.answer(ctx, t, spec, 1, object); err != nil {
			return err
		}
		return shell.WriteJSON(c, object)
	}
	if err := f.prepare(t, spec); err != nil {
		return err
	}
	var a *match.Analysis
	var mean float64
	var rolls []luck.Outcome
	chance := t.state.Actor() == engine.Chance
	if chance {
		mean, rolls, err = f.rolls(ctx, t, 1)
	} else {
		a, err = f.ask(ctx, t, 1)
	}
	if err != nil {
		return err
	}
	out := c.OutOrStdout()
	fmt.Fprintf(out, "%s\n\n%s\n", t.state.AppendPosition(nil), engine.BoardText(t.state, useColor))
	side, asked := g.Info().Sides[t.state.Side()], wording.PlainName(spec.Text)
	if chance {
		fmt.Fprintf(out, "%s's turn (%s player), chance decides; asked: %s\n", side, luck.Owner(t.state), asked)
		return writeRolls(out, t.state, side, mean, rolls)
	}
	fmt.Fprintf(out, "%s to act (%s player), asked: %s\n", side, t.state.Actor(), asked)
	return shell.WriteAnalysis(out, g, t.state, t.history, a)
}

// writeRolls prints the outcomes of the chance decision s for people, whose values are in
// the view of side.
func writeRolls(out io.Writer, s engine.State, side string, mean float64, rolls []luck.Outcome) error {
	fmt.Fprintf(out, "value    %+.3f for %s (+1 wins, -1 loses), the mean of the rolls\n\n", mean, side)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "roll\tprobability\tvalue\tworth\t\n")
	for _, o := range rolls {
		fmt.Fprintf(w, "%s\t%.1f %%\t%+.3f\t%+.3f\t\n", s.AppendAction(nil, o.Code), 100*o.Prob, o.Value, o.Value-mean)
	}
	return w.Flush()
}
