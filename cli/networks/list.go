// Package networks holds the commands about networks: their list, and calibrate.
package networks

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/zoo"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/open"
	"github.com/spf13/cobra"
)

// shownRules is how many rulesets of a network are listed among others.
const shownRules = 4

// New is the command networks.
func New(*shell.Env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "networks [NAME|PATH|nnue:EVALUATION]",
		Short: "List the shipped networks, or show the card of any",
		Long: "Lists the networks that are part of this program: what they play, how large they are, what they were trained on and\n" +
			"how strong they are. Their names stand for a path wherever a network is asked for: net:NAME,sims=64 is a player. A\n" +
			"run or weight file of such a name here is written with ./ in front, the shipped network then with " + open.ShippedPrefix + " in front.\n" +
			"NAME@HASH, with the first 8 digits of its weights' hash, means no other network of that name.\n\n" +
			"With NAME, or with PATH of a weight file, a checkpoint or a run, it shows that network alone, with all its rules. Behind\n" +
			"the networks stand the evaluations for alpha-beta; nnue:NAME or nnue:PATH shows one, as in the word of its player, and so\n" +
			"does a PATH that ends in " + zoo.EvaluationExtension + ".",
		Args:    cobra.MaximumNArgs(1),
		Example: "  ludozero networks\n  ludozero networks konreh\n  ludozero networks nnue:konreh",
		RunE: func(c *cobra.Command, args []string) error {
			words := args
			if len(args) == 0 {
				for _, name := range zoo.Names() {
					words = append(words, open.ShippedPrefix+name)
				}
				for _, name := range zoo.Evaluations() {
					words = append(words, evaluationPrefix+open.ShippedPrefix+name)
				}
			}
			var list []described
			for _, word := range words {
				i, err := describe(word)
				if err != nil {
					return err
				}
				list = append(list, i)
			}
			if asJSON {
				return shell.WriteJSON(c, list)
			}
			for k, i := range list {
				if k > 0 {
					fmt.Fprintln(c.OutOrStdout())
				}
				most := shownRules
				if len(args) > 0 {
					most = math.MaxInt
				}
				if err := i.write(c.OutOrStdout(), most); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// Info is what there is to say of a network.
type Info struct {
	// Name is set for a shipped network, Path, its weight file, for another.
	Name string `json:"name,omitempty"`
	Path string `json:"path,omitempty"`
	// Weights identifies the file, Bytes is its size.
	Weights    string      `json:"weights"`
	Bytes      int         `json:"bytes"`
	Parameters int         `json:"parameters"`
	Card       *model.Card `json:"card"`
	// CalibratedOn is on how many positions, 0 if int8 cannot play with it.
	CalibratedOn int `json:"calibrated_on"`
	// Strength is Markdown; empty if the network is not shipped.
	Strength string `json:"strength,omitempty"`
	// Ratings is the table by which it plays at a rating, if it has one.
	Ratings *player.Ratings `json:"ratings,omitempty"`
}

// described is an Info or an EvaluationInfo.
type described interface {
	// write prints it for people, with its first rulesets only.
	write(out io.Writer, most int) error
}

func describe(word string) (described, error) {
	if name, ok := strings.CutPrefix(word, evaluationPrefix); ok || strings.HasSuffix(word, zoo.EvaluationExtension) {
		return describeEvaluation(name)
	}
	return describeNetwork(word)
}

func describeNetwork(word string) (*Info, error) {
	n, err := open.Find(word)
	if err != nil {
		return nil, err
	}
	file, err := n.File()
	if err != nil {
		return nil, err
	}
	w, card, err := model.Decode(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", n, err)
	}
	slices.SortStableFunc(card.Rules, func(a, b model.RulesShare) int { return cmp.Compare(b.Share, a.Share) })
	i := &Info{Name: n.Shipped, Path: n.Path, Weights: zoo.Digest(file), Bytes: len(file), Parameters: w.Count(), Card: card}
	if card.Calibration != nil {
		i.CalibratedOn = card.Calibration.Positions
	}
	if n.Shipped != "" {
		i.Strength, err = zoo.Strength(n.Shipped)
	}
	if err == nil {
		i.Ratings, err = n.Ratings()
	}
	return i, err
}

// textColumns is the width of paragraphs.
const textColumns = 110

// markup is what Markdown adds to plain words.
var markup = regexp.MustCompile("\\*\\*|`|\\[([^]]*)\\]\\([^)]*\\)")

// paragraphs divides a page into paragraphs, entries of lists and rows of tables, without
// the marks of Markdown.
func paragraphs(page string) []string {
	if page == "" {
		return nil
	}
	var list []string
	for block := range strings.SplitSeq(markup.ReplaceAllString(page, "$1"), "\n\n") {
		for i, line := range strings.Split(block, "\n") {
			if i == 0 || strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "|") {
				list = append(list, "")
			}
			list[len(list)-1] += line + "\n"
		}
	}
	return list
}

// sheet is a card for people.
type sheet struct {
	b strings.Builder
	// most is how many rulesets are listed.
	most int
}

func newSheet(title string, most int) *sheet {
	s := &sheet{most: most}
	fmt.Fprintf(&s.b, "%s\n", wording.PlainName(title))
	return s
}

func (s *sheet) line(name, format string, args ...any) {
	fmt.Fprintf(&s.b, "  %-10s %s\n", name, wording.PlainName(fmt.Sprintf(format, args...)))
}

// lines prints several under one name.
func (s *sheet) lines(name string, lines []string) {
	for _, text := range lines {
		s.line(name, "%s", text)
		name = ""
	}
}

// rules prints the first of number rulesets, the k-th of which is at(k), and the licence.
func (s *sheet) rules(number int, at func(k int) (rules string, share float64), licence string) {
	var list []string
	for k := range number {
		if k == s.most {
			list = append(list, fmt.Sprintf("%7s  %d more", "and", number-k))
			break
		}
		rules, share := at(k)
		list = append(list, fmt.Sprintf("%7s  %s", wording.Percent(share), rules))
	}
	s.lines("rules", list)
	if licence != "" {
		s.line("licence", "%s", licence)
	}
}

func (s *sheet) print(out io.Writer) error {
	_, err := io.WriteString(out, s.b.String())
	return err
}

func (i *Info) write(out io.Writer, most int) error {
	c := i.Card
	s := newSheet(cmp.Or(i.Name, i.Path), most)
	s.line("plays", "%s, game version %d, encoder version %d", c.Game, c.GameVersion, c.EncoderVersion)
	s.line("network", "%s of %d channels, %d parameters", wording.Count(c.Network.Config.Blocks, "block"), c.Network.Config.Channels, i.Parameters)
	s.line("weights", "%s, %d bytes", i.Weights, i.Bytes)
	if i.CalibratedOn > 0 {
		s.line("int8", "calibrated on %s", wording.Count(i.CalibratedOn, "position"))
	} else {
		s.line("int8", "not calibrated")
	}
	if c.Search != "" {
		s.line("search", "%s, unless time is the limit", c.Search)
	}
	if c.CPuct > 0 {
		s.line("cpuct", "%g", c.CPuct)
	}
	if c.CPuctFactor != nil {
		s.line("cpuct_factor", "%g", *c.CPuctFactor)
	}
	s.line("learned", "generation %d: %s, %d samples of %d positions of self-play", c.Generation, wording.Count(c.Step, "step"), c.Samples, c.Positions)
	s.rules(len(c.Rules), func(k int) (string, float64) { return c.Rules[k].Rules, c.Rules[k].Share }, c.Licence)
	name := "strength"
	for _, text := range paragraphs(i.Strength) {
		s.b.WriteString(wording.Wrap(strings.Fields(text), textColumns, fmt.Sprintf("  %-10s ", name), strings.Repeat(" ", 13)))
		name = ""
	}
	if r := i.Ratings; r != nil {
		least, most := r.Range()
		s.line("ratings", "rating=%d to rating=%d under %s, %s at %g, by %s", least, most, r.Rules, r.Anchor, r.AnchorElo, wording.Count(r.Games, "game"))
	}
	return s.print(out)
}
