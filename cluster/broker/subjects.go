// Package broker carries the messages of package cluster over NATS: reports and weights
// as requests, parcels by a JetStream stream that keeps each until the host has settled
// it. The server is embedded unless the user has one. The stream is no ledger: if it is
// lost workers send again what has no receipt.
package broker

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// Subjects, of which RUN is a name made of the run's identity:
//
//	ludozero.hello                                       what is played?
//	ludozero.run.RUN.report, .piece                      requests to the host
//	ludozero.run.RUN.wake                                to all workers
//	ludozero.run.RUN.parcel.GENERATION.FENCE.WORKER.DIGEST
//
// A parcel's name has all that makes it one of a kind, so that the stream takes it once
// however often it is sent, and a damaged copy, which has the name of the good one, can be
// removed to make room for that.
const (
	helloSubject = "ludozero.hello"
	runSubject   = "ludozero.run."
)

// runName is the name of a run in subjects, of letters and digits.
func runName(run string) string {
	sum := sha256.Sum256([]byte(run))
	return hex.EncodeToString(sum[:8])
}

func prefix(run string) string { return runSubject + runName(run) }

// streamName is the name of a run's stream.
func streamName(run string) string { return "ludozero-" + runName(run) }

// digestOf is the last part of a parcel's subject.
func digestOf(subject string) string { return subject[strings.LastIndexByte(subject, '.')+1:] }

// answer is what a request gets back: Error, or a value of the caller's.
type answer[T any] struct {
	Error string `json:"error,omitempty"`
	Value T      `json:"value"`
}

// Times by which a cut link is noticed: without them a client may take four minutes.
const (
	pingEvery = 5 * time.Second
	pingsLost = 2
	// reconnectWait is the pause between two attempts to connect, of which there is no
	// end.
	reconnectWait = time.Second
)

// connect opens a connection that goes on for ever. With name the server's operator can
// tell who it is.
func connect(url, name string, opts ...nats.Option) (*nats.Conn, error) {
	opts = append([]nats.Option{
		nats.Name(name), nats.MaxReconnects(-1), nats.ReconnectWait(reconnectWait), nats.RetryOnFailedConnect(true),
		nats.PingInterval(pingEvery), nats.MaxPingsOutstanding(pingsLost), nats.Timeout(10 * time.Second),
		// Two refusals of a token that was good before must not end the connection.
		nats.IgnoreAuthErrorAbort(),
		// What could not be sent is sent again by who wanted it: nothing is gathered.
		nats.ReconnectBufSize(-1), nats.IgnoreDiscoveredServers(),
		// Requests return their errors; the default writes them over the terminal, too.
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}),
	}, opts...)
	nc, err := nats.Connect(url, opts...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return nc, nil
}
