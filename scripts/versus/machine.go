package main

import (
	_ "embed"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/ludozero/ludozero/model/kernel"
)

// The sides in other languages.
var (
	//go:embed ort.mjs
	ortScript []byte
	//go:embed pytorch.py
	torchScript []byte
)

// writeScripts puts them where their programs find them.
func (c *comparison) writeScripts() error {
	var err error
	if c.dir, err = filepath.Abs(c.dir); err != nil {
		return err
	}
	c.ort, c.py = filepath.Join(c.dir, "ort.mjs"), filepath.Join(c.dir, "pytorch.py")
	if err := os.WriteFile(c.ort, ortScript, 0o644); err != nil {
		return err
	}
	return os.WriteFile(c.py, torchScript, 0o644)
}

// machine is where and when.
type machine struct {
	Processor string `json:"processor"`
	Cores     int    `json:"cores"`
	Kernel    string `json:"kernel"` // variant of our kernels
	Go        string `json:"go"`
	// Load is the number of processes that wanted to run in the last minute,
	// before and after, those of this program included.
	Load [2]string `json:"load"`
}

func (m machine) String() string {
	return fmt.Sprintf("%s, %d cores, kernels %s, %s, load %s", m.Processor, m.Cores, m.Kernel, m.Go, m.Load[0])
}

func look() machine {
	m := machine{Processor: runtime.GOARCH, Cores: runtime.NumCPU(), Kernel: kernel.Level(), Go: runtime.Version()}
	text, _ := os.ReadFile("/proc/cpuinfo") // elsewhere the architecture has to do
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			m.Processor = strings.TrimSpace(value)
			break
		}
	}
	m.Load[0] = load1()
	return m
}

func load1() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}

// fmaPeak is what one core reaches now, in GFLOP/s: the median of a few runs of
// 10 ms.
func fmaPeak() float64 {
	var rates []float64
	for range 7 {
		done, start := 0, time.Now()
		for time.Since(start) < 10*time.Millisecond {
			done += kernel.PeakFMA(1 << 16)
		}
		rates = append(rates, float64(done)/time.Since(start).Seconds()/1e9)
	}
	return quantile(rates, 0.5)
}

// steady is by how much the peak may move before the run is called unsteady.
const steady = 0.2

// finish judges the run as a whole.
func (c *comparison) finish() {
	c.Machine.Load[1] = load1()
	var peaks []float64
	for _, r := range c.Rows {
		peaks = append(peaks, r.Peak)
	}
	low, high := quantile(peaks, 0), quantile(peaks, 1)
	fmt.Fprintf(c.out, "\nFMA peak of one core before each row: %.0f to %.0f GFLOP/s, median %.0f. Load %s before, %s after. %s.\n",
		low, high, quantile(peaks, 0.5), c.Machine.Load[0], c.Machine.Load[1], time.Since(c.Started).Round(time.Second))
	if (high-low)/high > steady {
		c.warn("the FMA peak moved by %.0f %%: the machine was not steady", 100*(high-low)/high)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Versions)) {
		fmt.Fprintf(c.out, "%s: %s\n", name, c.Versions[name])
	}
	c.targets()
	for _, w := range c.Warnings {
		fmt.Fprintf(c.out, "warning: %s\n", w)
	}
}
