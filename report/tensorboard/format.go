package tensorboard

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// Scalar is a figure with its name, such as loss/policy. TensorBoard groups by
// what stands before the stroke.
type Scalar struct {
	Tag   string
	Value float64
}

// Event is figures of one moment.
type Event struct {
	Time    time.Time
	Step    int64
	Scalars []Scalar
}

// Marshal makes the bytes of an event file. Values become float32, as the format
// has them; those that are not finite are left out, and events without any.
func Marshal(events []Event) []byte {
	var began time.Time
	if len(events) > 0 {
		began = events[0].Time
	}
	head := appendTime(nil, began)
	head = protowire.AppendTag(head, 3, protowire.BytesType) // file_version
	head = protowire.AppendString(head, "brain.Event:2")
	file := appendRecord(nil, head)
	for i := range events {
		if e := events[i].marshal(); e != nil {
			file = appendRecord(file, e)
		}
	}
	return file
}

func (e *Event) marshal() []byte {
	var summary []byte
	for _, s := range e.Scalars {
		if math.IsNaN(s.Value) || math.IsInf(s.Value, 0) {
			continue
		}
		v := protowire.AppendTag(nil, 1, protowire.BytesType) // tag
		v = protowire.AppendString(v, s.Tag)
		v = protowire.AppendTag(v, 2, protowire.Fixed32Type) // simple_value
		v = protowire.AppendFixed32(v, math.Float32bits(float32(s.Value)))
		summary = protowire.AppendTag(summary, 1, protowire.BytesType) // value
		summary = protowire.AppendBytes(summary, v)
	}
	if summary == nil {
		return nil
	}
	b := appendTime(nil, e.Time)
	b = protowire.AppendTag(b, 2, protowire.VarintType) // step
	b = protowire.AppendVarint(b, uint64(e.Step))
	b = protowire.AppendTag(b, 5, protowire.BytesType) // summary
	return protowire.AppendBytes(b, summary)
}

// appendTime writes the wall time of an event, in seconds since 1970.
func appendTime(b []byte, at time.Time) []byte {
	seconds := 0.0
	if !at.IsZero() {
		seconds = float64(at.UnixMicro()) / 1e6
	}
	b = protowire.AppendTag(b, 1, protowire.Fixed64Type)
	return protowire.AppendFixed64(b, math.Float64bits(seconds))
}

// appendRecord adds a TFRecord: length, its checksum, the data, theirs.
func appendRecord(file, data []byte) []byte {
	at := len(file)
	file = binary.LittleEndian.AppendUint64(file, uint64(len(data)))
	file = binary.LittleEndian.AppendUint32(file, masked(file[at:at+8]))
	file = append(file, data...)
	return binary.LittleEndian.AppendUint32(file, masked(data))
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// masked is the checksum of a TFRecord: CRC-32C turned and shifted, since a
// checksum of data that hold their own checksum would not tell much.
func masked(data []byte) uint32 {
	c := crc32.Checksum(data, castagnoli)
	return (c>>15 | c<<17) + 0xa282ead8
}
