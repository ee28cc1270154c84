package onnx

import (
	"encoding/binary"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// message is an encoded protocol buffer message. Field numbers are from onnx.proto3 of
// the ONNX project, IR version 7, as constants beside the function that writes the
// message.
type message []byte

func (m *message) int(field protowire.Number, v int64) {
	*m = protowire.AppendTag(*m, field, protowire.VarintType)
	*m = protowire.AppendVarint(*m, uint64(v))
}

func (m *message) bytes(field protowire.Number, v []byte) {
	*m = protowire.AppendTag(*m, field, protowire.BytesType)
	*m = protowire.AppendBytes(*m, v)
}

// prefix begins a field of n bytes that the caller writes after the message.
func (m *message) prefix(field protowire.Number, n int) {
	*m = protowire.AppendTag(*m, field, protowire.BytesType)
	*m = protowire.AppendVarint(*m, uint64(n))
}

func (m *message) string(field protowire.Number, v string) { m.bytes(field, []byte(v)) }

// ints writes a packed repeated field.
func (m *message) ints(field protowire.Number, v []int) {
	var packed []byte
	for _, x := range v {
		packed = protowire.AppendVarint(packed, uint64(int64(x)))
	}
	m.bytes(field, packed)
}

// Element types of tensors, TensorProto.DataType.
const (
	float32Type = 1
	uint8Type   = 2
	int8Type    = 3
	int32Type   = 6
	int64Type   = 7
)

// number is what tensors are made of.
type number interface {
	float32 | uint8 | int8 | int32 | int64
}

// dataType is the element type of v and its values as little-endian bytes.
func dataType[T number](v []T) (int64, []byte) {
	var raw []byte
	switch v := any(v).(type) {
	case []float32:
		raw = make([]byte, 0, 4*len(v))
		for _, x := range v {
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
		}
		return float32Type, raw
	case []uint8:
		return uint8Type, v
	case []int8:
		for _, x := range v {
			raw = append(raw, byte(x))
		}
		return int8Type, raw
	case []int32:
		for _, x := range v {
			raw = binary.LittleEndian.AppendUint32(raw, uint32(x))
		}
		return int32Type, raw
	case []int64:
		for _, x := range v {
			raw = binary.LittleEndian.AppendUint64(raw, uint64(x))
		}
		return int64Type, raw
	}
	panic("BUG: unreachable")
}

func tensor[T number](name string, shape []int, v []T) message {
	const dims, elements, names, rawData = 1, 2, 8, 9
	var m message
	m.ints(dims, shape)
	t, raw := dataType(v)
	m.int(elements, t)
	m.string(names, name)
	m.bytes(rawData, raw)
	return m
}

// batchDim is the one dimension that is open.
const batchDim = -1

// valueInfo is the ValueInfoProto of a float32 tensor of that shape.
func valueInfo(name, doc string, shape ...int) message {
	const (
		names, types, docs        = 1, 2, 3 // ValueInfoProto
		tensorType                = 1       // TypeProto
		elements, shapes          = 1, 2    // TypeProto.Tensor
		dims, dimValue, dimSymbol = 1, 1, 2 // TensorShapeProto
	)
	var m, typ, t, s message
	for _, n := range shape {
		var d message
		if n == batchDim {
			d.string(dimSymbol, "batch")
		} else {
			d.int(dimValue, int64(n))
		}
		s.bytes(dims, d)
	}
	t.int(elements, float32Type)
	t.bytes(shapes, s)
	typ.bytes(tensorType, t)
	m.string(names, name)
	m.bytes(types, typ)
	if doc != "" {
		m.string(docs, doc)
	}
	return m
}

// attribute is an AttributeProto.
type attribute message

const (
	attributeName, attributeFloat, attributeInt, attributeInts, attributeKind = 1, 2, 3, 8, 20
	kindFloat, kindInt, kindInts                                              = 1, 2, 7
)

func floatAttribute(name string, v float32) attribute {
	var m message
	m.string(attributeName, name)
	m = protowire.AppendTag(m, attributeFloat, protowire.Fixed32Type)
	m = protowire.AppendFixed32(m, math.Float32bits(v))
	m.int(attributeKind, kindFloat)
	return attribute(m)
}

func intAttribute(name string, v int) attribute {
	var m message
	m.string(attributeName, name)
	m.int(attributeInt, int64(v))
	m.int(attributeKind, kindInt)
	return attribute(m)
}

func intsAttribute(name string, v ...int) attribute {
	var m message
	m.string(attributeName, name)
	m.ints(attributeInts, v)
	m.int(attributeKind, kindInts)
	return attribute(m)
}
