package school

import (
	"fmt"
	"math/bits"

	"github.com/ludozero/ludozero/engine/konreh"
	"go.yaml.in/yaml/v3"
)

// maxLine bounds lines: pieces are seldom left alone for longer.
const maxLine = 12

// setUp is the pieces of a side by kind at the start, from its seat.
var setUp = func() [4]uint64 {
	g, err := konreh.Family.Parse("")
	if err != nil {
		panic("BUG: " + err.Error())
	}
	s := g.NewState().(*konreh.State)
	s.Start(nil)
	return s.Army(0)
}()

func (r *reader) opening(n *yaml.Node, key string) (o Opening) {
	r.section(n, key, map[string]func(*yaml.Node, string){
		"by": func(n *yaml.Node, key string) { o.By = r.number(n, key, maxBonus) },
		"lines": func(n *yaml.Node, key string) {
			r.list(n, key, func(n *yaml.Node, key string) { o.Lines = append(o.Lines, r.line(n, key)) })
		},
	}, "by", "lines")
	return o
}

// line reads the moves of a line up to the first that is wrong.
func (r *reader) line(n *yaml.Node, key string) (line []string) {
	army, wrong := setUp, false
	r.list(n, key, func(n *yaml.Node, key string) {
		if wrong {
			return
		}
		if len(line) == maxLine {
			wrong = true
			r.fail(n, key, "want at most %d moves in a line", maxLine)
			return
		}
		if err := march(&army, n); err != nil {
			wrong = true
			r.fail(n, key, "%s: %w", shown(n), err)
			return
		}
		line = append(line, n.Value)
	})
	return line
}

// march makes a slide of a line, such as d1f1, with nobody else on the board.
func march(army *[4]uint64, n *yaml.Node) error {
	from, to, ok := slide(n.Value)
	if n.Kind != yaml.ScalarNode || !ok {
		return fmt.Errorf("want a slide from square to square, such as d1f1, as side A")
	}
	kind := -1
	for k, pieces := range army {
		if pieces>>from&1 != 0 {
			kind = k
		}
	}
	if kind < 0 {
		return fmt.Errorf("no piece of the line stands on %s", konreh.SquareName(from))
	}
	da, db := to>>3-from>>3, to&7-from&7
	onward := kind + 2
	homeward := kind + 1
	switch steps := da + db; {
	case da != 0 && db != 0 || steps == 0:
		return fmt.Errorf("it follows no lane")
	case steps > 0 && steps != onward:
		return fmt.Errorf("the piece slides exactly %d squares onward", onward)
	case -steps > homeward:
		return fmt.Errorf("the piece slides at most %d squares homeward", homeward)
	}
	step := 8*sign(da) + sign(db)
	for at := from; at != to; {
		if at += step; all(army)>>at&1 != 0 {
			return fmt.Errorf("a piece of the line is in its way on %s", konreh.SquareName(at))
		}
	}
	army[kind] = army[kind]&^(1<<from) | 1<<to
	return nil
}

func sign(n int) int { return min(1, max(-1, n)) }

// slide is the squares of a word such as d1f1.
func slide(word string) (from, to int, ok bool) {
	if len(word) != 4 {
		return 0, 0, false
	}
	var at [4]int
	for i := range at {
		if at[i] = int(word[i]) - int("a1"[i%2]); at[i] < 0 || at[i] > 7 {
			return 0, 0, false
		}
	}
	return 8*at[0] + at[1], 8*at[2] + at[3], true
}

// marches are the positions of own pieces that lines lead from, with those that they
// lead to, in both mirrored forms.
func (o *Opening) marches() map[[4]uint64][][4]uint64 {
	m := map[[4]uint64][][4]uint64{}
	for _, line := range o.Lines {
		army := setUp
		for _, word := range line {
			was := army
			if err := march(&army, &yaml.Node{Kind: yaml.ScalarNode, Value: word}); err != nil {
				panic("BUG: a line that was read: " + err.Error())
			}
			m[was] = append(m[was], army)
			m[mirrored(was)] = append(m[mirrored(was)], mirrored(army))
		}
	}
	return m
}

// mirrored returns the pieces with letters and digits of their squares swapped.
func mirrored(army [4]uint64) (m [4]uint64) {
	for k, on := range army {
		for ; on != 0; on &= on - 1 {
			sq := squareOf(on)
			m[k] |= 1 << (sq&7<<3 | sq>>3)
		}
	}
	return m
}

// squareOf is the first square of a set.
func squareOf(b uint64) int { return bits.TrailingZeros64(b) & 63 }
