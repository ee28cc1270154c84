package schools

import (
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/match"
)

func game(t *testing.T, rules string) *konreh.Game {
	t.Helper()
	g, err := konreh.Family.Parse(rules)
	if err != nil {
		t.Fatal(err)
	}
	return g.(*konreh.Game)
}

// read plays words from the start, of which the first opening ones were drawn, and
// returns the fingerprints of both players.
func read(t *testing.T, rules string, opening int, words string) (first, second Fingerprint) {
	t.Helper()
	r, err := NewReader(game(t, rules))
	if err != nil {
		t.Fatal(err)
	}
	g := &match.Game{Number: 1, Opening: opening, Moves: words, Turns: 7}
	if err := r.Read(g, true, &first); err != nil {
		t.Fatal(err)
	}
	if err := r.Read(g, false, &second); err != nil {
		t.Fatal(err)
	}
	return first, second
}

// TestFingerprintByHand: the Blue of the first player goes to the Cross and out of it.
func TestFingerprintByHand(t *testing.T) {
	// A opens a lane; Blue leaves Home by it; both games are legal by the engine, which
	// ParseAction holds them to.
	s := find(t, "standard", func(kinds map[string]int, _ *konreh.State) bool { return kinds["Blue enters the Cross"] > 0 })
	first, second := read(t, "standard", 0, s.words)
	mine, theirs := &first, &second
	if s.player == engine.Second {
		mine, theirs = theirs, mine
	}
	if mine[mEntries] != (ratio{1, 1}) || theirs[mTheirEntries] != (ratio{1, 1}) || theirs[mEntries].sum != 0 {
		t.Errorf("an entry counts %v and %v for the other", mine[mEntries], theirs[mTheirEntries])
	}
	if mine[mExits].of != 1 || mine[mStay].of != 1 || mine[mStay].sum != 1 {
		t.Errorf("exits %v, stay %v", mine[mExits], mine[mStay])
	}
	if mine[mLength] != (ratio{7, 1}) {
		t.Errorf("length %v", mine[mLength])
	}
	// What was drawn counts for nobody.
	n := len(strings.Fields(s.words))
	if first, second := read(t, "standard", n, s.words); first[mEntries].sum+second[mEntries].sum+second[mTheirEntries].sum > 0 || first[mAdvance].of > 0 {
		t.Errorf("an opening is counted: %v", first)
	}
}

// TestRareDecisionsAreCounted: Seeds with their measures, specials, placements, each
// found in random games and counted once, for the side that did it.
func TestRareDecisionsAreCounted(t *testing.T) {
	for _, c := range []struct {
		kind     string
		measures []int
	}{
		{"Seed", []int{mSeeds, mFirstSeed, mSSI, mCCA, mGain, mMiddle}},
		{"placement at Home", []int{mPlacements, mHome}},
		{"placement on a Sanctum", []int{mPlacements, mSanctum}},
		{"placement on the enemy Apex", []int{mPlacements, mApex}},
		{"Hop", []int{mSpecials}},
		{"Displacement", []int{mSpecials}},
		{"capture", []int{mCaptures}},
	} {
		s := find(t, "standard", func(kinds map[string]int, s *konreh.State) bool {
			return kinds[c.kind] > 0 && s.Actor() != engine.Nobody
		})
		first, second := read(t, "standard", len(strings.Fields(s.words))-1, s.words)
		mine, theirs := &first, &second
		if s.player == engine.Second {
			mine, theirs = theirs, mine
		}
		for _, m := range c.measures {
			if mine[m].of == 0 {
				t.Errorf("%s: %s has nothing to count", c.kind, measures[m].ID)
			}
			if theirs[m].sum != 0 {
				t.Errorf("%s: %s counts %g for the other side", c.kind, measures[m].ID, theirs[m].sum)
			}
		}
		if m := c.measures[0]; mine[m].sum != 1 {
			t.Errorf("%s: %s = %g, want 1", c.kind, measures[m].ID, mine[m].sum)
		}
	}
}

// TestSecondSpecialHasARisk: the SRI is counted where no special is left.
func TestSecondSpecialHasARisk(t *testing.T) {
	s := find(t, "standard", func(kinds map[string]int, s *konreh.State) bool {
		other := 1 - s.Side() // whose turn it was, if the turn has ended
		return kinds["Hop"]+kinds["Displacement"] > 0 && s.BeginsTurn() && s.Life(other).Specials == 0 && s.Army(other)[konreh.Blue] != 0 && s.Actor() != engine.Nobody
	})
	first, second := read(t, "standard", len(strings.Fields(s.words))-1, s.words)
	if first[mSRI].of+second[mSRI].of != 1 {
		t.Errorf("SRI of %v and %v last specials", first[mSRI], second[mSRI])
	}
}

type found struct {
	words  string
	player engine.Player // who did what was looked for
}

// find plays random games until what the last decision was is wanted, as told by its
// kinds and the state after it.
func find(t *testing.T, rules string, wanted func(kinds map[string]int, after *konreh.State) bool) found {
	t.Helper()
	g, rng := game(t, rules), source(5)
	names := (*konreh.State)(nil).Kinds()
	for range 20000 {
		s, h := g.NewState().(*konreh.State), g.NewHistory()
		s.Start(h)
		var words []string
		for s.Actor() != engine.Nobody && s.Turn() < 300 {
			list := s.Legal(nil, h)
			a := list[rng.IntN(len(list))]
			words = append(words, string(s.AppendAction(nil, a)))
			player, before := s.Actor(), *s
			s.Apply(a, h)
			kinds := map[string]int{}
			for _, k := range before.AppendKinds(nil, a, s) {
				kinds[names[k]]++
			}
			if wanted(kinds, s) {
				return found{strings.Join(words, " "), player}
			}
		}
	}
	t.Fatal("no random game has what is looked for")
	return found{}
}

func TestReaderRefusesOtherGames(t *testing.T) {
	r, err := NewReader(game(t, "micro"))
	if err != nil {
		t.Fatal(err)
	}
	var f Fingerprint
	if err := r.Read(&match.Game{Number: 3, Moves: "z9z9"}, true, &f); err == nil || !strings.Contains(err.Error(), `game 3: move 1, "z9z9"`) {
		t.Errorf("a word that is no move: %v", err)
	}
	if err := r.Read(&match.Game{Start: "x"}, true, &f); err == nil {
		t.Error("a game from a position is read")
	}
}
