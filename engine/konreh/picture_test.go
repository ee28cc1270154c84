package konreh

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
)

// drawnByPicture is the board field of the position line as the picture has it.
func drawnByPicture(s *State) string {
	l := s.Layout()
	at := map[string]string{}
	for _, p := range s.AppendPieces(nil) {
		if p.Cell >= 0 {
			at[l.Cells[p.Cell].Name] += l.Kinds[p.Kind].Letters[p.Side]
		}
	}
	var rows []string
	for b := s.game.geo.size - 1; b >= 0; b-- {
		row := ""
		for a := range s.game.geo.size {
			name := string(appendSquare(nil, uint8(8*a+b)))
			if at[name] == "" {
				at[name] = "1"
			}
			row += at[name]
		}
		rows = append(rows, row)
	}
	line := strings.Join(rows, "/")
	for n := 8; n > 1; n-- {
		line = strings.ReplaceAll(line, strings.Repeat("1", n), string(rune('0'+n)))
	}
	return line
}

// drawnByPlace reads the picture from the top, row by row from the left, as
// Board draws it: the letters and signs without the names at the ends.
func drawnByPlace(s *State) (rows []string) {
	l := s.Layout()
	order := make([]int, len(l.Cells))
	signs := make([]string, len(l.Cells))
	for i, c := range l.Cells {
		order[i] = i
		if signs[i] = l.Zones[c.Zone].Sign; signs[i] == "" {
			signs[i] = "."
		}
	}
	for _, p := range s.AppendPieces(nil) {
		if p.Cell >= 0 {
			signs[p.Cell] = l.Kinds[p.Kind].Letters[p.Side]
		}
	}
	slices.SortFunc(order, func(i, j int) int {
		p, q := l.Cells[i].Center, l.Cells[j].Center
		if p.Y != q.Y {
			return int(10*p.Y) - int(10*q.Y)
		}
		return int(10*p.X) - int(10*q.X)
	})
	y := -1.0
	for _, i := range order {
		if at := l.Cells[i].Center.Y; at != y {
			y = at
			rows = append(rows, "")
		}
		rows[len(rows)-1] += signs[i]
	}
	return rows
}

// TestPictureIsThePosition plays games under several rules and compares the
// picture of each position with its line and with Board.
func TestPictureIsThePosition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	seen := 0
	for _, rules := range []string{"standard", "micro", "table,buyback=true", "standard,cross_stay=0,balance=pie-double"} {
		g, err := Family.Parse(rules)
		if err != nil {
			t.Fatal(err)
		}
		for range 6 {
			s, h := g.NewState().(*State), g.NewHistory()
			for s.Start(h); !s.Outcome().Over; seen++ {
				line, _, _ := strings.Cut(string(s.AppendPosition(nil)), " ")
				if got := drawnByPicture(s); got != line {
					t.Fatalf("%s: the picture shows %s", s.AppendPosition(nil), got)
				}
				var rows []string
				for _, row := range strings.Split(s.Board(false), "\n")[:2*s.game.geo.size-1] {
					f := strings.Fields(row)
					rows = append(rows, strings.Join(f[1:len(f)-1], ""))
				}
				if got := drawnByPlace(s); !slices.Equal(got, rows) {
					t.Fatalf("%s: the picture is\n%s\nthe board\n%s", s.AppendPosition(nil), strings.Join(got, "\n"), strings.Join(rows, "\n"))
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

// TestPicturesOfAllPhases looks at the positions of the rules page's reference
// implementation, which have every preset, phase and end: the picture is the
// position, and what a move changes is marked.
func TestPicturesOfAllPhases(t *testing.T) {
	type position struct {
		Preset, Pos string
		Options     []string
	}
	phases := map[phase]bool{}
	for _, p := range readLines[position](t, "testdata/konreh-positions.jsonl.gz") {
		g := mustGame(t, strings.Join(append([]string{p.Preset}, p.Options...), ","))
		s := mustPosition(t, g, p.Pos)
		phases[s.phase] = true
		l := s.Layout()
		before := standing(s)
		for _, a := range s.Legal(nil, nil) {
			after := *s
			after.Apply(a, nil)
			phases[after.phase] = true
			if line, _, _ := strings.Cut(after.line(), " "); drawnByPicture(&after) != line {
				t.Fatalf("the picture of %s is %s", after.line(), drawnByPicture(&after))
			}
			marked := map[int]bool{}
			for _, m := range s.AppendMarks(nil, a, &after) {
				for _, c := range m.Cells {
					marked[c] = true
				}
			}
			now := standing(&after)
			for c := range l.Cells {
				if before[c] != now[c] && !marked[c] {
					t.Errorf("%s: %s changes %s without a mark", p.Pos, s.AppendAction(nil, a), l.Cells[c].Name)
				}
			}
		}
	}
	for p := range numPhases {
		if !phases[p] && p != phaseBuyStep { // TestMarksOfEveryKindOfMove has that one
			t.Errorf("no position of phase %q", phaseWords[p])
		}
	}
}

// standing is the kind and side on each cell.
func standing(s *State) map[int][2]int {
	on := map[int][2]int{}
	for _, p := range s.AppendPieces(nil) {
		on[p.Cell] = [2]int{1 + p.Kind, int(p.Side)}
	}
	return on
}

// TestMarksOfEveryKindOfMove has the marks as words, "move e5 c5".
func TestMarksOfEveryKindOfMove(t *testing.T) {
	const fresh = " HD,r0,s0,x0,c0,n-,h1,k0"
	for _, c := range []struct{ line, move, want string }{
		{"4rrob/5rgo/6rr/7r/R7/RR6/OGR5/BORR4 A m HD,r0,s0,x0,c0,n-,h0,k0 HD,r0,s0,x0,c0,n-,h0,k0 0 0", "d1f1", "move d1 f1"},
		{"7b/8/3r4/8/3R4/8/8/B7 B m" + fresh + fresh + " 0 9", "d6d4", "move d6 d4, remove d4"},
		{"7b/2B5/2r5/8/8/8/8/8 A m" + fresh + fresh + " 0 8", "c7*c6", "move c7 c6, remove c6"},
		{"7b/2B5/2r5/8/8/8/8/8 A m" + fresh + fresh + " 0 8", "c7^c5", "move c7 c5, remove c6"},
		{"7b/8/8/8/8/8/8/7B A sh1" + fresh + fresh + " 0 8", "seed", "place a8"},
		{"7b/8/8/8/8/8/8/7B A sh1" + fresh + fresh + " 0 8", "noseed", ""},
		{"5R2/7b/8/8/8/8/8/8 A m HD,r0,s0,x0,c3,n-,h0,k0" + fresh + " 0 8", "f8h8", "move f8 h8, remove h8"},
		{"8/7b/8/8/8/8/8/8 A pR HD,r0,s0,x0,c3,n-,h0,k0" + fresh + " 0+ 8", "left", "place h1"},
		{"8/7b/8/8/8/8/8/2G5 A g HD,r0,s0,x0,c3,n-,h0,k0" + fresh + " 0+ 8", "-c1", "remove c1, place h8"},
		{"7b/8/8/8/8/1G6/8/B7 A bD H,r0,s0,x0,c0,n-,h0,k0" + fresh + " 0 10", "-b3", "remove b3"},
	} {
		g, err := Family.Parse("standard,buyback=true")
		if err != nil {
			t.Fatal(err)
		}
		s := g.NewState().(*State)
		if err := s.ParsePosition(c.line); err != nil {
			t.Errorf("%s: %v", c.line, err)
			continue
		}
		a, err := s.ParseAction(c.move, nil)
		if err != nil {
			t.Errorf("%s: %v", c.line, err)
			continue
		}
		after := g.NewState()
		after.CopyFrom(s)
		after.Apply(a, nil)
		var words []string
		for _, m := range s.AppendMarks(nil, a, after) {
			word := string(m.Kind)
			for _, cell := range m.Cells {
				word += " " + s.Layout().Cells[cell].Name
			}
			words = append(words, word)
		}
		if got := strings.Join(words, ", "); got != c.want {
			t.Errorf("%s: %s: marks %q, want %q", c.line, c.move, got, c.want)
		}
	}
}

// TestPictureReadsBack writes a picture as JSON and reads it.
func TestPictureReadsBack(t *testing.T) {
	g, err := Family.Parse("standard")
	if err != nil {
		t.Fatal(err)
	}
	s := g.NewState()
	if err := s.ParsePosition("8/8/8/8/8/3R4/8/B7 A m -,r0,s0,x2,c0,n-,h1,k0 HD,r0,s0,x0,c3,n-,h0,k0 0 8"); err != nil {
		t.Fatal(err)
	}
	p, ok := engine.PictureOf(g, s)
	if !ok {
		t.Fatal("no picture")
	}
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var got engine.Picture
	if err := json.Unmarshal(text, &got); err != nil || !reflect.DeepEqual(&got, p) {
		t.Errorf("%v: got %+v, want %+v", err, got, p)
	}
	last := p.Pieces[len(p.Pieces)-1]
	want := engine.Piece{Cell: -1, Kind: int(blue), Side: sideB, Count: 1, Tags: []engine.Tag{{Short: "c3", Text: "Reforge: 3 of 5 own turns left to plant"}}}
	if len(p.Pieces) != 3 || !reflect.DeepEqual(last, want) || p.Mover != sideA || p.Actor != "first" || p.End != nil || len(p.Status) != 3 {
		t.Errorf("picture %+v, want beside the board %+v", p, want)
	}
}
