package heuristics

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"strings"

	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/study"
	"go.yaml.in/yaml/v3"
)

// Drill is an exercise of the book.
type Drill struct {
	ID string `yaml:"id" json:"id"`
	// Says is what the book says of it, in our words.
	Says      string          `yaml:"says" json:"says"`
	Positions []DrillPosition `yaml:"positions" json:"positions"`
}

// DrillPosition is a position of ours that is what a drill says. Facts that are not said
// are nil.
type DrillPosition struct {
	Line   string `yaml:"line" json:"line"`
	R      *int   `yaml:"r" json:"r,omitempty"`
	S      *int   `yaml:"s" json:"s,omitempty"`
	XS     *int   `yaml:"xs" json:"xs,omitempty"`
	Greens []int  `yaml:"greens" json:"greens,omitempty"`
}

//go:embed book/drills.yaml
var drillsFile []byte

// Drills returns the drills of the book.
func Drills() []Drill {
	var list []Drill
	if err := yaml.Unmarshal(drillsFile, &list); err != nil {
		panic("BUG: " + err.Error())
	}
	return list
}

// Drilled is what a player expects of the drills. Scores are of who decides, in [0, 1]:
// expected ones, or with Lead where a lead lies between all lost and all won.
type Drilled struct {
	Rules  string          `json:"rules"`
	Player string          `json:"player"`
	Lead   bool            `json:"lead,omitempty"`
	Drills []DrilledResult `json:"drills"`
}

// DrilledResult is one position.
type DrilledResult struct {
	ID   string `json:"id"`
	Says string `json:"says"`
	DrillPosition
	// Best is the decision preferred.
	Score float64 `json:"score"`
	Best  string  `json:"best"`
	// Gains are what the acts that a rule of thumb speaks of gain over all else, each
	// by the best move of its kind.
	Gains []DrillGain `json:"gains"`
	// Error says why the rules refuse the position.
	Error string `json:"error,omitempty"`
}

// DrillGain is the gain of Move, an act, over Other.
type DrillGain struct {
	Act   string  `json:"act"`
	Level string  `json:"level"`
	Move  string  `json:"move"`
	Other string  `json:"other"`
	Gain  float64 `json:"gain"`
}

// AskDrills asks a player about the drills by the rules of g.
func AskDrills(ctx context.Context, g *konreh.Game, spec *player.Spec) (*Drilled, error) {
	p, err := spec.New(g)
	if err != nil {
		return nil, study.Usage(err)
	}
	mute := study.Usage(fmt.Errorf("--player %s: it says nothing of the value of a position", spec.Text))
	defer match.Dismiss(p)
	if spec.ChoiceOnly {
		return nil, mute
	}
	r := &Drilled{Rules: g.Rules(), Player: spec.Text}
	judge := &Judge{Choosers: []match.Player{p}, Judges: []match.Player{p}}
	for _, d := range Drills() {
		for _, at := range d.Positions {
			x := DrilledResult{ID: d.ID, Says: d.Says, DrillPosition: at}
			s, h := g.NewState().(*konreh.State), g.NewHistory()
			if err := s.ParsePosition(at.Line); err != nil {
				x.Error = err.Error()
				r.Drills = append(r.Drills, x)
				continue
			}
			s.Begin(h)
			a, err := match.Analyze(ctx, p, 1, s, h)
			if err == nil && !a.Judged {
				err = mute
			}
			if err != nil {
				return nil, err
			}
			r.Lead = a.Lead
			x.Score, x.Best = (1+a.Value)/2, string(s.AppendAction(nil, a.Choice))
			var scan Scanner
			for _, c := range scan.Scan(s, h) {
				v, err := judge.Ask(ctx, s, h, &Asked{Acts: c.Acts, Others: c.Others})
				if err != nil {
					return nil, err
				}
				q := &questions[c.Question]
				x.Gains = append(x.Gains, DrillGain{q.Act, q.Levels[c.Level], string(s.AppendAction(nil, v[0].Act)), string(s.AppendAction(nil, v[0].Other)), v[0].Gain})
			}
			r.Drills = append(r.Drills, x)
		}
	}
	return r, nil
}

// WriteText writes the drills for a terminal.
func (r *Drilled) WriteText(out io.Writer) error {
	_, err := fmt.Fprintf(out, "Drills of the rulebook of Kon'reh (Nicholas A. Gasper, 2025), rules %s, asked of %s\n", r.Rules, r.Player)
	said := ""
	for i := range r.Drills {
		d := &r.Drills[i]
		if d.ID != said {
			said = d.ID
			fmt.Fprintf(out, "\n%s  %s\n", d.ID, d.Says)
		}
		fmt.Fprintf(out, "  %s\n", d.Line)
		score, gain := fmt.Sprintf("expected score %.1f %%", 100*d.Score), "%+.1f points"
		if r.Lead {
			score, gain = fmt.Sprintf("lead %+.2f", 2*d.Score-1), "%+.2f lead"
		}
		if d.Error != "" {
			fmt.Fprintf(out, "    refused: %s\n", d.Error)
			continue
		}
		fmt.Fprintf(out, "    %s; best %s, %s\n", d.facts(), d.Best, score)
		for _, g := range d.Gains {
			x := 100 * g.Gain
			if r.Lead {
				x = 2 * g.Gain
			}
			fmt.Fprintf(out, "    to %s (%s) by %s rather than %s: "+gain+"\n", g.Act, g.Level, g.Move, g.Other, x)
		}
	}
	return err
}

// facts are the numbers that the drill gives for the position.
func (d *DrillPosition) facts() string {
	var list []string
	if d.R == nil && d.S != nil && *d.S == 0 {
		list = append(list, "R ∞")
	}
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
	return strings.Join(list, ", ")
}
