package table

import "github.com/ludozero/ludozero/engine"

// Catalog lists the games and the opponents.
type Catalog struct {
	Games   []Game  `json:"games"`
	Players []Offer `json:"players"`
}

// Game is a family of rulesets.
type Game struct {
	Name    string          `json:"name"`
	Doc     string          `json:"doc"`
	Sides   [2]string       `json:"sides"`
	Presets []engine.Preset `json:"presets"`
	Options []engine.Option `json:"options,omitempty"`
}

// NewCatalog lists the games and the players of the offers.
func NewCatalog(games engine.Families, offers []Offer) *Catalog {
	c := &Catalog{Players: offers}
	for _, f := range games {
		g, err := f.Parse("")
		if err != nil {
			panic("BUG: default rules: " + err.Error())
		}
		c.Games = append(c.Games, Game{f.Name, f.Doc, g.Info().Sides, f.Presets, f.Options})
	}
	return c
}
