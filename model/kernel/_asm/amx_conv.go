package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
)

// A convolution 3×3 on tiles takes its input from a copy with zeros around the
// boards (spread below), in which the pixels of several boards alternate, so
// that 16 neighbours in memory are 16 outputs' inputs for every tap. See
// amx_amd64.go in the package for the layouts. It works on blocks of 32 pixels
// by 32 output channels:
//
//	for each stripe of 32 output channels
//	    for each block
//	        sums[0..3] = 0
//	        for each tap, for each chunk of 64 bytes of input channels
//	            a0, a1 = the chunk of 16 + 16 pixels, moved by the tap
//	            b0, b1 = the weights for 16 + 16 output channels
//	            sums += a0·b0, a0·b1, a1·b0, a1·b1
//	            finish `quota` cells of the block before
//	        finish what is left of the block before
//	        store the sums
//	finish the last block
//
// A tile product takes 16 cycles, in which the vector units would idle: so the
// sums of a block are finished while the next is multiplied.
type tileConv struct {
	name     string
	multiply tileOpcode
	width    int // bytes of an output value
	integers bool
}

func amx(g *gen) {
	g.spread("spread8", 1, 64)
	g.spread("spread16", 4, 32)
	configuration := g.table("tileConfiguration",
		1, 0, // palette
		64*0x0001000100010001, 64*0x0001000100010001, 0, 0, // bytes of a row, 16 bits a tile
		16*0x0101010101010101, 0) // rows, 8 bits a tile
	order := g.table("bytesOrder", 2<<32|0, 6<<32|4, 3<<32|1, 7<<32|5)
	g.tilePeak("peak8", tileBytes, configuration)
	g.tileConv(tileConv{"tilesBytes", tileBytes, 1, true}, configuration, order)
	g.tileConv(tileConv{"tilesFloats", tileBytes, 4, true}, configuration, order)
	g.tileConv(tileConv{"tiles16", tileBFloat16, 4, false}, configuration, order)
}

// table declares read-only data.
func (g *gen) table(name string, values ...uint64) operand.Mem {
	m := g.StaticGlobal(name)
	g.DataAttributes(attr.RODATA | attr.NOPTR)
	for i, v := range values {
		g.AddDatum(8*i, operand.U64(v))
	}
	return m
}

func (g *gen) tileConv(t tileConv, configuration, order operand.Mem) {
	pointer := "*float32"
	if t.width == 1 {
		pointer = "*uint8"
	}
	signature := fmt.Sprintf("func(stripes int, blocks int, block *int32, cell *int32, taps *int32, lastTap *int32, chunks int, quota int, "+
		"a *byte, pixel int, w *byte, sums *byte, y %s, residual %[1]s, residualScale float32, scale *float32, bias *float32, out int, outRow int, relu int)", pointer)
	g.function(t.name, signature, "is a convolution on tiles; see _asm/amx_conv.go.")

	// What changes from stripe to stripe and block to block lives on the stack.
	local := func() operand.Mem { return g.AllocLocal(8) }
	wStripe, blockAt, cellAt, blocksLeft, base, distance, cellEnd, last := local(), local(), local(), local(), local(), local(), local(), local()
	move := func(from, to operand.Op) { // memory to memory
		r := g.GP64()
		g.MOVQ(from, r)
		g.MOVQ(r, to)
	}

	g.LEAQ(configuration, tileA0)
	tileConfigure(g.Context, tileA0)
	g.Load(g.Param("pixel"), tileStride)
	g.MOVQ(operand.I32(64), tileRow)
	f := g.newFinish(t, order)
	f.end = cellEnd
	g.MOVQ(operand.I32(0), last)
	g.MOVQ(operand.I32(0), cellEnd)
	move(g.argMem("w"), wStripe)

	g.Label("stripe")
	move(g.argMem("block"), blockAt)
	move(g.argMem("cell"), cellAt)
	move(g.argMem("blocks"), blocksLeft)

	g.Label("block")
	block, r := g.GP64(), g.GP64()
	g.MOVQ(blockAt, block)
	g.MOVLQSX(operand.Mem{Base: block}, r)
	g.IMULQ(tileStride, r)
	g.ADDQ(g.argMem("a"), r)
	g.MOVQ(r, base)
	g.MOVLQSX(operand.Mem{Base: block, Disp: 4}, r)
	g.IMULQ(tileStride, r)
	g.MOVQ(r, distance)
	g.MOVQ(wStripe, tileB)
	for i := range 4 {
		tileZero(g.Context, i)
	}
	tap := g.arg("taps")
	chunk, quota := g.GP64(), g.GP64()

	g.Label("tap")
	g.MOVLQSX(operand.Mem{Base: tap}, tileA0)
	g.IMULQ(tileStride, tileA0)
	g.ADDQ(base, tileA0)
	g.MOVQ(tileA0, tileA1)
	g.ADDQ(distance, tileA1)
	g.MOVQ(g.argMem("chunks"), chunk)

	g.Label("chunk")
	tileLoad(g.Context, 4, tileA0, tileStride, 0)
	tileLoad(g.Context, 6, tileB, tileRow, 0)
	tileProduct(g.Context, t.multiply, 0, 4, 6)
	tileLoad(g.Context, 7, tileB, tileRow, 1024)
	tileProduct(g.Context, t.multiply, 1, 4, 7)
	tileLoad(g.Context, 5, tileA1, tileStride, 0)
	tileProduct(g.Context, t.multiply, 2, 5, 6)
	tileProduct(g.Context, t.multiply, 3, 5, 7)
	g.ADDQ(operand.I32(64), tileA0)
	g.ADDQ(operand.I32(64), tileA1)
	g.ADDQ(operand.I32(2048), tileB)
	g.MOVQ(g.argMem("quota"), quota)
	g.Label("share")
	g.CMPQ(f.cell, cellEnd)
	g.JE(operand.LabelRef("shared"))
	f.finish("share")
	g.repeat(quota, "share")
	g.Label("shared")
	g.repeat(chunk, "chunk")
	g.ADDQ(operand.Imm(4), tap)
	g.CMPQ(tap, g.argMem("lastTap"))
	g.JBE(operand.LabelRef("tap"))

	g.Label("drain")
	g.CMPQ(f.cell, cellEnd)
	g.JE(operand.LabelRef("drained"))
	f.finish("drain")
	g.JMP(operand.LabelRef("drain"))
	g.Label("drained")
	g.CMPQ(last, operand.Imm(0))
	g.JNE(operand.LabelRef("done"))

	// Hand the sums over to be finished.
	g.MOVQ(g.argMem("sums"), tileA0)
	for i := range 4 {
		tileStore(g.Context, i, tileA0, tileRow, 1024*i)
	}
	f.begin()
	g.MOVQ(cellAt, f.cell)
	end := g.GP64()
	g.MOVQ(blockAt, end)
	g.MOVLQSX(operand.Mem{Base: end, Disp: 8}, end)
	g.ADDQ(f.cell, end)
	g.MOVQ(end, cellEnd)
	g.MOVQ(end, cellAt)
	g.ADDQ(operand.Imm(12), blockAt)
	g.repeat(blocksLeft, "block")
	f.next()
	move(tileB, wStripe)
	g.repeat(g.argMem("stripes"), "stripe")
	g.MOVQ(operand.I32(1), last)
	g.JMP(operand.LabelRef("drain"))

	g.Label("done")
	tileRelease(g.Context)
	g.end()
}

// tilePeak keeps the matrix unit busy: four sums a turn, which hides its latency
// of 52 cycles behind 4 · 16.
func (g *gen) tilePeak(name string, multiply tileOpcode, configuration operand.Mem) {
	g.function(name, "func(turns int)", "keeps the matrix unit busy; see _asm/amx_conv.go.")
	turns := g.arg("turns")
	g.LEAQ(configuration, tileA0)
	tileConfigure(g.Context, tileA0)
	for i := range 8 {
		tileZero(g.Context, i)
	}
	g.Label("turn")
	tileProduct(g.Context, multiply, 0, 4, 6)
	tileProduct(g.Context, multiply, 1, 4, 7)
	tileProduct(g.Context, multiply, 2, 5, 6)
	tileProduct(g.Context, multiply, 3, 5, 7)
	g.repeat(turns, "turn")
	tileRelease(g.Context)
	g.RET()
}
