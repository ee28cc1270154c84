package positions

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"text/tabwriter"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/analysis"
	"github.com/ludozero/ludozero/player/open"
	"github.com/ludozero/ludozero/study/luck"
	"github.com/spf13/cobra"
)

// analyzeFlags are the flags of analyze besides those of the game.
type analyzeFlags struct {
	player, position, moves, color string
	seed                           uint64
	workers                        int
	jsonl, unordered, json, luck   bool
	expert                         *open.Expert // is asked, of rules that it knows; nil: player, whatever the rules
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
			"with \"actor\" (first or second), \"value\", \"solved\", \"policy\", \"visits\", \"values\", \"choice\", \"pv\" and more added;\n" +
			"--rules is for lines that name no preset or options. A line may say who is asked and how: \"player\", \"sims\", \"nodes\",\n" +
			"\"depth\", \"time\", moves to \"consider\" or to \"avoid\", \"lines\". Values are in [-1, 1] in the view of the actor, +1 a win. Where\n" +
			"moves are columns, \"moves\" may be \"4453\" and \"choice\" is a number. Where chance decides, \"actor\" is chance, \"policy\"\n" +
			"are the probabilities, and values are in the view of \"turn_of\", the player whose turn it is. A bad line gets \"error\"; the\n" +
			"exit code is then 1. The answer to a line depends on the seed and its number, not on other lines or on the workers.\n\n" +
			"With --unordered it is a server: each query has an \"id\" and is answered when it is done; \"priority\", \"report_every\"\n" +
			"and the actions terminate and terminate_all steer them. docs/analysis.md has all of it.\n\n" +
			"With --luck it judges the game that --moves are, in games with dice: what each roll was worth, as the expected result\n" +
			"after it less the mean over all outcomes, and what each decision lost to the one that the player would have made.\n\n" +
			"Without --player the network that is shipped for the game is asked, if it was trained on the rules; see ludozero\n" +
			"networks. For games without one that is " + open.PlainExpert + ". With --luck that is alphabeta:depth=1, as in data luck.\n\nPlayers:\n" + env.Players.Help(),
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
				if a.player = open.PlainExpert; a.expert != nil {
					a.player = a.expert.Text
				}
			}
			spec, err := env.Players.Parse(a.player)
			if err != nil {
				return shell.Usage(err)
			}
			if err := shell.WantClock([]match.Contestant{spec.Contestant(g)}, "", ""); err != nil {
				return err
			}
			if a.jsonl {
				return a.lines(c, env, &f, g)
			}
			if c.Flags().Changed("workers") || a.unordered {
				return shell.Usagef("--workers, --unordered: one position is the work of one search; that belongs to --jsonl")
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
	c.Flags().BoolVar(&a.unordered, "unordered", false, "with --jsonl: answer queries as they are done, by their ids, with priorities, interim answers and actions")
	c.Flags().BoolVar(&a.json, "json", false, "print JSON")
	c.Flags().BoolVar(&a.luck, "luck", false, "tell luck and skill apart in the game of --moves")
	c.Flags().IntVar(&a.workers, "workers", 0, "with --jsonl: positions at the same time, 0: one for each core; changes no result but of players limited by time")
	c.Flags().StringVar(&a.color, "color", "auto", "colour the board: auto, always or never")
	c.MarkFlagsMutuallyExclusive("jsonl", "json")
	c.MarkFlagsMutuallyExclusive("jsonl", "luck")
	c.MarkFlagsMutuallyExclusive("jsonl", "position")
	c.MarkFlagsMutuallyExclusive("jsonl", "moves")
	for _, plain := range []string{"jsonl", "json", "luck"} {
		c.MarkFlagsMutuallyExclusive("color", plain)
	}
	return c
}

// together is how many searches of a network share a core with --jsonl, so that their
// positions are evaluated together. More gain nothing: docs/analysis.md has the figures.
const together = 8

// lines answers the lines of the input.
func (f *analyzeFlags) lines(c *cobra.Command, env *shell.Env, gf *shell.GameFlags, g engine.Game) error {
	if f.workers < 0 {
		return shell.Usagef("--workers %d: want 0 or more", f.workers)
	}
	family, err := gf.Family()
	if err != nil {
		return err
	}
	workers := cmp.Or(f.workers, runtime.GOMAXPROCS(0))
	players := env.Players.Together(together, workers)
	usual, err := players.Parse(f.player)
	if err != nil {
		return err
	}
	one, err := usual.New(g) // before any line, and for all of them
	if err != nil {
		return err
	}
	match.Dismiss(one)
	preset, options := shell.SplitRules(g.Rules())
	s := &analysis.Server{
		Family: family, Preset: preset, Options: options, Words: shell.MoveWords, Seed: f.seed,
		Workers: workers, Together: together, Unordered: f.unordered,
		Spec: func(text string, g engine.Game) (*player.Spec, error) {
			if text != "" {
				spec, err := players.Parse(text)
				if err == nil && open.StartsProgram(spec) {
					err = fmt.Errorf("player %s: a line starts no program: name it by --player", text)
				}
				return spec, err
			}
			if f.expert != nil {
				return usual, f.expert.Knows(g)
			}
			return usual, nil
		},
		Finish: finish,
	}
	ctx, stop := shell.Interruptible(c.Context())
	defer stop()
	bad, err := s.Run(ctx, c.InOrStdin(), c.OutOrStdout())
	if err == nil && bad > 0 {
		err = fmt.Errorf("errors in %s", wording.Count(bad, "line"))
	}
	return err
}

// finish makes moves that are columns numbers.
func finish(g engine.Game, object map[string]any) {
	word, ok := object["choice"].(json.RawMessage)
	if !ok || !shell.NamesColumns(g) {
		return
	}
	object["choice"] = json.RawMessage(strings.Trim(string(word), `"`)) // null as it is
}

// judge shows what the rolls and the decisions of a game were worth.
func (f *analyzeFlags) judge(c *cobra.Command, g engine.Game, spec *player.Spec) error {
	words := shell.MoveWords(g, f.moves)
	switch {
	case g.Info().NumChance == 0:
		return shell.Usagef("--luck: %s has no dice", g.Info().Name)
	case len(words) == 0:
		return shell.Usagef("--luck: it judges the rolls and moves of --moves")
	}
	if _, err := (&analysis.Query{Pos: f.position, Moves: f.moves}).SetUp(g, shell.MoveWords); err != nil {
		return shell.Usage(err)
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
	q := analysis.Query{Pos: f.position, Moves: f.moves}
	at, err := q.SetUp(g, shell.MoveWords)
	if err != nil {
		return shell.Usage(err)
	}
	p, err := spec.New(g)
	if err != nil {
		return err
	}
	defer match.Dismiss(p)
	if err := shell.CheckStart(spec, p, at.State); err != nil {
		return shell.Usage(err)
	}
	ctx, stop := shell.Interruptible(c.Context())
	defer stop()
	number, bounds := seed.Number(f.seed, "analyze", 1), match.Bounds{Analyze: true, Draws: f.json}
	if f.json {
		a, err := q.Ask(ctx, p, number, at, bounds, nil)
		if err != nil {
			return err
		}
		object := map[string]any{"rules": g.Rules(), "pos": string(at.State.AppendPosition(nil)), "player": spec.Text}
		a.Into(object)
		finish(g, object)
		return shell.WriteJSON(c, object)
	}
	if err := cmp.Or(at.Over(), p.NewGame(ctx, number)); err != nil {
		return err
	}
	var a *match.Analysis
	var mean float64
	var rolls []player.Outcome
	chance := at.State.Actor() == engine.Chance
	if chance {
		mean, rolls, err = player.Outcomes(ctx, p, g, at.State, at.History, bounds)
	} else {
		a, err = p.Think(ctx, at.State, at.History, bounds)
	}
	if err != nil {
		return err
	}
	out := c.OutOrStdout()
	fmt.Fprintf(out, "%s\n\n%s\n", at.State.AppendPosition(nil), engine.BoardText(at.State, useColor))
	side, asked := g.Info().Sides[at.State.Side()], wording.PlainName(spec.Text)
	if chance {
		owner := player.OwnerOfRoll(at.State)
		if owner == engine.Second {
			mean = -mean
			for i := range rolls {
				rolls[i].Value = -rolls[i].Value
			}
		}
		fmt.Fprintf(out, "%s's turn (%s player), chance decides; asked: %s\n", side, owner, asked)
		return writeRolls(out, at.State, side, mean, rolls)
	}
	fmt.Fprintf(out, "%s to act (%s player), asked: %s\n", side, at.State.Actor(), asked)
	return shell.WriteAnalysis(out, g, at.State, at.History, a)
}

// writeRolls prints the outcomes of the chance decision s for people, whose values are in
// the view of side.
func writeRolls(out io.Writer, s engine.State, side string, mean float64, rolls []player.Outcome) error {
	fmt.Fprintf(out, "value    %+.3f for %s (+1 wins, -1 loses), the mean of the rolls\n\n", mean, side)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "roll\tprobability\tvalue\tworth\t\n")
	for _, o := range rolls {
		fmt.Fprintf(w, "%s\t%.1f %%\t%+.3f\t%+.3f\t\n", s.AppendAction(nil, o.Code), 100*o.Prob, o.Value, o.Value-mean)
	}
	return w.Flush()
}
