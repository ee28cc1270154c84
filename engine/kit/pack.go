package kit

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/engine"
)

// Unpack reads src, of size bytes, into s, and lets check refuse what was read. Bytes that
// s does not pack to are refused too, so that read need not look for bits without a meaning.
func Unpack(src []byte, size int, s engine.State, read func(src []byte) error, check func() error) error {
	if len(src) != size {
		return fmt.Errorf("packed position: %d bytes, want %d", len(src), size)
	}
	err := read(src)
	if err == nil {
		err = check()
	}
	if err == nil && !bytes.Equal(s.Pack(make([]byte, 0, size)), src) {
		err = errors.New("bits without a meaning")
	}
	if err != nil {
		return fmt.Errorf("packed position: %w", err)
	}
	return nil
}
