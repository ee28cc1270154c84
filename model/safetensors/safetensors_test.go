package safetensors

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
)

var (
	someMeta    = map[string]string{"format": "test", "note": "line\n\"quoted\" é"}
	someTensors = []Tensor{
		{"stem.weight", []int{2, 3}, []float32{1, -2, 3.5, 0, float32(math.Copysign(0, -1)), math.MaxFloat32}},
		{"bias", []int{2}, []float32{math.SmallestNonzeroFloat32, -7}},
		{"number", []int{}, []float32{42}},
	}
)

func encode(t testing.TB, meta map[string]string, tensors []Tensor) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Encode(&b, meta, tensors); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestDecodeReturnsWhatEncodeWasGiven(t *testing.T) {
	meta, tensors, err := Decode(encode(t, someMeta, someTensors))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(meta, someMeta) {
		t.Errorf("metadata = %q, want %q", meta, someMeta)
	}
	if !reflect.DeepEqual(tensors, someTensors) {
		t.Errorf("tensors = %v, want %v", tensors, someTensors)
	}
}

// The layout follows the public format so that other programs can read it.
func TestLayoutOfTheFile(t *testing.T) {
	b := encode(t, nil, []Tensor{{"x", []int{2}, []float32{1, 2}}})
	n := binary.LittleEndian.Uint64(b)
	header := strings.TrimRight(string(b[8:8+n]), " ")
	if n%8 != 0 {
		t.Errorf("header takes %d bytes, want a multiple of 8", n)
	}
	const prefix, suffix = `{"__metadata__":{"sha256":"`, `"},"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`
	if !strings.HasPrefix(header, prefix) || !strings.HasSuffix(header, suffix) || len(header) != len(prefix)+64+len(suffix) {
		t.Errorf("header = %s", header)
	}
	if got, want := b[8+n:], []byte{0, 0, 0x80, 0x3f, 0, 0, 0, 0x40}; !bytes.Equal(got, want) {
		t.Errorf("values = % x, want % x", got, want)
	}
}

func TestEqualArgumentsGiveEqualBytes(t *testing.T) {
	for range 20 { // map order differs from call to call
		if !bytes.Equal(encode(t, someMeta, someTensors), encode(t, someMeta, someTensors)) {
			t.Fatal("two encodings of the same tensors differ")
		}
	}
}

func TestEveryTruncationAndEveryChangedByteIsRefused(t *testing.T) {
	whole := encode(t, someMeta, someTensors)
	for n := range whole {
		if _, _, err := Decode(whole[:n]); !errors.Is(err, ErrCorrupt) {
			t.Fatalf("Decode of %d of %d bytes = %v, want ErrCorrupt", n, len(whole), err)
		}
	}
	if _, _, err := Decode(append(whole[:len(whole):len(whole)], 0)); !errors.Is(err, ErrCorrupt) {
		t.Errorf("Decode of a longer file = %v, want ErrCorrupt", err)
	}
	meta, tensors, _ := Decode(whole)
	for i := range whole {
		for bit := range 8 {
			b := bytes.Clone(whole)
			b[i] ^= 1 << bit
			m, ts, err := Decode(b)
			// A change of insignificant JSON text may pass if nothing is read
			// differently: a letter's case in a field name, for example.
			if err == nil && !(reflect.DeepEqual(m, meta) && reflect.DeepEqual(ts, tensors)) {
				t.Fatalf("bit %d of byte %d flipped: accepted", bit, i)
			}
		}
	}
}

func TestDecodeNamesTheRule(t *testing.T) {
	file := func(header string, data int) []byte {
		b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
		return append(append(b, header...), make([]byte, data)...)
	}
	const meta = `"__metadata__":{"sha256":"0"}`
	for _, c := range []struct {
		name   string
		b      []byte
		reason string
	}{
		{"no header", []byte{1, 2}, "header length"},
		{"huge header", binary.LittleEndian.AppendUint64(nil, math.MaxUint64), "announced"},
		{"no JSON", file(`{"x":`, 0), "header: "},
		{"no metadata", file(`{}`, 0), "__metadata__: missing"},
		{"no checksum", file(`{"__metadata__":{}}`, 0), `no key "sha256"`},
		{"type", file(`{`+meta+`,"x":{"dtype":"F16","shape":[2],"data_offsets":[0,4]}}`, 4), `tensor "x": type "F16"`},
		{"field", file(`{`+meta+`,"x":{"dtype":"F32","form":[1],"data_offsets":[0,4]}}`, 4), "unknown field"},
		{"shape", file(`{`+meta+`,"x":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}`, 4), "4 bytes for shape [2]"},
		{"overflow", file(`{`+meta+`,"x":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]}}`, 4), "4 bytes for shape"},
		{"negative", file(`{`+meta+`,"x":{"dtype":"F32","shape":[-1,-1],"data_offsets":[0,4]}}`, 4), "4 bytes for shape"},
		{"outside", file(`{`+meta+`,"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, 4), "bytes 0 to 8 of 4"},
		{"gap", file(`{`+meta+`,"x":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}`, 8), "starts at byte 4, want 0"},
		{"overlap", file(`{`+meta+`,"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"y":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, 4), "starts at byte 0, want 4"},
		{"leftover", file(`{`+meta+`}`, 4), "4 bytes of values, want 0"},
		{"not finite", append(file(`{`+meta+`,"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, 0), 0, 0, 0x80, 0x7f), "value 0 is +Inf"},
		{"checksum", file(`{`+meta+`}`, 0), "checksum is "},
	} {
		_, _, err := Decode(c.b)
		if !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s: Decode = %v, want ErrCorrupt with %q", c.name, err, c.reason)
		}
	}
}

func TestEncodeRefusesWhatDecodeWould(t *testing.T) {
	one := []float32{1}
	for _, c := range []struct {
		name    string
		meta    map[string]string
		tensors []Tensor
	}{
		{"name twice", nil, []Tensor{{"x", []int{1}, one}, {"x", []int{1}, one}}},
		{"metadata as name", nil, []Tensor{{"__metadata__", []int{1}, one}}},
		{"length", nil, []Tensor{{"x", []int{2}, one}}},
		{"empty", nil, []Tensor{{"x", []int{0}, nil}}},
		{"NaN", nil, []Tensor{{"x", []int{1}, []float32{float32(math.NaN())}}}},
		{"name no text", nil, []Tensor{{"\xff", []int{1}, one}}},
		{"metadata no text", map[string]string{"k": "\xff"}, nil},
		{"metadata taken", map[string]string{"sha256": ""}, nil},
	} {
		if err := Encode(&bytes.Buffer{}, c.meta, c.tensors); err == nil {
			t.Errorf("%s: Encode succeeded", c.name)
		}
	}
}

// FuzzDecode holds that whatever Decode accepts survives another round trip,
// and that it never panics.
func FuzzDecode(f *testing.F) {
	whole := encode(f, someMeta, someTensors)
	f.Add(whole)
	f.Add(whole[:len(whole)-1])
	f.Add(encode(f, nil, nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		meta, tensors, err := Decode(b)
		if err != nil {
			return
		}
		m, ts, err := Decode(encode(t, meta, tensors))
		if err != nil || !reflect.DeepEqual(m, meta) || len(ts) != len(tensors) {
			t.Fatalf("accepted tensors do not survive a round trip: %v", err)
		}
	})
}
