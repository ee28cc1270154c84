package web

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ludozero/ludozero/cli/clitest"
)

func TestUsageErrors(t *testing.T) {
	short := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(short, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"--addr 0.0.0.0:0":      "want --remote",
		"--addr :8017":          "want --remote",
		"--addr example.org:80": "want --remote",
		"--addr 127.0.0.1":      "want ADDRESS:PORT",
		"--host a:1":            "want a name",
		"--player net":          "PATH",
		"--game go":             `no game "go": want one of konreh`,
		"--player x":            "no kind",
		"--token-file " + short: "at least 16",
	} {
		clitest.Refuse(t, New, 2, args, want)
	}
	clitest.Refuse(t, New, 1, "--token-file nowhere", "nowhere")
	clitest.Refuse(t, New, 1, "--addr 127.0.0.1:99999", "port")
}
