package elements

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine/kit"
)

// The zones of a board. The first four can be controlled.
const (
	zoneWhite = 4 + iota
	zoneNeutral
	zoneGoal
	zones
)

// zoneLetters has the letter of each zone in a layout.
const zoneLetters = "abcdwn*"

var zoneNames = [zones]string{"territory a", "territory b", "territory c", "territory d", "place area", "neutral zone", "goal"}

const (
	defaultLayout = "aaawwwbbb:aaawwwbbb:aaawwwbbb:wwwnnnwww:wwwn*nwww:wwwnnnwww:dddwwwccc:dddwwwccc:dddwwwccc"
	defaultCycle  = "0:a:1:c:0:b:1:d"
	maxCycle      = 12
)

// readLayout reads rows of zone letters with colons between.
func readLayout(value string) (zone [zones]set, err error) {
	rows := strings.Split(value, ":")
	if len(rows) < 3 || len(rows) > size {
		return zone, fmt.Errorf("%d rows: want 3 to 9, with colons between", len(rows))
	}
	for r, row := range rows {
		if len(row) < 3 || len(row) > size || len(row) != len(rows[0]) {
			return zone, fmt.Errorf("row %d: %d squares: want 3 to 9, as many in every row", r, len(row))
		}
		for c := range len(row) {
			z := strings.IndexByte(zoneLetters, row[c])
			if z < 0 {
				return zone, fmt.Errorf("row %d, column %d: %q: want a, b, c or d for a territory, w for the place area, n for the neutral zone, * for the goal", r, c, row[c])
			}
			zone[z] = zone[z].Or(kit.Single(size*r + c))
		}
	}
	switch {
	case zone[zoneGoal].Count() != 1:
		return zone, fmt.Errorf("%d goals: want one", zone[zoneGoal].Count())
	case zone[zoneWhite].Empty():
		return zone, errors.New("no place area: want squares w")
	}
	return zone, nil
}

// readCycle reads the slots of a turn indicator with colons between: 0 and 1 are the
// players, 2 to 5 the territories.
func readCycle(value string) (cycle []uint8, err error) {
	words := strings.Split(value, ":")
	if len(words) > maxCycle {
		return nil, fmt.Errorf("%d slots: want at most %d", len(words), maxCycle)
	}
	for i, w := range words {
		k := strings.Index("01abcd", w)
		if len(w) != 1 || k < 0 {
			return nil, fmt.Errorf("slot %d: %q: want 0 or 1 for a player, a, b, c or d for a territory", i, w)
		}
		cycle = append(cycle, uint8(k))
	}
	if cycle[0] != 0 || !slices.Contains(cycle, 1) {
		return nil, errors.New("slots: want that of player 0 first, and one of player 1")
	}
	return cycle, nil
}

// canonicalLayout and canonicalCycle implement [engine.Data].
func canonicalLayout(value string) (string, error) {
	_, err := readLayout(value)
	return value, err
}

func canonicalCycle(value string) (string, error) {
	_, err := readCycle(value)
	return value, err
}

// slotName is the letter of an entry of a cycle.
func slotName(slot uint8) string { return "01abcd"[slot : slot+1] }

// The eight symmetries of the square, the identity first.
var symmetryNames = [8]string{
	"identity", "columns reversed", "rows reversed", "half a turn", "rows for columns", "a quarter right", "a quarter left", "rows for columns, reversed",
}

// mapped[i] is where symmetry i takes each square.
var mapped = func() (t [8][squares]int) {
	for i := range t {
		for sq := range squares {
			r, c := sq/size, sq%size
			if i&4 != 0 {
				r, c = c, r
			}
			if i&1 != 0 {
				c = size - 1 - c
			}
			if i&2 != 0 {
				r = size - 1 - r
			}
			t[i][sq] = size*r + c
		}
	}
	return t
}()

// mapSet takes every square of a set by symmetry i.
func mapSet(b set, i int) (t set) {
	for ; !b.Empty(); b = b.Rest() {
		t = t.Or(kit.Single(mapped[i][b.First()]))
	}
	return t
}

// shifts says for each symmetry by how many slots the turn indicator must be turned so
// that the rules are unchanged when territories take the names of those that they fall
// on, or -1 if nothing does it.
func shifts(zone *[zones]set, cycle []uint8) (t [8]int) {
	for i := range t {
		t[i] = -1
		var name [6]uint8 // of a slot's image
		name[1] = 1
		same := true
		for z, b := range zone {
			to := slices.Index(zone[:], mapSet(b, i))
			if b.Empty() {
				to = z
			}
			if to < 0 || z >= zoneWhite && to != z {
				same = false
				break
			}
			if z < zoneWhite {
				name[2+z] = uint8(2 + to)
			}
		}
		for k := 0; same && t[i] < 0 && k < len(cycle); k++ {
			if fits(cycle, name, k) {
				t[i] = k
			}
		}
	}
	return t
}

// fits tells whether the cycle, its slots renamed, is the cycle from slot k on.
func fits(cycle []uint8, name [6]uint8, k int) bool {
	for j, x := range cycle {
		if cycle[(j+k)%len(cycle)] != name[x] {
			return false
		}
	}
	return true
}
