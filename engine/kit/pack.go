package kit

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/engine"
)

// Unpack reads src, of size bytes, into t, lets check refuse what was read, and sets s to
// it. Bytes that t does not pack to are refused, so that read need not look for bits
// without a meaning.
func Unpack[S any, P interface {
	*S
	engine.State
}](s, t P, src []byte, size int, read func(src []byte) error, check func() error) error {
	if len(src) != size {
		return fmt.Errorf("packed position: %d bytes, want %d", len(src), size)
	}
	err := read(src)
	if err == nil {
		err = check()
	}
	if err == nil && !bytes.Equal(t.Pack(make([]byte, 0, size)), src) {
		err = errors.New("bits without a meaning")
	}
	if err != nil {
		return fmt.Errorf("packed position: %w", err)
	}
	*s = *t
	return nil
}
