package main

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// isTerminal tells whether w is a terminal that a person looks at.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// wantColor resolves a --color flag for output to w. NO_COLOR turns "auto" off.
func wantColor(flag string, w io.Writer) (bool, error) {
	switch flag {
	case "always":
		return true, nil
	case "never":
		return false, nil
	case "auto":
		return isTerminal(w) && os.Getenv("NO_COLOR") == "", nil
	}
	return false, usageError{fmt.Errorf("--color %q: want auto, always or never", flag)}
}
