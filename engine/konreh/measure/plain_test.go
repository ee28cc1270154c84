package measure_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
)

// The tests compare with what the rules themselves allow: positions are taken apart
// as text, pieces put elsewhere, and the legal moves asked for by their words.

func game(t testing.TB, rules string) *konreh.Game {
	t.Helper()
	g, err := konreh.Family.Parse(rules)
	if err != nil {
		t.Fatal(err)
	}
	return g.(*konreh.Game)
}

func position(t testing.TB, g *konreh.Game, line string) *konreh.State {
	t.Helper()
	s := g.NewState().(*konreh.State)
	if err := s.ParsePosition(line); err != nil {
		t.Fatal(err)
	}
	return s
}

// life is a Blue state as in the position line.
type life struct {
	specials   string
	r, s, x, c int
	rest       string // from the ban on
}

func parseLife(field string) (l life) {
	parts := strings.SplitN(field, ",", 6)
	l.specials = parts[0]
	for i, n := range []*int{&l.r, &l.s, &l.x, &l.c} {
		fmt.Sscan(parts[1+i][1:], n)
	}
	l.rest = parts[5]
	return l
}

func (l life) String() string {
	return fmt.Sprintf("%s,r%d,s%d,x%d,c%d,%s", l.specials, l.r, l.s, l.x, l.c, l.rest)
}

// lost is the life of a Blue that has been captured.
func (l life) lost() life {
	rest := "n-,h0,k0"
	if i := strings.Index(l.rest, ",e"); i >= 0 {
		rest += l.rest[i:]
	}
	return life{specials: "HD", c: 1, rest: rest}
}

// plain is a position where a turn begins.
type plain struct {
	g     *konreh.Game
	board [64]byte // 0 where nothing stands
	side  int
	lives [2]life
	turn  int
}

func takeApart(s *konreh.State) *plain {
	p := &plain{g: s.Game()}
	f := strings.Fields(string(s.AppendPosition(nil)))
	for i, row := range strings.Split(f[0], "/") {
		a, b := 0, p.g.Size()-1-i
		for _, c := range []byte(row) {
			if c <= '9' {
				a += int(c - '0')
			} else {
				p.board[8*a+b] = c
				a++
			}
		}
	}
	p.side = int(f[1][0] - 'A')
	p.lives = [2]life{parseLife(f[3]), parseLife(f[4])}
	fmt.Sscan(strings.TrimSuffix(f[6], "/s"), &p.turn)
	if !strings.Contains(p.g.Rules(), "no_capture_turns") {
		p.turn += 40 // past the opening double move
	}
	return p
}

// line writes it with side to begin its nth turn from now.
func (p *plain) line(side, nth int) string {
	var b strings.Builder
	for d := p.g.Size() - 1; d >= 0; d-- {
		gap := 0
		for a := range p.g.Size() {
			c := p.board[8*a+d]
			if c == 0 {
				gap++
				continue
			}
			if gap > 0 {
				fmt.Fprint(&b, gap)
				gap = 0
			}
			b.WriteByte(c)
		}
		if gap > 0 {
			fmt.Fprint(&b, gap)
		}
		if d > 0 {
			b.WriteByte('/')
		}
	}
	turn := p.turn + 2*(nth-1)
	if side != p.side {
		turn++
	}
	return fmt.Sprintf("%s %c m %v %v 0 %d", b.String(), 'A'+side, p.lives[0], p.lives[1], turn)
}

// state reads the position back; nil if there is no legal move.
func (p *plain) state(t testing.TB, side, nth int) *konreh.State {
	t.Helper()
	s := p.g.NewState().(*konreh.State)
	if err := s.ParsePosition(p.line(side, nth)); err != nil {
		if strings.Contains(err.Error(), "no legal move") {
			return nil
		}
		t.Fatal(err)
	}
	return s
}

// begin is a copy in which side is about to move: its Rooted mark is eased if it was
// not before.
func (p *plain) begin(side int) *plain {
	c := *p
	if side != p.side {
		c.lives[side].r = max(0, c.lives[side].r-1)
	}
	return &c
}

// of tells whether a piece of side stands on sq.
func (p *plain) of(side, sq int) bool {
	c := p.board[sq]
	return c != 0 && (c >= 'a') == (side == 1)
}

func (p *plain) blueAt(side int) int { return slices.Index(p.board[:], "Bb"[side]) }

func (p *plain) attacked(side, sq int) *plain {
	c := *p
	if !c.of(side, sq) {
		c.board[sq] = "Rr"[side]
	}
	return &c
}

func (p *plain) inCross(sq int) bool {
	stay, _ := p.g.CrossTurns()
	half := p.g.Size() / 2
	a, b := sq>>3, sq&7
	return stay > 0 && (a == half || a == half-1) && (b == half || b == half-1)
}

// mustLeave tells whether the Blue of side has to leave the Cross on its next turn.
func (p *plain) mustLeave(side int) bool {
	stay, _ := p.g.CrossTurns()
	at := p.blueAt(side)
	return at >= 0 && p.inCross(at) && p.lives[side].s == stay && p.lives[side].r == 0
}

// seat is a square as side sees it, and back.
func (p *plain) seat(side, sq int) int {
	if side == 0 {
		return sq
	}
	return 9*(p.g.Size()-1) - sq
}

func name(sq int) string { return fmt.Sprintf("%c%c", 'a'+sq>>3, '1'+sq&7) }

func square(word string) int { return int(word[0]-'a')<<3 | int(word[1]-'1') }

func words(s *konreh.State) (list []string) {
	for _, a := range s.Legal(nil, nil) {
		list = append(list, string(s.AppendAction(nil, a)))
	}
	return list
}

func play(t testing.TB, s *konreh.State, word string) *konreh.State {
	t.Helper()
	a, err := s.ParseAction(word, nil)
	if err != nil {
		t.Fatal(err)
	}
	next := *s
	next.Apply(a, nil)
	return &next
}

// phase reads the phase off a position line.
func phase(s *konreh.State) string { return strings.Fields(string(s.AppendPosition(nil)))[2] }

// brute is the rules of most brute-force tests: all that change how pieces move and
// what Blue may do.
var brute = []string{
	"standard", "letter", "table", "micro", "basic-cf,buyback=true", "standard,cross_stay=2,cross_exclusion=3",
	"standard,contact_capture=true", "standard,balance=single,no_capture_turns=12", "micro,cross_stay=3,seed=true,mobilization=false",
	"standard,green_cap=3,seed_limit=2", "table,slide_special=false",
}

// rare tells whether something came up too seldom for a test to say much; short tests
// are not asked.
func rare(n, want int) bool { return n < want && !testing.Short() }

// sample calls do for positions where a turn begins: from random games, and scattered
// ones with few pieces and counters of all kinds.
func sample(t *testing.T, seed uint64, games, scattered int, do func(s *konreh.State, rng *rand.Rand)) {
	t.Helper()
	if testing.Short() {
		games, scattered = (games+3)/4, (scattered+3)/4
	}
	for i, rules := range brute {
		g, rng := game(t, rules), rand.New(rand.NewPCG(seed, uint64(i)))
		for range games {
			s := g.NewState().(*konreh.State)
			s.Start(nil)
			next := rng.IntN(30)
			for s.Actor() != engine.Nobody && s.Turn() < 200 {
				if s.BeginsTurn() && s.Turn() >= next {
					next = s.Turn() + 20 + rng.IntN(30)
					do(s, rng)
				}
				list := s.Legal(nil, nil)
				s.Apply(list[rng.IntN(len(list))], nil)
			}
		}
		for range scattered {
			do(scatter(t, g, rng), rng)
		}
		if t.Failed() {
			return
		}
	}
}

// scatter is a random position.
func scatter(t testing.TB, g *konreh.Game, rng *rand.Rand) *konreh.State {
	t.Helper()
	stay, exclusion := g.CrossTurns()
	if stay == 0 {
		exclusion = 0
	}
	for {
		p := plain{g: g, side: rng.IntN(2)}
		p.turn = p.side
		if !strings.Contains(g.Rules(), "no_capture_turns") || rng.IntN(2) == 0 {
			p.turn += 148
		}
		put := func(c byte) int {
			for {
				if sq := rng.IntN(g.Size())<<3 | rng.IntN(g.Size()); p.board[sq] == 0 {
					p.board[sq] = c
					return sq
				}
			}
		}
		for side := range 2 {
			l := life{rest: "n-,h1,k0", specials: []string{"HD", "H", "D", "-"}[rng.IntN(4)]}
			if rng.IntN(4) == 0 {
				l.rest = "n-,h0,k0"
			}
			if g.Size() == 8 && rng.IntN(4) == 0 {
				l.rest = "nh1" + l.rest[2:]
			}
			if strings.Contains(g.Rules(), "seed_limit") {
				l.rest += fmt.Sprintf(",e%d", rng.IntN(3))
			}
			for range 1 + rng.IntN(6) {
				put([2]string{"RRROOG", "rrroog"}[side][rng.IntN(6)])
			}
			if rng.IntN(5) == 0 {
				l.c, l.specials = 1+rng.IntN(g.ReforgeTurns()), "HD"
			} else {
				at := put("Bb"[side])
				if rng.IntN(3) == 0 && stay > 0 {
					p.board[at] = 0
					half := g.Size() / 2
					at = (half-rng.IntN(2))<<3 | (half - rng.IntN(2))
					if p.board[at] == "Bb"[1-side] {
						continue
					}
					p.board[at] = "Bb"[side]
				}
				if p.inCross(at) {
					l.s = 1 + rng.IntN(stay)
				} else if exclusion > 0 {
					l.x = rng.IntN(exclusion + 1)
				}
				l.r = rng.IntN(3)
			}
			p.lives[side] = l
		}
		s := g.NewState().(*konreh.State)
		if s.ParsePosition(p.line(p.side, 1)) == nil && p.blueAt(0)+p.blueAt(1) > -2 {
			return s
		}
	}
}

// published are the positions that come with the rules in which a turn begins, about
// one of every.
func published(t *testing.T, every int, do func(s *konreh.State)) {
	t.Helper()
	f, err := os.Open("../testdata/konreh-positions.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<22)
	if testing.Short() {
		every *= 4
	}
	for n := 0; lines.Scan(); n++ {
		var p struct {
			Preset, Pos string
			Options     []string
		}
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		rules := strings.Join(append([]string{p.Preset}, p.Options...), ",")
		if n%every != 0 || strings.Contains(rules, "pie") || rules == "lightning" || strings.Contains(rules, "no_capture_turns") {
			continue
		}
		if s := position(t, game(t, rules), p.Pos); s.BeginsTurn() && s.Actor() != engine.Nobody {
			do(s)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}
