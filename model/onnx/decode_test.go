package onnx

import (
	"encoding/binary"
	"math"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// field is one field of a message: a number or bytes.
type field struct {
	number protowire.Number
	value  uint64
	bytes  []byte
}

func fields(t testing.TB, m []byte) []field {
	t.Helper()
	var all []field
	for len(m) > 0 {
		number, kind, n := protowire.ConsumeTag(m)
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		m = m[n:]
		f := field{number: number}
		switch kind {
		case protowire.VarintType:
			f.value, n = protowire.ConsumeVarint(m)
		case protowire.Fixed32Type:
			var v uint32
			v, n = protowire.ConsumeFixed32(m)
			f.value = uint64(v)
		case protowire.BytesType:
			f.bytes, n = protowire.ConsumeBytes(m)
		default:
			t.Fatalf("field %d of wire type %d", number, kind)
		}
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		m = m[n:]
		all = append(all, f)
	}
	return all
}

// text is the value of the first field of that number, as a string.
func text(all []field, number protowire.Number) string {
	for _, f := range all {
		if f.number == number {
			return string(f.bytes)
		}
	}
	return ""
}

func packedInts(t testing.TB, m []byte) []int {
	var v []int
	for len(m) > 0 {
		x, n := protowire.ConsumeVarint(m)
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		v, m = append(v, int(int64(x))), m[n:]
	}
	return v
}

// parsed is a model as its bytes have it.
type parsed struct {
	ir, opset       int
	metadata        map[string]string
	nodes           []parsedNode
	constants       map[string]array
	kinds           map[string]int // element types of constants
	inputs, outputs map[string][]int
	order           []string // of the outputs
}

type parsedNode struct {
	op              string
	inputs, outputs []string
	ints            map[string][]int
	floats          map[string]float32
}

// array is a tensor of values.
type array struct {
	shape []int
	v     []float64
}

func parse(t testing.TB, model []byte) *parsed {
	t.Helper()
	p := &parsed{metadata: map[string]string{}, constants: map[string]array{}, kinds: map[string]int{}, inputs: map[string][]int{}, outputs: map[string][]int{}}
	for _, f := range fields(t, model) {
		switch f.number {
		case 1:
			p.ir = int(f.value)
		case 8:
			for _, o := range fields(t, f.bytes) {
				if o.number == 2 {
					p.opset = int(o.value)
				}
			}
		case 14:
			entry := fields(t, f.bytes)
			p.metadata[text(entry, 1)] = text(entry, 2)
		case 7:
			p.graph(t, f.bytes)
		}
	}
	return p
}

func (p *parsed) graph(t testing.TB, m []byte) {
	for _, f := range fields(t, m) {
		switch f.number {
		case 1:
			p.nodes = append(p.nodes, parseNode(t, f.bytes))
		case 5:
			tensor := fields(t, f.bytes)
			name := text(tensor, 8)
			if _, twice := p.constants[name]; twice {
				t.Errorf("two tensors %s", name)
			}
			p.constants[name], p.kinds[name] = parseTensor(t, tensor)
		case 11:
			name, shape := parseValue(t, f.bytes)
			p.inputs[name] = shape
		case 12:
			name, shape := parseValue(t, f.bytes)
			p.outputs[name] = shape
			p.order = append(p.order, name)
		}
	}
}

func parseNode(t testing.TB, m []byte) parsedNode {
	n := parsedNode{ints: map[string][]int{}, floats: map[string]float32{}}
	for _, f := range fields(t, m) {
		switch f.number {
		case 1:
			n.inputs = append(n.inputs, string(f.bytes))
		case 2:
			n.outputs = append(n.outputs, string(f.bytes))
		case 4:
			n.op = string(f.bytes)
		case 5:
			a := fields(t, f.bytes)
			for _, x := range a {
				switch x.number {
				case 2:
					n.floats[text(a, 1)] = math.Float32frombits(uint32(x.value))
				case 3:
					n.ints[text(a, 1)] = []int{int(int64(x.value))}
				case 8:
					n.ints[text(a, 1)] = packedInts(t, x.bytes)
				}
			}
		}
	}
	return n
}

func parseTensor(t testing.TB, tensor []field) (array, int) {
	var a array
	var kind int
	var raw []byte
	for _, f := range tensor {
		switch f.number {
		case 1:
			a.shape = packedInts(t, f.bytes)
		case 2:
			kind = int(f.value)
		case 9:
			raw = f.bytes
		}
	}
	width := map[int]int{float32Type: 4, uint8Type: 1, int8Type: 1, int32Type: 4, int64Type: 8}[kind]
	if width == 0 || len(raw) != width*product(a.shape) {
		t.Fatalf("tensor %s of type %d and shape %v has %d bytes", text(tensor, 8), kind, a.shape, len(raw))
	}
	for ; len(raw) > 0; raw = raw[width:] {
		var x float64
		switch kind {
		case float32Type:
			x = float64(math.Float32frombits(binary.LittleEndian.Uint32(raw)))
		case uint8Type:
			x = float64(raw[0])
		case int8Type:
			x = float64(int8(raw[0]))
		case int32Type:
			x = float64(int32(binary.LittleEndian.Uint32(raw)))
		case int64Type:
			x = float64(int64(binary.LittleEndian.Uint64(raw)))
		}
		a.v = append(a.v, x)
	}
	return a, kind
}

// parseValue is name and shape, -1 for the symbol "batch".
func parseValue(t testing.TB, m []byte) (string, []int) {
	value := fields(t, m)
	tensor := fields(t, []byte(text(fields(t, []byte(text(value, 2))), 1)))
	if tensor[0].number != 1 || tensor[0].value != float32Type {
		t.Errorf("%s is not float32", text(value, 1))
	}
	var shape []int
	for _, d := range fields(t, []byte(text(tensor, 2))) {
		dim := fields(t, d.bytes)[0]
		switch {
		case dim.number == 1:
			shape = append(shape, int(dim.value))
		case string(dim.bytes) == "batch":
			shape = append(shape, batchDim)
		default:
			t.Errorf("%s has a dimension %q", text(value, 1), dim.bytes)
		}
	}
	return text(value, 1), shape
}

func product(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}
