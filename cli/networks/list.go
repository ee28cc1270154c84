// Package networks holds the commands about networks: their list, and calibrate.
package networks

import (
	"cmp"
	"fmt"
	"io"
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
		Use:   "networks [NAME|PATH]",
		Short: "List the shipped networks, or show the card of any",
		Long: "Lists the networks that are part of this program: what they play, how large they are, what they were trained on and\n" +
			"how strong they are. Their names stand for a path wherever a network is asked for: net:NAME,sims=64 is a player. A\n" +
			"run or weight file of such a name here is written with ./ in front, the shipped network then with " + open.ShippedPrefix + " in front.\n" +
			"NAME@HASH, with the first 8 digits of its weights' hash, means no other network of that name.\n\n" +
			"With NAME, or with PATH of a weight file, a checkpoint or a run, it shows that network alone, with all its rules.",
		Args:    cobra.MaximumNArgs(1),
		Example: "  ludozero networks\n  ludozero networks konreh",
		RunE: func(c *cobra.Command, args []string) error {
			words := args
			if len(args) == 0 {
				for _, name := range zoo.Names() {
					words = append(words, open.ShippedPrefix+name)
				}
			}
			var list []*Info
			for _, word := range words {
				i, err := describeNetwork(word)
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
					most = len(i.Card.Rules)
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

// write prints i for people, with its first rulesets only.
func (i *Info) write(out io.Writer, rulesets int) error {
	c := i.Card
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "  %-10s %s\n", name, wording.PlainName(fmt.Sprintf(format, args...)))
	}
	fmt.Fprintf(&b, "%s\n", wording.PlainName(cmp.Or(i.Name, i.Path)))
	line("plays", "%s, game version %d, encoder version %d", c.Game, c.GameVersion, c.EncoderVersion)
	line("network", "%s of %d channels, %d parameters", wording.Count(c.Network.Config.Blocks, "block"), c.Network.Config.Channels, i.Parameters)
	line("weights", "%s, %d bytes", i.Weights, i.Bytes)
	if i.CalibratedOn > 0 {
		line("int8", "calibrated on %s", wording.Count(i.CalibratedOn, "position"))
	} else {
		line("int8", "not calibrated")
	}
	if c.Search != "" {
		line("search", "%s, unless time is the limit", c.Search)
	}
	if c.CPuct > 0 {
		line("cpuct", "%g", c.CPuct)
	}
	if c.CPuctFactor != nil {
		line("cpuct_factor", "%g", *c.CPuctFactor)
	}
	line("learned", "generation %d: %s, %d samples of %d positions of self-play", c.Generation, wording.Count(c.Step, "step"), c.Samples, c.Positions)
	name := "rules"
	for k, r := range c.Rules {
		if k == rulesets {
			line("", "%7s  %d more", "and", len(c.Rules)-k)
			break
		}
		line(name, "%7s  %s", wording.Percent(r.Share), r.Rules)
		name = ""
	}
	if c.Licence != "" {
		line("licence", "%s", c.Licence)
	}
	name = "strength"
	for _, text := range paragraphs(i.Strength) {
		b.WriteString(wording.Wrap(strings.Fields(text), textColumns, fmt.Sprintf("  %-10s ", name), strings.Repeat(" ", 13)))
		name = ""
	}
	if r := i.Ratings; r != nil {
		least, most := r.Range()
		line("ratings", "rating=%d to rating=%d under %s, %s at %g, by %s", least, most, r.Rules, r.Anchor, r.AnchorElo, wording.Count(r.Games, "game"))
	}
	_, err := io.WriteString(out, b.String())
	return err
}
