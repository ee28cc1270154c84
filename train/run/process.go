package run

import (
	"bytes"
	"os"
	"runtime"
	"runtime/metrics"
	"strconv"

	"github.com/ludozero/ludozero/train/rundir"
)

// processFigures sets what m says of the present process.
func processFigures(m *rundir.Metrics) {
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}}
	metrics.Read(heap)
	m.HeapBytes = int64(heap[0].Value.Uint64() + heap[1].Value.Uint64())
	m.ResidentBytes = residentBytes()
	m.Goroutines = int64(runtime.NumGoroutine())
}

// residentBytes is the memory that the system has given the process, 0 where
// there is no /proc to ask.
func residentBytes() int64 {
	b, err := os.ReadFile("/proc/self/statm") // pages: of the program, resident, …
	fields := bytes.Fields(b)
	if err != nil || len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}
