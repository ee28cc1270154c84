package bench

import (
	"testing"
	"time"
)

// TestBusyMachine: processor time is asked for by what computes all the time.
// Training on several threads does not, however quiet the machine is.
func TestBusyMachine(t *testing.T) {
	b := &bench{o: &Options{Time: time.Millisecond}}
	steady := newProbe(Figure{}, 1, always(func() float64 { return 1 }))
	uneven := *steady
	uneven.uneven = true
	if err := b.measure(t.Context(), &uneven); err != nil || b.watch.want != 0 || b.watch.got != 0 {
		t.Errorf("%v: %v asked for in %d ticks by threads that wait for each other", err, b.watch.want, b.watch.got)
	}
	if err := b.measure(t.Context(), steady); err != nil || b.watch.want < b.o.Time {
		t.Errorf("%v: %v asked for in %v", err, b.watch.want, b.o.Time)
	}
	l := &lesson{}
	if l.probe(1, 0).uneven || !l.probe(2, 0).uneven {
		t.Error("training is uneven on one thread, or even on two")
	}
	w := watch{want: 10 * time.Second, got: 9 * ticksPerSecond, sums: ticks{own: 12 * ticksPerSecond, all: 40 * ticksPerSecond, idle: 20 * ticksPerSecond, stolen: 2 * ticksPerSecond}}
	if c := w.conditions(); c.Got != 0.9 || c.Others != 0.15 || c.Stolen != 0.05 {
		t.Errorf("conditions %+v, want 90 %%, 15 %% and 5 %%", c)
	}
}
