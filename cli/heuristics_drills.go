package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/study/heuristics"
	"github.com/spf13/cobra"
)

// mostAsked is how many readings of a move of the book are asked about: as many, evenly
// spread over all.
const mostAsked = 4

func newHeuristicsDrills(env *shell.Env) *cobra.Command {
	var rules, playerText string
	var asJSON bool
	c := &cobra.Command{
		Use:   "drills",
		Short: "Show the drills and the annotated game of the rulebook, and what a search thinks of them",
		Long: "The book draws no boards for its drills; the positions are ours and are what it says of them. Its annotated game names\n" +
			"pieces, lanes and steps: moves are read in all ways that the rules allow, and where there is none the rule that refuses\n" +
			"it is printed, the move left out and the game gone on with. docs/heuristics.md says more.\n\n" +
			"The player says what positions are worth and what moves cost: its expected score before the move less that after it.\n" +
			"alphabeta and minimax expect no score; theirs is a lead of what they count, from -1 to 1.",
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
			p, err := spec.New(g)
			if err != nil {
				return shell.Usage(err)
			}
			analyst, ok := p.(player.Analyst)
			if !ok {
				return shell.Usagef("--player %s: it says nothing of the value of a position", spec.Text)
			}
			ctx, stop := shell.Interruptible(c.Context())
			defer stop()
			r, err := newBook(ctx, g.(*konreh.Game), analyst)
			if err != nil {
				return err
			}
			r.Player = spec.Text
			if asJSON {
				return shell.WriteJSON(c, r)
			}
			return r.write(c.OutOrStdout())
		},
	}
	flags := c.Flags()
	flags.StringVar(&rules, "rules", "", "rules of Kon'reh in one word, PRESET,OPTION=VALUE,...; see ludozero rules")
	flags.StringVar(&playerText, "player", "net:konreh,sims=400", "who is asked, a player that judges positions")
	flags.BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// book is what a player thinks of the drills and the game. Scores are of who decides, in
// [0, 1]: expected ones, or with Lead where a lead lies between all lost and all won.
type book struct {
	Rules  string      `json:"rules"`
	Player string      `json:"player"`
	Lead   bool        `json:"lead,omitempty"`
	Drills []bookDrill `json:"drills"`
	Moves  []bookMove  `json:"game"`
}

type bookDrill struct {
	ID   string `json:"id"`
	Says string `json:"says"`
	heuristics.DrillPosition
	// Score is that of who decides, Best the decision preferred.
	Score float64 `json:"score"`
	Best  string  `json:"best"`
	// Gains are what the acts that a rule of thumb speaks of gain over what else there
	// is, each by the best move of its kind.
	Gains []bookGain `json:"gains"`
	// Error says why the rules refuse the position.
	Error string `json:"error,omitempty"`
}

type bookGain struct {
	Act   string  `json:"act"`
	Level string  `json:"level"`
	Move  string  `json:"move"`
	Other string  `json:"other"`
	Gain  float64 `json:"gain"`
}

type bookMove struct {
	ID   string `json:"id"`
	Side string `json:"side"`
	// Text is what the book says, empty if it says no move.
	Text string `json:"text"`
	// Legal is the number of readings that the rules allow, Words one of them, Refused
	// why there is none.
	Legal   int      `json:"readings"`
	Words   string   `json:"words,omitempty"`
	Refused []string `json:"refused,omitempty"`
	// Least and Most are what the readings that were asked about cost.
	Asked int     `json:"asked,omitempty"`
	Least float64 `json:"least_cost"`
	Most  float64 `json:"most_cost"`
}

func newBook(ctx context.Context, g *konreh.Game, p player.Analyst) (*book, error) {
	r := &book{Rules: g.Rules()}
	judge := &heuristics.Judge{Choosers: []player.Analyst{p}, Judges: []player.Analyst{p}}
	questions := heuristics.Questions()
	for _, d := range heuristics.Drills() {
		for _, at := range d.Positions {
			x := bookDrill{ID: d.ID, Says: d.Says, DrillPosition: at}
			s, h := g.NewState().(*konreh.State), g.NewHistory()
			if err := s.ParsePosition(at.Line); err != nil {
				x.Error = err.Error()
				r.Drills = append(r.Drills, x)
				continue
			}
			s.Begin(h)
			p.NewGame(1)
			a, err := p.Analyze(ctx, s, h)
			if err == nil && !a.Judged {
				err = shell.Usagef("--player: it says nothing of the value of a position")
			}
			if err != nil {
				return nil, err
			}
			r.Lead = a.Lead
			x.Score, x.Best = (1+a.Value)/2, string(s.AppendAction(nil, a.Choice))
			var scan heuristics.Scanner
			for _, c := range scan.Scan(s, h) {
				v, err := judge.Ask(ctx, s, h, &heuristics.Asked{Acts: c.Acts, Others: c.Others})
				if err != nil {
					return nil, err
				}
				q := &questions[c.Question]
				x.Gains = append(x.Gains, bookGain{q.Act, q.Levels[c.Level], string(s.AppendAction(nil, v[0].Act)), string(s.AppendAction(nil, v[0].Other)), v[0].Gain})
			}
			r.Drills = append(r.Drills, x)
		}
	}
	for _, m := range heuristics.ReadGame(g, heuristics.BookGame()) {
		x := bookMove{ID: m.ID, Side: m.Side, Text: m.Text, Legal: len(m.Readings), Refused: m.Refused}
		if err := x.ask(ctx, p, m.Readings); err != nil {
			return nil, err
		}
		r.Moves = append(r.Moves, x)
	}
	return r, nil
}

// ask asks what some of the readings cost.
func (x *bookMove) ask(ctx context.Context, p player.Analyst, readings []heuristics.Reading) error {
	if len(readings) == 0 {
		return nil
	}
	x.Words = strings.Join(readings[0].Words, " ")
	value := func(s *konreh.State, who engine.Player) (float64, error) {
		if o := s.Outcome(); o.Over {
			return float64(o.Value(who)), nil
		}
		p.NewGame(1)
		a, err := p.Analyze(ctx, s, s.Game().NewHistory())
		if err != nil || s.Actor() == who {
			return a.Value, err
		}
		return -a.Value, nil
	}
	n := min(mostAsked, len(readings))
	for i := range n {
		r := &readings[i*len(readings)/n]
		who := r.Before.Actor()
		before, err := value(&r.Before, who)
		if err != nil {
			return err
		}
		after, err := value(&r.After, who)
		if err != nil {
			return err
		}
		cost := (before - after) / 2
		if i == 0 {
			x.Least, x.Most = cost, cost
		}
		x.Least, x.Most = min(x.Least, cost), max(x.Most, cost)
	}
	x.Asked = n
	return nil
}

// score writes a score, gain a difference of two.
func (r *book) score(x float64) string {
	if r.Lead {
		return fmt.Sprintf("lead %+.2f", 2*x-1)
	}
	return fmt.Sprintf("expected score %.1f %%", 100*x)
}

func (r *book) gain(x float64, sign string) string {
	if r.Lead {
		return fmt.Sprintf("%"+sign+".2f", 2*x)
	}
	return fmt.Sprintf("%"+sign+".1f", 100*x)
}

func (r *book) write(out io.Writer) error {
	unit := "points"
	if r.Lead {
		unit = "lead"
	}
	fmt.Fprintf(out, "Drills and annotated game of the rulebook of Kon'reh (Nicholas A. Gasper, 2025), rules %s, asked of %s\n", r.Rules, r.Player)
	said := ""
	for i := range r.Drills {
		d := &r.Drills[i]
		if d.ID != said {
			said = d.ID
			fmt.Fprintf(out, "\n%s  %s\n", d.ID, d.Says)
		}
		fmt.Fprintf(out, "  %s\n", d.Line)
		if d.Error != "" {
			fmt.Fprintf(out, "    refused: %s\n", d.Error)
			continue
		}
		fmt.Fprintf(out, "    %s; best %s, %s\n", d.facts(), d.Best, r.score(d.Score))
		for _, g := range d.Gains {
			fmt.Fprintf(out, "    to %s (%s) by %s rather than %s: %s %s\n", g.Act, g.Level, g.Move, g.Other, r.gain(g.Gain, "+"), unit)
		}
	}
	fmt.Fprint(out, "\nThe annotated game, as far as it says what is moved; a move that is refused is left out\n")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "  move\tside\tthe book says\tby the rules\tcost in "+unit)
	legal, refused := 0, 0
	for i := range r.Moves {
		m := &r.Moves[i]
		status, cost := "no move is given", ""
		switch {
		case m.Legal > 0:
			legal++
			readings := shell.Count(m.Legal, "reading")
			if m.Legal == heuristics.MaxReadings {
				readings += " or more"
			}
			status = fmt.Sprintf("legal, %s, such as %s", readings, m.Words)
			if cost = r.gain(m.Least, ""); m.Asked > 1 {
				cost += " to " + r.gain(m.Most, "")
			}
		case m.Text != "":
			refused++
			status = "refused: " + strings.Join(m.Refused[:min(2, len(m.Refused))], "; ")
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\t%s\n", m.ID, m.Side, m.Text, status, cost)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "%s legal, %d refused. Costs are of up to %d readings, below 0 where the search thinks more of the move than of the position.\n", shell.Count(legal, "move"), refused, mostAsked)
	return err
}

// facts says what the drill says of the position in numbers.
func (d *bookDrill) facts() string {
	var list []string
	for _, f := range []struct {
		name  string
		value *int
	}{{"R", d.R}, {"S", d.S}, {"XS", d.XS}} {
		if f.value != nil {
			list = append(list, fmt.Sprintf("%s %d", f.name, *f.value))
		}
	}
	if len(d.Greens) > 0 {
		list = append(list, fmt.Sprintf("Greens %d to %d", d.Greens[0], d.Greens[1]))
	}
	if d.R == nil && d.S != nil && *d.S == 0 {
		list = slices.Insert(list, 0, "R ∞")
	}
	return strings.Join(list, ", ")
}
