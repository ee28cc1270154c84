// Package problems keeps lists of configuration errors readable: one line a
// problem, each with its full key.
package problems

import "fmt"

// In returns the errors joined in err, each with the key of the section they
// are in before it; none for nil.
func In(section string, err error) []error {
	if err == nil {
		return nil
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{fmt.Errorf("%s.%w", section, err)}
	}
	var all []error
	for _, e := range joined.Unwrap() {
		all = append(all, In(section, e)...)
	}
	return all
}
