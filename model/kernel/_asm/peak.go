package main

// The peak of the multiply-add units: more independent sums than latency times
// throughput, from registers only. 16 operations a turn for AVX-512, 12 for
// AVX2.
func peaks(g *gen) {
	g.function("peak", "func(turns int)", "keeps the multiply-add units busy; see _asm/peak.go.")
	turns := g.arg("turns")
	n := 16
	if g.lanes == 8 {
		n = 12
	}
	a, b := g.v(), g.v()
	g.zero(a)
	g.zero(b)
	acc := g.vectors(n)
	for _, v := range acc {
		g.zero(v)
	}
	g.Label("turn")
	for _, v := range acc {
		g.VFMADD231PS(a, b, v)
	}
	g.repeat(turns, "turn")
	g.end()
}
