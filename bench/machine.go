package bench

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/ludozero/ludozero/model/kernel"
)

// Machine is what the figures are of. What the system does not tell is empty.
type Machine struct {
	Processor string   `json:"processor"`
	Cores     int      `json:"cores"` // that this process may use
	Caches    []string `json:"caches"`
	// MemoryBytes is all memory of the machine.
	MemoryBytes int64  `json:"memory_bytes"`
	System      string `json:"system"`
	Go          string `json:"go"`
	// Kernel is the level in use, Kernels those that there are, slowest first.
	Kernel  string   `json:"kernel"`
	Kernels []string `json:"kernels"`
}

// machine asks the system; only Linux tells more than the number of cores.
func machine() Machine {
	return Machine{
		Processor: field("/proc/cpuinfo", "model name"), Cores: runtime.NumCPU(), Caches: caches(),
		MemoryBytes: kilobytes(field("/proc/meminfo", "MemTotal")),
		System:      runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version(),
		Kernel: kernel.Level(), Kernels: kernel.Levels(),
	}
}

// field is the value of the first line "name : value" of a file, "" if there is
// none.
func field(path, name string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// kilobytes reads "24684084 kB", 0 if it is none.
func kilobytes(text string) int64 {
	n, err := strconv.ParseInt(strings.TrimSuffix(text, " kB"), 10, 64)
	if err != nil {
		return 0
	}
	return n << 10
}

// caches lists the data caches of the first core, "L1 48K" first.
func caches() []string {
	list := []string{}
	for i := range 8 {
		read := func(name string) string {
			text, err := os.ReadFile(fmt.Sprintf("/sys/devices/system/cpu/cpu0/cache/index%d/%s", i, name))
			if err != nil {
				return ""
			}
			return string(bytes.TrimSpace(text))
		}
		if level, kind := read("level"), read("type"); level != "" && kind != "Instruction" {
			list = append(list, fmt.Sprintf("L%s %s", level, read("size")))
		}
	}
	return list
}

// Conditions tell how quiet the machine was while it was measured. Shares are -1
// where the system does not tell, or the time was too short for it to.
type Conditions struct {
	// Clock is the f32 peak of one core over the whole time, in FLOP/s: how steady
	// its clock was, and how much of the core this process got. All 0 if none of
	// what was measured needs it.
	Clock Spread `json:"clock"`
	// Got is the part of the processor time that was asked for and had, but for
	// training on several threads, which does not keep all of them busy. Others is
	// what other processes took of all cores, Stolen what other machines took of
	// the hardware below a virtual one.
	Got    float64 `json:"got"`
	Others float64 `json:"others"`
	Stolen float64 `json:"stolen"`
	// Seconds is how long it took in all.
	Seconds float64 `json:"seconds"`
}

// ticksPerSecond is the unit of Linux's processor times for programs, on all
// its machines.
const ticksPerSecond = 100

// leastWatched is the processor time from which on ticks tell shares.
const leastWatched = time.Second

// watch sums up processor times while things are measured.
type watch struct {
	started    time.Time
	clock      []float64
	want       time.Duration // processor time asked for
	got        int64         // ticks of this process meanwhile
	since      time.Time
	from, sums ticks
}

// ticks are processor times: of this process, and of all on the machine.
type ticks struct{ own, all, idle, stolen int64 }

func (w *watch) begin() { w.started = time.Now() }

// resume is called before a slice of p, pause after it.
func (w *watch) resume() { w.from, w.since = readTicks(), time.Now() }

func (w *watch) pause(p *probe) {
	t, d := readTicks(), time.Since(w.since)
	own := t.own - w.from.own
	w.sums.own += own
	w.sums.all += t.all - w.from.all
	w.sums.idle += t.idle - w.from.idle
	w.sums.stolen += t.stolen - w.from.stolen
	if !p.uneven {
		w.got += own
		w.want += d * time.Duration(p.threads)
	}
}

func (w *watch) conditions() Conditions {
	c := Conditions{Got: -1, Others: -1, Stolen: -1, Seconds: time.Since(w.started).Seconds()}
	if len(w.clock) > 0 {
		c.Clock = spreadOf(w.clock)
	}
	if w.want >= leastWatched && w.sums.all > 0 {
		all := float64(w.sums.all)
		c.Got = min(1, float64(w.got)/ticksPerSecond/w.want.Seconds()) // the collector's share may come on top
		c.Stolen = float64(w.sums.stolen) / all
		c.Others = max(0, float64(w.sums.all-w.sums.idle-w.sums.stolen-w.sums.own)/all)
	}
	return c
}

// readTicks asks the system, for zeros where it is not Linux.
func readTicks() ticks {
	var t ticks
	if text, err := os.ReadFile("/proc/self/stat"); err == nil {
		_, rest, _ := bytes.Cut(text, []byte(") ")) // behind a name of any characters
		if f := bytes.Fields(rest); len(f) > 12 {
			t.own = number(f[11]) + number(f[12])
		}
	}
	if text, err := os.ReadFile("/proc/stat"); err == nil {
		line, _, _ := bytes.Cut(text, []byte("\n"))
		// cpu, then user, nice, system, idle, waiting for disks, interrupts, stolen
		if f := bytes.Fields(line); len(f) > 8 {
			for _, n := range f[1:9] {
				t.all += number(n)
			}
			t.idle, t.stolen = number(f[4])+number(f[5]), number(f[8])
		}
	}
	return t
}

func number(text []byte) int64 {
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		return 0
	}
	return n
}
