package engine

import (
	"strconv"
	"strings"
)

// Overlaid is a Pictured state in which more holds on cells than what stands on them:
// who controls them, which pieces are frozen, which belong together.
type Overlaid interface {
	Pictured
	// AppendOverlays appends what holds on cells in this position.
	AppendOverlays(dst []Overlay) []Overlay
}

// OverlayKind says how an Overlay is shown.
type OverlayKind string

// The kinds of overlays.
const (
	// OverlayTint colours cells: areas, such as a territory.
	OverlayTint OverlayKind = "tint"
	// OverlayHatch lays lines over cells, also over tinted ones.
	OverlayHatch OverlayKind = "hatch"
	// OverlayRing goes around what stands on cells.
	OverlayRing OverlayKind = "ring"
	// OverlayLink joins two cells.
	OverlayLink OverlayKind = "link"
)

// Overlay is something that holds on cells. Overlays of one kind and side look alike, so
// they have one name in a position.
type Overlay struct {
	Kind OverlayKind `json:"kind"`
	// Side is whose it is, or NoSide.
	Side Side `json:"side"`
	// Name is for people, without the side: "territory", "frozen", "contested".
	Name string `json:"name"`
	// Cells are indices in Layout.Cells, each once; a link has two.
	Cells []int `json:"cells"`
}

// Words names an overlay with its side.
func (o *Overlay) Words(l *Layout) string {
	if o.Side == NoSide {
		return o.Name
	}
	return l.Sides[o.Side] + ": " + o.Name
}

// mostNamed cells are listed by name; more are counted.
const mostNamed = 20

// CellNames lists the cells of an overlay by name, or says how many there are.
func (o *Overlay) CellNames(l *Layout) string {
	if len(o.Cells) > mostNamed {
		return strconv.Itoa(len(o.Cells)) + " cells"
	}
	names := make([]string, len(o.Cells))
	for i, cell := range o.Cells {
		names[i] = l.Cells[cell].Name
	}
	if o.Kind == OverlayLink {
		return strings.Join(names, "–")
	}
	return strings.Join(names, " ")
}

// Entry is the pieces of a kind that stand beside the board: a side's, or for both sides
// with NoSide.
type Entry struct {
	Side Side `json:"side"`
	Kind int  `json:"kind"`
}
