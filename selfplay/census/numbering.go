package census

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/ludozero/ludozero/selfplay/record"
)

// numbering collects which shards there are and which games they hold, and
// finds what is missing, doubled or in the wrong place.
type numbering struct {
	names []shardName
	spans []gameSpan
	// first is the first good shard of each folder.
	first map[string]*record.Meta
	bad   []shardFault
}

type shardFault struct {
	path string
	err  error
}

// shardName is a file with the numbers in its name.
type shardName struct {
	File
	generation int32
	number     int64
}

// gameSpan is a range of game numbers without a gap, both ends included, that a
// shard holds. Two folders may hold copies of a run, or equal runs.
type gameSpan struct {
	run, configHash string
	first, last     int64
	path            string
}

func (n *numbering) fault(path, format string, args ...any) {
	n.bad = append(n.bad, shardFault{path, fmt.Errorf(format, args...)})
}

// file notes a file, whatever it may hold. One that was named by itself may have
// any name.
func (n *numbering) file(f File) {
	generation, number, ok := record.ParseFileName(filepath.Base(f.Path))
	switch {
	case ok:
		n.names = append(n.names, shardName{f, generation, number})
	case f.folder != "":
		n.fault(f.Path, "not the name of a shard, such as %s", record.FileName(0, 0))
	}
}

func (n *numbering) shard(f File, s *record.Shard, rows []record.Row) {
	m := &s.Meta
	base, name := filepath.Base(f.Path), record.FileName(m.Generation, m.Number)
	if _, _, ours := record.ParseFileName(base); ours && base != name {
		n.fault(f.Path, "it was written as %s", name)
	}
	if f.folder != "" {
		if n.first == nil {
			n.first = map[string]*record.Meta{}
		}
		if n.first[f.folder] == nil {
			n.first[f.folder] = m
		}
		if o := n.first[f.folder]; o.Run != m.Run || o.ConfigHash != m.ConfigHash {
			n.fault(f.Path, "of run %q with configuration %s among shards of %q with %s", m.Run, m.ConfigHash, o.Run, o.ConfigHash)
		}
	}
	start := len(n.spans)
	for i := range rows {
		game := rows[i].GameNumber
		if len(n.spans) > start {
			last := &n.spans[len(n.spans)-1].last
			if game == *last {
				continue
			}
			if game == *last+1 {
				*last = game
				continue
			}
		}
		n.spans = append(n.spans, gameSpan{m.Run, m.ConfigHash, game, game, f.Path})
	}
}

// faults lists what is wrong, after all shards.
func (n *numbering) faults() []shardFault {
	n.checkNames()
	n.checkSpans()
	return n.bad
}

// checkNames wants the shards of a folder numbered without gap or repetition,
// rising with the generation. A run may have lost its oldest.
func (n *numbering) checkNames() {
	slices.SortStableFunc(n.names, func(a, b shardName) int {
		return cmp.Or(cmp.Compare(a.folder, b.folder), cmp.Compare(a.generation, b.generation), cmp.Compare(a.number, b.number))
	})
	for i := 1; i < len(n.names); i++ {
		a, b := &n.names[i-1], &n.names[i]
		switch {
		case a.folder == "" || a.folder != b.folder || b.number == a.number+1:
		case b.number <= a.number:
			n.fault(b.Path, "number %d follows number %d of an earlier generation", b.number, a.number)
		case b.number == a.number+2:
			n.fault(b.Path, "number %d is missing before it", a.number+1)
		default:
			n.fault(b.Path, "numbers %d to %d are missing before it", a.number+1, b.number-1)
		}
	}
}

// checkSpans wants every game of a run in one shard of a folder.
func (n *numbering) checkSpans() {
	slices.SortStableFunc(n.spans, func(a, b gameSpan) int {
		return cmp.Or(cmp.Compare(filepath.Dir(a.path), filepath.Dir(b.path)), cmp.Compare(a.run, b.run), cmp.Compare(a.configHash, b.configHash), cmp.Compare(a.first, b.first))
	})
	for i, far := 1, 0; i < len(n.spans); i++ {
		// The span before this one that reaches farthest.
		a, b := &n.spans[far], &n.spans[i]
		same := filepath.Dir(a.path) == filepath.Dir(b.path) && a.run == b.run && a.configHash == b.configHash
		if same && b.first <= a.last && a.path != b.path {
			if last := min(a.last, b.last); last > b.first {
				n.fault(b.path, "games %d to %d stand in %s too", b.first, last, a.path)
			} else {
				n.fault(b.path, "game %d stands in %s too", b.first, a.path)
			}
		}
		if !same || b.last > a.last {
			far = i
		}
	}
}
