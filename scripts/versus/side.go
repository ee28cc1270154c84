package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// task is what a side is told first, as one line of JSON. Sides in other
// languages read the same.
type task struct {
	// Model is a weight file for us, an ONNX file for ONNX Runtime.
	Model     string `json:"model,omitempty"`
	Precision string `json:"precision,omitempty"`
	Threads   int    `json:"threads"`
	Batch     int    `json:"batch"`
	// Rows is how many positions the inputs have.
	Rows    int      `json:"rows,omitempty"`
	Inputs  []input  `json:"inputs,omitempty"`
	Outputs []string `json:"outputs,omitempty"`
	// Training is the folder of a training task.
	Training string `json:"training,omitempty"`
	// ChannelsLast is PyTorch's layout of activations.
	ChannelsLast bool `json:"channels_last,omitempty"`
}

// input is a file of float32, [rows][shape].
type input struct {
	Name  string `json:"name"`
	File  string `json:"file"`
	Shape []int  `json:"shape"`
}

// turn is what a side did in one turn.
type turn struct {
	Count   int     `json:"count"` // positions, or calls
	Seconds float64 `json:"seconds"`
	// CPU is the share of the processor time that it could have had; below 1 if
	// others were on the machine or a thread had nothing to do.
	CPU float64 `json:"cpu"`
}

func (t turn) rate() float64 { return float64(t.Count) / t.Seconds }

// reply is any answer of a side; each has some of the fields.
type reply struct {
	turn
	Version string              `json:"version,omitempty"`
	Error   string              `json:"error,omitempty"`
	Losses  []float64           `json:"losses,omitempty"`
	Ranges  map[string]interval `json:"ranges,omitempty"`
}

// interval is the least and the largest of something.
type interval struct {
	Min float32 `json:"min"`
	Max float32 `json:"max"`
}

// side is a running process that computes one task.
type side struct {
	name    string
	version string
	threads int
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	stdout  *bufio.Reader
}

// start runs a command and hands it its task. ready waits for it.
func start(ctx context.Context, name string, command []string, env []string, t task) (*side, error) {
	s := &side{name: name, threads: t.Threads, cmd: exec.CommandContext(ctx, command[0], command[1:]...)}
	s.cmd.Env = append(os.Environ(), env...)
	s.cmd.Stderr = os.Stderr
	var err error
	if s.stdin, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.stdout = bufio.NewReader(out)
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	line, err := json.Marshal(t)
	if err == nil {
		_, err = s.stdin.Write(append(line, '\n'))
	}
	if err != nil {
		s.close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

func (s *side) ready() error {
	r, err := s.answer()
	s.version = r.Version
	return err
}

func (s *side) answer() (reply, error) {
	line, err := s.stdout.ReadString('\n')
	if err != nil {
		return reply{}, fmt.Errorf("%s: ended early: %w", s.name, errors.Join(err, s.cmd.Wait()))
	}
	var r reply
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		return r, fmt.Errorf("%s: answer %q: %w", s.name, strings.TrimSpace(line), err)
	}
	if r.Error != "" {
		return r, fmt.Errorf("%s: %s", s.name, r.Error)
	}
	return r, nil
}

// ask sends a command and waits for the answer.
func (s *side) ask(format string, args ...any) (reply, error) {
	if _, err := fmt.Fprintf(s.stdin, format+"\n", args...); err != nil {
		return reply{}, fmt.Errorf("%s: %w", s.name, err)
	}
	return s.answer()
}

// run lets the side work for a while.
func (s *side) run(d time.Duration) (turn, error) {
	before := cpuTime(s.cmd.Process.Pid)
	r, err := s.ask("go %g", d.Seconds())
	if err != nil {
		return turn{}, err
	}
	if r.Count < 1 || !(r.Seconds > 0) {
		return turn{}, fmt.Errorf("%s: %d positions in %g s", s.name, r.Count, r.Seconds)
	}
	r.CPU = (cpuTime(s.cmd.Process.Pid) - before) / (r.Seconds * float64(s.threads))
	return r.turn, nil
}

// close ends the process, which it may have done itself.
func (s *side) close() {
	s.stdin.Close()
	s.cmd.Wait() // what matters has been answered
}

// clockTicks is USER_HZ, which Linux fixes for what it tells of processes.
const clockTicks = 100

// cpuTime is the processor time of a process in seconds, 0 where it cannot be
// told.
func cpuTime(pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ") // the name may hold anything
	fields := strings.Fields(rest)
	const user, system = 11, 12
	if len(fields) <= system {
		return 0
	}
	u, _ := strconv.ParseFloat(fields[user], 64)
	k, _ := strconv.ParseFloat(fields[system], 64)
	return (u + k) / clockTicks
}
