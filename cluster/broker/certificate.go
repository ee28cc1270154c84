package broker

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"time"

	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/internal/strictjson"
)

// secretFile is in the folder of the server.
const secretFile = "secret.json"

// secret is what workers need to get in, and stays the same as long as the run does, so
// that they find their way back after the trainer was started again.
type secret struct {
	Version     int    `json:"version"`
	Token       string `json:"token"`
	Certificate []byte `json:"certificate"` // DER
	Key         []byte `json:"key"`         // DER
}

// openSecret reads the secret in folder dir, or makes it, for its user's eyes only.
func openSecret(dir string) (*secret, error) {
	path := filepath.Join(dir, secretFile)
	b, err := input.Read(path, input.Small)
	if errors.Is(err, fs.ErrNotExist) {
		return newSecret(path)
	}
	if err != nil {
		return nil, err
	}
	var s secret
	if err := strictjson.DecodeVersion(b, 1, &s); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &s, nil
}

// certificateYears is longer than any run.
const certificateYears = 20

func newSecret(path string) (*secret, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	// It is known by its fingerprint: names and times do not matter. It begins early, for
	// clocks that are behind.
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "ludozero"}, NotBefore: time.Unix(0, 0), NotAfter: time.Now().AddDate(certificateYears, 0, 0),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, DNSNames: []string{"ludozero"},
	}
	s := &secret{Version: 1, Token: newToken()}
	if s.Certificate, err = x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key); err != nil {
		return nil, err
	}
	if s.Key, err = x509.MarshalECPrivateKey(key); err != nil {
		return nil, err
	}
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, err
	}
	if err := atomicfile.WriteBytes(path, b); err != nil {
		return nil, err
	}
	return s, os.Chmod(path, 0o600)
}

// newToken makes a secret of 256 bits, of letters and digits.
func newToken() string {
	var b [32]byte
	if _, err := rand.Read(b[:]); err != nil {
		panic("BUG: crypto/rand failed: " + err.Error()) // it never returns an error
	}
	return base64.RawURLEncoding.EncodeToString(b[:])
}

func (s *secret) tls() (*tls.Config, error) {
	key, err := x509.ParseECPrivateKey(s.Key)
	if err != nil {
		return nil, fmt.Errorf("%s: key: %w", secretFile, err)
	}
	return &tls.Config{MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{{Certificate: [][]byte{s.Certificate}, PrivateKey: key}}}, nil
}
