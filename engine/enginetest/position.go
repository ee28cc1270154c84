package enginetest

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
)

// checkPosition checks one position and reports whether it is sound. h is its
// history, which is left as it is. It stops at the first check that finds a
// fault: the later ones build on the earlier.
func (c *checker) checkPosition(s engine.State, h *engine.History, thorough bool) bool {
	entered := h.Len()
	before := s.Pack(nil)
	checks := []func(engine.State, *engine.History){c.checkDecision, c.checkIdentity, c.checkEncoding}
	if thorough {
		checks = append(checks, c.checkCopies, c.checkText, c.checkWords, c.checkPacked, c.checkSymmetries, c.checkAnnotations, c.checkSettled,
			c.checkPicture, c.checkPace, c.checkMargin, c.checkSwapped)
	}
	c.faulted = false
	for _, check := range checks {
		if check(s, h); c.faulted {
			return false
		}
	}
	if h.Len() != entered {
		c.fault(s, "the history had %d positions, %d after it was asked and truncated", entered, h.Len())
	}
	if !bytes.Equal(before, s.Pack(nil)) {
		c.fault(s, "the state changed while it was asked")
	}
	return !c.faulted
}

// checkDecision checks who acts and what can be done.
func (c *checker) checkDecision(s engine.State, h *engine.History) {
	o, actor := s.Outcome(), s.Actor()
	if o.Over != (actor == engine.Nobody) {
		c.fault(s, "outcome %+v with actor %v: want nobody to act exactly when the game is over", o, actor)
	}
	if o.Over && (o.Reason == "" || o.Winner == engine.Chance || o.Winner < engine.First || o.Winner > engine.Nobody) {
		c.fault(s, "finished with winner %v, reason %q: want a player or nobody, and a reason", o.Winner, o.Reason)
	}
	first, second := s.SideOf(engine.First), s.SideOf(engine.Second)
	if first != 1-second || first < 0 || first > 1 {
		c.fault(s, "first owns side %d, second %d: want 0 and 1, or 1 and 0", first, second)
	}
	if decides(s) && s.Side() != s.SideOf(actor) {
		c.fault(s, "side %d decides, but %v owns %d", s.Side(), actor, s.SideOf(actor))
	}

	const marker = -7
	c.legal = s.Legal(append(c.legal[:0], marker), h)
	if len(c.legal) == 0 || c.legal[0] != marker {
		c.fault(s, "Legal overwrites what the slice held")
		return
	}
	c.legal = c.legal[1:]
	if decides(s) != (len(c.legal) > 0) {
		c.fault(s, "%d legal actions for actor %v: want some exactly when a player decides", len(c.legal), actor)
	}
	if len(c.legal) > c.info.MaxLegal {
		c.fault(s, "%d legal actions, MaxLegal is %d", len(c.legal), c.info.MaxLegal)
	}
	for i, a := range c.legal {
		if a < 0 || int(a) >= c.info.NumActions || i > 0 && a <= c.legal[i-1] {
			c.fault(s, "legal actions %v: want them ascending, from 0 to NumActions-1", c.legal)
			return
		}
		if c.info.Policy.Cells[a] < 0 {
			c.fault(s, "legal action %d has no head cell: Policy.Cells is -1", a)
		}
	}
	c.checkLogits(s)

	chance := s.Chance(nil)
	if (actor == engine.Chance) != (len(chance) > 0) {
		c.fault(s, "%d chance outcomes for actor %v: want some exactly when chance decides", len(chance), actor)
	}
	sum := 0.0
	for i, w := range chance {
		if w.Code < 0 || int(w.Code) >= c.info.NumChance || w.Prob <= 0 || i > 0 && w.Code <= chance[i-1].Code {
			c.fault(s, "chance outcomes %v: want codes ascending, from 0 to NumChance-1, and probabilities above 0", chance)
		}
		sum += w.Prob
	}
	if len(chance) > 0 && math.Abs(sum-1) > 1e-9 {
		c.fault(s, "chance probabilities sum to %v, want 1", sum)
	}
}

// checkLogits counts legal actions that share a logit with another.
func (c *checker) checkLogits(s engine.State) {
	clear(c.logits)
	for _, a := range c.legal {
		cell := c.info.Policy.Cells[a]
		if other, ok := c.logits[cell]; ok {
			c.stats.Shared++
			if c.info.Policy.Shared == "" {
				c.fault(s, "legal actions %s and %s share logit %d: want one each, or PolicyHead.Shared to say why",
					s.AppendAction(nil, other), s.AppendAction(nil, a), cell)
				return
			}
		}
		c.logits[cell] = a
	}
}

// checkSwapped checks that a side is shown what the other would be shown in its place.
func (c *checker) checkSwapped(s engine.State, _ *engine.History) {
	c.a.CopyFrom(s)
	t, ok := c.a.(engine.Swapper)
	if !ok || !t.Swap() {
		return
	}
	actor := s.Actor()
	if decides(s) && (t.Actor() != actor.Other() || t.Side() != 1-s.Side()) || s.Outcome().Over != t.Outcome().Over || s.Outcome().Value(engine.First) != t.Outcome().Value(engine.Second) {
		c.fault(s, "with the sides exchanged %v decides after %v, outcome %+v after %+v", t.Actor(), actor, t.Outcome(), s.Outcome())
	}
	if decides(s) {
		if c.encode(s) != c.encode(t) || s.EncodingHash() != t.EncodingHash() {
			c.fault(s, "the sides are shown different things in each other's place; exchanged: %s", t.AppendPosition(nil))
		}
		if !slices.Equal(s.Legal(nil, nil), t.Legal(nil, nil)) {
			c.fault(s, "the sides have different legal actions in each other's place; exchanged: %s", t.AppendPosition(nil))
		}
	}
	if !t.Swap() || !c.same(s, c.a) {
		c.fault(s, "exchanged twice, the position is %s", c.a.AppendPosition(nil))
	}
}

// checkIdentity checks that a position line has one hash, whichever way led
// there.
func (c *checker) checkIdentity(s engine.State, _ *engine.History) {
	line, hash := string(s.AppendPosition(nil)), s.Hash()
	if old, ok := c.hashes[line]; ok && old != hash {
		c.fault(s, "Hash is %#x, and was %#x when the position came up before", hash, old)
	}
	c.hashes[line] = hash
}

// checkEncoding checks what a network sees and that EncodingHash tells exactly
// such views apart.
func (c *checker) checkEncoding(s engine.State, h *engine.History) {
	if !decides(s) {
		return
	}
	digest, hash := c.encode(s), s.EncodingHash()
	f := &c.info.Features
	for i, x := range c.planes {
		if !(x >= 0) || math.IsInf(float64(x), 0) {
			c.fault(s, "plane %q, cell %d: %v, want a finite number of at least 0", f.PlaneNames[i/f.Cells()], i%f.Cells(), x)
			break
		}
	}
	for i, x := range c.globals {
		if x != x || math.IsInf(float64(x), 0) {
			c.fault(s, "global %q: %v, want a finite number", f.GlobalNames[i], x)
			break
		}
	}
	if f.MaskPlane >= 0 {
		c.checkMask(s)
	}
	if old, ok := c.encodings.byHash[hash]; ok && old != digest {
		c.fault(s, "two encodings have the EncodingHash %#x", hash)
	}
	if old, ok := c.encodings.byBytes[digest]; ok && old != hash {
		c.fault(s, "one encoding has the EncodingHash %#x and %#x", old, hash)
	}
	c.encodings.byHash[hash], c.encodings.byBytes[digest] = digest, hash
	legal := fnv.New64a()
	fmt.Fprint(legal, s.Legal(nil, h))
	if old, ok := c.encodings.legal[hash]; ok && old != legal.Sum64() && engine.Remembers(c.g) == "" {
		c.fault(s, "two positions are encoded alike, but have different legal actions; a rule about the past has to be named by engine.Remembering")
	}
	c.encodings.legal[hash] = legal.Sum64()
}

// checkMask checks that the mask plane is 0 or 1, the same in all positions,
// and that the other planes are 0 off the board.
func (c *checker) checkMask(s engine.State) {
	f := &c.info.Features
	mask := c.planes[f.MaskPlane*f.Cells():][:f.Cells()]
	if c.mask == nil {
		c.mask = slices.Clone(mask)
	}
	if !slices.Equal(mask, c.mask) {
		c.fault(s, "the mask plane has changed: want the same in all positions of a ruleset")
	}
	for i, x := range c.planes {
		if m := mask[i%f.Cells()]; m != 0 && m != 1 || m == 0 && x != 0 {
			c.fault(s, "plane %q, cell %d: %v where the mask is %v; want a mask of 0 and 1, and nothing off the board", f.PlaneNames[i/f.Cells()], i%f.Cells(), x, m)
			return
		}
	}
}

// checkCopies plays every possible action on two copies, before and after the
// history has been truncated, and without a history.
func (c *checker) checkCopies(s engine.State, h *engine.History) {
	mark := h.Len()
	original := string(s.AppendPosition(nil))
	possible := engine.AppendPossible(nil, new([]engine.Weighted), s, h)
	for _, a := range possible {
		c.a.CopyFrom(s)
		if !c.same(c.a, s) {
			c.fault(s, "a copy differs")
			return
		}
		c.a.Apply(a, h)
		if string(s.AppendPosition(nil)) != original {
			c.fault(s, "playing action %d on a copy changed the original", a)
			return
		}
		pushed := h.Len() - mark
		if pushed < 0 || pushed > max(1, c.a.Turn()-s.Turn()) {
			c.fault(s, "%s changed the history by %d positions", s.AppendAction(nil, a), pushed)
			return
		}
		h.Truncate(mark)
		c.b.CopyFrom(s)
		c.b.Apply(a, h)
		if h.Len()-mark != pushed || !c.same(c.a, c.b) {
			c.fault(s, "%s leads elsewhere after the history was truncated", s.AppendAction(nil, a))
		}
		h.Truncate(mark)
		c.c.CopyFrom(s)
		c.c.Apply(a, nil)
		// A repetition may end the game in a turn without a choice, which is passed without one.
		same := c.c.Outcome() == c.a.Outcome()
		if c.c.Turn() < c.a.Turn() || same && (c.c.Turn() != c.a.Turn() || c.c.Hash() != c.a.Hash()) {
			c.fault(s, "%s leads elsewhere without a history", s.AppendAction(nil, a))
		}
	}
}

// checkText checks that the position line reads back.
func (c *checker) checkText(s engine.State, _ *engine.History) {
	prefix := []byte("x")
	line := string(s.AppendPosition(prefix)[1:])
	if line == "" || strings.ContainsAny(line, "\n\r\t") || line != strings.TrimSpace(line) {
		c.fault(s, "the position line %q is not one line", line)
	}
	if slices.Contains(strings.Fields(line), "moves") {
		c.fault(s, "a field of the position line is the word moves, which ends the line in protocols and files of openings")
	}
	t := c.a
	t.Start(nil)
	if err := t.ParsePosition(line); err != nil {
		c.fault(s, "its own line is refused: %v", err)
		return
	}
	if got := string(t.AppendPosition(nil)); got != line {
		c.fault(s, "its line reads back as %s", got)
	}
	if t.Hash() != s.Hash() || t.Actor() != s.Actor() || t.Outcome() != s.Outcome() || t.Turn() != s.Turn() || t.Side() != s.Side() ||
		!slices.Equal(t.Legal(nil, nil), s.Legal(nil, nil)) || !slices.Equal(t.Chance(nil), s.Chance(nil)) {
		c.fault(s, "its line reads back as a position with another hash, actor, outcome or actions: it leaves something out")
	}
	for _, bad := range []string{"", "?", line + " ?", line[:len(line)/2], "?" + line} {
		t.CopyFrom(s)
		if err := t.ParsePosition(bad); err == nil {
			if got := string(t.AppendPosition(nil)); got != bad {
				c.fault(s, "the line %q is accepted and means %s", bad, got)
			}
		} else if !c.same(t, s) {
			c.fault(s, "the refused line %q changed the state", bad)
		}
	}
	for _, color := range []bool{false, true} {
		board := s.Board(color)
		if !strings.HasSuffix(board, "\n") || !color && strings.Contains(board, "\x1b") {
			c.fault(s, "Board(%v) = %q: want lines that each end, and colours only if asked", color, board)
		}
	}
}

// checkWords checks that every possible action has a word of its own that reads
// back.
func (c *checker) checkWords(s engine.State, h *engine.History) {
	seen := map[string]bool{}
	for _, a := range engine.AppendPossible(nil, new([]engine.Weighted), s, h) {
		word := string(s.AppendAction([]byte("x"), a)[1:])
		if word == "" || strings.ContainsAny(word, " \t\r\n,") || seen[word] {
			c.fault(s, "action %d is written %q, which is no word of its own", a, word)
		}
		seen[word] = true
		if got, err := s.ParseAction(word, h); err != nil || got != a {
			c.fault(s, "action %d is written %q, which reads as %d, %v", a, word, got, err)
		}
	}
	for _, bad := range []string{"", "?", " "} {
		if a, err := s.ParseAction(bad, h); err == nil {
			c.fault(s, "the word %q reads as action %d", bad, a)
		}
	}
}

// checkPacked checks that a packed position restores everything, and that no
// bytes are accepted that would be packed otherwise.
func (c *checker) checkPacked(s engine.State, _ *engine.History) {
	packed := s.Pack([]byte{1})[1:]
	if len(packed) != c.info.PackedBytes {
		c.fault(s, "Pack appends %d bytes, want %d", len(packed), c.info.PackedBytes)
		return
	}
	t := c.a
	t.Start(nil)
	if err := t.Unpack(packed); err != nil {
		c.fault(s, "its own bytes are refused: %v", err)
		return
	}
	if !c.same(s, t) {
		c.fault(s, "Unpack gives another position: %s", t.AppendPosition(nil))
	}
	if decides(s) && (s.EncodingHash() != t.EncodingHash() || c.encode(s) != c.encode(t)) {
		c.fault(s, "Unpack gives a position that is encoded otherwise")
	}
	for range 4 {
		bad := slices.Clone(packed)
		bad[c.rng.IntN(len(bad))] ^= 1 << c.rng.IntN(8)
		t.CopyFrom(s)
		if err := t.Unpack(bad); err == nil {
			if again := t.Pack(nil); !bytes.Equal(again, bad) {
				c.fault(s, "Unpack accepts %x, which packs as %x", bad, again)
			}
		} else if !c.same(t, s) {
			c.fault(s, "the refused bytes %x changed the state", bad)
		}
	}
	for _, bad := range [][]byte{nil, packed[:len(packed)-1], append(slices.Clone(packed), 0)} {
		if t.CopyFrom(s); t.Unpack(bad) == nil {
			c.fault(s, "Unpack accepts %d bytes, want %d", len(bad), len(packed))
		}
	}
}

// checkAnnotations checks that an Annotator writes one line and changes
// nothing.
func (c *checker) checkAnnotations(s engine.State, _ *engine.History) {
	w, ok := s.(engine.Annotator)
	if !ok {
		return
	}
	for _, a := range s.Legal(nil, nil) {
		c.a.CopyFrom(s)
		c.a.Apply(a, nil)
		text := string(w.AppendAnnotation([]byte("x"), a, c.a)[1:])
		if strings.ContainsAny(text, "\r\n\t") || text != strings.TrimSpace(text) {
			c.fault(s, "the annotation of %s is %q", s.AppendAction(nil, a), text)
		}
	}
}
