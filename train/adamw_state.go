package train

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
)

// The state of AdamW in bytes, little-endian:
//
//	"LZADAMW1"  uint64 step
//	uint32 number of tensors, then for each: uint32 name length, name, uint32 values
//	all first moments, then all second moments, float32, tensor by tensor
//	uint32 CRC-32C of everything before
const adamMagic = "LZADAMW1"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// header is the part before the moments; it says which tensors they are of.
func (a *AdamW) header(step uint64) []byte {
	h := binary.LittleEndian.AppendUint64([]byte(adamMagic), step)
	h = binary.LittleEndian.AppendUint32(h, uint32(len(a.params)))
	for _, p := range a.params {
		h = binary.LittleEndian.AppendUint32(h, uint32(len(p.Name)))
		h = append(h, p.Name...)
		h = binary.LittleEndian.AppendUint32(h, uint32(p.Len))
	}
	return h
}

// MarshalBinary returns the step and the moments bit for bit. Learning rate and
// constants are the caller's.
func (a *AdamW) MarshalBinary() ([]byte, error) {
	b := slices.Grow(a.header(a.step), 4*len(a.all)+4)
	for _, x := range a.all {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli)), nil
}

// UnmarshalBinary restores what MarshalBinary of a solver for the same tensors
// returned. On error a is unchanged.
func (a *AdamW) UnmarshalBinary(data []byte) error {
	const stepAt, stepEnd = len(adamMagic), len(adamMagic) + 8
	if len(data) < stepEnd+4 || string(data[:stepAt]) != adamMagic {
		return fmt.Errorf("optimizer state: want it to begin with %s", adamMagic)
	}
	body, sum := data[:len(data)-4], binary.LittleEndian.Uint32(data[len(data)-4:])
	if crc32.Checksum(body, castagnoli) != sum {
		return fmt.Errorf("optimizer state: checksum does not match: damaged or cut off")
	}
	step := binary.LittleEndian.Uint64(data[stepAt:])
	header := a.header(step)
	if len(body) != len(header)+4*len(a.all) || !slices.Equal(body[:len(header)], header) {
		return fmt.Errorf("optimizer state: not of the %d tensors of this network", len(a.params))
	}
	moments := make([]float32, len(a.all))
	for i := range moments {
		x := math.Float32frombits(binary.LittleEndian.Uint32(body[len(header)+4*i:]))
		if x-x != 0 || i >= a.parameters && x < 0 {
			return fmt.Errorf("optimizer state: moment %d is %g", i, x)
		}
		moments[i] = x
	}
	copy(a.all, moments)
	a.step = step
	return nil
}
