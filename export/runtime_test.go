package export

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/ludozero/ludozero/model/zoo"
)

// runtimes are where scripts/onnxruntime/install.sh puts ONNX Runtime.
const runtimes = "../.cache/onnxruntime"

// folder writes an export as a user has it.
func folder(t *testing.T, n *Network, vectors int) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files(t, n, vectors) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// difference is what an example says of one model.
type difference struct {
	policy, value, mean float64
	same                int
}

var saysDifference = regexp.MustCompile(`(?m)^(\w+): probabilities differ by at most ([\d.]+), values by at most ([\d.]+), on average ([\d.]+); same likeliest move in (\d+)$`)

// example runs a program of an export and reads what it says.
func example(t *testing.T, cmd *exec.Cmd) map[string]difference {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	t.Logf("%s", out)
	all := map[string]difference{}
	for _, m := range saysDifference.FindAllStringSubmatch(string(out), -1) {
		var f [3]float64
		for i := range f {
			if f[i], err = strconv.ParseFloat(m[2+i], 64); err != nil {
				t.Fatal(err)
			}
		}
		same, err := strconv.Atoi(m[5])
		if err != nil {
			t.Fatal(err)
		}
		all[m[1]] = difference{f[0], f[1], f[2], same}
	}
	return all
}

// inNode is the example of an export in a JavaScript package.
func inNode(t *testing.T, dir, runtime string) *exec.Cmd {
	t.Helper()
	modules, err := filepath.Abs(filepath.Join(runtimes, "node_modules"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(runtimes, "installed")); err != nil {
		t.Skip("ONNX Runtime: this machine: it is not installed; scripts/onnxruntime/install.sh does so, if there are node and npm")
	}
	cmd := exec.Command("node", "example.mjs", runtime)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "NODE_PATH="+modules)
	return cmd
}

// TestRuntimesComputeTheNetwork: what ONNX Runtime, native and in WebAssembly,
// makes of the shipped networks is what we make of them.
func TestRuntimesComputeTheNetwork(t *testing.T) {
	const positions = 1024
	for _, name := range zoo.Names() {
		dir := folder(t, shipped(t, name), positions)
		for _, runtime := range []string{"onnxruntime-node", "onnxruntime-web"} {
			t.Run(name+" "+runtime, func(t *testing.T) {
				got := example(t, inNode(t, dir, runtime))
				f, ok := got["f32"]
				if !ok || !(f.policy <= 1e-4 && f.value <= 1e-4) || f.same < positions-1 {
					t.Errorf("f32 is off by %+v", f)
				}
			})
		}
	}
}
