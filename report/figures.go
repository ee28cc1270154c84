package report

import "github.com/ludozero/ludozero/report/figure"

// Figure is a chart of the report for a page with a layout of its own.
type Figure struct {
	// Section is the heading it stands under, ID a word that is unique in a report
	// and the same in the next one.
	Section string `json:"section"`
	ID      string `json:"id"`
	Title   string `json:"title"`
	About   string `json:"about,omitempty"` // how to read it
	// SVG is the picture. Its colours are variables of the page, as in
	// figure.PageCSS; it has attributes instead of styles, which the security policy
	// of a page may forbid.
	SVG string `json:"svg"`
	// Head and Rows are the table of its numbers; empty if it is not over the run.
	Head []string   `json:"head,omitempty"`
	Rows [][]string `json:"rows,omitempty"`
}

// Figures are the charts that WriteHTML shows, in the same order.
func (r *Report) Figures() []Figure {
	list := []Figure{}
	for _, s := range r.sections() {
		for i := range s.Charts {
			c := &s.Charts[i]
			t := c.Numbers()
			list = append(list, Figure{s.Title, c.ID, c.Title, c.About, figure.Attributes(c.svg()), t.Head, t.Rows})
		}
	}
	return list
}

// EloText writes the rating of the newest network that was measured, empty if
// there is none.
func (r *Report) EloText() string {
	if r.Strength == nil || r.Strength.Elo == nil || len(r.Strength.Elo.Networks) == 0 {
		return ""
	}
	c := r.Strength.Elo
	return eloText(c.Networks[len(c.Networks)-1].Elo) + " relative to " + c.Anchor
}
