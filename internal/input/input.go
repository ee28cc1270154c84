// Package input opens files that somebody else may have put there. A run, a pack or
// a match folder can come from anywhere: a FIFO in the place of a file would hang
// its reader, a device or a huge file would use up the memory.
package input

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
)

// Limits of what is read as a whole, in bytes. They are far above what the program
// writes.
const (
	// Small files: configurations, states, cards, plans, results.
	Small = 64 << 20
	// Large files: shards, networks, optimizer states, journals, events, metrics.
	Large = 2 << 30
)

// ErrNotRegular says that a path is no regular file, nor a link to one.
var ErrNotRegular = errors.New("not a regular file")

// ErrTooLarge says that a file has more bytes than its kind can have.
var ErrTooLarge = errors.New("too large")

// Open opens a regular file for reading. Anything else is ErrNotRegular, without
// waiting for somebody to write to it.
func Open(path string) (*os.File, error) {
	f, _, err := open(os.OpenFile, path, math.MaxInt64)
	return f, err
}

// OpenIn is Open of a file with at most limit bytes in a folder that no link leads
// out of.
func OpenIn(root *os.Root, name string, limit int64) (*os.File, fs.FileInfo, error) {
	return open(root.OpenFile, name, limit)
}

func open(with func(string, int, fs.FileMode) (*os.File, error), path string, limit int64) (*os.File, fs.FileInfo, error) {
	f, err := with(path, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil {
		err = Check(path, info, limit)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// Check refuses what is no regular file and a file with more than limit bytes.
func Check(path string, info fs.FileInfo, limit int64) error {
	switch {
	case !info.Mode().IsRegular():
		return &os.PathError{Op: "open", Path: path, Err: fmt.Errorf("%w but a %s", ErrNotRegular, kind(info.Mode()))}
	case info.Size() > limit:
		return tooLarge(path, limit)
	}
	return nil
}

func tooLarge(path string, limit int64) error {
	return &os.PathError{Op: "read", Path: path, Err: fmt.Errorf("%w: want at most %d bytes", ErrTooLarge, limit)}
}

// Read reads a regular file of at most limit bytes.
func Read(path string, limit int64) ([]byte, error) {
	f, info, err := open(os.OpenFile, path, limit)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// The size is a hint: the file may grow while it is read.
	data := make([]byte, 0, info.Size()+1)
	for {
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case int64(len(data)) > limit:
			return nil, tooLarge(path, limit)
		case err == io.EOF:
			return data, nil
		case err != nil:
			return nil, err
		}
	}
}

func kind(m os.FileMode) string {
	switch {
	case m.IsDir():
		return "folder"
	case m&os.ModeNamedPipe != 0:
		return "pipe"
	case m&os.ModeSocket != 0:
		return "socket"
	case m&os.ModeDevice != 0:
		return "device"
	}
	return "special file"
}
