package games

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/manual"
)

// described are the games that programs of others know. One that is being written may follow
// (docs/adding-a-game.md).
var described = []string{"konreh", "connect4", "tictactoe", "diamondchess", "konkvest", "elements", "knaw"}

// TestManuals has the manual of every game that has one, under every preset, complete, and
// the same but for what belongs to a ruleset.
func TestManuals(t *testing.T) {
	for _, f := range All() {
		var first []byte
		for _, preset := range f.Presets {
			g, err := f.Parse(preset.Name)
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := g.(manual.Described); !ok {
				if slices.Contains(described, f.Name) {
					t.Errorf("%s has no manual", f.Name)
				}
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

// TestPackedLayouts reads packed positions of random games by the layouts of the manuals: what
// a position line says too is there, and nothing where they say so.
func TestPackedLayouts(t *testing.T) {
	counters := []string{"turn", "quiet", "seen", "ply", "passes", "slot", "drafts", "strikes", "carried"}
	same := map[string]int{} // how many of them, of all games
	for _, f := range All() {
		for _, preset := range f.Presets {
			g, err := f.Parse(preset.Name)
			if err != nil {
				t.Fatal(err)
			}
			known, ok := g.(manual.Described)
			if !ok {
				continue
			}
			m := known.Manual()
			line := regexp.MustCompile("^" + m.Position.Pattern + "$")
			rng := rand.New(rand.NewPCG(5, 6))
			s, h, scratch := g.NewState(), g.NewHistory(), new([]engine.Weighted)
			s.Start(h)
			for range 200 {
				text := string(s.AppendPosition(nil))
				groups := line.FindStringSubmatch(text)
				if groups == nil {
					t.Fatalf("%s: %s does not fit %s", f.Name, text, line)
				}
				packed := unpack(m.Packed, s.Pack(nil))
				for name, numbers := range packed {
					i := slices.IndexFunc(m.Position.Fields, func(f manual.Field) bool { return f.Name == name })
					want, err := 0, error(nil)
					switch {
					case name == "rest":
					case name == "side":
						want = slices.Index(g.Info().Sides[:], g.Info().Sides[s.Side()])
					case !slices.Contains(counters, name):
						continue
					default:
						if want, err = strconv.Atoi("0" + groups[1+i]); err != nil {
							t.Fatal(err)
						}
						if f.Name == "diamondchess" && name == "quiet" && packed["quiet"][0] > 0 {
							want++ // as its sentence says
						}
						same[name]++
					}
					for _, x := range numbers {
						if x != uint64(want) {
							t.Errorf("%s: %s: %s is packed as %d, want %d", f.Name, text, name, x, want)
						}
					}
				}
				legal := engine.AppendPossible(nil, scratch, s, h)
				if len(legal) == 0 {
					break
				}
				s.Apply(legal[rng.IntN(len(legal))], h)
			}
		}
	}
	for _, name := range counters {
		if same[name] < 100 {
			t.Errorf("%s was compared %d times only: %v", name, same[name], same)
		}
	}
}

// unpack reads the numbers of each name.
func unpack(layout []manual.Bits, data []byte) map[string][]uint64 {
	numbers, at := map[string][]uint64{}, 0
	for _, b := range layout {
		for range b.Count {
			x := uint64(0)
			for i := range b.Bits {
				x |= uint64(data[(at+i)/8]>>((at+i)%8)&1) << (i & 63)
			}
			numbers[b.Name] = append(numbers[b.Name], x)
			at += b.Bits
		}
	}
	return numbers
}
