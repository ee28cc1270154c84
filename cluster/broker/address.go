package broker

import (
	"cmp"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go"
)

// DefaultPort is where a trainer listens unless told otherwise, NATS's own.
const DefaultPort = "4222"

// scheme opens the address of a host with a secret:
//
//	ludozero://TOKEN@HOST:PORT/FINGERPRINT
//
// FINGERPRINT is the SHA-256 of the host's certificate, in base64. A worker trusts this
// certificate and no other, so that nobody in between learns the token.
const scheme = "ludozero://"

// workerUser is the name by which workers log in.
const workerUser = "worker"

// isLoopback tells whether only this machine can reach a host of that name.
func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// listenAddress completes what --serve has: HOST, HOST:PORT or :PORT, which listens on
// all addresses.
func listenAddress(addr string) (host, port string, err error) {
	if !strings.Contains(addr, ":") || net.ParseIP(addr) != nil {
		addr = net.JoinHostPort(addr, DefaultPort)
	}
	if host, port, err = net.SplitHostPort(addr); err != nil {
		return "", "", fmt.Errorf("address %q: %w", addr, err)
	}
	if host == "" {
		host = "0.0.0.0"
	}
	return host, port, nil
}

// secretAddress is the line that a worker is started with.
func secretAddress(hostPort, token string, certificate []byte) string {
	sum := sha256.Sum256(certificate)
	return scheme + token + "@" + hostPort + "/" + base64.RawURLEncoding.EncodeToString(sum[:])
}

var errOtherCertificate = errors.New("the certificate is not the one that the address names: another machine answers, or the trainer has made a new one")

// IsURL reports whether an address is the URL of a NATS server, or of several with commas.
func IsURL(addr string) bool {
	for one := range strings.SplitSeq(addr, ",") {
		u, err := url.Parse(strings.TrimSpace(one))
		if err != nil || u.Hostname() == "" || !slices.Contains([]string{"nats", "tls", "ws", "wss"}, u.Scheme) {
			return false
		}
		if !isPort(cmp.Or(u.Port(), DefaultPort)) {
			return false
		}
	}
	return true
}

// isPort tells whether a program can be called at a port of that number.
func isPort(text string) bool {
	n, err := strconv.ParseUint(text, 10, 16)
	return err == nil && n > 0
}

// dialOptions reads the address of a host: one that secretAddress made, HOST:PORT of a
// host without a secret, or the URL of a NATS server.
func dialOptions(addr string) (natsURL string, opts []nats.Option, err error) {
	if !strings.HasPrefix(addr, scheme) {
		switch {
		case IsURL(addr):
			return addr, nil, nil
		case strings.Contains(addr, "://"):
			return "", nil, fmt.Errorf("%q: want the URL of a NATS server, such as nats://mars:4222, or the line that the trainer prints, %sTOKEN@HOST:PORT/FINGERPRINT", addr, scheme)
		}
		host, port, err := listenAddress(addr)
		if err != nil {
			return "", nil, err
		}
		if !isPort(port) {
			return "", nil, fmt.Errorf("%q: port %s: want 1 to 65535", addr, port)
		}
		if !isLoopback(host) {
			return "", nil, fmt.Errorf("%q: it is no address of this machine: want the line that the trainer prints, %sTOKEN@HOST:PORT/FINGERPRINT, or the URL of a NATS server", addr, scheme)
		}
		return "nats://" + net.JoinHostPort(host, port), nil, nil
	}
	u, err := url.Parse(addr)
	var want []byte
	if err == nil {
		want, err = base64.RawURLEncoding.DecodeString(strings.TrimPrefix(u.Path, "/"))
	}
	if err != nil || u.User.Username() == "" || u.Hostname() == "" || len(want) != sha256.Size || !isPort(cmp.Or(u.Port(), DefaultPort)) {
		return "", nil, errors.New("the address is not whole: want " + scheme + "TOKEN@HOST:PORT/FINGERPRINT as the trainer prints it")
	}
	// The certificate is not an authority's: what counts is that it is the one named.
	pinned := &tls.Config{MinVersion: tls.VersionTLS13, InsecureSkipVerify: true, VerifyPeerCertificate: func(raw [][]byte, _ [][]*x509.Certificate) error {
		if len(raw) > 0 {
			if sum := sha256.Sum256(raw[0]); subtle.ConstantTimeCompare(sum[:], want) == 1 {
				return nil
			}
		}
		return errOtherCertificate
	}}
	return "tls://" + u.Host, []nats.Option{nats.UserInfo(workerUser, u.User.Username()), nats.Secure(pinned)}, nil
}
