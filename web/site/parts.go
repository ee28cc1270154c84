//go:build !complete

package site

import "io/fs"

// Parts are those that the program was built with, nil if it was built without: by
// the tag complete they are embedded.
func Parts() fs.FS { return nil }
