package main

import (
	"fmt"
	"strings"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// encodeAVX2 goes over the functions for processors without AVX-512 when their
// registers are known. It writes VPDPBUSD in bytes, since the assembler knows
// its AVX-512 form only, and it fails if a function has more than the sixteen
// registers there are, which the assembler would take for AVX-512, too.
func encodeAVX2(f *ir.File) error {
	for _, fn := range f.Functions() {
		if !strings.Contains(fn.Name, "_avx2") {
			continue
		}
		var nodes []ir.Node
		for _, node := range fn.Nodes {
			i, ok := node.(*ir.Instruction)
			if !ok {
				nodes = append(nodes, node)
				continue
			}
			for _, op := range i.Operands {
				if r, ok := op.(reg.VecPhysical); ok && r.PhysicalIndex() > 15 {
					return fmt.Errorf("%s: %s needs a seventeenth register", fn.Name, i.Opcode)
				}
			}
			if i.Opcode != "VPDPBUSD" {
				nodes = append(nodes, node)
				continue
			}
			w, x, acc := index(i.Operands[0]), index(i.Operands[1]), index(i.Operands[2])
			// VEX.256.66.0F38.W0 50 /r: Intel, Software Developer's Manual,
			// volume 2, section 2.3 and VPDPBUSD. R, X, B and vvvv are inverted;
			// acc is ModRM.reg, x vvvv, w ModRM.rm.
			prefix := 0xe2 &^ (acc >> 3 << 7) &^ (w >> 3 << 5)
			second := 0x05 | (^x&15)<<3
			modrm := 0xc0 | acc&7<<3 | w&7
			nodes = append(nodes,
				&ir.Instruction{Opcode: "LONG", Operands: []operand.Op{operand.U32(0xc4 | prefix<<8 | second<<16 | 0x50<<24)}},
				&ir.Instruction{Opcode: "BYTE", Operands: []operand.Op{operand.U8(modrm)}})
		}
		fn.Nodes = nodes
	}
	return nil
}

func index(op operand.Op) uint32 { return uint32(op.(reg.VecPhysical).PhysicalIndex()) }
