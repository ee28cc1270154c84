package model

import "testing"

// TestMultiplyAdds: R6x64 by hand, and the parts that it does not have.
func TestMultiplyAdds(t *testing.T) {
	r6x64 := Network{
		Shape:  Shape{Planes: 48, Height: 8, Width: 8, MaskPlane: -1, PolicyPlanes: 27},
		Config: Config{Blocks: 6, Channels: 64, PolicyChannels: 32, ValueChannels: 16, ValueHidden: 64},
	}
	const stem, trunk, policy, value = 64 * 9 * 48 * 64, 12 * 64 * 9 * 64 * 64, 64*64*32 + 64*32*27, 64*64*16 + 1024*64 + 64*4
	if got, want := r6x64.MultiplyAdds(), int64(stem+trunk+policy+value); got != want {
		t.Errorf("R6x64: %d multiply-adds, want %d", got, want)
	}
	if got, want := r6x64.TrainingMultiplyAdds(), int64(3*(trunk+policy+value)+2*stem); got != want {
		t.Errorf("R6x64: %d multiply-adds a sample, want %d", got, want)
	}
	more := r6x64
	more.Shape.Globals, more.Shape.PolicyGlobals, more.Config.PoolEvery = 32, 2, 2
	if got, want := more.MultiplyAdds()-r6x64.MultiplyAdds(), int64(32*64+3*3*64*64+3*64*2); got != want {
		t.Errorf("globals and pooling: %d multiply-adds more, want %d", got, want)
	}
	reply := more
	reply.Config.Reply = true
	if got := reply.MultiplyAdds(); got != more.MultiplyAdds() {
		t.Errorf("%d multiply-adds with the reply's head, want %d: play leaves it out", got, more.MultiplyAdds())
	}
	if got, want := reply.TrainingMultiplyAdds()-more.TrainingMultiplyAdds(), int64(3*(64*32*27+3*64*2)); got != want {
		t.Errorf("the reply's head: %d multiply-adds a sample more, want %d", got, want)
	}
}
