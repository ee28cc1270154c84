package broker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/ludozero/ludozero/cluster"
	"github.com/ludozero/ludozero/internal/strictjson"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Office connects the desk of a host with the workers.
type Office struct {
	host cluster.Desk
	nc   *nats.Conn
	js   jetstream.JetStream
	done chan error
	ctx  context.Context
	stop context.CancelFunc
}

// adminWithin is how long the server may take for what is done once.
const adminWithin = 30 * time.Second

// mostSilent is how often nobody on a server that is there may answer for JetStream, a
// second apart: a cluster may be choosing its leader.
const mostSilent = 5

// Open connects h through an embedded server.
func (s *Server) Open(h cluster.Desk) (*Office, error) {
	nc, err := s.connect()
	if err != nil {
		return nil, err
	}
	o, err := open(h, nc)
	if err == nil {
		go o.watch(s.failed)
	}
	return o, err
}

// watch ends the office when its server keeps no more parcels.
func (o *Office) watch(f *failures) {
	select {
	case err := <-f.lost:
		o.done <- fmt.Errorf("parcels cannot be kept: %w", err)
	case <-o.ctx.Done():
	}
}

// Dial connects h through the NATS server at url.
func Dial(url string, h cluster.Desk) (*Office, error) {
	nc, err := connect(url, "ludozero")
	if err != nil {
		return nil, err
	}
	return open(h, nc)
}

func open(h cluster.Desk, nc *nats.Conn) (*Office, error) {
	js, err := jetstream.New(nc)
	if err != nil {
		nc.Close()
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	o := &Office{host: h, nc: nc, js: js, done: make(chan error, 2), ctx: ctx, stop: cancel}
	h.OnWake(func() {
		if run := h.Run(); run != "" {
			_ = nc.Publish(prefix(run)+".wake", nil) // workers also ask by themselves
		}
	})
	if _, err := nc.Subscribe(helloSubject, func(m *nats.Msg) {
		w, err := h.Welcome()
		respond(m, w, err)
	}); err != nil {
		o.Close(false)
		return nil, err
	}
	go func() { o.done <- o.serve(ctx) }()
	return o, nil
}

// respond answers a request. An answer that does not arrive is asked for again.
func respond[T any](m *nats.Msg, value T, err error) {
	a := answer[T]{Value: value}
	if err != nil {
		a.Error = err.Error()
	}
	text, err := json.Marshal(a)
	if err == nil {
		_ = m.Respond(text)
	}
}

// serve answers workers once the run is known, until ctx ends.
func (o *Office) serve(ctx context.Context) error {
	if o.host.Known(ctx) != nil {
		return nil
	}
	run := o.host.Run()
	stream, err := o.stream(ctx, run)
	for silent := 0; err != nil; stream, err = o.stream(ctx, run) {
		// A server that is away comes back; one that says no means it, or is there and has
		// nobody who would answer.
		var refused *jetstream.APIError
		if silent++; !errors.Is(err, nats.ErrNoResponders) {
			silent = 0
		}
		if errors.As(err, &refused) || silent >= mostSilent {
			return fmt.Errorf("stream of parcels: %w; the server must have JetStream", err)
		}
		if pause(ctx, reconnectWait) != nil {
			return nil
		}
	}
	if err := errors.Join(
		o.handle(prefix(run)+".report", func(m *nats.Msg) {
			var r cluster.Report
			err := strictjson.Decode(m.Data, &r)
			var reply *cluster.Reply
			if err == nil {
				reply = o.host.Report(&r)
			}
			respond(m, reply, err)
		}),
		o.handle(prefix(run)+".piece", func(m *nats.Msg) {
			var p pieceRequest
			err := strictjson.Decode(m.Data, &p)
			var data []byte
			if err == nil {
				data, err = o.host.Piece(p.Digest, p.Offset)
			}
			respond(m, data, err)
		}),
	); err != nil {
		return err
	}
	for ctx.Err() == nil {
		if err := o.consume(ctx, stream); err != nil && pause(ctx, reconnectWait) == nil {
			// The server was away, and may have lost the stream.
			if s, err := o.stream(ctx, run); err == nil {
				stream = s
			}
		}
	}
	return nil
}

func (o *Office) handle(subject string, f nats.MsgHandler) error {
	_, err := o.nc.Subscribe(subject, f)
	return err
}

// pieceRequest asks for a piece of the weights.
type pieceRequest struct {
	Digest string `json:"digest"`
	Offset int64  `json:"offset"`
}

// stream makes the stream of a run, if it is not there. Nothing in it is dropped for its age or to make room: a full disk refuses
// what is new. In a cluster of servers it is kept by three, so that one may be lost.
func (o *Office) stream(ctx context.Context, run string) (jetstream.Stream, error) {
	ctx, cancel := context.WithTimeout(ctx, adminWithin)
	defer cancel()
	c := jetstream.StreamConfig{
		Name: streamName(run), Subjects: []string{prefix(run) + ".parcel.>"}, Storage: jetstream.FileStorage, Retention: jetstream.LimitsPolicy,
		Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, MaxMsgsPerSubject: 1, Duplicates: time.Second,
	}
	if o.nc.ConnectedClusterName() != "" {
		c.Replicas = 3
	}
	s, err := o.js.CreateOrUpdateStream(ctx, c)
	var refused *jetstream.APIError
	if c.Replicas > 1 && errors.As(err, &refused) && refused.ErrorCode == noPeers {
		c.Replicas = 1
		s, err = o.js.CreateOrUpdateStream(ctx, c)
	}
	return s, err
}

// noPeers is the server's error for more replicas than it has servers.
const noPeers jetstream.ErrorCode = 10005

// consume reads all of a stream in order and hands the parcels to the host until ctx ends or
// the stream fails. A parcel is removed from the stream once the host has settled it.
func (o *Office) consume(ctx context.Context, s jetstream.Stream) error {
	c, err := s.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverAllPolicy})
	if err != nil {
		return err
	}
	messages, err := c.Messages(jetstream.PullMaxMessages(16))
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, messages.Stop)
	defer stop()
	defer messages.Stop()
	for {
		m, err := messages.Next()
		if err != nil {
			return err
		}
		about, err := m.Metadata()
		if err != nil {
			continue
		}
		sequence := about.Sequence.Stream
		if err := o.host.Take(ctx, digestOf(m.Subject()), m.Data(), func() { go forget(s, sequence) }); err != nil {
			return err
		}
	}
}

// forget removes a message. If that fails it comes again to the next host, which removes
// it then.
func forget(s jetstream.Stream, sequence uint64) {
	ctx, cancel := context.WithTimeout(context.Background(), adminWithin)
	defer cancel()
	_ = s.DeleteMsg(ctx, sequence)
}

// Connected reports whether the server answers. One that does not is tried again for ever.
func (o *Office) Connected() bool { return o.nc.IsConnected() }

// Failed has a value if workers cannot be served.
func (o *Office) Failed() <-chan error { return o.done }

// Close ends the connection; over says that the run has all its games, and that its
// stream is needed no more.
func (o *Office) Close(over bool) {
	o.stop()
	if run := o.host.Run(); over && run != "" {
		ctx, cancel := context.WithTimeout(context.Background(), adminWithin)
		_ = o.js.DeleteStream(ctx, streamName(run))
		cancel()
	}
	o.nc.Close()
}

// parcelSubject is the name of a parcel.
func parcelSubject(p *cluster.Parcel) string {
	return prefix(p.Run) + ".parcel." + strconv.Itoa(p.Generation) + "." + strconv.FormatUint(p.Fence, 10) + "." + p.Worker + "." + p.Digest
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
