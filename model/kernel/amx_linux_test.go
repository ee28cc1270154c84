//go:build amd64 && !purego

package kernel

import (
	"fmt"
	"io"
	"runtime"
	"runtime/pprof"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"
)

func init() {
	if hasTiles() {
		v := tiles8(int8AVX512VNNI, func(*Packed8) bool { return true })
		v.name = "amx for all"
		forced8 = append(forced8, v)
	}
}

// TestTilesOnEveryBoard holds boards of every size, whole groups of them and
// what is left over, with more than one stripe and chunk, to plain Go.
func TestTilesOnEveryBoard(t *testing.T) {
	if !hasTiles() {
		t.Skip("this machine: no AMX")
	}
	const in, out = 66, 35
	r := source(9)
	wt := weights8(r, 9*in*out)
	scale, bias := scales(r, out, 9*in), values(r, out)
	p, q := generic8.packed(wt, 3, in, out), int8AMX.packed(wt, 3, in, out)
	for h := MinSide; h <= MaxHeight; h++ {
		for w := MinSide; w <= MaxWidth; w++ {
			batch := 1 + 2*maxGroup*MinSide*MinSide/(h*w)
			x := bytes(r, batch*h*w*in)
			want := bytes(r, batch*h*w*out)
			got := slices.Clone(want)
			Conv8(want, x, batch, h, w, p, scale, bias, want, 0.7)
			Conv8(got, x, batch, h, w, q, scale, bias, got, 0.7)
			same(t, fmt.Sprintf("%d × %d, batch %d", h, w, batch), got, want)
		}
	}
}

// TestTilesUnderSignals runs convolutions on tiles in many goroutines while the
// process is showered with signals: the scheduler's preemption and a collector
// that never rests (SIGURG), the profiler (SIGPROF), and more SIGURG from
// outside. The tiles are state of the thread, which every handler has to save
// on a signal stack that is large enough, and which must not be left behind
// when a goroutine moves.
func TestTilesUnderSignals(t *testing.T) {
	if !hasTiles() {
		t.Skip("this machine: no AMX")
	}
	const batch, h, w, c = 3, 8, 8, 96
	r := source(7)
	x, wt := bytes(r, batch*h*w*c), weights8(r, 9*c*c)
	scale, bias := scales(r, c, 9*c), values(r, batch*c)
	want := make([]uint8, batch*h*w*c)
	Conv8(want, x, batch, h, w, generic8.packed(wt, 3, c, c), scale, bias, x, 0.5)
	p := int8AMX.packed(wt, 3, c, c)
	x16, wt16 := values(r, batch*h*w*c), values(r, 9*c*c)
	shape16 := ConvShape{K: 3, In: c, Out: c, H: h, W: w, BFloat16: true}
	want16 := make([]float32, batch*h*w*c)
	Conv(want16, x16, batch, generic16.packed(wt16, shape16, false), bias, nil, true, nil)
	p16 := bfloat16AMX.packed(wt16, shape16, false)

	if err := pprof.StartCPUProfile(io.Discard); err != nil {
		t.Fatal(err)
	}
	defer pprof.StopCPUProfile()
	stop := make(chan struct{})
	var storm, work sync.WaitGroup
	storm.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			if err := syscall.Kill(syscall.Getpid(), syscall.SIGURG); err != nil {
				t.Error(err)
				return
			}
			runtime.GC()
		}
	})
	end := time.Now().Add(time.Second)
	for range 4 * runtime.GOMAXPROCS(0) {
		work.Go(func() {
			y, y16, scratch := make([]uint8, len(want)), make([]float32, len(want16)), Alloc(p16.Scratch())
			for n := 0; time.Now().Before(end); n++ {
				clear(y)
				clear(y16)
				Conv8(y, x, batch, h, w, p, scale, bias, x, 0.5)
				Conv(y16, x16, batch, p16, bias, nil, true, scratch)
				if !slices.Equal(y, want) || !slices.Equal(y16, want16) {
					t.Errorf("turn %d differs from plain Go", n)
					return
				}
				if n%16 == 0 {
					runtime.Gosched()
				}
			}
		})
	}
	work.Wait()
	close(stop)
	storm.Wait()
}

// TestTilesInNewThreads uses tiles for the first time in threads of their own,
// which die with their goroutines.
func TestTilesInNewThreads(t *testing.T) {
	if !hasTiles() {
		t.Skip("this machine: no AMX")
	}
	const c = 64
	r := source(8)
	x, wt := bytes(r, 64*c), weights8(r, 9*c*c)
	scale, want := scales(r, c, 9*c), make([]uint8, 64*c)
	Conv8(want, x, 1, 8, 8, generic8.packed(wt, 3, c, c), scale, nil, nil, 0)
	p := int8AMX.packed(wt, 3, c, c)
	var work sync.WaitGroup
	for range 50 {
		work.Go(func() {
			runtime.LockOSThread() // and never unlocked: the thread ends here
			y := make([]uint8, len(want))
			Conv8(y, x, 1, 8, 8, p, scale, nil, nil, 0)
			if !slices.Equal(y, want) {
				t.Error("differs from plain Go")
			}
		})
	}
	work.Wait()
}
