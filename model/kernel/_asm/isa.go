package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// isa is an instruction set with its float32 vectors.
type isa struct {
	name  string
	lanes int // float32 values in a vector
	vnni  bool
	vec   func(*build.Context) reg.VecVirtual
}

var (
	avx512     = isa{"avx512", 16, false, func(c *build.Context) reg.VecVirtual { return c.ZMM() }}
	avx2       = isa{"avx2", 8, false, func(c *build.Context) reg.VecVirtual { return c.YMM() }}
	avx512vnni = isa{"avx512vnni", 16, true, avx512.vec}
	avx2vnni   = isa{"avx2vnni", 8, true, avx2.vec}

	// matrices has AMX, and AVX-512 beside it.
	matrices = isa{"amx", 16, true, avx512.vec}

	floats   = []isa{avx512, avx2}
	integers = []isa{avx512vnni, avx512, avx2vnni, avx2}
)

// gen writes the functions of one instruction set. The methods below hide where
// AVX2 and AVX-512 differ: masks and the clearing of registers.
type gen struct {
	*build.Context
	isa
	labels int
}

func (g *gen) bytes() int { return g.lanes * 4 }

func (g *gen) v() reg.VecVirtual { return g.vec(g.Context) }

func (g *gen) function(name, signature, doc string) {
	g.Function(name + "_" + g.name)
	g.Attributes(attr.NOSPLIT)
	g.SignatureExpr(signature)
	g.Doc(name + "_" + g.name + " " + doc)
	g.Pragma("noescape")
}

func (g *gen) arg(name string) reg.GPVirtual {
	r := g.GP64()
	g.Load(g.Param(name), r)
	return r
}

// argMem is the place of an argument on the stack.
func (g *gen) argMem(name string) operand.Mem {
	b, err := g.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return b.Addr
}

func (g *gen) zero(v reg.VecVirtual) {
	if g.lanes == 16 {
		g.VPXORD(v, v, v)
	} else {
		g.VXORPS(v, v, v)
	}
}

// everywhere puts a constant, given by its bits, in all lanes.
func (g *gen) everywhere(bits uint32, v reg.VecVirtual) {
	r, x := g.GP32(), g.XMM()
	g.MOVL(operand.U32(bits), r)
	g.VMOVD(r, x)
	g.VBROADCASTSS(x, v)
}

// floor returns a vector of lower bounds: 0 if the argument relu is not 0, else
// −∞, which bounds nothing. Max(floor, v) with v as the second source keeps NaN.
func (g *gen) floor() reg.VecVirtual {
	f := g.v()
	g.everywhere(0xff800000, f)
	flag := g.arg("relu")
	g.TESTQ(flag, flag)
	done := g.label("floor")
	g.JZ(operand.LabelRef(done))
	g.zero(f)
	g.Label(done)
	return f
}

func (g *gen) label(name string) string {
	g.labels++
	return name + "_" + string(rune('a'+g.labels/26%26)) + string(rune('a'+g.labels%26))
}

// mask selects the lanes below a count. nil selects all.
type mask struct {
	k     reg.OpmaskVirtual // AVX-512
	y     reg.VecVirtual    // AVX2: sign bits
	count operand.Op        // AVX2, for bytes: how many lanes
}

// lanesBelow makes a mask from count, 0 to lanes, which is spoiled.
func (g *gen) lanesBelow(count reg.GPVirtual) *mask {
	if g.lanes == 16 {
		ones := g.GP64()
		g.MOVQ(operand.I32(-1), ones)
		g.BZHIQ(count, ones, ones)
		k := g.K()
		g.KMOVW(ones.As32(), k)
		return &mask{k: k}
	}
	number, ramp, bound := g.GP64(), g.XMM(), g.XMM()
	g.MOVQ(operand.U64(0x0706050403020100), number)
	g.VMOVQ(number, ramp)
	steps, limit, m := g.YMM(), g.YMM(), g.YMM()
	g.VPMOVZXBD(ramp, steps)
	g.VMOVD(count.As32(), bound)
	g.VPBROADCASTD(bound, limit)
	g.VPCMPGTD(steps, limit, m)
	return &mask{y: m}
}

// load reads a vector; lanes outside the mask are not read and become 0.
func (g *gen) load(m *mask, from operand.Mem, to reg.VecVirtual) {
	switch {
	case m == nil:
		g.VMOVUPS(from, to)
	case g.lanes == 16:
		g.VMOVUPS_Z(from, m.k, to)
	default:
		g.VMASKMOVPS(from, m.y, to)
	}
}

// store writes the lanes inside the mask.
func (g *gen) store(m *mask, from reg.VecVirtual, to operand.Mem) {
	switch {
	case m == nil:
		g.VMOVUPS(from, to)
	case g.lanes == 16:
		g.VMOVUPS(from, m.k, to)
	default:
		g.VMASKMOVPS(from, m.y, to)
	}
}

// add is to += the vector at from.
func (g *gen) add(m *mask, from operand.Mem, to reg.VecVirtual) {
	if m == nil {
		g.VADDPS(from, to, to)
		return
	}
	t := g.v()
	g.load(m, from, t)
	g.VADDPS(t, to, to)
}

// overLanes emits body for each full vector of n values, after which the addresses
// advance by a vector, and then for the rest under a mask, if any. n is spoiled; done is
// the label behind it, which the caller places.
func (g *gen) overLanes(n reg.GPVirtual, done string, rest func() *mask, addresses []reg.GPVirtual, body func(*mask)) {
	lanes := operand.Imm(uint64(g.lanes))
	g.SUBQ(lanes, n)
	g.JL(operand.LabelRef("last"))
	g.Label("full")
	body(nil)
	for _, r := range addresses {
		g.ADDQ(operand.Imm(uint64(g.bytes())), r)
	}
	g.SUBQ(lanes, n)
	g.JGE(operand.LabelRef("full"))
	g.Label("last")
	g.ADDQ(lanes, n)
	g.JZ(operand.LabelRef(done))
	body(rest())
}

// repeat counts down and jumps to label unless the count is 0.
func (g *gen) repeat(count operand.Op, label string) {
	g.DECQ(count)
	g.JNZ(operand.LabelRef(label))
}

// end returns from a function that used vectors.
func (g *gen) end() {
	g.VZEROUPPER()
	g.RET()
}

// unlessNil runs what f emits if the address is not nil.
func (g *gen) unlessNil(address reg.GPVirtual, f func()) {
	skip := g.label("nil")
	g.TESTQ(address, address)
	g.JZ(operand.LabelRef(skip))
	f()
	g.Label(skip)
}
