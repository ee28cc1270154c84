package race

import (
	"math/bits"

	"github.com/ludozero/ludozero/engine"
)

// entry is an answer: the position under its exact key, the question and the
// action that decided it, which is tried first where the question is another.
type entry struct {
	key    [5]uint64
	move   int16
	age    uint16 // of the table; older entries are empty
	asked  uint8  // hunter in bit 7, slack below
	left   uint8  // own turns left to the racer
	answer bool
}

// table holds answers in pairs: the first entry keeps the longer race of the current
// solution, the second the newest of the others.
type table struct {
	entries []entry
	shift   uint // turns a product into the index of a pair
	age     uint16
}

const entryBytes = 48

func newTable(size int) table {
	pairs := max(1, bits.Len(uint(size/(2*entryBytes)))-1)
	return table{entries: make([]entry, 2<<pairs), shift: uint(64 - pairs), age: 1}
}

func (t *table) clear() {
	if t.age++; t.age == 0 {
		clear(t.entries)
		t.age = 1
	}
}

func (t *table) pair(key *[5]uint64) *[2]entry {
	h := uint64(0)
	for _, w := range key {
		h = (h ^ w) * 0x9e3779b97f4a7c15 // 2^64 over the golden ratio
		h ^= h >> 32
	}
	return (*[2]entry)(t.entries[2*(h*0x9e3779b97f4a7c15>>t.shift):])
}

func question(hunter engine.Side, slack int) uint8 { return uint8(hunter)<<7 | uint8(slack) }

// find looks up e.key. If the question has no answer, e.move is the action that decided
// another question, if any. Answers carry over to another slack: a hunter who can hold
// out can also do so for fewer turns, and one who cannot, not for more.
func (t *table) find(e *entry, hunter engine.Side, slack int) (answer, known bool) {
	p := t.pair(&e.key)
	for i := range p {
		f := &p[i]
		if f.age != t.age || f.key != e.key {
			continue
		}
		e.move = f.move
		if f.asked>>7 != uint8(hunter) {
			continue
		}
		if was := int(f.asked & 127); f.answer && was <= slack || !f.answer && was >= slack {
			return f.answer, true
		}
	}
	return false, false
}

func (t *table) store(e *entry, answer bool, hunter engine.Side, slack, left int) {
	e.age, e.asked, e.left, e.answer = t.age, question(hunter, slack), uint8(left), answer
	p := t.pair(&e.key)
	switch {
	case p[0].age != t.age || p[0].key == e.key:
		p[0] = *e
	case p[1].age == t.age && p[1].key == e.key:
		p[1] = *e
	case left >= int(p[0].left):
		p[1] = p[0]
		p[0] = *e
	default:
		p[1] = *e
	}
}
