package broker

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/ludozero/ludozero/internal/lock"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// Dir is the folder of the embedded server in the folder of a run. It may be removed
// while the trainer is stopped: workers then need a new address.
const Dir = "cluster"

// lockFile is in the folder of the server, where one at a time may work.
const lockFile = "lock"

// maxPayload is more than any parcel or piece of weights takes.
const maxPayload = 8 << 20

// hostUser is the name by which the trainer logs into its own server.
const hostUser = "host"

// Server is an embedded NATS server.
type Server struct {
	server *server.Server
	unlock func() error // the folder
	failed *failures
	host   nats.Option // by which the trainer logs in
	addr   string      // of a worker
}

// Start starts a server for the run in folder dir that listens at addr, HOST, HOST:PORT
// or :PORT. On the loopback it asks for no secret; elsewhere it speaks TLS, and workers
// need the token. Everything acknowledged is on the disk.
func Start(dir, addr string) (started *Server, err error) {
	host, port, err := listenAddress(addr)
	if err != nil {
		return nil, err
	}
	number, err := strconv.Atoi(port)
	if err != nil || number < 0 || number > 65535 {
		return nil, fmt.Errorf("address %q: port %q: want a number up to 65535", addr, port)
	}
	if number == 0 {
		number = server.RANDOM_PORT
	}
	folder := filepath.Join(dir, Dir)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	unlock, err := lock.Take(filepath.Join(folder, lockFile), folder)
	if err != nil {
		return nil, fmt.Errorf("serving from %s: %w", folder, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, unlock())
		}
	}()
	password := newToken()
	opts := &server.Options{
		ServerName: "ludozero", Host: host, Port: number, NoSigs: true, NoLog: true, DisableJetStreamBanner: true,
		JetStream: true, StoreDir: folder, SyncAlways: true, MaxPayload: maxPayload, PingInterval: pingEvery, MaxPingsOut: pingsLost,
		Users: []*server.User{{Username: hostUser, Password: password}, {Username: workerUser, Permissions: workerPermissions()}},
	}
	var s *secret
	if isLoopback(host) {
		opts.NoAuthUser = workerUser
	} else {
		if s, err = openSecret(folder); err != nil {
			return nil, err
		}
		if opts.TLSConfig, err = s.tls(); err != nil {
			return nil, err
		}
		opts.TLSTimeout, opts.Users[1].Password = 10, s.Token
	}
	n, err := server.NewServer(opts)
	if err != nil {
		return nil, fmt.Errorf("listening at %s: %w", addr, err)
	}
	failed := &failures{lost: make(chan error, 1)}
	n.SetLogger(failed, false, false)
	n.Start()
	for end := time.Now().Add(adminWithin); !n.ReadyForConnections(50 * time.Millisecond); {
		if !failed.ended() && time.Now().Before(end) {
			continue
		}
		n.Shutdown()
		return nil, fmt.Errorf("listening at %s: %w", addr, errors.Join(errors.New("the server does not start"), failed.err()))
	}
	at := net.JoinHostPort(reachable(host), strconv.Itoa(n.Addr().(*net.TCPAddr).Port))
	line := at
	if s != nil {
		line = secretAddress(at, s.Token, s.Certificate)
	}
	return &Server{n, unlock, failed, nats.UserInfo(hostUser, password), line}, nil
}

// hostInbox is where the host is answered and parcels are handed to it: workers listen
// at _INBOX, all of them.
const hostInbox = "_HOST"

// workerPermissions are what a worker may do: ask, and send parcels. It can remove nothing
// of others, nor read their parcels; answers to them it could, since all are one user.
func workerPermissions() *server.Permissions {
	return &server.Permissions{
		Publish:   &server.SubjectPermission{Allow: []string{helloSubject, runSubject + "*.report", runSubject + "*.piece", runSubject + "*.parcel.>"}},
		Subscribe: &server.SubjectPermission{Allow: []string{"_INBOX.>", runSubject + "*.wake"}},
	}
}

// reachable is the name under which others find a server that listens at host.
func reachable(host string) string {
	if ip := net.ParseIP(host); ip == nil || !ip.IsUnspecified() {
		return host
	}
	if name, err := os.Hostname(); err == nil {
		return name
	}
	return host
}

// Address is what a worker is started with.
func (s *Server) Address() string { return s.addr }

// Close ends the server.
func (s *Server) Close() {
	s.server.Shutdown()
	s.server.WaitForShutdown()
	_ = s.unlock() // the lock ends with the process in any case
}

func (s *Server) connect() (*nats.Conn, error) {
	return connect("", "ludozero", nats.InProcessServer(s.server), s.host, nats.CustomInboxPrefix(hostInbox))
}
