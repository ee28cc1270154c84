package record

import (
	"fmt"

	"github.com/parquet-go/parquet-go"
)

// Taught reports whether a teacher decided here instead of a search with the network.
func (r *Row) Taught() bool { return r.PolicyKind == PolicyTeacher }

// checkTaught holds the decision of a teacher to what such a row leaves out.
func (r *Row) checkTaught() error {
	if !r.Taught() {
		return nil
	}
	if r.RootDraw == DrawUnknown && r.RootValue != 0 || r.NetworkValue != 0 || r.Surprise != 0 || r.Full || r.Resigns || len(r.Visits) > 0 {
		return fmt.Errorf("policy kind %q with figures of a search: want network value and surprise 0, a root value only beside a root draw, no visits, neither full nor resigning", r.PolicyKind)
	}
	return nil
}

// taughtRows decodes which rows are a teacher's.
func (s *Shard) taughtRows() ([]bool, error) {
	list := make([]bool, 0, s.Meta.Rows)
	err := s.eachPage(func(p parquet.Page) error {
		taught, err := dictionary(p, func(word string) bool { return word == PolicyTeacher })
		if err != nil {
			return err
		}
		for _, v := range int32s(p) {
			list = append(list, taught[v])
		}
		return nil
	}, "policy_kind")
	if err == nil && len(list) != s.Meta.Rows {
		err = fmt.Errorf("column policy_kind: %d values in %d rows", len(list), s.Meta.Rows)
	}
	return list, err
}
