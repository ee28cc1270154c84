package konkvesttable

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
	"github.com/ludozero/ludozero/internal/invariants"
)

// The kinds of pieces: 0-5 can be in reserve, 7 on are promoted 0-4.
const (
	pawn     = 0
	queen    = 6
	hero     = 7 // a promoted pawn
	numKinds = 12
	base     = 6 + 3 // b4, player 0's base
)

var kindWords = [numKinds]string{"P", "S", "G", "R", "L", "N", "Q", "+P", "+S", "+G", "+R", "+L"}

// State is a position.
type State struct {
	// tiles holds 0 or 1 + kind + 12·owner.
	tiles   [tiles]uint8
	reserve [2][summon]uint8
	player  engine.Side
	ply     uint16
	over    bool // the player to move has lost
}

var _ engine.State = (*State)(nil)

// owner and kind of a tile that is not empty.
func (s *State) owner(tile int) engine.Side { return engine.Side((s.tiles[tile] - 1) / numKinds) }
func (s *State) kind(tile int) int          { return int(s.tiles[tile]-1) % numKinds }

func piece(player engine.Side, kind int) uint8 { return uint8(1 + kind + numKinds*int(player)) }

// formation is player 0's fixed formation, row by row.
const formation = "RLNNLR" + "  GQG  " + "PPPPPPPP"

// Start implements engine.State.
func (s *State) Start(h *engine.History) {
	*s = State{}
	for i := range len(formation) {
		if k := strings.IndexByte("PSGRLNQ", formation[i]); k >= 0 {
			s.tiles[i] = piece(0, k)
			s.tiles[tiles-1-i] = piece(1, k)
		}
	}
	s.reserve[0][1], s.reserve[1][1] = 3, 3
	s.Begin(h)
}

// Begin implements engine.State. No position can recur, so none is entered.
func (s *State) Begin(h *engine.History) { h.Clear() }

// Actor implements engine.State.
func (s *State) Actor() engine.Player {
	if s.over {
		return engine.Nobody
	}
	return engine.Player(s.player)
}

// Side implements engine.State.
func (s *State) Side() engine.Side { return s.player }

// SideOf implements engine.State.
func (s *State) SideOf(p engine.Player) engine.Side { return engine.Side(p) }

// territories are each player's captured territory, the no-man's land, and each
// player's promotional territory.
func (s *State) territories() (captured [2]set, nobody set, promotion [2]set) {
	var wake [2]set
	var pawns [2]bool
	for i, p := range s.tiles {
		if p == 0 {
			continue
		}
		player, kind := s.owner(i), s.kind(i)
		if kind == pawn {
			pawns[player] = true
		}
		if kind == pawn || kind == queen {
			wake[player] = wake[player].or(wakeOf(player, i))
		}
	}
	nobody = wake[0].and(wake[1])
	for player := range captured {
		captured[player] = wake[player].minus(nobody)
		promotion[player] = captured[player]
		if pawns[player] {
			promotion[player] = captured[player].and(halves[player])
		}
	}
	return captured, nobody, promotion
}

// halves and turnedWakes are half and wakes for both players.
var halves, turnedWakes = func() (h [2]set, w [2][tiles]set) {
	for player := range engine.Side(2) {
		for i := range tiles {
			if half.has(seen(player, i)) {
				h[player].add(i)
			}
			for j := range tiles {
				if wakes[seen(player, i)].has(seen(player, j)) {
					w[player][i].add(j)
				}
			}
		}
	}
	return h, w
}()

func wakeOf(player engine.Side, tile int) set { return turnedWakes[player][tile] }

// pawnSteps are the tiles to the front left, front right and straight ahead of
// each tile, from the acting player's seat, -1 where there is none.
var pawnSteps = func() (t [tiles][3]int) {
	for i := range t {
		t[i] = [3]int{neighbour(i, point{-1, 1}), neighbour(i, point{1, 1}), neighbour(i, point{0, 2})}
	}
	return t
}()

// Legal implements engine.State.
func (s *State) Legal(dst []engine.Action, _ *engine.History) []engine.Action {
	if s.over {
		return dst
	}
	return s.moves(dst)
}

func (s *State) moves(dst []engine.Action) []engine.Action {
	start := len(dst)
	for from := range tiles {
		if s.tiles[seen(s.player, from)] != piece(s.player, pawn) {
			continue
		}
		steps := &pawnSteps[from]
		left, right, ahead := s.free(steps[0]), s.free(steps[1]), s.free(steps[2])
		for i, ok := range [3]bool{
			left || s.enemy(steps[0]), right || s.enemy(steps[1]), ahead && (left || right),
		} {
			if ok {
				dst = append(dst, engine.Action(codeMove+tiles*from+steps[i]))
			}
		}
	}
	for _, a := range dst[start:] {
		if s.promotes(int(a)/tiles, int(a)%tiles) {
			dst = append(dst, codePromote+a)
		}
	}
	return dst
}

// free and enemy ask for a tile from the acting player's seat; -1 is neither.
func (s *State) free(tile int) bool { return tile >= 0 && s.tiles[seen(s.player, tile)] == 0 }

func (s *State) enemy(tile int) bool {
	if tile < 0 {
		return false
	}
	at := seen(s.player, tile)
	return s.tiles[at] != 0 && s.owner(at) != s.player
}

// promotes reports whether a pawn's move, seen from the acting player's seat, may
// promote it: without a capture, into promotional territory as it then is.
func (s *State) promotes(from, to int) bool {
	if !s.free(to) {
		return false
	}
	t := *s
	t.tiles[seen(s.player, from)] = 0
	t.tiles[seen(s.player, to)] = piece(s.player, pawn)
	_, _, promotion := t.territories()
	return promotion[s.player].has(seen(s.player, to))
}

// Chance implements engine.State: there is none.
func (s *State) Chance(dst []engine.Weighted) []engine.Weighted { return dst }

// Apply implements engine.State.
func (s *State) Apply(a engine.Action, h *engine.History) {
	if invariants.Enabled && !slices.Contains(s.Legal(nil, h), a) {
		panic("BUG: konkvesttable: illegal action")
	}
	kind := pawn
	if a >= codePromote {
		a, kind = a-codePromote, hero
	}
	from, to := seen(s.player, int(a)/tiles), seen(s.player, int(a)%tiles)
	toppled := false
	if s.tiles[to] != 0 {
		switch k := s.kind(to); {
		case k == queen:
			toppled = true
		case k > queen:
			s.reserve[s.player][k-hero]++
		default:
			s.reserve[s.player][k]++
		}
	}
	s.tiles[from], s.tiles[to] = 0, piece(s.player, kind)
	s.player = 1 - s.player
	s.ply++
	s.over = toppled || !s.canMove()
}

func (s *State) canMove() bool {
	var buf [8 * 3 * 2]engine.Action
	return len(s.moves(buf[:0])) > 0
}

// Outcome implements engine.State.
func (s *State) Outcome() engine.Outcome {
	if !s.over {
		return engine.Outcome{}
	}
	return engine.Outcome{Over: true, Winner: engine.Player(1 - s.player), Reason: s.reason()}
}

func (s *State) reason() string {
	if slices.Contains(s.tiles[:], piece(s.player, queen)) {
		return "blocked"
	}
	return "queen"
}

// Turn implements engine.State.
func (s *State) Turn() int { return int(s.ply) }

// Hash implements engine.State.
func (s *State) Hash() uint64 { return s.digest(0) }

// EncodingHash implements engine.State: the position from the acting player's
// seat, and the ply.
func (s *State) EncodingHash() uint64 {
	return kit.Mix(s.digest(s.player) ^ uint64(s.ply)<<32 ^ 1)
}

// digest is a hash of the position from a player's seat.
func (s *State) digest(player engine.Side) uint64 {
	h := uint64(s.player ^ player)
	for i := range tiles {
		p := s.tiles[seen(player, i)]
		if p != 0 && player == 1 {
			p = piece(1-s.owner(seen(player, i)), s.kind(seen(player, i)))
		}
		if p != 0 {
			h = kit.Mix(h ^ uint64(p)<<8 ^ uint64(i)<<16)
		}
	}
	for i := range s.reserve {
		for k, n := range s.reserve[i^int(player)] {
			h = kit.Mix(h ^ uint64(n)<<8 ^ uint64(6*i+k)<<16 ^ 1<<32)
		}
	}
	return h
}

// CopyFrom implements engine.State.
func (s *State) CopyFrom(src engine.State) { *s = *src.(*State) }

// SymmetryMask implements engine.State.
func (s *State) SymmetryMask() uint32 { return 0b11 }

// Transform implements engine.State.
func (s *State) Transform(i int) {
	if i != 1 {
		return
	}
	old := s.tiles
	for tile, p := range old {
		s.tiles[mirrors[tile]] = p
	}
}

var mirrors = func() (t [tiles]int) {
	for i := range t {
		t[i] = mirrored(i)
	}
	return t
}()

// AppendAction implements engine.State: "c4-d5", with a + for promotion.
func (s *State) AppendAction(dst []byte, a engine.Action) []byte {
	suffix := ""
	if a >= codePromote {
		a, suffix = a-codePromote, "+"
	}
	return fmt.Appendf(dst, "%s-%s%s", name(seen(s.player, int(a)/tiles)), name(seen(s.player, int(a)%tiles)), suffix)
}

// ParseAction implements engine.State.
func (s *State) ParseAction(word string, h *engine.History) (engine.Action, error) {
	return kit.ParseWord(s, word, h)
}

// Board implements engine.State: row m on top.
func (s *State) Board(bool) string {
	var b strings.Builder
	for r := rows; r >= 1; r-- {
		n := rowLength(r)
		fmt.Fprintf(&b, "%c %*s", 'a'+r-1, 2*(12-n), "")
		for c := range n {
			fmt.Fprintf(&b, "%4s", s.letter(tileAt[point{2*c - n + 1, r}], "."))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// letter is a piece's word, small for player 1.
func (s *State) letter(tile int, empty string) string {
	switch {
	case s.tiles[tile] == 0:
		return empty
	case s.owner(tile) == 1:
		return strings.ToLower(kindWords[s.kind(tile)])
	}
	return kindWords[s.kind(tile)]
}
