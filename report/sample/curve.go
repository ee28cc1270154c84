package sample

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/internal/wording"
)

// Size of the curve in pixels, and of the plot in it.
const (
	curveWidth, curveHeight = 640, 170
	plotLeft, plotRight     = 46, 610
	plotTop, plotBottom     = 22, 138
)

// curveCSS is the style of curves: axes take the colour of the text; the colours of the
// curves show on light and dark.
const curveCSS = `.lz-curve{color:#222;max-width:100%;height:auto}` +
	`@media(prefers-color-scheme:dark){.lz-curve{color:#e6e6e6}}@media print{.lz-curve{color:#000}}`

const (
	rootColor    = "#2f78c4"
	networkColor = "#c47a1e"
)

// Curve draws the root value (bold) and the network's value (dashed) over the turns in
// the first player's view, the moments as numbered lines and the result as a dot; nil
// if no move has a search. It has no ids. Its style is in CSS; styled includes it.
func (g *Game) Curve(styled bool) []byte {
	root, network := g.curvePaths()
	if root == "" {
		return nil
	}
	var b bytes.Buffer
	printf := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	printf(`<svg xmlns="http://www.w3.org/2000/svg" class="lz-curve" role="img" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" font-family="system-ui,'DejaVu Sans',Arial,sans-serif" font-size="11" color="#222">`,
		curveWidth, curveHeight)
	printf("<title>Value over the turns</title><desc>%s</desc>", escaper.Replace(g.curveWords()))
	if styled {
		printf("<style>%s</style>", curveCSS)
	}
	y := valueY
	printf(`<path fill="none" stroke="currentColor" stroke-opacity=".35" d="M%d %sH%dM%[1]d %[4]sH%[3]dM%[1]d %[5]sH%[3]d"/>`, plotLeft, y(1), plotRight, y(0), y(-1))
	printf(`<g fill="currentColor" text-anchor="end">`)
	for _, v := range []struct {
		at   float64
		text string
	}{{1, "+1"}, {0, "0"}, {-1, "−1"}} {
		printf(`<text x="%d" y="%s" dy="4">%s</text>`, plotLeft-6, y(v.at), v.text)
	}
	printf("</g>")
	printf(`<g fill="currentColor" text-anchor="middle">`)
	for _, turn := range ticks(g.span()) {
		printf(`<text x="%s" y="%d">%d</text>`, g.turnX(float64(turn)), plotBottom+14, turn)
	}
	printf(`<text x="%d" y="%d">turn</text></g>`, (plotLeft+plotRight)/2, curveHeight-4)
	printf(`<g fill="currentColor" text-anchor="middle" stroke-opacity=".5">`)
	label := 0.0
	for i := range g.Moments {
		x := g.turnAt(g.moveTurn(g.Moments[i].Move))
		printf(`<path stroke="currentColor" stroke-dasharray="2 3" d="M%s %dV%d"/>`, pixels(x), plotTop-4, plotBottom)
		const apart = 12 // labels of near moments stand side by side
		label = max(label+apart, x)
		printf(`<text x="%s" y="%d">%d</text>`, pixels(label), plotTop-8, i+1)
	}
	printf("</g>\n")
	printf(`<path fill="none" stroke="%s" stroke-width="1.2" stroke-dasharray="4 3" d="%s"/>`+"\n", networkColor, network)
	printf(`<path fill="none" stroke="%s" stroke-width="2.2" stroke-linejoin="round" d="%s"/>`, rootColor, root)
	if v, ok := g.result(); ok {
		printf(`<circle cx="%s" cy="%s" r="4.5" fill="%s" stroke="currentColor"/>`, g.turnX(float64(g.span())), y(v), rootColor)
	}
	printf("</svg>\n")
	return b.Bytes()
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// result is the outcome for the first player.
func (g *Game) result() (v float64, ok bool) {
	v, ok = map[string]float64{"first": 1, "second": -1, "draw": 0}[g.Winner]
	return v, ok
}

func pixels(v float64) string { return strconv.FormatFloat(math.Round(10*v)/10, 'f', -1, 64) }

func valueY(v float64) string {
	return pixels(plotBottom - (v+1)/2*(plotBottom-plotTop))
}

// turnAt is the place of a turn; a turn begins at its number less one.
func (g *Game) turnAt(turn float64) float64 {
	return plotLeft + (plotRight-plotLeft)*turn/float64(g.span())
}

func (g *Game) turnX(turn float64) string { return pixels(g.turnAt(turn)) }

// span is the length of the axis in turns.
func (g *Game) span() int {
	if n := len(g.Moves); n > 0 {
		return max(g.Turns, g.Moves[n-1].Turn)
	}
	return 1
}

// moveTurn places a move within its turn, whose moves are evenly spaced.
func (g *Game) moveTurn(move int) float64 {
	if move >= len(g.Moves) {
		return float64(g.span())
	}
	turn := g.Moves[move].Turn
	first, last := move, move
	for first > 0 && g.Moves[first-1].Turn == turn {
		first--
	}
	for last+1 < len(g.Moves) && g.Moves[last+1].Turn == turn {
		last++
	}
	return float64(turn-1) + float64(move-first)/float64(last-first+1)
}

func (g *Game) curvePaths() (root, network string) {
	var r, n strings.Builder
	for i := range g.Moves {
		s := g.Moves[i].Search
		if s == nil {
			continue
		}
		letter := "L"
		if r.Len() == 0 {
			letter = "M"
		}
		x := g.turnX(g.moveTurn(i))
		r.WriteString(letter + x + " " + valueY(s.Value))
		n.WriteString(letter + x + " " + valueY(s.Network))
	}
	return r.String(), n.String()
}

func (g *Game) curveWords() string {
	low, high := math.Inf(1), math.Inf(-1)
	for i := range g.Moves {
		if s := g.Moves[i].Search; s != nil {
			low, high = min(low, s.Value), max(high, s.Value)
		}
	}
	text := fmt.Sprintf("The first player's root value over %s, between %s and %s.", wording.Count(g.Turns, "turn"), signed(low), signed(high))
	for _, r := range g.Remarks {
		text += " " + r
	}
	return text
}

// ticks are round numbers from 0 to n, ten at most.
func ticks(n int) []int {
	step := 1
	for i := 0; n/step > 10; i++ {
		step = []int{2, 5, 10}[i%3] * int(math.Pow10(i/3))
	}
	var list []int
	for t := 0; t <= n; t += step {
		list = append(list, t)
	}
	return list
}
