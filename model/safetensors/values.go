package safetensors

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/ludozero/ludozero/internal/strictjson"
)

// product multiplies the sizes of a shape. It is not ok if one is below 1 or
// the product exceeds limit.
func product(shape []int, limit int64) (n int64, ok bool) {
	n = 1
	for _, d := range shape {
		if d < 1 || int64(d) > limit/n {
			return 0, false
		}
		n *= int64(d)
	}
	return n, true
}

func checkFinite(t *Tensor) error {
	for i, v := range t.Data {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return fmt.Errorf("tensor %q: value %d is %g, want a finite number", t.Name, i, v)
		}
	}
	return nil
}

// checksum covers metadata, names, shapes and values, each preceded by its
// length so that no two files have the same text to be summed.
func checksum(meta map[string]string, tensors []Tensor) string {
	h := sha256.New()
	var buf []byte
	text := func(s string) {
		buf = binary.LittleEndian.AppendUint64(buf, uint64(len(s)))
		buf = append(buf, s...)
	}
	buf = binary.LittleEndian.AppendUint64(buf, uint64(len(meta)))
	for _, key := range slices.Sorted(maps.Keys(meta)) {
		text(key)
		text(meta[key])
	}
	for i := range tensors {
		t := &tensors[i]
		text(t.Name)
		buf = binary.LittleEndian.AppendUint64(buf, uint64(len(t.Shape)))
		for _, d := range t.Shape {
			buf = binary.LittleEndian.AppendUint64(buf, uint64(d))
		}
		buf = appendValues(buf, t.Data)
		h.Write(buf)
		buf = buf[:0]
	}
	h.Write(buf)
	return hex.EncodeToString(h.Sum(nil))
}

func appendValues(dst []byte, v []float32) []byte {
	dst = slices.Grow(dst, 4*len(v))
	for _, x := range v {
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(x))
	}
	return dst
}

func values(b []byte) []float32 {
	v := make([]float32, len(b)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v
}

// strict parses one JSON value and refuses fields that v does not have.
func strict(text []byte, v any) error {
	if len(text) == 0 {
		return errors.New("missing")
	}
	return strictjson.Decode(text, v)
}
