package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func optimizers(g *gen) {
	g.adamW()
	g.sumSquares()
}

// adamW goes over n values of four vectors:
//
//	m = beta1·m + gain1·grad
//	v = beta2·v + gain2·grad·grad
//	value = keep·value − rate·m / (√v + epsilon)
//
// in this order of operations, each rounded by itself, so that every variant
// gives the same bits. coefficients are in the order of kernel.AdamW.
func (g *gen) adamW() {
	g.function("adamW", "func(n int, value *float32, grad *float32, m *float32, v *float32, coefficients *float32)",
		"is one step of AdamW; see _asm/optimizer.go.")
	at, addresses := map[string]operand.Mem{}, []reg.GPVirtual{}
	for _, name := range []string{"value", "grad", "m", "v"} {
		r := g.arg(name)
		at[name], addresses = operand.Mem{Base: r}, append(addresses, r)
	}
	n, coefficients := g.arg("n"), g.arg("coefficients")
	c := g.vectors(7)
	for i := range c {
		g.VBROADCASTSS(operand.Mem{Base: coefficients, Disp: 4 * i}, c[i])
	}
	beta1, gain1, beta2, gain2, keep, rate, epsilon := c[0], c[1], c[2], c[3], c[4], c[5], c[6]
	pass := func(k *mask) {
		value, grad, m, v, t := g.v(), g.v(), g.v(), g.v(), g.v()
		g.load(k, at["grad"], grad)
		g.load(k, at["m"], m)
		g.load(k, at["v"], v)
		g.load(k, at["value"], value)
		g.VMULPS(beta1, m, m)
		g.VMULPS(gain1, grad, t)
		g.VADDPS(t, m, m)
		g.store(k, m, at["m"])
		g.VMULPS(gain2, grad, t)
		g.VMULPS(grad, t, t)
		g.VMULPS(beta2, v, v)
		g.VADDPS(t, v, v)
		g.store(k, v, at["v"])
		g.VSQRTPS(v, v)
		g.VADDPS(epsilon, v, v)
		g.VMULPS(rate, m, m)
		g.VDIVPS(v, m, m)
		g.VMULPS(keep, value, value)
		g.VSUBPS(m, value, value)
		g.store(k, value, at["value"])
	}
	g.overLanes(n, "done", func() *mask { return g.lanesBelow(n) }, addresses, pass)
	g.Label("done")
	g.end()
}

// sumSquares adds the squares of blocks of 16 values, at least one, to 16 sums
// in float64, the square of value i to sum i mod 16. A square is exact in
// float64, so that it does not matter that it is fused with the addition.
func (g *gen) sumSquares() {
	g.function("sumSquares", "func(blocks int, x *float32, sums *float64)", "computes sums += Σ x²; see _asm/optimizer.go.")
	blocks, x, sums := g.arg("blocks"), g.arg("x"), g.arg("sums")
	doubles := g.lanes / 2
	acc := g.vectors(16 / doubles)
	for i := range acc {
		g.VMOVUPD(operand.Mem{Base: sums, Disp: i * g.bytes()}, acc[i])
	}
	g.Label("block")
	for i := range acc {
		d := g.v()
		g.VCVTPS2PD(operand.Mem{Base: x, Disp: i * doubles * 4}, d)
		g.VFMADD231PD(d, d, acc[i])
	}
	g.ADDQ(operand.Imm(64), x)
	g.repeat(blocks, "block")
	for i := range acc {
		g.VMOVUPD(acc[i], operand.Mem{Base: sums, Disp: i * g.bytes()})
	}
	g.end()
}
