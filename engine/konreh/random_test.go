package konreh

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine"
)

// shortGames is the number of random games a ruleset that the tests below play.
const shortGames = 3

// TestRandomGames checks on random play, in all rulesets, what must hold in any
// position.
func TestRandomGames(t *testing.T) {
	for _, rules := range allRules {
		g := mustGame(t, rules)
		other := g.newState()
		type identity struct {
			key  [keyWords]uint64
			more string
		}
		hashes := map[identity]uint64{}
		dst, tight := make([]engine.Action, 0, maxLegal), []engine.Action(nil)
		var packed []byte
		for seed := range uint64(shortGames) {
			seen := map[[keyWords]uint64]int{}
			last := -1
			randomGame(g, seed, func(s *State, h *engine.History) {
				line := s.line()
				if s.zobrist != s.zobristFromScratch() {
					t.Fatalf("%s: %s: incremental hash %x, from scratch %x", rules, line, s.zobrist, s.zobristFromScratch())
				}
				dst = s.Legal(dst[:0], h)
				if len(dst) != s.CountLegal() || len(dst) > maxLegal || !slices.IsSorted(dst) || (len(dst) == 0) != (s.phase == phaseOver) {
					t.Fatalf("%s: %s: Legal = %v, CountLegal = %d", rules, line, dst, s.CountLegal())
				}
				tight = s.Legal(slices.Grow(tight[:0], len(dst))[:0:len(dst)], h)
				if !slices.Equal(tight, dst) {
					t.Fatalf("%s: %s: Legal = %v without room to spare, %v with", rules, line, tight, dst)
				}
				for _, a := range dst {
					word := string(s.AppendAction(nil, a))
					if b, err := s.ParseAction(word, h); err != nil || a != b {
						t.Fatalf("%s: %s: ParseAction(%s) = %d, %v, want %d", rules, line, word, b, err, a)
					}
				}

				if err := other.ParsePosition(line); err != nil {
					t.Fatalf("%s: %s: %v", rules, line, err)
				}
				other.repetition = s.repetition
				if *other != *s {
					t.Fatalf("%s: %s: read back as %+v, want %+v", rules, line, *other, *s)
				}
				packed = s.Pack(packed[:0])
				other.Start(nil)
				if err := other.Unpack(packed); err != nil || *other != *s || len(packed) != packedBytes {
					t.Fatalf("%s: %s: unpacked as %+v, %v, want %+v", rules, line, *other, err, *s)
				}

				id := identity{key: s.identity()}
				if s.phase != phaseMove {
					id.more = string([]byte{byte(s.phase), s.square, byte(s.lane), byte(s.runner), byte(s.why)})
				}
				if hash, ok := hashes[id]; ok && hash != s.Hash() {
					t.Fatalf("%s: %s: two hashes", rules, line)
				}
				hashes[id] = s.Hash()
				if int(s.turn) != last && (s.phase == phaseMove || s.why == whyThreefold) {
					last = int(s.turn)
					seen[id.key]++
					if int(s.repetition) != seen[id.key] {
						t.Fatalf("%s: %s: repetition %d, want %d", rules, line, s.repetition, seen[id.key])
					}
				}
			})
		}
	}
}

// TestHashSeparates: positions that differ in one thing differ in their hash.
func TestHashSeparates(t *testing.T) {
	g := mustGame(t, "standard,seed_limit=2,buyback=true")
	base := *g.newState()
	seen := map[uint64]string{base.Hash(): "start"}
	for name, change := range map[string]func(s *State){
		"side":      func(s *State) { s.side = sideB },
		"rooted":    func(s *State) { s.blues[0] = s.blues[0].with(rootedMask, rootedShift, 1) },
		"stay":      func(s *State) { s.blues[0] = s.blues[0].with(stayMask, stayShift, 1) },
		"exclusion": func(s *State) { s.blues[0] = s.blues[0].with(exclMask, exclShift, 1) },
		"reforge":   func(s *State) { s.blues[1] = s.blues[1].with(reforgeMask, reforgeShft, 1) },
		"ban":       func(s *State) { s.blues[1] = s.blues[1].with(banMask, banShift, 1) },
		"left":      func(s *State) { s.blues[1] = s.blues[1].with(leftMask, leftShift, 1) },
		"bought":    func(s *State) { s.blues[1] |= bought },
		"seeds":     func(s *State) { s.blues[1] = s.blues[1].with(seedsMask, seedsShift, 1) },
		"hop":       func(s *State) { s.blues[1] &^= hasHop },
		"phase":     func(s *State) { s.phase = phasePie },
		"special":   func(s *State) { s.phase, s.square = phaseSpecial, 9 },
		"second":    func(s *State) { s.phase, s.square, s.second = phaseSpecial, 9, true },
		"piece":     func(s *State) { s.toggle(sideA, red, 3) },
	} {
		s := base
		change(&s)
		if was, ok := seen[s.Hash()]; ok {
			t.Errorf("%s hashes like %s", name, was)
		}
		seen[s.Hash()] = name
	}
	s := base
	s.quiet, s.turn, s.swapped = 7, 40, true
	if s.Hash() != base.Hash() {
		t.Errorf("quiet turns, turn count or players belong to the hash")
	}
}

// slowSlides lists the end squares of a piece's slides along a lane by walking
// it as section 4 of the rules page says, without the Cross.
func slowSlides(s *State, from uint8, l lane) (ends []uint8) {
	r, geo := &s.game.rules, s.game.geo
	enemyAt := func(sq uint8) bool { return s.occ[1-s.side]>>sq&1 != 0 }
	zocCount := func(sq uint8) (n int) {
		for other := range uint8(64) {
			if enemyAt(other) && geo.around[sq]>>other&1 != 0 {
				n++
			}
		}
		return n
	}
	k := s.kindAt(from)
	homeward := l >= homewardLeft
	n := reach[k]
	if homeward {
		n--
	}
	captures := k != blue && int(s.turn) >= r.noCaptureTurns
	delta := deltas[direction(s.side, l)]
	a, b := int(from>>3), int(from&7)
	mayCapture := func(step int) bool {
		return captures && step <= n && (homeward || step == n || r.contactCapture)
	}
	onBoard := func(a, b int) bool { return a >= 0 && b >= 0 && a < geo.size && b < geo.size }
	for step := 1; step <= n; step++ {
		a, b = a+delta[0], b+delta[1]
		sq := uint8(8*a + b)
		switch {
		case !onBoard(a, b) || s.occ[s.side]>>sq&1 != 0:
			return ends
		case enemyAt(sq):
			if mayCapture(step) {
				ends = append(ends, sq)
			}
			return ends
		case zocCount(sq) > 0:
			ends = append(ends, sq)
			a, b = a+delta[0], b+delta[1]
			next := uint8(8*a + b)
			if r.targetZocExempt && onBoard(a, b) && enemyAt(next) && zocCount(sq) == 1 && mayCapture(step+1) {
				ends = append(ends, next)
			}
			return ends
		case homeward || step == n:
			ends = append(ends, sq)
		}
	}
	return ends
}

// TestSlidesAgainstWalking compares the slides found on bitboards with those
// found by walking, on boards filled at random.
func TestSlidesAgainstWalking(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for _, rules := range []string{"standard", "letter", "micro", "standard,no_capture_turns=30", "standard,contact_capture=true"} {
		g := mustGame(t, rules)
		for range 1500 {
			s := State{game: g, turn: int32(20 + rng.IntN(20)), blues: [2]blueState{newLife, newLife}}
			s.side = engine.Side(s.turn & 1)
			density := 1 + rng.IntN(10)
			blues := [2]bool{}
			for sq := range uint8(64) {
				if g.geo.board>>sq&1 == 0 || rng.IntN(11) >= density {
					continue
				}
				side, k := engine.Side(rng.IntN(2)), kind(rng.IntN(4))
				if k == blue && blues[side] {
					continue
				}
				blues[side] = blues[side] || k == blue
				s.toggle(side, k, sq)
			}
			var want []engine.Action
			for from := range uint8(64) {
				if s.occ[s.side]>>from&1 == 0 {
					continue
				}
				for l := range lane(4) {
					for _, to := range slowSlides(&s, from, l) {
						_, steps, err := s.laneOf(from, to)
						if err != nil {
							t.Fatal(err)
						}
						want = append(want, engine.Action(64*(slidePlane[l]+steps-1)+int(g.geo.turned(s.side, from))))
					}
				}
			}
			slices.Sort(want)
			for _, room := range []int{0, maxLegal} { // listed one by one, and several at once
				got := s.Legal(make([]engine.Action, 0, room), nil)
				got = got[:len(got)-len(specialsIn(got))]
				if !slices.Equal(got, want) {
					t.Fatalf("%s: %s: slides %v, want %v", rules, s.line(), got, want)
				}
			}
		}
	}
}

// specialsIn is the part of an ascending list of actions behind its slides.
func specialsIn(actions []engine.Action) []engine.Action {
	i, _ := slices.BinarySearch(actions, 64*planeStep)
	return actions[i:]
}

func TestNoAllocation(t *testing.T) {
	g := mustGame(t, "standard,balance=pie-double,buyback=true,max_turns=300")
	s, next, h := g.newState(), g.newState(), g.NewHistory()
	var contract engine.State = next
	rng := rand.New(rand.NewPCG(3, 3))
	buf := make([]engine.Action, 0, maxLegal)
	packed := make([]byte, 0, packedBytes)
	play := func() {
		s.Start(h)
		for s.Actor() != engine.Nobody {
			legal := s.Legal(buf[:0], h)
			s.Apply(legal[rng.IntN(len(legal))], h)
			contract.CopyFrom(s)
			packed = s.Pack(packed[:0])
			if next.Hash() != s.Hash() || next.CountLegal() != s.CountLegal() || next.Unpack(packed) != nil {
				t.Fatal("a copy differs")
			}
			_, _, _ = s.Outcome(), s.Chance(nil), s.SideOf(engine.First)
		}
	}
	for range 50 { // the history finds its size
		play()
	}
	if n := testing.AllocsPerRun(20, play); n != 0 {
		t.Errorf("%v allocations in a game, want 0", n)
	}
}

// TestStateSize: search copies a state at each step.
func TestStateSize(t *testing.T) {
	if size := stateBytes; size > 128 {
		t.Errorf("a state takes %d bytes, want at most 128", size)
	}
}

// TestSecondMoveSurvivesPacking: a special after the slide of the second move of
// the opening double move ends the turn, and packing keeps that.
func TestSecondMoveSurvivesPacking(t *testing.T) {
	g := mustGame(t, "standard")
	s := mustPosition(t, g, "4rr1r/5rgo/6rr/7r/R7/RR6/OGR5/B1R4b B m "+fresh+" HD,r0,s0,x0,c0,n-,h1,k0 0 1")
	s.toggle(sideA, red, 8*3+0) // d1, for Blue on h1 to come next to
	play := func(s *State, words ...string) {
		for _, word := range words {
			a, err := s.ParseAction(word, nil)
			if err != nil {
				t.Fatalf("%s: %v", s.line(), err)
			}
			s.Apply(a, nil)
		}
	}
	play(s, "e8c8", "h1e1")
	if s.phase != phaseSpecial {
		t.Fatalf("%s: want a special to decide", s.line())
	}
	var again State
	again.game = g
	if err := again.Unpack(s.Pack(nil)); err != nil {
		t.Fatal(err)
	}
	play(&again, "none")
	if again.phase != phaseMove || again.side != sideA {
		t.Errorf("%s: want A's turn", again.line())
	}
}

// TestPlayersAndSides: a swap changes who owns a side, and who is said to win.
func TestPlayersAndSides(t *testing.T) {
	g := mustGame(t, "standard,balance=pie")
	s := g.newState()
	if s.Actor() != engine.First || s.SideOf(engine.First) != sideA {
		t.Fatal("the first player does not begin with A")
	}
	s.Apply(s.Legal(nil, nil)[0], nil)
	if s.Actor() != engine.Second || s.phase != phasePie {
		t.Fatalf("%s: want the second player to say hold or swap", s.line())
	}
	s.Apply(codeSwap, nil)
	if s.Actor() != engine.First || s.Side() != sideB || s.SideOf(engine.Second) != sideA {
		t.Errorf("%s: actor %v of side %d after swap", s.line(), s.Actor(), s.Side())
	}
	over := mustPosition(t, g, "7b/8/8/8/8/8/8/2R5 A over:reforge "+fresh+" "+fresh+" 0 8/s")
	if o := over.Outcome(); !o.Over || o.Winner != engine.First || o.Reason != "reforge" {
		t.Errorf("Outcome = %+v, want a win of first, who owns B", o)
	}
}
