package games

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/manual"
)

// TestManuals has the manual of every game under every preset, complete, and the same but for
// what belongs to a ruleset.
func TestManuals(t *testing.T) {
	for _, f := range All() {
		var first []byte
		for _, preset := range f.Presets {
			g, err := f.Parse(preset.Name)
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := g.(manual.Described); !ok {
				t.Errorf("%s has no manual", f.Name)
				continue
			}
			d, err := manual.Describe(f, []engine.Game{g})
			if err != nil {
				t.Error(err)
				continue
			}
			if r := d.Rulesets[0]; r.Options == nil || r.Cells == nil || r.Start == "" || r.Position.Pattern == "" {
				t.Errorf("%s: ruleset %+v lacks something", f.Name, r)
			}
			d.Rulesets = nil
			text, err := json.Marshal(d)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = text
			}
			if !bytes.Equal(text, first) {
				t.Errorf("%s: preset %s has another manual of the family", f.Name, preset.Name)
			}
		}
	}
}
