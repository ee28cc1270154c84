package broker

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/ludozero/ludozero/cluster"
	"github.com/ludozero/ludozero/internal/strictjson"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Link is a cluster.Link to the host at an address.
type Link struct {
	nc   *nats.Conn
	js   jetstream.JetStream
	wake chan struct{}

	mu  sync.Mutex
	run string // that is listened to
	sub *nats.Subscription
	// connected ends when the connection is cut, by cut, and is then a new one.
	connected context.Context
	cut       context.CancelCauseFunc
}

// errCut ends what was asked before the connection was cut: its answer will not come.
var errCut = errors.New("the connection was cut")

// Join makes a link to the host at addr: what the trainer printed, or the URL of a NATS
// server. The host need not be there yet.
func Join(addr, name string) (*Link, error) {
	url, opts, err := dialOptions(addr)
	if err != nil {
		return nil, err
	}
	l := &Link{wake: make(chan struct{}, 1)}
	l.renew()
	l.nc, err = connect(url, "ludozero work "+name, append(opts, nats.DisconnectErrHandler(func(*nats.Conn, error) { l.renew() }))...)
	if err != nil {
		return nil, err
	}
	if l.js, err = jetstream.New(l.nc); err != nil {
		l.nc.Close()
		return nil, err
	}
	return l, nil
}

// renew ends what waits for an answer.
func (l *Link) renew() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cut != nil {
		l.cut(errCut)
	}
	l.connected, l.cut = context.WithCancelCause(context.Background())
}

// whileConnected is ctx, which also ends when the connection is cut. A client keeps
// waiting for answers that a server which is gone had to give.
func (l *Link) whileConnected(ctx context.Context) (context.Context, func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	connected := l.connected
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(connected, func() { cancel(context.Cause(connected)) })
	return ctx, func() {
		stop()
		cancel(nil)
	}
}

// Close ends the link.
func (l *Link) Close() { l.nc.Close() }

// ask sends a request and reads the answer.
func ask[T any](ctx context.Context, l *Link, subject string, question any) (value T, err error) {
	text, err := json.Marshal(question)
	if err != nil {
		return value, err
	}
	ctx, stop := l.whileConnected(ctx)
	defer stop()
	m, err := l.nc.RequestWithContext(ctx, subject, text)
	if err != nil {
		return value, l.why(ctx, err)
	}
	var a answer[T]
	decode := strictjson.Decode
	if subject == helloSubject { // a host of another build, which it names, may say more
		decode = json.Unmarshal
	}
	if err := decode(m.Data, &a); err != nil {
		return value, fmt.Errorf("answer to %s: %w", subject, err)
	}
	if a.Error != "" {
		return value, errors.New(a.Error)
	}
	return a.Value, nil
}

// why is an error with what the connection says of its cause.
func (l *Link) why(ctx context.Context, err error) error {
	switch {
	case l.nc.IsConnected() && errors.Is(context.Cause(ctx), errCut):
		return errCut
	case errors.Is(err, nats.ErrNoResponders):
		return errors.New("no trainer is there")
	case l.nc.IsConnected():
		return err
	}
	last := l.nc.LastError()
	var unverified *tls.CertificateVerificationError
	switch {
	case last == nil:
		return errors.New("not connected")
	case errors.Is(last, nats.ErrAuthorization) || strings.Contains(strings.ToLower(last.Error()), nats.AUTHORIZATION_ERR):
		return fmt.Errorf("%w: wrong token, or none: want the line that the trainer prints", cluster.ErrNotAdmitted)
	case strings.Contains(last.Error(), errOtherCertificate.Error()): // the client keeps the text alone
		return fmt.Errorf("%w: %w: want the line that the trainer prints", cluster.ErrNotAdmitted, errOtherCertificate)
	case errors.As(last, &unverified):
		return fmt.Errorf("%w: the address does not name its certificate: want the line that the trainer prints (%w)", cluster.ErrNotAdmitted, last)
	}
	return fmt.Errorf("not connected: %w", last)
}

// Welcome implements cluster.Link.
func (l *Link) Welcome(ctx context.Context) (*cluster.Welcome, error) {
	w, err := ask[*cluster.Welcome](ctx, l, helloSubject, struct{}{})
	if err != nil || w == nil || w.Run == "" {
		return &cluster.Welcome{}, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if w.Run == l.run {
		return w, nil
	}
	if l.sub != nil {
		_ = l.sub.Unsubscribe()
	}
	l.run = w.Run
	l.sub, err = l.nc.Subscribe(prefix(w.Run)+".wake", func(*nats.Msg) {
		select {
		case l.wake <- struct{}{}:
		default:
		}
	})
	return w, err
}

// Report implements cluster.Link.
func (l *Link) Report(ctx context.Context, r *cluster.Report) (*cluster.Reply, error) {
	reply, err := ask[*cluster.Reply](ctx, l, prefix(r.Run)+".report", r)
	if err == nil && reply == nil {
		err = errors.New("the trainer's answer is empty")
	}
	return reply, err
}

// Piece implements cluster.Link.
func (l *Link) Piece(ctx context.Context, digest string, offset int64) ([]byte, error) {
	l.mu.Lock()
	run := l.run
	l.mu.Unlock()
	return ask[[]byte](ctx, l, prefix(run)+".piece", pieceRequest{digest, offset})
}

// sameSubject is the server's error for a message whose subject the stream has already.
const sameSubject jetstream.ErrorCode = 10077

// Send implements cluster.Link. A parcel that the stream has already is as good as sent.
func (l *Link) Send(ctx context.Context, p *cluster.Parcel) error {
	ctx, stop := l.whileConnected(ctx)
	defer stop()
	_, err := l.js.Publish(ctx, parcelSubject(p), p.Data)
	var api *jetstream.APIError
	if errors.As(err, &api) && api.ErrorCode == sameSubject {
		return nil
	}
	if err != nil {
		return l.why(ctx, err)
	}
	return nil
}

// Wake implements cluster.Link.
func (l *Link) Wake() <-chan struct{} { return l.wake }
