package tensorboard

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/ludozero/ludozero/internal/atomicfile"
)

// FileName names the event file of a run that began then. TensorBoard knows
// event files by it.
func FileName(began time.Time) string {
	seconds := int64(0)
	if !began.IsZero() {
		seconds = max(0, began.Unix())
	}
	return fmt.Sprintf("events.out.tfevents.%010d.ludozero", seconds)
}

// Update makes the file at path hold data, and its folders if need be. What is
// only missing at its end is added, so that a TensorBoard which has read the rest
// sees it, also after a stop in the middle of that; a file with anything else in
// it is replaced, whole or not at all.
func Update(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return replace(path, data)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	old, err := io.ReadAll(io.LimitReader(f, int64(len(data))+1))
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(data, old) {
		return replace(path, data)
	}
	if len(old) == len(data) {
		return nil
	}
	if _, err := f.Write(data[len(old):]); err != nil {
		return err
	}
	return f.Sync()
}

func replace(path string, data []byte) error {
	return atomicfile.WriteBytes(path, data)
}
