package record

import (
	"fmt"

	"github.com/parquet-go/parquet-go"
)

// Visits decodes the sum of the visits in each row: how many evaluations are behind its
// root value, those that tree reuse kept included; 0 where the search keeps none.
func (s *Shard) Visits() ([]int32, error) {
	sums := make([]int32, 0, s.Meta.Rows)
	err := s.eachPage(func(p parquet.Page) error {
		repetition, definition := p.RepetitionLevels(), p.DefinitionLevels()
		list, next := int32s(p), 0
		for i, r := range repetition {
			if r == 0 {
				sums = append(sums, 0)
			}
			if definition[i] == 0 {
				continue
			}
			if next == len(list) || list[next] < 0 || len(sums) == 0 {
				return fmt.Errorf("row %d: its visits do not fit their levels, or are below 0", len(sums)-1)
			}
			sums[len(sums)-1] += list[next]
			next++
		}
		return nil
	}, "visits", "list", "element")
	if err == nil && len(sums) != s.Meta.Rows {
		err = fmt.Errorf("visits of %d rows in %d", len(sums), s.Meta.Rows)
	}
	if err != nil {
		return nil, fmt.Errorf("shard %s: %w: %w", s.Name, ErrCorrupt, err)
	}
	return sums, nil
}

// Players decodes who decides in each row of c, which are the columns of this shard: 0 the
// first player, 1 the second.
func (s *Shard) Players(c *Columns) ([]int8, error) { return s.seats(c, "player") }
