package serve

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/report/board"
	"github.com/ludozero/ludozero/web/client"
)

// keptInDark are the colours of pieces, which differ by light and dark on every board.
var keptInDark = strings.Fields("#ffffff #2a2a2a #ffdcd6 #b3202a #8c0f18 #ffe2b0 #b05a00 #8a4600 #fff3c0 #f0c020 #8a6a00 #c9f0da #12805c #0a5a3f #cfe3fb #1f5fa8 #123f78 #ead8f8 #7a3ca8 #52217a #ecdccb #7d4a1e #543010 #b0b0b0 #fff currentColor none")

// TestBoardsHaveADarkForm: board.css gives every colour of a board but those of the
// pieces another one in the dark.
func TestBoardsHaveADarkForm(t *testing.T) {
	style, err := fs.ReadFile(client.Files(), "board.css")
	if err != nil {
		t.Fatal(err)
	}
	color := regexp.MustCompile(`(fill|stroke)="([^"]+)"`)
	cells := regexp.MustCompile(`fill="([^"]+)" stroke="#4c4028"`)
	for _, f := range games.All() {
		g, err := f.Parse("")
		if err != nil {
			t.Fatal(err)
		}
		s, h := g.NewState(), g.NewHistory()
		s.Start(h)
		for range 6 { // marks of moves too
			if s.Actor() > engine.Second || s.Outcome().Over {
				break
			}
			before := g.NewState()
			before.CopyFrom(s)
			a := s.Legal(nil, h)[0]
			s.Apply(a, h)
			p, ok := engine.PictureOf(g, s)
			if !ok {
				t.Fatalf("%s has no board", f.Name)
			}
			p.Mark(before, a, s)
			svg := string(board.SVG(p, board.Options{NoStyle: true, Bare: true}))
			for _, m := range cells.FindAllStringSubmatch(svg, -1) {
				if !strings.Contains(string(style), `[fill="`+m[1]+`"]`) {
					t.Fatalf("%s: board.css has no dark form of cells in %s", f.Name, m[1])
				}
			}
			for _, m := range color.FindAllStringSubmatch(svg, -1) {
				known := strings.Contains(string(style), "["+m[1]+`="`+m[2]+`"]`)
				for _, x := range keptInDark {
					known = known || x == m[2] && (m[1] == "fill" || x != "#2a2a2a" && x != "#fff")
				}
				if !known {
					t.Fatalf("%s: board.css has no dark %s for %s", f.Name, m[1], m[2])
				}
			}
		}
	}
}
