package main

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/ludozero/ludozero/model/kernel"
)

// machine describes where the comparison ran.
type machine struct {
	Processor string `json:"processor"`
	Cores     int    `json:"cores"`
	Kernel    string `json:"kernel"` // variant of our kernels
	Go        string `json:"go"`
	// Load is the load average of the last minute before and after, this program's
	// processes included.
	Load [2]string `json:"load"`
}

func (m machine) String() string {
	return fmt.Sprintf("%s, %d cores, kernels %s, %s, load %s", m.Processor, m.Cores, m.Kernel, m.Go, m.Load[0])
}

func thisMachine() machine {
	m := machine{Processor: runtime.GOARCH, Cores: runtime.NumCPU(), Kernel: kernel.Level(), Go: runtime.Version(), Load: [2]string{load1()}}
	text, _ := os.ReadFile("/proc/cpuinfo") // only Linux has it
	if name := regexp.MustCompile(`(?m)^model name\s*: (.+)$`).FindSubmatch(text); name != nil {
		m.Processor = string(name[1])
	}
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

// fmaPeak is what one core reaches at the moment, in GFLOP/s: the median of a few
// runs of 10 ms.
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
