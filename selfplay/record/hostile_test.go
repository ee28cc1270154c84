package record

import (
	"errors"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seal"
)

// readSealed reads a shard that somebody altered and gave a checksum that fits.
func readSealed(data []byte, info *engine.Info) error {
	if err := seal.Seal(data); err != nil {
		return err
	}
	s, err := Parse("hostile", data, info)
	if err == nil {
		_, err = s.Rows()
	}
	return err
}

// known reports whether an error is one that callers tell apart.
func known(err error) bool {
	return errors.Is(err, ErrCorrupt) || errors.Is(err, ErrForeign) || errors.Is(err, ErrVersion)
}

// TestHostileShardIsAnError alters one bit in each byte of a small shard and makes
// the checksum fit, so that the parser sees what the checksum keeps from it
// otherwise. Some alterations make another valid shard; none may panic.
func TestHostileShardIsAnError(t *testing.T) {
	rows, info := connect4Rows(t, 1)
	data := marshal(t, info, rows)
	work, refused := make([]byte, len(data)), 0
	for i := range data {
		flips := []byte{1 << (i % 8), 0x80, 0xff}
		if testing.Short() {
			flips = flips[:1]
		}
		for _, flip := range flips {
			copy(work, data)
			work[i] ^= flip
			err := readSealed(work, info)
			if err != nil {
				refused++
			}
			if err != nil && !known(err) && seal.Check(work) == nil {
				t.Errorf("byte %d altered by %#x: %v, want ErrCorrupt", i, flip, err)
			}
		}
	}
	if refused < len(data)/2 {
		t.Errorf("%d shards were refused, of %d bytes", refused, len(data))
	}
}

func FuzzSealedShard(f *testing.F) {
	rows, info := connect4Rows(f, 1)
	f.Add(marshal(f, info, rows))
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := readSealed(data, info); err != nil && !known(err) && seal.Check(data) == nil {
			t.Errorf("%v, want ErrCorrupt", err)
		}
	})
}
