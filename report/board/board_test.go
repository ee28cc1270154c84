package board

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/games"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// after plays words from a position line, "" for the start, and pictures the
// position with the marks of the last so many words.
func after(t *testing.T, game, rules, line, words string, marks int) *engine.Picture {
	t.Helper()
	f, err := games.All().ByName(game)
	if err != nil {
		t.Fatal(err)
	}
	g, err := f.Parse(rules)
	if err != nil {
		t.Fatal(err)
	}
	s, before := g.NewState(), g.NewState()
	if line != "" {
		if err := s.ParsePosition(line); err != nil {
			t.Fatal(err)
		}
	}
	var list []engine.Mark
	fields := strings.Fields(words)
	for i, w := range fields {
		a, err := s.ParseAction(w, nil)
		if err != nil {
			t.Fatal(err)
		}
		before.CopyFrom(s)
		s.Apply(a, nil)
		if i >= len(fields)-marks {
			list = before.(engine.Pictured).AppendMarks(list, a, s)
		}
	}
	p, ok := engine.PictureOf(g, s)
	if !ok {
		t.Fatalf("%s has no picture", game)
	}
	p.Marks = list
	return p
}

const (
	fresh  = " HD,r0,s0,x0,c0,n-,h1,k0"
	middle = "7b/2B3r1/2r2g2/3Go3/2rR1o2/1R4r1/O6r/4R3 A m HD,r0,s0,x1,c0,nh1,h1,k0 D,r1,s0,x0,c0,n-,h1,k0 7 40"
)

// goldens have among them every kind of mark, tags on the board and beside it,
// boards with and without free corners, and ends.
var goldens = []struct {
	name                     string
	game, rules, line, words string
	marks                    int
}{
	{"konreh-start", "konreh", "standard", "", "", 0},
	{"konreh-hop", "konreh", "standard", middle, "c7^c5", 1},
	{"konreh-seed", "konreh", "standard", "7b/8/3r4/8/2G5/8/8/2B5 A m" + fresh + fresh + " 3 10", "c1h1 seed", 2},
	{"konreh-reforge", "konreh", "standard", "8/8/6R1/8/8/1G4b1/R7/8 A m HD,r0,s0,x0,c5,n-,h0,k0" + fresh + " 0 10", "", 0},
	{"konreh-plant", "konreh", "standard", "8/8/7R/8/8/1G4b1/R7/8 A m HD,r0,s0,x0,c5,n-,h0,k0" + fresh + " 0 10", "h6h8 apex -b3", 3},
	{"konreh-over", "konreh", "standard", "8/8/4R3/8/8/3r4/8/7b A over:reforge HD,r0,s0,x0,c0,n-,h0,k0 -,r0,s0,x2,c0,n-,h1,k0 0 8", "", 0},
	{"konreh-micro", "konreh", "micro", "", "a3c3", 1},
	{"connect4-four", "connect4", "", "", "4 3 4 3 4 3 4", 1},
	{"tictactoe-middle", "tictactoe", "", "", "b2 a1", 1},
}

// maxBytes is what a picture may weigh, its style included.
const maxBytes = 10_000

func TestGoldenPictures(t *testing.T) {
	for _, c := range goldens {
		svg := SVG(after(t, c.game, c.rules, c.line, c.words, c.marks), Options{})
		if len(svg) > maxBytes {
			t.Errorf("%s: %d bytes, want at most %d", c.name, len(svg), maxBytes)
		}
		golden(t, c.name, svg)
	}
}

// golden compares a picture with its file.
func golden(t *testing.T, name string, svg []byte) {
	t.Helper()
	path := filepath.Join("testdata", name+".svg")
	if *update {
		if err := os.WriteFile(path, svg, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(svg, want) {
		t.Errorf("%s is not the golden file: look at the new one, then run with -update", name)
	}
}

// element is an element of a picture with the text in it.
type element struct {
	name, text string
	attr       map[string]string
}

// elements reads a picture as XML and reports what is not well-formed.
func elements(svg []byte) (list []element, err error) {
	d := xml.NewDecoder(bytes.NewReader(svg))
	var open []int // the elements that are open
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		switch x := tok.(type) {
		case xml.StartElement:
			e := element{name: x.Name.Local, attr: map[string]string{}}
			for _, a := range x.Attr {
				e.attr[a.Name.Local] = a.Value
			}
			list, open = append(list, e), append(open, len(list))
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				list[open[len(open)-1]].text += string(x)
			}
		}
	}
}

// TestPicturesStandInAPage: well-formed, with a text for who does not see it,
// no ids that would clash and nothing from outside.
func TestPicturesStandInAPage(t *testing.T) {
	for _, c := range goldens {
		p := after(t, c.game, c.rules, c.line, c.words, c.marks)
		for _, o := range []Options{{}, {NoStyle: true}, {UnitPixels: 17.3}} {
			svg := SVG(p, o)
			list, err := elements(svg)
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			if list[0].name != "svg" || list[1].name != "title" || list[2].name != "desc" || list[1].text != Title(p) || list[2].text != Describe(p) {
				t.Errorf("%s begins with %+v", c.name, list[:3])
			}
			styled := false
			for _, e := range list {
				styled = styled || e.name == "style"
				if e.attr["id"] != "" || e.attr["href"] != "" || e.name == "script" || strings.Contains(e.attr["fill"], "url") {
					t.Errorf("%s: %+v", c.name, e)
				}
			}
			if styled == o.NoStyle {
				t.Errorf("%s, %+v: style %v", c.name, o, styled)
			}
			if strings.Contains(string(svg), "NaN") || strings.Contains(string(svg), "%!") {
				t.Errorf("%s: %s", c.name, svg)
			}
		}
	}
}

// TestTextsAreEscaped puts what XML reads otherwise into every text.
func TestTextsAreEscaped(t *testing.T) {
	p := after(t, "tictactoe", "", "", "b2", 0)
	l := *p.Layout
	l.Labels = []engine.Label{{Text: `<&">`}}
	l.Sides = [2]string{"<x>", "&o"}
	p.Layout, p.Game, p.Asked = &l, "a<b", `"<c>"&`
	p.Pieces[0].Tags = []engine.Tag{{Short: "<", Text: "&&"}}
	list, err := elements(SVG(p, Options{}))
	if err != nil {
		t.Fatal(err)
	}
	if list[1].text != `a<b, turn 2, &o: "<c>"&` || !strings.Contains(list[2].text, "&&") {
		t.Errorf("title %q, description %q", list[1].text, list[2].text)
	}
}

// TestPictureEqualsPosition reads the letters of drawn pieces of random
// positions back and holds them to the state's own pieces.
func TestPictureEqualsPosition(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	seen := 0
	for _, c := range []struct {
		game, rules string
		games       int
	}{{"konreh", "standard", 4}, {"konreh", "micro", 8}, {"connect4", "", 30}, {"tictactoe", "", 60}} {
		f, err := games.All().ByName(c.game)
		if err != nil {
			t.Fatal(err)
		}
		g, err := f.Parse(c.rules)
		if err != nil {
			t.Fatal(err)
		}
		for range c.games {
			s, h := g.NewState(), g.NewHistory()
			for s.Start(h); ; seen++ {
				p, _ := engine.PictureOf(g, s)
				if err := compare(p); err != nil {
					t.Fatalf("%s: %v", s.AppendPosition(nil), err)
				}
				if s.Outcome().Over {
					break
				}
				legal := s.Legal(nil, h)
				s.Apply(legal[rng.IntN(len(legal))], h)
			}
		}
	}
	if seen < 2000 {
		t.Errorf("%d positions, want thousands", seen)
	}
}

// compare reads pictures of p back, size and letters.
func compare(p *engine.Picture) error {
	for _, o := range []Options{{}, {Flipped: true}, {Bare: true}, {Bare: true, Flipped: true}} {
		if err := compareDrawn(p, o); err != nil {
			return fmt.Errorf("%+v: %w", o, err)
		}
	}
	return nil
}

func compareDrawn(p *engine.Picture, o Options) error {
	svg := SVG(p, o)
	if len(svg) > maxBytes {
		return fmt.Errorf("%d bytes", len(svg))
	}
	list, err := elements(svg)
	if err != nil {
		return err
	}
	shown, from, bottom := p, engine.Point{}, engine.Side(0)
	if o.Flipped {
		shown, bottom = flip(p), 1
	}
	if !o.Bare {
		from = newFrame(shown, bottom).min
	}
	got := map[string]string{}
	for _, e := range list {
		if e.name != "text" || len(e.text) != 1 {
			continue
		}
		x, err := strconv.ParseFloat(e.attr["x"], 64)
		y, err2 := strconv.ParseFloat(e.attr["y"], 64)
		if err != nil || err2 != nil {
			return fmt.Errorf("%+v: %w", e, errors.Join(err, err2))
		}
		x, y = x/DefaultUnitPixels+from.X, y/DefaultUnitPixels+from.Y-.2 // less the height of a letter's middle
		for _, cell := range shown.Layout.Cells {
			if math.Hypot(cell.Center.X-x, cell.Center.Y-y) < .25 && p.Layout.Zones[cell.Zone].Sign != e.text {
				got[cell.Name] += e.text
			}
		}
	}
	want := map[string]string{}
	for _, x := range p.Pieces {
		if x.Cell >= 0 {
			want[p.Layout.Cells[x.Cell].Name] += p.Layout.Kinds[x.Kind].Letters[x.Side]
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		return fmt.Errorf("drawn are %v, want %v", got, want)
	}
	return nil
}

// TestPools has what stands beside the board, drawn and said.
func TestPools(t *testing.T) {
	p := after(t, "konreh", "standard", "8/8/6R1/8/8/1G4b1/R7/8 A m HD,r0,s0,x0,c5,n-,h0,k0"+fresh+" 0 10", "", 0)
	pools := Pools(p)
	if len(pools) != 1 || pools[0].Side != 0 || pools[0].Place != "beside the board" || len(pools[0].Entries) != 1 || !strings.HasPrefix(pools[0].Entries[0].Text, "Blue, ") {
		t.Fatalf("%+v", pools)
	}
	for _, drawn := range []string{pools[0].Entries[0].Drawn, Disc(p, 0), Disc(p, 1)} {
		if list, err := elements([]byte(drawn)); err != nil || list[0].attr["aria-hidden"] != "true" {
			t.Errorf("%v: %s", err, drawn)
		}
	}
}

// TestPageCanMovePieces: the elements of each piece of a bare board name its cell, those
// of other pictures do not.
func TestPageCanMovePieces(t *testing.T) {
	p := after(t, "konreh", "standard", "", "d1f1", 1)
	bare := string(SVG(p, Options{Bare: true}))
	for _, x := range p.Pieces {
		if want := fmt.Sprintf(`data-on="%d"`, x.Cell); strings.Count(bare, "<path "+want) != 1 || strings.Count(bare, "<g "+want) < 1 {
			t.Errorf("piece on cell %d: no %s", x.Cell, want)
		}
	}
	if strings.Contains(string(SVG(p, Options{})), "data-on") {
		t.Error("a picture for documents names cells")
	}
}
