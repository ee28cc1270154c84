package konkvesttable

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
)

const (
	planeBoard     = 2 * numKinds
	planeOwnBase   = planeBoard + 1
	planeTerritory = planeBoard + 3
	numPlanes      = planeTerritory + 5 // 32

	globalToPlace = 2 * summon
	globalPly     = globalToPlace + 5
	numGlobals    = globalPly + 4 // 21

	packedBytes = tiles + 2*summon + 4
)

// cells is cell for all tiles.
var cells = func() (t [tiles]int) {
	for i := range t {
		t[i] = cell(i)
	}
	return t
}()

// Encode implements engine.State.
func (s *State) Encode(planes, globals []float32) {
	const plane = height * width
	clear(planes)
	clear(globals)
	captured, nobody, promotion := s.territories()
	own, enemy := s.player, 1-s.player
	for i := range tiles {
		at, c := seen(s.player, i), cells[i]
		planes[planeBoard*plane+c] = 1
		if s.tiles[at] != 0 {
			owner := int(s.owner(at) ^ own)
			planes[(numKinds*owner+s.kind(at))*plane+c] = 1
		}
		for k, area := range [5]set{captured[own], captured[enemy], nobody, promotion[own], promotion[enemy]} {
			if area.has(at) {
				planes[(planeTerritory+k)*plane+c] = 1
			}
		}
	}
	planes[planeOwnBase*plane+cells[base]] = 1
	planes[(planeOwnBase+1)*plane+cells[tiles-1-base]] = 1
	for k := range summon {
		globals[k] = float32(s.reserve[own][k]) / 4
		globals[summon+k] = float32(s.reserve[enemy][k]) / 4
	}
	globals[globalToPlace+4] = 1 // the formation is fixed
	globals[globalPly] = float32(s.ply) / 400
}

// Pack implements engine.State.
func (s *State) Pack(dst []byte) []byte {
	dst = append(dst, s.tiles[:]...)
	dst = append(append(dst, s.reserve[0][:]...), s.reserve[1][:]...)
	over := byte(0)
	if s.over {
		over = 1
	}
	return binary.LittleEndian.AppendUint16(append(dst, byte(s.player), over), s.ply)
}

// Unpack implements engine.State.
func (s *State) Unpack(src []byte) error {
	if len(src) != packedBytes {
		return fmt.Errorf("packed position: %d bytes, want %d", len(src), packedBytes)
	}
	t := State{
		tiles:   [tiles]uint8(src),
		reserve: [2][summon]uint8{[summon]uint8(src[tiles:]), [summon]uint8(src[tiles+summon:])},
		player:  engine.Side(src[tiles+2*summon] & 1),
		ply:     binary.LittleEndian.Uint16(src[tiles+2*summon+2:]),
	}
	if err := t.finish(); err != nil {
		return fmt.Errorf("packed position: %w", err)
	}
	if !slices.Equal(t.Pack(nil), src) {
		return fmt.Errorf("packed position: player or end do not fit")
	}
	*s = t
	return nil
}

// finish finds out whether the game is over and refuses positions that break
// the rules.
func (s *State) finish() error {
	var queens, pieces, pawns [2]int
	for i, p := range s.tiles {
		if p > 2*numKinds {
			return fmt.Errorf("tile %s: there is no piece %d", name(i), p)
		}
		if p != 0 {
			pieces[s.owner(i)]++
			switch s.kind(i) {
			case queen:
				queens[s.owner(i)]++
			case pawn:
				pawns[s.owner(i)]++
			}
		}
	}
	for player := range 2 {
		switch {
		case pawns[player] > 8:
			return fmt.Errorf("player %d has %d pawns", player, pawns[player])
		case queens[player] != 1 && (queens[player] != 0 || player != int(s.player)):
			return fmt.Errorf("player %d has %d Queens", player, queens[player])
		}
		for k, n := range s.reserve[player] {
			if n > 14 {
				return fmt.Errorf("player %d has %d of %s in reserve", player, n, kindWords[k])
			}
		}
	}
	s.over = queens[s.player] == 0 || !s.canMove()
	return nil
}

// AppendPosition implements engine.State: the pieces with their tiles from a1
// on, both reserves as counts of P S G R L N, the player to act, the ply.
func (s *State) AppendPosition(dst []byte) []byte {
	sep := ""
	for i := range tiles {
		if s.tiles[i] != 0 {
			dst = append(append(append(dst, sep...), s.letter(i, "")...), name(i)...)
			sep = ","
		}
	}
	for player := range s.reserve {
		dst = append(dst, " /"[player])
		for _, n := range s.reserve[player] {
			dst = append(dst, "0123456789ABCDE"[n])
		}
	}
	return fmt.Appendf(dst, " %d %d", s.player, s.ply)
}

// ParsePosition implements engine.State.
func (s *State) ParsePosition(line string) error {
	var pieces, reserves string
	var t State
	if _, err := fmt.Sscanf(line, "%s %s %d %d", &pieces, &reserves, &t.player, &t.ply); err != nil ||
		len(reserves) != 2*summon+1 || t.player < 0 || t.player > 1 {
		return fmt.Errorf("position %q: want pieces, reserves, player and ply", line)
	}
	for _, word := range strings.Split(pieces, ",") {
		n := strings.IndexAny(word, "123456789")
		if n < 2 {
			return fmt.Errorf("piece %q: want a kind and a tile", word)
		}
		kind, at := word[:n-1], tileNamed(word[n-1:])
		k := slices.Index(kindWords[:], strings.ToUpper(kind))
		if k < 0 || at < 0 || t.tiles[at] != 0 {
			return fmt.Errorf("piece %q: no such kind or tile, or a tile named twice", word)
		}
		player := engine.Side(0)
		if kind != strings.ToUpper(kind) {
			player = 1
		}
		t.tiles[at] = piece(player, k)
	}
	for i := range 2 * summon {
		n := strings.IndexByte("0123456789ABCDE", reserves[i+i/summon])
		if n < 0 {
			return fmt.Errorf("reserves %q: want two times six counts", reserves)
		}
		t.reserve[i/summon][i%summon] = uint8(n)
	}
	if err := t.finish(); err != nil {
		return err
	}
	if again := string(t.AppendPosition(nil)); again != line {
		return fmt.Errorf("position %q: written %q", line, again)
	}
	*s = t
	return nil
}
