package cli

import (
	"bufio"
	"bytes"
	"io"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
	"testing"
	"time"
)

// badProxy passes the connection of one worker on to the trainer. It can cut it, refuse
// new ones for a while, delay bytes and repeat messages.
type badProxy struct {
	listener net.Listener
	to       string

	mu       sync.Mutex
	rng      *rand.Rand
	open     map[net.Conn]bool
	downTill time.Time
	slowTill time.Time
	repeats  int // messages that were sent twice
}

func newBadProxy(t *testing.T, to string, seed uint64) *badProxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &badProxy{listener: l, to: to, rng: rand.New(rand.NewPCG(seed, 7)), open: map[net.Conn]bool{}}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() { p.pass(c) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		p.cut(0)
		all.Wait()
	})
	return p
}

func (p *badProxy) addr() string { return p.listener.Addr().String() }

// cut closes all connections and refuses others for that time.
func (p *badProxy) cut(down time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.downTill = time.Now().Add(down)
	for c := range p.open {
		_ = c.Close()
	}
}

// slow delays everything for that time.
func (p *badProxy) slow(span time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.slowTill = time.Now().Add(span)
}

func (p *badProxy) enter(c net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Now().Before(p.downTill) {
		_ = c.Close()
		return false
	}
	p.open[c] = true
	return true
}

func (p *badProxy) leave(c net.Conn) {
	_ = c.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, c)
}

func (p *badProxy) pass(worker net.Conn) {
	if !p.enter(worker) {
		return
	}
	defer p.leave(worker)
	trainer, err := net.Dial("tcp", p.to)
	if err != nil {
		return
	}
	if !p.enter(trainer) {
		return
	}
	defer p.leave(trainer)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(worker, trainer)
		_ = worker.Close()
	}()
	p.messages(trainer, worker)
	_ = trainer.Close()
	<-done
}

// messages passes what a worker says on, message by message, some of them late or twice.
// One is a line, after PUB and HPUB with a payload of as many bytes as its last word says.
func (p *badProxy) messages(to io.Writer, from io.Reader) {
	in := bufio.NewReader(from)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		message := bytes.Clone(line)
		words := bytes.Fields(line)
		published := len(words) > 1 && (bytes.EqualFold(words[0], []byte("PUB")) || bytes.EqualFold(words[0], []byte("HPUB")))
		if published {
			n, err := strconv.Atoi(string(words[len(words)-1]))
			if err != nil {
				return
			}
			payload := make([]byte, n+2)
			if _, err := io.ReadFull(in, payload); err != nil {
				return
			}
			message = append(message, payload...)
		}
		p.mu.Lock()
		slow, twice := time.Now().Before(p.slowTill), published && p.rng.IntN(10) == 0
		if twice {
			p.repeats++
		}
		p.mu.Unlock()
		if slow {
			time.Sleep(50 * time.Millisecond)
		}
		if twice {
			message = append(message, message...)
		}
		if _, err := to.Write(message); err != nil {
			return
		}
	}
}
