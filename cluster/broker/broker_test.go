package broker

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/cluster"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/internal/lock"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/play"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// office is a host whose run is known, behind a server at addr.
func office(t *testing.T, addr string) *Server {
	t.Helper()
	dir := t.TempDir()
	s, err := Start(dir, addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	openHost(t, dir, s.Open)
	return s
}

// openHost has a host of the run r, in folder dir, play its first generation.
func openHost(t *testing.T, dir string, open func(cluster.Desk) (*Office, error)) {
	t.Helper()
	cfg := plan.DefaultConfig()
	cfg.Game, cfg.Rules, cfg.Generations = "tictactoe", "standard", 1
	h, err := cluster.NewHost(dir, cfg, games.All(), nil, cluster.HostOptions{})
	if err != nil {
		t.Fatal(err)
	}
	o, err := open(h)
	if err != nil {
		t.Fatal(err)
	}
	weights := t.TempDir() + "/weights"
	if err := writeFile(weights, strings.Repeat("w", cluster.PieceBytes+10)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = h.Play(ctx, &play.Wanted{Run: "r", ConfigHash: cfg.Hash(), Weights: weights, End: int64(cfg.GamesPerGeneration)}, nil)
	}()
	t.Cleanup(func() {
		cancel()
		<-done
		o.Close(false)
	})
	if err := h.Known(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// join waits until the host answers at that address.
func join(t *testing.T, addr string) (*Link, *cluster.Welcome) {
	t.Helper()
	l, err := Join(addr, "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		w, err := l.Welcome(t.Context())
		if err == nil && w.Run != "" {
			if _, err = l.Report(t.Context(), &cluster.Report{Worker: "w", Run: w.Run, Kernel: w.Kernel, Build: w.Build}); err == nil {
				return l, w
			}
		}
		if time.Now().After(end) {
			t.Fatalf("the host does not answer: %v, %v", w, err)
		}
	}
}

// local is an address of Start on this machine.
func local(t *testing.T, addr string) string {
	t.Helper()
	at := strings.Index(addr, "@")
	end := strings.LastIndex(addr, "/")
	_, port, err := net.SplitHostPort(addr[at+1 : end])
	if err != nil {
		t.Fatal(err)
	}
	return addr[:at+1] + "127.0.0.1:" + port + addr[end:]
}

// TestWorkerThatIsNotLetInEnds, with what to do, where it would wait for a trainer that is
// away.
func TestWorkerThatIsNotLetInEnds(t *testing.T) {
	s := office(t, "0.0.0.0:0")
	addr := local(t, s.Address())
	token := strings.TrimPrefix(addr[:strings.Index(addr, "@")], scheme)
	for want, bad := range map[string]string{
		"wrong token, or none: want the line":             strings.Replace(addr, token, strings.Repeat("x", len(token)), 1),
		"the certificate is not the one that the address": addr[:strings.LastIndex(addr, "/")+1] + strings.Repeat("A", len(addr)-strings.LastIndex(addr, "/")-1),
		"the address does not name its certificate: want": addr[strings.Index(addr, "@")+1 : strings.LastIndex(addr, "/")],
	} {
		l, err := Join(bad, "test")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(l.Close)
		spool, err := cluster.OpenSpool(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = spool.Close() })
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		err = cluster.NewWorker(cluster.WorkerOptions{Link: l, Spool: spool, Games: games.All(), Cores: 1}).Run(ctx)
		cancel()
		if !errors.Is(err, cluster.ErrNotAdmitted) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", bad, err, want)
		}
	}
}

func TestOnlyWhoHasTheAddressGetsIn(t *testing.T) {
	s := office(t, "0.0.0.0:0")
	addr := local(t, s.Address())
	l, w := join(t, addr)
	if w.Run != "r" {
		t.Errorf("the run is %q, want r", w.Run)
	}
	token := strings.TrimPrefix(addr[:strings.Index(addr, "@")], scheme)
	for name, bad := range map[string]string{
		"other token":       strings.Replace(addr, token, strings.Repeat("x", len(token)), 1),
		"other certificate": addr[:len(addr)-sha256.Size] + strings.Repeat("A", sha256.Size),
	} {
		l, err := Join(bad, name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		if _, err := l.Welcome(ctx); err == nil || l.nc.IsConnected() {
			t.Errorf("%s: it got in: %v", name, err)
		}
		cancel()
		l.Close()
	}
	plain, err := nats.Connect("nats://" + addr[strings.Index(addr, "@")+1:strings.LastIndex(addr, "/")])
	if err == nil {
		plain.Close()
		t.Error("a client without TLS got in")
	}
	// A worker reads and removes nothing of others.
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if _, err := l.js.Stream(ctx, streamName("r")); err == nil {
		t.Error("a worker can see the stream")
	}
	if err := l.js.DeleteStream(ctx, streamName("r")); err == nil {
		t.Error("a worker can remove the stream")
	}
}

// TestWorkersReadNoParcels: what the host is given comes to an inbox that no worker may
// listen to.
func TestWorkersReadNoParcels(t *testing.T) {
	s := office(t, "127.0.0.1:0")
	spy, _ := join(t, s.Address())
	heard, err := spy.nc.SubscribeSync("_INBOX.>")
	if err == nil {
		err = spy.nc.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	l, w := join(t, s.Address())
	p := &cluster.Parcel{Data: []byte("games")}
	p.Run, p.Worker, p.Digest = "r", "w", plan.SHA256(p.Data)
	if err := l.Send(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	waiting := []cluster.Waiting{{Digest: p.Digest, Run: "r", End: 1}}
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		r, err := l.Report(t.Context(), &cluster.Report{Worker: "w", Run: "r", Kernel: w.Kernel, Build: w.Build, Waiting: waiting})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Receipts) > 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the host does not take the parcel")
		}
	}
	if err := spy.nc.Flush(); err != nil { // behind all that the server sent it
		t.Fatal(err)
	}
	for n, _, _ := heard.Pending(); n > 0; n-- {
		m, err := heard.NextMsg(time.Second)
		if err != nil {
			t.Fatal(err)
		}
		if string(m.Data) == "games" {
			t.Errorf("another worker reads the parcel at %s", m.Subject)
		}
	}
}

// TestDamagedCopyDoesNotBarTheGoodOne: the stream takes one message a name, so the host
// has to remove the damaged one.
func TestDamagedCopyDoesNotBarTheGoodOne(t *testing.T) {
	s := office(t, "127.0.0.1:0")
	l, w := join(t, s.Address())
	p := &cluster.Parcel{Data: []byte("games")}
	p.Run, p.Worker, p.Digest = "r", "w", plan.SHA256(p.Data)
	bad := *p
	bad.Data = []byte("gamez")
	for _, x := range []*cluster.Parcel{&bad, p} {
		if err := l.Send(t.Context(), x); err != nil {
			t.Fatal(err)
		}
	}
	waiting := []cluster.Waiting{{Digest: p.Digest, Run: "r", End: 1}}
	sent := 0
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		r, err := l.Report(t.Context(), &cluster.Report{Worker: "w", Run: "r", Kernel: w.Kernel, Build: w.Build, Waiting: waiting})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Again) > 0 {
			sent++
			if err := l.Send(t.Context(), p); err != nil {
				t.Fatal(err)
			}
		}
		if len(r.Receipts) > 0 { // it is no parcel, which is said of the good copy alone
			if !strings.Contains(r.Receipts[0].Refused, "does not begin as a parcel does") {
				t.Errorf("refused: %s", r.Receipts[0].Refused)
			}
			break
		}
		if time.Now().After(end) {
			t.Fatalf("the good copy did not arrive in %d attempts", sent)
		}
	}
	js, err := jetstream.New(serverConn(t, s))
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		stream, err := js.Stream(t.Context(), streamName("r"))
		if err != nil {
			t.Fatal(err)
		}
		if n := stream.CachedInfo().State.Msgs; n == 0 {
			break
		} else if time.Now().After(end) {
			t.Fatalf("%d settled messages stay", n)
		}
	}
}

func serverConn(t *testing.T, s *Server) *nats.Conn {
	t.Helper()
	nc, err := s.connect()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

func TestWeightsComeInPieces(t *testing.T) {
	s := office(t, "127.0.0.1:0")
	l, _ := join(t, s.Address())
	whole := strings.Repeat("w", cluster.PieceBytes+10)
	var got []byte
	for {
		piece, err := l.Piece(t.Context(), plan.SHA256([]byte(whole)), int64(len(got)))
		if err != nil {
			t.Fatal(err)
		}
		if len(piece) == 0 {
			break
		}
		got = append(got, piece...)
	}
	if string(got) != whole {
		t.Errorf("%d bytes of weights came, want %d", len(got), len(whole))
	}
	if _, err := l.Piece(t.Context(), plan.SHA256([]byte("others")), 0); err == nil {
		t.Error("weights that do not play were handed out")
	}
}

// TestOneServerAFolder: two would share the files of one stream.
func TestOneServerAFolder(t *testing.T) {
	dir := t.TempDir()
	first, err := Start(dir, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Start(dir, "127.0.0.1:0"); !errors.Is(err, lock.ErrHeld) {
		t.Errorf("a second server began in the folder: %v", err)
	}
	first.Close()
	again, err := Start(dir, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
}

// TestAnyServerByURL: a server that knows nothing of us, with a user and a password.
func TestAnyServerByURL(t *testing.T) {
	n, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true, JetStream: true, StoreDir: t.TempDir(), Username: "us", Password: "pass",
	})
	if err != nil {
		t.Fatal(err)
	}
	n.Start()
	t.Cleanup(n.WaitForShutdown)
	t.Cleanup(n.Shutdown)
	if !n.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server does not start")
	}
	url := "nats://us:pass@" + n.Addr().String()
	openHost(t, t.TempDir(), func(h cluster.Desk) (*Office, error) { return Dial(url, h) })
	l, w := join(t, url)
	arrives(t, l, w, "no games")
}

// arrives sends a parcel that is none until there is an answer for it.
func arrives(t *testing.T, l *Link, w *cluster.Welcome, text string) {
	t.Helper()
	p := &cluster.Parcel{Data: []byte(text)}
	p.Run, p.Worker, p.Digest = "r", "w", plan.SHA256(p.Data)
	report := &cluster.Report{Worker: "w", Run: "r", Kernel: w.Kernel, Build: w.Build, Waiting: []cluster.Waiting{{Digest: p.Digest, Run: "r", End: 1}}}
	var sent, told error
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		sent = l.Send(ctx, p)
		var r *cluster.Reply
		r, told = l.Report(ctx, report)
		cancel()
		if told == nil && len(r.Receipts) > 0 {
			return
		}
	}
	t.Fatalf("the parcel did not arrive: %v, %v", sent, told)
}

// TestClusterOfServersLosesOne: the one that keeps the stream, for good.
func TestClusterOfServersLosesOne(t *testing.T) {
	var routes []string
	var ports []int
	for range 3 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
		routes = append(routes, "nats://"+l.Addr().String())
		_ = l.Close()
	}
	var servers []*server.Server
	var urls []string
	for i, port := range ports {
		n, err := server.NewServer(&server.Options{
			ServerName: fmt.Sprint("s", i), Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true, JetStream: true, StoreDir: t.TempDir(),
			Cluster: server.ClusterOpts{Name: "c", Host: "127.0.0.1", Port: port}, Routes: server.RoutesFromStr(strings.Join(routes, ",")),
		})
		if err != nil {
			t.Fatal(err)
		}
		n.Start()
		t.Cleanup(n.WaitForShutdown)
		t.Cleanup(n.Shutdown)
		servers = append(servers, n)
	}
	for _, n := range servers {
		if !n.ReadyForConnections(20 * time.Second) {
			t.Fatal("a server does not start")
		}
		urls = append(urls, "nats://"+n.Addr().String())
	}
	for end := time.Now().Add(30 * time.Second); !slices.ContainsFunc(servers, func(n *server.Server) bool { return n.JetStreamIsLeader() && len(n.JetStreamClusterPeers()) == 3 }); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the servers do not become a cluster")
		}
	}
	all := strings.Join(urls, ",")
	var o *Office
	var err error
	openHost(t, t.TempDir(), func(h cluster.Desk) (*Office, error) { o, err = Dial(all, h); return o, err })
	l, w := join(t, all)
	arrives(t, l, w, "no games")
	s, err := o.js.Stream(t.Context(), streamName("r"))
	if err != nil {
		t.Fatal(err)
	}
	in := s.CachedInfo().Cluster
	if len(in.Replicas) != 2 {
		t.Fatalf("the stream has %d copies besides its own: want 2", len(in.Replicas))
	}
	for _, n := range servers {
		if n.Name() == in.Leader {
			n.Shutdown()
		}
	}
	arrives(t, l, w, "no games, without "+in.Leader)
}

// TestServerWithoutJetStreamIsNamed, and one that is not there yet is waited for.
func TestServerWithoutJetStreamIsNamed(t *testing.T) {
	n, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	n.Start()
	t.Cleanup(n.WaitForShutdown)
	t.Cleanup(n.Shutdown)
	if !n.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server does not start")
	}
	var o, away *Office
	openHost(t, t.TempDir(), func(h cluster.Desk) (*Office, error) { o, err = Dial("nats://"+n.Addr().String(), h); return o, err })
	openHost(t, t.TempDir(), func(h cluster.Desk) (*Office, error) { away, err = Dial("nats://127.0.0.1:1", h); return away, err })
	select {
	case err := <-o.Failed():
		if err == nil || !strings.Contains(err.Error(), "stream of parcels") {
			t.Errorf("a server without JetStream: %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("a server without JetStream is not noticed")
	}
	select {
	case err := <-away.Failed():
		t.Errorf("a server that is away ended the work: %v", err)
	default:
	}
}

func TestAddresses(t *testing.T) {
	for _, c := range []struct{ addr, url, problem string }{
		{"127.0.0.1", "nats://127.0.0.1:4222", ""},
		{"localhost:77", "nats://localhost:77", ""},
		{"nats://a:1,nats://b:2", "nats://a:1,nats://b:2", ""},
		{"http://127.0.0.1:1", "", "want the URL of a NATS server"},
		{"foo://x", "", "want the URL of a NATS server"},
		{"tls://", "", "want the URL of a NATS server"},
		{"nats://127.0.0.1:99999", "", "want the URL of a NATS server"},
		{"nats://127.0.0.1:0", "", "want the URL of a NATS server"},
		{"127.0.0.1:99999", "", "port 99999: want 1 to 65535"},
		{"127.0.0.1:0", "", "port 0: want 1 to 65535"},
		{"ludozero://token@:4222/" + strings.Repeat("A", 43), "", "the address is not whole"},
		{"ludozero://@mars:4222/" + strings.Repeat("A", 43), "", "the address is not whole"},
		{"ludozero://token@mars:99999/" + strings.Repeat("A", 43), "", "the address is not whole"},
		{"mars:4222", "", "it is no address of this machine: want the line that the trainer prints"},
		{"ludozero://mars:4222", "", "the address is not whole"},
		{"ludozero://token@mars:4222/short", "", "the address is not whole"},
	} {
		url, _, err := dialOptions(c.addr)
		if url != c.url || (err == nil) != (c.problem == "") || err != nil && !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%s: %q, %v: want %q, %s", c.addr, url, err, c.url, c.problem)
		}
	}
	for addr, want := range map[string]string{":4223": "0.0.0.0 4223", "mars": "mars 4222", "::1": "::1 4222", "[::1]:5": "::1 5"} {
		host, port, err := listenAddress(addr)
		if err != nil || host+" "+port != want {
			t.Errorf("%s: %s %s, %v: want %s", addr, host, port, err, want)
		}
	}
	if _, err := Start(t.TempDir(), "127.0.0.1:99999"); err == nil {
		t.Error("a port that does not exist was taken")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := Start(t.TempDir(), l.Addr().String()); err == nil || !strings.Contains(err.Error(), "address already in use") {
		t.Errorf("a port in use: %v", err)
	}
}

func TestSecretStaysTheSame(t *testing.T) {
	dir := t.TempDir()
	a, err := openSecret(dir)
	if err != nil {
		t.Fatal(err)
	}
	b, err := openSecret(dir)
	if err != nil || a.Token != b.Token || string(a.Certificate) != string(b.Certificate) {
		t.Errorf("a second process has another secret: %v", err)
	}
	if err := writeFile(dir+"/"+secretFile, `{"version":1,"token":"t","surprise":1}`); err != nil {
		t.Fatal(err)
	}
	if _, err := openSecret(dir); err == nil || !strings.Contains(err.Error(), secretFile) {
		t.Errorf("a damaged secret: %v", err)
	}
}

func writeFile(path, text string) error { return os.WriteFile(path, []byte(text), 0o600) }

// served is a server and a connection to it that may say anything.
func served(t *testing.T) (*Server, *nats.Conn) {
	t.Helper()
	s, err := Start(t.TempDir(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	nc, err := s.connect()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return s, nc
}

// TestCutEndsWhatWasAsked: whoever waits for an answer when the server goes does not wait
// for the time that an answer may take.
func TestCutEndsWhatWasAsked(t *testing.T) {
	s, nc := served(t)
	asked := make(chan struct{}, 1)
	if _, err := nc.Subscribe(helloSubject, func(*nats.Msg) { asked <- struct{}{} }); err != nil {
		t.Fatal(err)
	}
	if err := nc.Flush(); err != nil { // or the question may be there before whoever hears it
		t.Fatal(err)
	}
	l, err := Join(s.Address(), "test")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	answered := make(chan error, 1)
	go func() {
		_, err := l.Welcome(ctx)
		answered <- err
	}()
	select {
	case <-asked: // and nobody answers
	case err := <-answered:
		t.Fatalf("answered before anybody had heard the question: %v", err)
	}
	s.Close()
	select {
	case err := <-answered:
		if err == nil || ctx.Err() != nil {
			t.Errorf("%v, want an error at once", err)
		}
	case <-time.After(20 * time.Second):
		t.Error("it still waits 20 seconds after the server has gone")
	}
}

// TestWelcomeOfAnotherBuildIsRead: a host of a later program says more than this one knows,
// and its build must be named all the same.
func TestWelcomeOfAnotherBuildIsRead(t *testing.T) {
	s, nc := served(t)
	if _, err := nc.Subscribe(helloSubject, func(m *nats.Msg) {
		_ = m.Respond([]byte(`{"value":{"run":"r","name":"night","level":"","kernel":"","build":"later","of_later":true}}`))
	}); err != nil {
		t.Fatal(err)
	}
	l, err := Join(s.Address(), "test")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for {
		w, err := l.Welcome(ctx)
		if err == nil && w.Build == "later" {
			return
		}
		if ctx.Err() != nil {
			t.Fatalf("%+v, %v", w, err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}
