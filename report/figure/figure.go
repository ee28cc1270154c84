// Package figure has what the plots and pages of reports have in common: sizes,
// colours and axes of plots in the looks of a page, and the style of that page. A
// plot is a piece of SVG that takes its colours from variables of the page, which
// has others for dark screens.
package figure

import (
	_ "embed"
	"fmt"
	"html"
	"html/template"
	"image/color"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/internal/wording"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

//go:embed page.css
var pageCSS string

// PageCSS is the style of a page: text, tables, plots, on paper and on dark screens.
var PageCSS = template.CSS(pageCSS)

// Size of a plot in points, which are the pixels of a page at its full width. It
// is small, so that its text can be read where the page is narrow.
const (
	Width  = 460
	Height = 250

	textSize = 10
)

// The colours of a plot stand for variables of the page. The five of the curves are
// Okabe and Ito's, which colour-blind people can tell apart; curves also differ in
// their dashes.
var (
	Ink     = color.RGBA{0x11, 0x12, 0x13, 255}
	Faint   = color.RGBA{0xd1, 0xd2, 0xd3, 255}
	Palette = []color.RGBA{{0x00, 0x72, 0xb2, 255}, {0xd5, 0x5e, 0x00, 255}, {0x00, 0x9e, 0x73, 255}, {0xcc, 0x79, 0xa7, 255}, {0xe6, 0x9f, 0x00, 255}}
	Dashes  = [][]vg.Length{nil, {6, 3}, {2, 2}, {8, 3, 2, 3}, {4, 2}}
)

// Faded is a colour through which a curve and other bands can be seen. Its parts
// are rounded up, so that the canvas, which divides by the opacity again and cuts
// off, writes exactly the colour that the page has a variable for.
type Faded color.RGBA

// bandOpacity is the opacity of faded colours, of 0xffff.
const bandOpacity = 0x3030

// RGBA implements color.Color.
func (f Faded) RGBA() (r, g, b, a uint32) {
	part := func(x uint8) uint32 { return (uint32(x)*bandOpacity + 254) / 255 }
	return part(f.R), part(f.G), part(f.B), bandOpacity
}

// New returns an empty plot in the looks of a page, with a grid. unit names the
// vertical axis, from low to high; share says that 1 is written as 100 %.
func New(unit string, share bool, low, high float64) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		sans := font.Font{Typeface: "Liberation", Variant: "Sans", Size: textSize}
		a.Color, a.Width, a.Padding = Ink, 0.8, 4
		a.Label.TextStyle.Font, a.Label.TextStyle.Color, a.Label.Padding = sans, Ink, 3
		a.Tick.Label.Font, a.Tick.Label.Color = sans, Ink
		a.Tick.Color, a.Tick.Width, a.Tick.Length = Ink, 0.8, 4
	}
	p.Y.Label.Text, p.Y.Min, p.Y.Max = unit, low, high
	p.Y.Tick.Marker = plot.TickerFunc(func(low, high float64) []plot.Tick { return ticks(low, high, share) })
	grid := plotter.NewGrid()
	grid.Vertical.Width = 0
	grid.Horizontal.Color, grid.Horizontal.Width = Faint, 0.6
	p.Add(grid)
	return p
}

// ticks are some five marks of a vertical axis.
func ticks(low, high float64, share bool) []plot.Tick {
	return Ticks(low, high, Nice((high-low)/5), func(v float64, digits int) string {
		switch {
		case share:
			return strconv.FormatFloat(100*v, 'f', max(0, digits-2), 64) + " %"
		case digits > 0:
			return strconv.FormatFloat(v, 'f', digits, 64)
		}
		return wording.Grouped(int64(math.Round(v)))
	})
}

// Ticks are marks at the multiples of step. label writes a value with the digits
// behind the point that step has.
func Ticks(low, high, step float64, label func(v float64, digits int) string) []plot.Tick {
	digits := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	var list []plot.Tick
	for k := math.Ceil(low/step - 1e-9); k*step <= high+step*1e-9; k++ {
		v := k*step + 0 // not a negative zero
		list = append(list, plot.Tick{Value: v, Label: strings.Replace(label(v, digits), "-", "−", 1)})
	}
	return list
}

// Nice is the next of 1, 2, 5, 10, … times a power of ten from x on.
func Nice(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, k := range []float64{1, 2, 5} {
		if k*power >= x*(1-1e-9) {
			return k * power
		}
	}
	return 10 * power
}

// fontStyle is what the canvas says of a font but for its size; the page has it.
var fontStyle = regexp.MustCompile(`font-family:[^;]*;font-variant:[^;]*;font-weight:[^;]*;font-style:[^;]*;`)

// Draw makes a plot part of a page, in SVG: without a head of its own, with its
// title and what it shows for those who do not see it, and with the page's colours.
// id is a word, unique in the page.
func Draw(p *plot.Plot, id, title, description string) string {
	canvas := vgsvg.New(Width, Height)
	p.Draw(draw.New(canvas))
	var drawn strings.Builder
	if _, err := canvas.WriteTo(&drawn); err != nil {
		panic("BUG: a builder refuses to be written to: " + err.Error())
	}
	_, body, _ := strings.Cut(drawn.String(), "<svg")
	_, body, _ = strings.Cut(body, ">")
	body = fontStyle.ReplaceAllString(body, "")
	variables := []string{hex(Ink), "var(--ink)", hex(Faint), "var(--grid)"}
	for i, p := range Palette {
		variables = append(variables, hex(p), fmt.Sprintf("var(--c%d)", i+1))
	}
	body = strings.NewReplacer(variables...).Replace(body)
	return fmt.Sprintf(`<svg class="plot" viewBox="0 0 %d %d" role="img" aria-labelledby="%s-t %s-d"><title id="%s-t">%s</title><desc id="%s-d">%s</desc>%s`,
		Width, Height, id, id, id, html.EscapeString(title), id, html.EscapeString(description), body)
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B) }

var (
	styleOf  = regexp.MustCompile(`\s+style="([^"]*)"`)
	property = regexp.MustCompile(`([a-z-]+):([^;]+);?`)
)

// Attributes writes the styles of a drawing's elements as attributes, which mean
// the same where nothing else styles them.
func Attributes(drawn string) string {
	return styleOf.ReplaceAllStringFunc(drawn, func(style string) string {
		return property.ReplaceAllString(styleOf.FindStringSubmatch(style)[1], ` $1="$2"`)
	})
}
