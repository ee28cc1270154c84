package mcts

// store holds the edges of a tree: in one slice of a fixed capacity, or in chunks that
// are allocated when they are needed, up to a number of edges. Chunks keep their place,
// so that a tree grows without copying, and they stay with the tree.
//
// The edges of a position are contiguous: where they do not fit into what is left of a
// chunk they begin the next one, and the places between stay unused. An index has the
// number of the chunk in its upper bits and the place in the chunk in the lower ones.
type store struct {
	chunks [][]edge // len is the part in use
	last   int      // the chunk that is being filled; those behind it are empty
	shift  uint8    // lower bits of an index
	mask   index    // of those
	room   int      // bound on the edges of all chunks
	// moments are beside the edges, as long as the chunks' capacity; nil unless
	// Config.Tuning needs them.
	moments [][]moment
}

const (
	// oneChunk is the shift of a store of one chunk.
	oneChunk = 31
	// chunkShift makes chunks of 2 MiB, the size of a large page, which Kon'reh fills in
	// 2000 simulations. Such a chunk holds the edges of any position, see edge.count.
	chunkShift = 16
	// atOnce is the room, 8 MiB, up to which a tree is of one chunk.
	atOnce = 1 << 18
)

// newStore returns a store for that many edges: allocated at once if shift is oneChunk,
// else in chunks of 1<<shift edges, or more if the edges of a position, at most least,
// need it.
func newStore(room int, shift uint8, least int) store {
	size := room
	for shift < oneChunk && 1<<shift < least {
		shift++
	}
	if shift < oneChunk {
		size = min(room, 1<<shift)
	}
	return store{chunks: [][]edge{make([]edge, 0, size)}, shift: shift, mask: 1<<shift - 1, room: room}
}

// keepMoments makes room for a moment beside each edge.
func (s *store) keepMoments() {
	s.moments = nil
	for _, c := range s.chunks {
		s.moments = append(s.moments, make([]moment, cap(c)))
	}
}

// moment gives access to the further sums of edge i.
func (s *store) moment(i index) *moment { return &s.moments[s.chunkOf(i)][s.offset(i)] }

// chunkOf is the number of the chunk that has edge i.
func (s *store) chunkOf(i index) int { return int(i >> (s.shift & oneChunk)) }

// offset is the place of edge i in its chunk.
func (s *store) offset(i index) index { return i & s.mask }

func (s *store) indexOf(chunk, offset int) index {
	return index(chunk)<<(s.shift&oneChunk) | index(offset)
}

// begin is the first place in a chunk behind the root.
func (s *store) begin(chunk int) int {
	if chunk == 0 {
		return 1
	}
	return 0
}

func (s *store) at(i index) *edge { return &s.chunks[s.chunkOf(i)][s.offset(i)] }

// children are the edges of the expanded position behind n.
func (s *store) children(n *edge) []edge {
	from := s.offset(n.first)
	return s.chunks[s.chunkOf(n.first)][from : from+index(n.count)]
}

// keepRoot replaces all edges by the root.
func (s *store) keepRoot(root edge) {
	for k := range s.chunks {
		s.chunks[k] = s.chunks[k][:0]
	}
	s.chunks[0], s.last = append(s.chunks[0], root), 0
	if s.moments != nil {
		s.moments[0][0] = moment{}
	}
}

// add returns n new edges, to be written, and the index of the first; nil if there is
// no room. It allocates where a chunk begins that was never used.
func (s *store) add(n int) ([]edge, index) {
	c := s.chunks[s.last]
	if len(c)+n > cap(c) {
		if !s.grow(n) {
			return nil, 0
		}
		c = s.chunks[s.last]
	}
	from := len(c)
	c = c[:from+n]
	s.chunks[s.last] = c
	if s.moments != nil {
		clear(s.moments[s.last][from : from+n])
	}
	return c[from:], s.indexOf(s.last, from)
}

// grow goes on to the next chunk, if that has room for n edges.
func (s *store) grow(n int) bool {
	if s.shift == oneChunk {
		return false
	}
	next := s.last + 1
	if next == len(s.chunks) {
		size := min(1<<s.shift, s.room-next<<s.shift)
		if size < n {
			return false
		}
		s.chunks = append(s.chunks, make([]edge, 0, size))
		if s.moments != nil {
			s.moments = append(s.moments, make([]moment, size))
		}
	}
	if cap(s.chunks[next]) < n {
		return false
	}
	s.last = next
	return true
}

// place says where n edges of a position go if the places before next are taken, and
// what comes after them. Both never decrease with next.
func (s *store) place(next, n index) (from, after index) {
	if s.shift < oneChunk {
		if s.offset(next)+n > s.mask+1 {
			next = (next | s.mask) + 1
		}
	}
	return next, next + n
}

// resize leaves the places of a chunk that come before end, an index in it or the first
// one behind it.
func (s *store) resize(chunk int, end index) {
	s.chunks[chunk] = s.chunks[chunk][:end-s.indexOf(chunk, 0)]
}

// used is the number of edges in use.
func (s *store) used() int {
	n := 0
	for _, c := range s.chunks[:s.last+1] {
		n += len(c)
	}
	return n
}
