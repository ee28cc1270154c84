package record

import (
	"fmt"

	"github.com/parquet-go/parquet-go"
)

// Endings tell how the games of a shard went on from the position of their last row.
type Endings struct {
	// Player [Rows] decides in each row, 0 or 1.
	Player []int8
	// Played lists for each game the action of its last row and what was applied after it
	// until the end, chance outcomes included.
	Played [][]uint16
}

// Endings decodes how the games of c, which are the columns of this shard, ended.
func (s *Shard) Endings(c *Columns) (*Endings, error) {
	players, err := s.seats(c, "player")
	if err != nil {
		return nil, err
	}
	actions := make([]int32, 0, c.Rows)
	var after []uint16
	end := make([]int32, 0, c.Rows)
	err = s.eachPage(func(p parquet.Page) error {
		actions = append(actions, int32s(p)...)
		return nil
	}, "action")
	if err == nil {
		err = s.eachPage(func(p parquet.Page) error { return addLists(&after, &end, p) }, "after", "list", "element")
	}
	if err == nil && (len(actions) != c.Rows || len(end) != c.Rows) {
		err = fmt.Errorf("%d actions and %d lists after them in %d rows", len(actions), len(end), c.Rows)
	}
	e := &Endings{Player: players, Played: make([][]uint16, 0, len(c.GameEnd))}
	for _, g := range c.GameEnd {
		if err != nil {
			break
		}
		last := int(g) - 1
		if a := actions[last]; a < 0 || a > maxCode {
			err = fmt.Errorf("row %d: action %d: want 0 to %d", last, a, maxCode)
			break
		}
		e.Played = append(e.Played, append([]uint16{uint16(actions[last])}, span(after, end, last)...))
	}
	if err != nil {
		return nil, fmt.Errorf("shard %s: %w: %w", s.Name, ErrCorrupt, err)
	}
	return e, nil
}
