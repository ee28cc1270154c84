package graph

import (
	"sync"
	"sync/atomic"

	"github.com/ludozero/ludozero/model/kernel"
)

// chunks is the number of parts that every batch is cut into. Sums over the
// batch are taken per chunk and the chunks' sums added in order, so that the
// result does not depend on how many goroutines shared the work or which of
// them took which chunk.
const chunks = 8

// MaxThreads is the largest number of goroutines that an operation can use.
const MaxThreads = chunks

// crew runs the chunks of one op at a time on a fixed number of goroutines,
// which live for that op only.
type crew struct {
	threads int
	next    atomic.Int32
	wait    sync.WaitGroup
	// scratch has a part for each goroutine, each of size values.
	scratch []float32
	size    int
}

// reserve makes room for at least n values of scratch for each goroutine, each on a cache
// line of its own.
func (c *crew) reserve(n int) { c.size = max(c.size, (n+15)&^15) }

// run calls f(0) … f(n-1), each once, and returns when all have returned. What
// f(i) writes must not overlap with what the others read or write.
func (c *crew) run(n int, f func(i int)) {
	c.runScratch(n, func(i int, _ []float32) { f(i) })
}

// runScratch is run for calls that need scratch memory, whose contents are undefined.
func (c *crew) runScratch(n int, f func(i int, scratch []float32)) {
	if len(c.scratch) < c.threads*c.size {
		c.scratch = kernel.Alloc(c.threads * c.size)
	}
	c.next.Store(0)
	for g := range min(c.threads, n) - 1 {
		c.wait.Add(1)
		go func() {
			defer c.wait.Done()
			c.take(n, c.scratch[(g+1)*c.size:][:c.size], f)
		}()
	}
	c.take(n, c.scratch[:c.size], f)
	c.wait.Wait()
}

func (c *crew) take(n int, scratch []float32, f func(i int, scratch []float32)) {
	for i := int(c.next.Add(1)) - 1; i < n; i = int(c.next.Add(1)) - 1 {
		f(i, scratch)
	}
}

// part is the range of rows of chunk i of a batch.
func part(i, batch int) (from, to int) { return i * batch / chunks, (i + 1) * batch / chunks }

// addParts sums chunks vectors of len(dst) that stand one after another in
// parts into dst, chunk 0 first. It splits the vectors over the crew.
func (c *crew) addParts(dst, parts []float32) {
	n := len(dst)
	c.run(chunks, func(i int) {
		from, to := part(i, n)
		d := dst[from:to]
		copy(d, parts[from:to])
		for k := 1; k < chunks; k++ {
			p := parts[k*n+from : k*n+to]
			kernel.Add(d, p)
		}
	})
}
