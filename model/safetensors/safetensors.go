// Package safetensors reads and writes named float32 tensors in the safetensors
// format: eight bytes of header length (little endian), a JSON header, then the
// values of all tensors without gaps. Any safetensors reader can open the files.
//
// The reader is stricter than the format. It takes only float32 tensors of
// finite values, laid out without gap or overlap, and only files that carry a
// checksum of everything in them, as the writer here adds. It is safe to give
// it bytes from anywhere: it allocates no more than a small multiple of what it
// is given, and refuses the rest with an error that wraps [ErrCorrupt].
package safetensors

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"unicode/utf8"
)

// ErrCorrupt is wrapped by every refusal of Decode.
var ErrCorrupt = errors.New("not a whole and unaltered tensor file")

const (
	metadataKey = "__metadata__"
	checksumKey = "sha256"
	float32Type = "F32"
	// lengthBytes is the size of the header length in front of the header.
	lengthBytes = 8
	// maxHeaderBytes bounds the JSON that is parsed; a tensor takes about 100
	// bytes of it. The format itself allows 100 MB.
	maxHeaderBytes = 16 << 20
)

// Tensor is one named array of float32, the last index of Shape fastest. An
// empty Shape is a single number.
type Tensor struct {
	Name  string
	Shape []int
	Data  []float32
}

// entry is the header's description of one tensor.
type entry struct {
	DType   string   `json:"dtype"`
	Shape   []int    `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"` // bytes, from the end of the header
}

// Encode writes the tensors in the given order, with meta as the file's text
// metadata. The key "sha256" is the writer's own. Equal arguments give equal
// bytes. Names must differ and not be "__metadata__", lengths must fit shapes
// and values must be finite.
func Encode(w io.Writer, meta map[string]string, tensors []Tensor) error {
	header := make(map[string]any, len(tensors)+1)
	var offset int64
	for i := range tensors {
		t := &tensors[i]
		if _, ok := header[t.Name]; ok || t.Name == metadataKey {
			return fmt.Errorf("tensor %q: name is taken", t.Name)
		}
		if !utf8.ValidString(t.Name) {
			return fmt.Errorf("tensor %q: name is not UTF-8", t.Name)
		}
		if n, ok := product(t.Shape, int64(len(t.Data))); !ok || n != int64(len(t.Data)) {
			return fmt.Errorf("tensor %q: %d values for shape %v", t.Name, len(t.Data), t.Shape)
		}
		if err := checkFinite(t); err != nil {
			return err
		}
		end := offset + 4*int64(len(t.Data))
		shape := t.Shape
		if shape == nil {
			shape = []int{}
		}
		header[t.Name] = entry{float32Type, shape, [2]int64{offset, end}}
		offset = end
	}
	for key, value := range meta {
		if !utf8.ValidString(key) || !utf8.ValidString(value) {
			return fmt.Errorf("metadata key %q: not UTF-8", key)
		}
	}
	if _, ok := meta[checksumKey]; ok {
		return fmt.Errorf("metadata key %q is taken", checksumKey)
	}
	full := maps.Clone(meta)
	if full == nil {
		full = map[string]string{}
	}
	full[checksumKey] = checksum(meta, tensors)
	header[metadataKey] = full

	text, err := json.Marshal(header)
	if err != nil {
		return fmt.Errorf("header: %w", err)
	}
	for len(text)%lengthBytes != 0 {
		text = append(text, ' ') // so that the values are aligned in the file
	}
	if len(text) > maxHeaderBytes {
		return fmt.Errorf("header: %d bytes, want at most %d", len(text), maxHeaderBytes)
	}
	head := binary.LittleEndian.AppendUint64(nil, uint64(len(text)))
	if _, err := w.Write(append(head, text...)); err != nil {
		return err
	}
	var buf []byte
	for i := range tensors {
		buf = appendValues(buf[:0], tensors[i].Data)
		if _, err := w.Write(buf); err != nil {
			return err
		}
	}
	return nil
}

// Decode reads a whole file. It returns the metadata without the checksum and
// the tensors in the order of the file; nothing in them aliases b.
func Decode(b []byte) (map[string]string, []Tensor, error) {
	meta, tensors, err := decode(b)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return meta, tensors, nil
}

func decode(b []byte) (map[string]string, []Tensor, error) {
	if len(b) < lengthBytes {
		return nil, nil, fmt.Errorf("header length: %d bytes, want %d", len(b), lengthBytes)
	}
	n, rest := binary.LittleEndian.Uint64(b), b[lengthBytes:]
	if n > maxHeaderBytes || n > uint64(len(rest)) {
		return nil, nil, fmt.Errorf("header: %d bytes announced, %d there, at most %d allowed", n, len(rest), maxHeaderBytes)
	}
	var header map[string]json.RawMessage
	if err := json.Unmarshal(rest[:n], &header); err != nil {
		return nil, nil, fmt.Errorf("header: %w", err)
	}
	data := rest[n:]

	var meta map[string]string
	if err := strict(header[metadataKey], &meta); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", metadataKey, err)
	}
	want, ok := meta[checksumKey]
	if !ok {
		return nil, nil, fmt.Errorf("%s: no key %q", metadataKey, checksumKey)
	}
	delete(meta, checksumKey)
	delete(header, metadataKey)

	entries, err := layout(header, int64(len(data)))
	if err != nil {
		return nil, nil, err
	}
	tensors := make([]Tensor, len(entries))
	for i, e := range entries {
		t := Tensor{e.name, e.Shape, values(data[e.Offsets[0]:e.Offsets[1]])}
		if err := checkFinite(&t); err != nil {
			return nil, nil, err
		}
		tensors[i] = t
	}
	if got := checksum(meta, tensors); got != want {
		return nil, nil, fmt.Errorf("checksum is %s, want %s", got, want)
	}
	return meta, tensors, nil
}

type namedEntry struct {
	name string
	entry
}

// layout parses the entries and returns them in the order of their values,
// which must fill exactly size bytes.
func layout(header map[string]json.RawMessage, size int64) ([]namedEntry, error) {
	entries := make([]namedEntry, 0, len(header))
	for _, name := range slices.Sorted(maps.Keys(header)) {
		e := namedEntry{name: name}
		if err := strict(header[name], &e.entry); err != nil {
			return nil, fmt.Errorf("tensor %q: %w", name, err)
		}
		if e.DType != float32Type {
			return nil, fmt.Errorf("tensor %q: type %q, want %s", name, e.DType, float32Type)
		}
		span := e.Offsets[1] - e.Offsets[0]
		if e.Offsets[0] < 0 || e.Offsets[1] > size || span <= 0 {
			return nil, fmt.Errorf("tensor %q: bytes %d to %d of %d", name, e.Offsets[0], e.Offsets[1], size)
		}
		if n, ok := product(e.Shape, span/4); !ok || n*4 != span {
			return nil, fmt.Errorf("tensor %q: %d bytes for shape %v", name, span, e.Shape)
		}
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b namedEntry) int {
		return cmp.Compare(a.Offsets[0], b.Offsets[0])
	})
	var at int64
	for _, e := range entries {
		if e.Offsets[0] != at {
			return nil, fmt.Errorf("tensor %q: starts at byte %d, want %d", e.name, e.Offsets[0], at)
		}
		at = e.Offsets[1]
	}
	if at != size {
		return nil, fmt.Errorf("%d bytes of values, want %d", size, at)
	}
	return entries, nil
}
