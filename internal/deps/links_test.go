package deps

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the lists of linked packages")

// binaries are the programs whose packages are listed in testdata, and the system
// that each is built for.
var binaries = []struct{ name, system string }{
	{"ludozero", "GOOS=linux GOARCH=amd64"},
	{"ludozero-wasm", "GOOS=js GOARCH=wasm"},
}

// TestLinkedPackages compares the packages that each binary links, but for the
// standard library's, with the list in the tree: a new dependency shows in review.
// go test ./internal/deps -update writes the lists.
func TestLinkedPackages(t *testing.T) {
	for _, b := range binaries {
		cmd := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", module+"/cmd/"+b.name)
		cmd.Env = append(append(os.Environ(), strings.Fields(b.system)...), "CGO_ENABLED=0")
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", b.name, err)
		}
		got := strings.Fields(string(out))
		slices.Sort(got)
		path := filepath.Join("testdata", b.name+".txt")
		if *update {
			if err := os.WriteFile(path, []byte(strings.Join(got, "\n")+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		compareLists(t, b.name, got, strings.Fields(string(want)))
	}
}

// compareLists reports what one list has and the other has not.
func compareLists(t *testing.T, binary string, got, want []string) {
	t.Helper()
	listed := map[string]bool{}
	for _, p := range want {
		listed[p] = true
	}
	for _, p := range got {
		if !listed[p] {
			t.Errorf("%s links %s, which its list does not have", binary, p)
		}
		delete(listed, p)
	}
	for p := range listed {
		t.Errorf("%s no longer links %s, which its list has", binary, p)
	}
}
