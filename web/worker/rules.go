package worker

import (
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/manual"
	"github.com/ludozero/ludozero/engine/query"
)

// Playable is a game as programs choose it.
type Playable struct {
	Name    string          `json:"name"`
	Doc     string          `json:"doc"`
	Presets []engine.Preset `json:"presets"`
	Options []engine.Option `json:"options"`
	// Networks are the names of those that play it.
	Networks []string `json:"networks"`
}

// playables lists the games.
func (w *Worker) playables() (list []Playable) {
	for _, f := range w.games {
		p := Playable{Name: f.Name, Doc: f.Doc, Presets: f.Presets, Options: f.Options, Networks: []string{}}
		for i := range w.site.Networks {
			if n := &w.site.Networks[i]; n.Card.Game == f.Name {
				p.Networks = append(p.Networks, n.Name)
			}
		}
		list = append(list, p)
	}
	return list
}

// describe writes the game file of one ruleset.
func (w *Worker) describe(q query.Question) (*manual.Document, error) {
	g, _, _, err := q.SetUp(w.games)
	if err != nil {
		return nil, err
	}
	family, err := w.games.ByName(q.Game)
	if err != nil {
		return nil, err
	}
	return manual.Describe(family, []engine.Game{g})
}

// position says what the rules say of a position, encode also what a network is shown.
func (w *Worker) position(q query.Question) (*query.Position, error) {
	g, s, h, err := q.SetUp(w.games)
	if err != nil {
		return nil, err
	}
	return new(query.Scratch).Of(g, s, h), nil
}

func (w *Worker) encode(q query.Question) (*query.Encoding, error) {
	g, s, h, err := q.SetUp(w.games)
	if err != nil {
		return nil, err
	}
	return new(query.Scratch).Encode(g, s, h), nil
}
