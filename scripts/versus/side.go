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

	"github.com/ludozero/ludozero/model/onnx"
)

// task is the first line that a side reads, as JSON; the scripts in other languages
// read the same.
type task struct {
	// Model is a weight file for us, an ONNX file for ONNX Runtime.
	Model     string `json:"model,omitempty"`
	Precision string `json:"precision,omitempty"`
	Threads   int    `json:"threads"`
	Batch     int    `json:"batch"`
	// Rows is the number of positions in the inputs.
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
	// CPU is the share of its threads' processor time that the side got; below 1
	// if other processes ran or a thread was idle.
	CPU float64 `json:"cpu"`
}

func (t turn) rate() float64 { return float64(t.Count) / t.Seconds }

// reply is an answer of a side; each kind of answer fills some of the fields.
type reply struct {
	turn
	Version string                `json:"version,omitempty"`
	Error   string                `json:"error,omitempty"`
	Losses  []float64             `json:"losses,omitempty"`
	Ranges  map[string]onnx.Range `json:"ranges,omitempty"`
}

// program is how a side is started: its name in tables, command line, additional
// environment and task.
type program struct {
	name    string
	command []string
	env     []string
	task    task
}

// side is a running program.
type side struct {
	program
	version string
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	stdout  *bufio.Reader
}

// start runs a program and sends it its task. ready waits for the answer.
func start(ctx context.Context, p program) (*side, error) {
	s := &side{program: p, cmd: exec.CommandContext(ctx, p.command[0], p.command[1:]...)}
	s.cmd.Env = append(os.Environ(), p.env...)
	s.cmd.Stderr = os.Stderr
	stdin, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.stdin, s.stdout = stdin, bufio.NewReader(stdout)
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	if err := json.NewEncoder(stdin).Encode(p.task); err != nil {
		s.close()
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	return s, nil
}

// startAll starts the programs at the same time and waits until all are ready. The
// caller must call end in any case.
func startAll(ctx context.Context, programs []program) (sides []*side, end func(), err error) {
	end = func() {
		for _, s := range sides {
			s.close()
		}
	}
	for _, p := range programs {
		s, err := start(ctx, p)
		if err != nil {
			return nil, end, err
		}
		sides = append(sides, s)
	}
	for _, s := range sides {
		if err := s.ready(); err != nil {
			return nil, end, err
		}
	}
	return sides, end, nil
}

// askOnce starts a program for a single question.
func askOnce(ctx context.Context, p program, question string) (reply, error) {
	sides, end, err := startAll(ctx, []program{p})
	defer end()
	if err != nil {
		return reply{}, err
	}
	return sides[0].ask(question)
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
func (s *side) ask(command string) (reply, error) {
	if _, err := fmt.Fprintln(s.stdin, command); err != nil {
		return reply{}, fmt.Errorf("%s: %w", s.name, err)
	}
	return s.answer()
}

// run lets the side work for a while.
func (s *side) run(d time.Duration) (turn, error) {
	before := cpuTime(s.cmd.Process.Pid)
	r, err := s.ask(fmt.Sprintf("go %g", d.Seconds()))
	if err != nil {
		return turn{}, err
	}
	if r.Count < 1 || !(r.Seconds > 0) {
		return turn{}, fmt.Errorf("%s: %d positions in %g s", s.name, r.Count, r.Seconds)
	}
	r.CPU = (cpuTime(s.cmd.Process.Pid) - before) / (r.Seconds * float64(s.task.Threads))
	return r.turn, nil
}

// close ends the process if it still runs.
func (s *side) close() {
	s.stdin.Close()
	s.cmd.Wait() // every answer that matters has been read
}

// clockTicks is USER_HZ, which is 100 on every Linux.
const clockTicks = 100

// cpuTime is the processor time of a process in seconds, 0 where the system does
// not report it.
func cpuTime(pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ") // the name may contain spaces
	fields := strings.Fields(rest)
	const user, system = 11, 12
	if len(fields) <= system {
		return 0
	}
	u, _ := strconv.ParseFloat(fields[user], 64)
	k, _ := strconv.ParseFloat(fields[system], 64)
	return (u + k) / clockTicks
}
