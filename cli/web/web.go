// Package web is the command that serves the page to play on and to watch runs.
package web

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/web/serve"
	webtable "github.com/ludozero/ludozero/web/table"
	webwatch "github.com/ludozero/ludozero/web/watch"
	"github.com/spf13/cobra"
)

// The bounds of the games of one server.
const (
	webTables    = 16
	webIdle      = 2 * time.Hour
	webSteps     = 5000
	webUnwatched = time.Minute
)

// webFlags are the flags of web.
type webFlags struct {
	addr, tokenFile string
	runs            string // folder
	game            string // that the page begins with; empty: as it was left
	hosts, players  []string
	remote, open    bool
}

// New is the command web.
func New(env *shell.Env) *cobra.Command {
	var f webFlags
	c := &cobra.Command{
		Use:   "web",
		Short: "Play in the browser, and watch runs",
		Long: "Serves a page on which all games can be played, against the shipped networks, other players or people at the same\n" +
			"screen, until Ctrl-C. It prints the address to open. Only this machine is answered, unless --remote says\n" +
			"otherwise; then everybody needs a token, which is part of the address that is printed.\n\n" +
			"With --run the pages also show a run, or the runs in a folder: their curves as they go on, warnings, the newest games\n" +
			"to step through with what the search found, finished reports, and /metrics for Prometheus. Nothing is written, and\n" +
			"a running one is only read. docs/watching.md has the details.",
		Args: cobra.NoArgs,
		Example: "  ludozero web\n" +
			"  ludozero web --open --game konkvest\n" +
			"  ludozero web --run runs\n" +
			"  ludozero web --player net:runs/first,sims=400\n" +
			"  ludozero web --addr 0.0.0.0:8017 --remote",
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c, env) },
	}
	c.Flags().StringVar(&f.addr, "addr", "127.0.0.1:8017", "address and port to listen at; port 0 is any that is free")
	c.Flags().StringVar(&f.game, "game", "", "begin with this game; see ludozero games (default: the last one played in the browser)")
	c.Flags().StringVar(&f.runs, "run", "", "a run, or a folder of runs, to watch")
	c.Flags().BoolVar(&f.remote, "remote", false, "allow an --addr that other machines can reach; a token is then needed")
	c.Flags().StringVar(&f.tokenFile, "token-file", "", "file with the token, at least 16 characters (default: a new one each time with --remote, else none)")
	c.Flags().StringArrayVar(&f.hosts, "host", nil, "name by which browsers call this machine, if not by its address or localhost (may be repeated)")
	c.Flags().StringArrayVar(&f.players, "player", nil, "another player to choose from, as in ludozero match (may be repeated)")
	c.Flags().BoolVar(&f.open, "open", false, "open the page in the browser of this machine")
	return c
}

func (f *webFlags) run(c *cobra.Command, env *shell.Env) error {
	if err := f.check(); err != nil {
		return shell.Usage(err)
	}
	token, err := f.token()
	if err != nil {
		return err
	}
	if f.game != "" {
		if _, err := env.Families.ByName(f.game); err != nil {
			return shell.Usagef("--game: %w", err)
		}
	}
	for _, text := range f.players {
		if _, err := env.Players.Parse(text); err != nil {
			return shell.Usage(err)
		}
	}
	players, err := serve.NewPlayers(env.Players, env.Guides, f.players)
	if err != nil {
		return err
	}
	var runs *webwatch.Watcher
	if f.runs != "" {
		if runs, err = webRuns(env, f.runs); err != nil {
			return err
		}
		defer runs.Close()
	}
	l, err := net.Listen("tcp", f.addr)
	if err != nil {
		return fmt.Errorf("%w: is another one running? --addr 127.0.0.1:0 takes any free port", err)
	}
	server := serve.New(serve.Config{
		Tables: webtable.Config{
			Games: env.Families, Guides: env.Guides, Offers: players.Offers, New: players.New, MaxSteps: webSteps, Unwatched: webUnwatched,
			Slots: make(chan struct{}, max(1, runtime.GOMAXPROCS(0))),
		},
		Token: token, Hosts: f.hosts, MaxTables: webTables, Idle: webIdle,
	})
	if runs != nil {
		runs.Serve(server)
	}
	ctx, stop := shell.Interruptible(c.Context())
	defer stop()
	address := webAddress(l.Addr(), token)
	if f.game != "" {
		address += "#new=" + f.game
	}
	if _, err := fmt.Fprintf(c.OutOrStdout(), "%s\nCtrl-C ends it.\n", address); err != nil {
		return errors.Join(err, l.Close())
	}
	if f.open {
		openBrowser(ctx, c, address)
	}
	return server.Run(ctx, l)
}

// check refuses an address that other machines can reach, unless they are meant to.
func (f *webFlags) check() error {
	host, _, err := net.SplitHostPort(f.addr)
	if err != nil {
		return fmt.Errorf("--addr %s: want ADDRESS:PORT, such as 127.0.0.1:8017", f.addr)
	}
	ip, err := netip.ParseAddr(host)
	loopback := host == "localhost" || err == nil && ip.IsLoopback()
	if !loopback && !f.remote {
		return fmt.Errorf("--addr %s can be reached from other machines: want --remote, too, if that is meant", f.addr)
	}
	for i, h := range f.hosts {
		f.hosts[i] = strings.ToLower(h)
		if h == "" || strings.ContainsAny(h, ":/ ") {
			return fmt.Errorf("--host %q: want a name without a port", h)
		}
	}
	return nil
}

// token is what browsers have to show, empty for nothing.
func (f *webFlags) token() (string, error) {
	if f.tokenFile == "" {
		if f.remote {
			return rand.Text(), nil
		}
		return "", nil
	}
	data, err := input.Read(f.tokenFile, input.Small)
	if err != nil {
		return "", fmt.Errorf("--token-file: %w", err)
	}
	token := strings.TrimSpace(string(data))
	const least = 16
	if len(token) < least || strings.Trim(token, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_.~") != "" {
		return "", shell.Usagef("--token-file %s: want at least %d of letters, digits and -_.~", f.tokenFile, least)
	}
	return token, nil
}

// webAddress is what to open in a browser of this machine.
func webAddress(a net.Addr, token string) string {
	host, port, err := net.SplitHostPort(a.String())
	if err != nil {
		return a.String()
	}
	if ip, err := netip.ParseAddr(host); err == nil && ip.IsUnspecified() {
		host = "127.0.0.1"
		if name, err := outwardAddress(); err == nil {
			host = name
		}
	}
	address := "http://" + net.JoinHostPort(host, port) + "/"
	if token != "" {
		address += "?token=" + token
	}
	return address
}

// outwardAddress is an address of this machine that is not its own loopback.
func outwardAddress() (string, error) {
	all, err := net.InterfaceAddrs()
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok && n.IP.IsGlobalUnicast() {
			return n.IP.String(), nil
		}
	}
	return "", errors.Join(err, errors.New("no address"))
}

// openBrowser opens the page. Where it cannot, the address has been printed.
func openBrowser(ctx context.Context, c *cobra.Command, address string) {
	name, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	if err := exec.CommandContext(ctx, name, args...).Start(); err != nil {
		fmt.Fprintf(c.ErrOrStderr(), "--open: %v: open the address by hand\n", err)
	}
}
