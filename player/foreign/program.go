package foreign

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ludozero/ludozero/player/ugi"
)

const (
	// startTime is how long a program may take to say that it is ready: it may
	// have a network to read.
	startTime = time.Minute
	// endTime is how long one has to end after quit before it is killed.
	endTime = 2 * time.Second
	// keptBytes of what a program writes to its standard error are kept.
	keptBytes = 2000
)

// program is a process that speaks UGI.
type program struct {
	*ugi.Client
	running *Programs
	cmd     *exec.Cmd
	errs    tail
	ended   chan struct{} // closed once the process has ended
	err     error         // how, then
}

// Programs owns running programs. The zero value has none. Safe for concurrent use.
type Programs struct {
	// Announce, unless nil, is told of every command before it is started first.
	Announce func(command string)

	mu    sync.Mutex
	all   map[*program]bool
	known map[string]bool // commands that were announced
}

// announce tells of a command that was not started before.
func (r *Programs) announce(command string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.Announce == nil || r.known[command] {
		return
	}
	if r.known == nil {
		r.known = map[string]bool{}
	}
	r.known[command] = true
	r.Announce(command)
}

func (r *Programs) enter(p *program) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all == nil {
		r.all = map[*program]bool{}
	}
	r.all[p] = true
}

// leave reports whether p was still entered: the caller that removes it ends it.
func (r *Programs) leave(p *program) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	there := r.all[p]
	delete(r.all, p)
	return there
}

// Close ends all programs, whose players must not be asked any more.
func (r *Programs) Close() {
	r.mu.Lock()
	all := slices.Collect(maps.Keys(r.all))
	r.mu.Unlock()
	var group sync.WaitGroup
	for _, p := range all {
		group.Go(p.close)
	}
	group.Wait()
}

// tail keeps the last bytes that were written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.text = append(t.text, b...); len(t.text) > keptBytes {
		t.text = append(t.text[:0], t.text[len(t.text)-keptBytes:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}

// start runs a command and waits until it has introduced itself.
func start(ctx context.Context, command []string, running *Programs) (*program, error) {
	running.announce(strings.Join(command, " "))
	p := &program{running: running, cmd: exec.Command(command[0], command[1:]...), ended: make(chan struct{})}
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, stdout := io.Pipe()
	p.cmd.Stdout, p.cmd.Stderr = stdout, &p.errs
	// What the program started may hold its output open when it has ended.
	p.cmd.WaitDelay = endTime
	p.cmd.SysProcAttr = groupOfItsOwn()
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		p.err = p.cmd.Wait()
		stdout.Close()
		close(p.ended)
	}()
	p.Client = ugi.NewClient(out, stdin)
	running.enter(p)
	limited, stop := context.WithTimeoutCause(ctx, startTime, fmt.Errorf("no ugiok within %v: does it speak UGI?", startTime))
	defer stop()
	if err := p.Begin(limited); err != nil {
		err = p.explain(err)
		p.kill()
		return nil, err
	}
	return p, nil
}

// explain adds to err what the program said last, and how it ended.
func (p *program) explain(err error) error {
	if errors.Is(err, ugi.ErrGone) {
		select {
		case <-p.ended:
			err = errors.New("it has ended")
			if p.err != nil {
				err = fmt.Errorf("it has ended: %w", p.err)
			}
		case <-time.After(endTime):
		}
	}
	text := ""
	if last := p.Last(); len(last) > 0 {
		text += "; its last lines: " + strings.Join(last, " | ")
	}
	if said := strings.Fields(p.errs.String()); len(said) > 0 {
		text += "; its last errors: " + strings.ToValidUTF8(strings.Join(said, " "), "?")
	}
	return fmt.Errorf("%w%s", err, text)
}

// close has the program end, and kills it if it does not, and what it has left.
func (p *program) close() {
	if !p.running.leave(p) {
		return
	}
	ctx, stop := context.WithTimeout(context.Background(), endTime)
	defer stop()
	_ = p.Quit(ctx) // the end of its input says the same
	late := time.AfterFunc(endTime, func() { killGroup(p.cmd.Process) })
	defer late.Stop()
	p.Close()
	<-p.ended
	killGroup(p.cmd.Process)
}

// kill ends the process and what it has started.
func (p *program) kill() {
	if !p.running.leave(p) {
		return
	}
	killGroup(p.cmd.Process)
	p.Close()
	<-p.ended
}
