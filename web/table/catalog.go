package table

import "github.com/ludozero/ludozero/engine"

// Catalog is what can be played and against whom.
type Catalog struct {
	Games   []Game  `json:"games"`
	Players []Offer `json:"players"`
}

// Game is a family of rulesets.
type Game struct {
	Name    string    `json:"name"`
	Doc     string    `json:"doc"`
	Sides   [2]string `json:"sides"`
	Presets []Preset  `json:"presets"`
	Options []Option  `json:"options,omitempty"`
}

// Preset is a named ruleset: the values that differ from the options' defaults.
type Preset struct {
	Name string            `json:"name"`
	Doc  string            `json:"doc"`
	Set  map[string]string `json:"set,omitempty"`
}

// Option may be set over any preset: to one of Values, or, if there are none, to a
// whole number from Min to Max.
type Option struct {
	Name    string   `json:"name"`
	Doc     string   `json:"doc"`
	Default string   `json:"default"`
	Values  []string `json:"values,omitempty"`
	Min     int      `json:"min,omitempty"`
	Max     int      `json:"max,omitempty"`
}

// NewCatalog lists the games and the players of the offers.
func NewCatalog(games engine.Families, offers []Offer) *Catalog {
	c := &Catalog{Players: offers}
	for _, f := range games {
		g := Game{Name: f.Name, Doc: f.Doc, Sides: sides(f)}
		for _, p := range f.Presets {
			g.Presets = append(g.Presets, Preset{Name: p.Name, Doc: p.Doc, Set: p.Set})
		}
		for _, o := range f.Options {
			g.Options = append(g.Options, Option{Name: o.Name, Doc: o.Doc, Default: o.Default, Values: o.Values, Min: o.Min, Max: o.Max})
		}
		c.Games = append(c.Games, g)
	}
	return c
}

// sides are the names of the sides of a family.
func sides(f *engine.Family) [2]string {
	g, err := f.Parse("")
	if err != nil {
		panic("BUG: default rules: " + err.Error())
	}
	return g.Info().Sides
}
