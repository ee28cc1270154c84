package measure_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/konreh/measure"
)

// withBlue is p with side's Blue on sq, free to move, with whatever stood there gone.
func (p *plain) withBlue(side, sq int) *plain {
	c := *p
	if at := c.blueAt(side); at >= 0 {
		c.board[at] = 0
	}
	if c.board[sq] == "Bb"[1-side] {
		c.lives[1-side] = c.lives[1-side].lost()
	}
	c.board[sq] = "Bb"[side]
	l := life{specials: "HD", rest: c.lives[side].rest}
	if c.inCross(sq) {
		l.s = 1
	}
	c.lives[side] = l
	return &c
}

// exits are the words of Blue's slides out of the Cross from sq with side to move.
func (p *plain) exits(t testing.TB, side, sq int) (list []string) {
	s := p.state(t, side, 1)
	if s == nil {
		return nil
	}
	for _, w := range words(s) {
		if len(w) == 4 && strings.HasPrefix(w, name(sq)) && !p.inCross(square(w[2:])) {
			list = append(list, w)
		}
	}
	return list
}

// moves are the positions after one move of side that leaves the Blue on keep alone,
// the turn's other decisions declined and a runner on the Apex left there.
func (p *plain) moves(t testing.TB, side, nth, keep int) (list []*plain) {
	s := p.state(t, side, nth)
	if s == nil {
		return nil
	}
	var finish func(s *konreh.State, w string)
	finish = func(s *konreh.State, w string) {
		if strings.HasPrefix(w, "buy") {
			return
		}
		n := play(t, s, w)
		after := takeApart(n)
		after.g, after.side, after.turn = p.g, p.side, p.turn
		switch ph := phase(n); ph[0] {
		case 's':
			finish(n, "noseed")
			return
		case 'f':
			for _, w := range words(n) {
				finish(n, w)
			}
			return
		case 'p':
			after.board[p.seat(1-side, 0)] = ph[1] | byte(side)<<5
			after.lives[side].c = p.lives[side].c
		}
		if !after.of(1-side, keep) {
			return
		}
		after.lives[side].c = p.lives[side].c // no countdown runs out
		after.lives[1-side] = p.lives[1-side]
		list = append(list, after)
	}
	for _, w := range words(s) {
		finish(s, w)
	}
	return list
}

// bruteXS tries all pairs of moves.
func (p *plain) bruteXS(t testing.TB, side, sq int) int {
	opp := 1 - side
	c := p.begin(opp).withBlue(side, sq)
	open := c.exits(t, side, sq)
	check := func(after *plain) {
		now := after.exits(t, side, sq)
		open = slices.DeleteFunc(open, func(w string) bool { return !slices.Contains(now, w) })
	}
	for _, one := range c.moves(t, opp, 1, sq) {
		check(one)
		one.lives[opp].r = max(0, one.lives[opp].r-1)
		if len(open) == 0 {
			break
		}
		for _, two := range one.moves(t, opp, 2, sq) {
			check(two)
		}
	}
	return len(open)
}

// TestXSAgainstAllPairsOfMoves compares XS with playing all pairs of moves.
func TestXSAgainstAllPairsOfMoves(t *testing.T) {
	count := map[int]int{}
	var m measure.Meter
	check := func(s *konreh.State, rng *rand.Rand) {
		size := s.Game().Size()
		if stay, _ := s.Game().CrossTurns(); stay == 0 {
			m.Set(s)
			if m.XS(0, 8*(size/2)+size/2) != 0 {
				t.Errorf("%s: exits where there is no Cross", s.AppendPosition(nil))
			}
			return
		}
		p, side := takeApart(s), rng.IntN(2)
		sq := (size/2-rng.IntN(2))<<3 | (size/2 - rng.IntN(2))
		m.Set(s)
		want := p.bruteXS(t, side, sq)
		if got := m.XS(engine.Side(side), p.seat(side, sq)); got != want {
			t.Errorf("%s: %s, side %c, %s: XS %d, want %d", p.g.Rules(), s.AppendPosition(nil), 'A'+side, name(sq), got, want)
		}
		count[want]++
	}
	sample(t, 5, 2, 300, check)
	rng := rand.New(rand.NewPCG(9, 10))
	published(t, 12, func(s *konreh.State) { check(s, rng) })
	t.Log(count)
	for n := range 4 {
		if rare(count[n], 5) {
			t.Errorf("XS %d came up %d times", n, count[n])
		}
	}
}

// TestSRIAgainstLegalMoves looks for a capture among the legal moves.
func TestSRIAgainstLegalMoves(t *testing.T) {
	count := map[int]int{}
	var m measure.Meter
	check := func(s *konreh.State, rng *rand.Rand) {
		p, side := takeApart(s), rng.IntN(2)
		size := p.g.Size()
		sq := rng.IntN(size)<<3 | rng.IntN(size)
		if at := p.blueAt(side); at >= 0 && rng.IntN(2) == 0 {
			sq = at
		}
		c := p.begin(1-side).withBlue(side, sq)
		risk := c.inCross(sq)
		var finish func(s *konreh.State, w string)
		finish = func(s *konreh.State, w string) {
			n := play(t, s, w)
			risk = risk || !takeApart(n).of(side, sq)
			if phase(n)[0] == 'f' {
				for _, w := range words(n) {
					finish(n, w)
				}
			}
		}
		if n := c.state(t, 1-side, 1); n != nil {
			for _, w := range words(n) {
				if !strings.HasPrefix(w, "buy") {
					finish(n, w)
				}
			}
		}
		want := 1
		if risk {
			want = 0
		} else if len(c.screening(side, sq, map[int]bool{sq: true})) > 0 {
			want = 2
		}
		m.Set(s)
		if got := m.SRI(engine.Side(side), p.seat(side, sq)); got != want {
			t.Errorf("%s: %s, side %c, %s: SRI %d, want %d", p.g.Rules(), s.AppendPosition(nil), 'A'+side, name(sq), got, want)
		}
		count[want]++
	}
	sample(t, 6, 4, 40, check)
	rng := rand.New(rand.NewPCG(11, 12))
	published(t, 3, func(s *konreh.State) { check(s, rng) })
	t.Log(count)
	for n := range 3 {
		if rare(count[n], 30) {
			t.Errorf("SRI %d came up %d times", n, count[n])
		}
	}
}
