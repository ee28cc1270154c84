//go:build !complete

package site

import "io/fs"

// Parts returns the files that the tag complete embeds in the program; nil without it.
func Parts() fs.FS { return nil }
