package record

import (
	"fmt"

	"github.com/parquet-go/parquet-go"
)

// Reply says which row of the same game holds the opponent's next searched
// decision after a row: the first one whose player is the other. Moves without
// a choice have no row and are passed over. It takes a byte a row.
type Reply uint8

// maxReplyRows is the greatest distance that a Reply holds; a reply that is
// further away counts as none.
const maxReplyRows = 127

// Rows is the number of rows from the decision to the reply; 0: there is none.
func (r Reply) Rows() int { return int(r >> 1) }

// OtherSide reports whether the reply was made for the other side. After a swap
// the opponent may own the side that has just been played.
func (r Reply) OtherSide() bool { return r&1 != 0 }

// Replies finds the reply to each row of c, which are the columns of this
// shard.
func (s *Shard) Replies(c *Columns) ([]Reply, error) {
	players, err := s.seats(c, "player")
	if err != nil {
		return nil, err
	}
	sides, err := s.seats(c, "side")
	if err != nil {
		return nil, err
	}
	replies := make([]Reply, c.Rows)
	start := 0
	for _, end := range c.GameEnd {
		reply := -1 // the first row after i of another player than i's
		for i := int(end) - 1; i >= start; i-- {
			if i+1 < int(end) && players[i+1] != players[i] {
				reply = i + 1
			}
			if n := reply - i; reply >= 0 && n <= maxReplyRows {
				replies[i] = Reply(n<<1) | Reply(sides[i]^sides[reply])
			}
		}
		start = int(end)
	}
	return replies, nil
}

// seats decodes a column of 0 and 1, one for each row of c.
func (s *Shard) seats(c *Columns, column string) ([]int8, error) {
	list := make([]int8, 0, c.Rows)
	err := s.eachPage(func(p parquet.Page) error {
		for _, v := range int32s(p) {
			if v != 0 && v != 1 {
				return fmt.Errorf("row %d: %d: want 0 or 1", len(list), v)
			}
			list = append(list, int8(v))
		}
		return nil
	}, column)
	if err == nil && len(list) != c.Rows {
		err = fmt.Errorf("column %s: %d values in %d rows", column, len(list), c.Rows)
	}
	if err != nil {
		return nil, fmt.Errorf("shard %s: %w: %w", s.Name, ErrCorrupt, err)
	}
	return list, nil
}
