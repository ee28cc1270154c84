package deps

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestLibraryProgramsBuild holds the programs of docs/library.md to today's packages.
// They stand outside the module, so that they cannot import internal packages.
func TestLibraryProgramsBuild(t *testing.T) {
	page, err := os.ReadFile("../../docs/library.md")
	if err != nil {
		t.Fatal(err)
	}
	programs := strings.Split(string(page), "```go\n")[1:]
	if len(programs) == 0 {
		t.Fatal("docs/library.md has no program")
	}
	for i, p := range programs {
		source, _, _ := strings.Cut(p, "```")
		file := filepath.Join(t.TempDir(), fmt.Sprintf("program%d.go", i+1))
		if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("go", "vet", file).CombinedOutput(); err != nil {
			t.Errorf("docs/library.md, program %d: %v\n%s", i+1, err, out)
		}
	}
}
