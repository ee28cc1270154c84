//go:build complete

package site

import (
	"embed"
	"io/fs"
)

// `make complete` makes the folder.
//
//go:embed parts
var embedded embed.FS

// Parts returns the files that are embedded in the program.
func Parts() fs.FS {
	parts, err := fs.Sub(embedded, "parts")
	if err != nil {
		panic("BUG: embedded parts: " + err.Error())
	}
	return parts
}
