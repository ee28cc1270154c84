package record

import (
	"iter"

	"github.com/ludozero/ludozero/engine"
)

// Problem is a breach of the rules of Row or of the game.
type Problem struct {
	// Row is the index of the row, -1 if the problem concerns the whole shard.
	Row int
	Err error
}

// Problems lists every fault of rows, as Decode returned them, that shows
// without the rules of the game: of each row on its own, against the row before
// it, and against the metadata.
func (s *Shard) Problems(rows []Row) []Problem {
	list := rowProblems(rows, s.info, &s.Meta, false)
	if err := s.checkWhole(rows); err != nil {
		list = append(list, Problem{-1, err})
	}
	return list
}

// rowProblems checks all rules on the rows of a shard and lists every problem, or only
// the first. A row is compared with the one before it only if that one is valid.
func rowProblems(rows []Row, info *engine.Info, m *Meta, first bool) (list []Problem) {
	good, marked := false, false // marked: the game has a decision to resign
	for i := range rows {
		r := &rows[i]
		err := r.check(info, m)
		if err == nil && good {
			err = r.follows(&rows[i-1])
		}
		if i > 0 && rows[i-1].GameNumber != r.GameNumber {
			marked = false
		}
		if err == nil {
			err = r.resignsOnce(marked, i == len(rows)-1 || rows[i+1].GameNumber != r.GameNumber)
		}
		marked = marked || r.Resigns
		if good = err == nil; good {
			continue
		}
		list = append(list, Problem{i, err})
		if first {
			break
		}
	}
	return list
}

// Games splits rows by game, in order, with the index of each game's first row.
func Games(rows []Row) iter.Seq2[int, []Row] {
	return func(yield func(int, []Row) bool) {
		for start := 0; start < len(rows); {
			end := start + 1
			for end < len(rows) && rows[end].GameNumber == rows[start].GameNumber {
				end++
			}
			if !yield(start, rows[start:end]) {
				return
			}
			start = end
		}
	}
}
