package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// AMX: Intel's matrix units, which neither avo nor Go's assembler knows. Their
// instructions are written as bytes, after the Intel 64 and IA-32 Architectures
// Software Developer's Manual, volume 2 (instruction reference) and volume 1,
// chapter 18 (tiles). All of them have a VEX prefix of three bytes, map 0F38,
// W = 0, L = 0.
//
// A tile register has 16 rows of 64 bytes. Loads and stores take the address
// base + row·index. Bases and indexes are the registers fixed here: bytes need
// numbers, and avo assigns those of its own registers only later.
var (
	tileA0     = reg.R8  // input of the first tile of pixels
	tileA1     = reg.R12 // of the second
	tileStride = reg.R9  // bytes from pixel to pixel of the input
	tileB      = reg.R10 // weights
	tileRow    = reg.R11 // 64, the bytes of a row of weights and sums
)

// The pp field of a VEX prefix.
const (
	ppNone = iota
	pp66
	ppF3
	ppF2
)

// vex is the prefix: numbers of registers in the fields R, X, B and vvvv, all of
// which are stored inverted.
func vex(pp, r, x, b, v int) []byte {
	return []byte{0xc4, byte(^(r>>3<<7|x>>3<<6|b>>3<<5)&0xe0 | 2), byte(^v&15<<3 | pp)}
}

// number is a register's number in an instruction.
func number(r reg.GPPhysical) int { return int(r.PhysicalIndex()) }

// raw writes an instruction by its bytes. It reads and writes the registers
// named.
func raw(c *build.Context, text string, code []byte, reads, writes []operand.Op) {
	c.Comment(text)
	for i, b := range code {
		in := &ir.Instruction{Opcode: "BYTE", Operands: []operand.Op{operand.U8(b)}, Inputs: reads}
		if i == len(code)-1 {
			in.Outputs = writes
		}
		c.Instruction(in)
	}
}

// tileMemory is a load or store of tile t at base + row·index + disp.
func tileMemory(c *build.Context, text string, pp, t int, base, index reg.GPPhysical, disp int) {
	const sib = 4                // in the r/m field
	mode, tail := 0, []byte(nil) // no displacement
	if disp != 0 {
		mode, tail = 2, []byte{byte(disp), byte(disp >> 8), byte(disp >> 16), byte(disp >> 24)}
	}
	code := append(vex(pp, 0, number(index), number(base), 0), 0x4b,
		byte(mode<<6|t<<3|sib), byte(number(index)&7<<3|number(base)&7))
	raw(c, text, append(code, tail...), []operand.Op{base, index}, nil)
}

func tileLoad(c *build.Context, t int, base, index reg.GPPhysical, disp int) {
	tileMemory(c, "TILELOADD", ppF2, t, base, index, disp)
}

func tileStore(c *build.Context, t int, base, index reg.GPPhysical, disp int) {
	tileMemory(c, "TILESTORED", ppF3, t, base, index, disp)
}

// tileProduct adds the products of the tiles a and b to the tile sums. The
// opcode tells what the numbers are.
func tileProduct(c *build.Context, o tileOpcode, sums, a, b int) {
	raw(c, o.text, append(vex(o.pp, 0, 0, 0, b), o.code, byte(3<<6|sums<<3|a)), nil, nil)
}

// tileOpcode is one of the instructions that multiply tiles.
type tileOpcode struct {
	text string
	pp   int
	code byte
}

var (
	tileBytes    = tileOpcode{"TDPBUSD", pp66, 0x5e}   // u8 · s8, sums in int32
	tileBFloat16 = tileOpcode{"TDPBF16PS", ppF3, 0x5c} // bfloat16, sums in float32
)

func tileZero(c *build.Context, t int) {
	raw(c, "TILEZERO", append(vex(ppF2, 0, 0, 0, 0), 0x49, byte(3<<6|t<<3)), nil, nil)
}

func tileConfigure(c *build.Context, base reg.GPPhysical) {
	raw(c, "LDTILECFG", append(vex(ppNone, 0, 0, number(base), 0), 0x49, byte(number(base)&7)), []operand.Op{base}, nil)
}

func tileRelease(c *build.Context) {
	raw(c, "TILERELEASE", append(vex(ppNone, 0, 0, 0, 0), 0x49, 0xc0), nil, nil)
}
