package schools

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/konreh/measure"
	"github.com/ludozero/ludozero/match"
)

// Reader reads fingerprints of games of Kon'reh. Not safe for concurrent use.
type Reader struct {
	game          *konreh.Game
	state, before *konreh.State
	history       *engine.History
	meter         measure.Meter
	kinds         []int
	sight         konreh.Measures
	turns         int // own turns that have ended, of the game that is read
}

// NewReader returns a reader of games of g, which must be Kon'reh.
func NewReader(g engine.Game) (*Reader, error) {
	k, ok := g.(*konreh.Game)
	if !ok {
		return nil, fmt.Errorf("schools play konreh alone, not %s", g.Info().Name)
	}
	return &Reader{game: k, state: k.NewState().(*konreh.State), before: k.NewState().(*konreh.State), history: k.NewHistory()}, nil
}

// kindOf are the kinds of actions that are counted, by name.
var kindOf = func() map[string]int {
	m := map[string]int{}
	for i, name := range (*konreh.State)(nil).Kinds() {
		m[name] = i
	}
	return m
}()

// is tells whether the action was of that kind.
func (r *Reader) is(name string) bool {
	k, ok := kindOf[name]
	if !ok {
		panic("BUG: the game knows no actions of kind " + name)
	}
	return slices.Contains(r.kinds, k)
}

// Read plays g through and sets f to how the player has played it who was first if
// first says so. What was drawn as an opening is nobody's decision and not counted.
func (r *Reader) Read(g *match.Game, first bool, f *Fingerprint) error {
	*f = Fingerprint{}
	if g.Start != "" {
		return errors.New("a game from a position: fingerprints are of games from the start")
	}
	player := engine.Second
	if first {
		player = engine.First
	}
	r.state.Start(r.history)
	r.turns = 0
	planted := 8 // T* where an own turn began
	for i, word := range strings.Fields(g.Moves) {
		a, err := r.state.ParseAction(word, r.history)
		if err != nil {
			return fmt.Errorf("game %d: move %d, %q: %w", g.Number, i+1, word, err)
		}
		*r.before = *r.state
		own := r.state.Actor() == player
		if own && i >= g.Opening && r.state.BeginsTurn() {
			planted = r.plantTurns(r.state, r.state.Side())
		}
		r.state.Apply(a, r.history)
		if i < g.Opening {
			continue
		}
		r.kinds = r.before.AppendKinds(r.kinds[:0], a, r.state)
		switch {
		case own:
			r.decision(f)
			if r.state.Turn() > r.before.Turn() && r.state.Actor() != engine.Nobody {
				r.turn(f, planted)
			}
		case r.is("Blue enters the Cross"):
			f[mTheirEntries].sum++
		}
	}
	// What is counted a game.
	for _, m := range []int{mEntries, mTheirEntries, mSeeds, mPlacements, mCaptures, mSpecials} {
		f[m].of = 1
	}
	f[mLength] = ratio{float64(g.Turns), 1}
	f[mStay].of = f[mEntries].sum
	for _, m := range []int{mHome, mSanctum, mApex} {
		f[m].of = f[mPlacements].sum
	}
	return nil
}

// decision counts what the side has just done.
func (r *Reader) decision(f *Fingerprint) {
	side := r.before.Side()
	count := func(m int, name string) {
		if r.is(name) {
			f[m].sum++
		}
	}
	count(mEntries, "Blue enters the Cross")
	count(mCaptures, "capture")
	count(mHome, "placement at Home")
	count(mSanctum, "placement on a Sanctum")
	count(mApex, "placement on the enemy Apex")
	if r.is("placement at Home") || r.is("placement on a Sanctum") || r.is("placement on the enemy Apex") {
		f[mPlacements].sum++
	}
	blue := r.state.Army(side)[konreh.Blue]
	over := r.state.Actor() == engine.Nobody
	if r.is("Blue enters the Cross") && blue != 0 && !over {
		r.meter.Set(r.state)
		exits := r.meter.XS(side, bits.TrailingZeros64(blue))
		f[mExits].add(float64(exits))
		f[mCertain].add(indicator(exits > 0))
	}
	if r.is("Displacement") || r.is("Hop") {
		f[mSpecials].sum++
		if r.state.Life(side).Specials == 0 && blue != 0 && !over {
			r.meter.Set(r.state)
			f[mSRI].add(float64(r.meter.SRI(side, bits.TrailingZeros64(blue))))
		}
	}
	if r.is("Seed") {
		r.seed(f, side, blue)
	}
}

// seed counts a Seed that side has just made with its Blue on a Sanctum.
func (r *Reader) seed(f *Fingerprint, side engine.Side, blue uint64) {
	f[mSeeds].sum++
	turn := r.before.Turn() / 2 // own turns before this one
	if f[mFirstSeed].of == 0 {
		f[mFirstSeed].add(float64(turn))
	}
	f[mMiddle].add(indicator(turn >= early && turn <= late))
	if r.state.Actor() == engine.Nobody {
		return
	}
	f[mGain].add(indicator(r.plantTurns(r.state, side) < r.plantTurns(r.before, side)))
	r.meter.Set(r.state)
	sanctums := r.game.Sanctums()
	for i, at := range sanctums {
		if blue == at {
			f[mSSI].add(float64(r.meter.SSI(side, bits.TrailingZeros64(sanctums[1-i]))))
		}
	}
	f[mCCA].add(r.meter.CCA(side))
	r.room(f, mSeedRoom, side)
}

// everyRoom is how many own turns lie between two at which the room of the opponent is
// measured: trying all pairs of moves is dear.
const everyRoom = 4

// turn counts how things stand where an own turn has ended, which began with that T*.
func (r *Reader) turn(f *Fingerprint, planted int) {
	side := r.before.Side()
	army := r.state.Army(side)
	stay, _ := r.game.CrossTurns()
	if stay > 0 && army[konreh.Blue]&r.game.Cross() != 0 {
		f[mStay].sum++
	}
	if runners := army[konreh.Red] | army[konreh.Orange] | army[konreh.Green]; runners != 0 {
		steps := 0
		for on := runners; on != 0; on &= on - 1 {
			sq := bits.TrailingZeros64(on)
			steps += sq>>3 + sq&7
		}
		f[mAdvance].add(float64(steps) / float64(bits.OnesCount64(runners)))
	}
	now := r.plantTurns(r.state, side)
	f[mPlantTurns].add(float64(now))
	f[mPace].add(float64(now - planted))
	r.state.Measure(1-side, &r.sight)
	f[mExposed].add(float64(bits.OnesCount64(r.sight.Hits | r.sight.SpecialHits)))
	if r.turns++; r.turns%everyRoom == 0 {
		r.meter.Set(r.state)
		r.room(f, mTheirRoom, side)
	}
}

// room counts the greatest XS that the other Blue would have on a square of the Cross,
// by the meter as it is set.
func (r *Reader) room(f *Fingerprint, m int, side engine.Side) {
	if r.state.Army(1 - side)[konreh.Blue] == 0 {
		return
	}
	best := 0
	for on := r.game.Cross(); on != 0; on &= on - 1 {
		best = max(best, r.meter.XS(1-side, bits.TrailingZeros64(on)))
	}
	f[m].add(float64(best))
}

// plantTurns is T* of side in s, at most 8.
func (r *Reader) plantTurns(s *konreh.State, side engine.Side) int {
	r.meter.Set(s)
	return min(8, r.meter.PlantTurns(side))
}

func indicator(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
