package deps

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// wallClock are methods that take a time for what the wall clock says: its
// monotonic reading is lost, or there was none. A clock that is set backwards
// must decide nothing.
var wallClock = []string{"ModTime", "Chtimes", "Unix", "UnixMilli", "UnixMicro", "UnixNano", "UTC", "Local", "Before", "Equal", "Compare"}

// TestNoDecisionByTheWallClock looks for them where runs are made and read.
func TestNoDecisionByTheWallClock(t *testing.T) {
	files := 0
	for _, dir := range []string{"train", "selfplay", "cmd"} {
		err := filepath.WalkDir(filepath.Join("..", "..", dir), func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && d.Name() == "tensorboard" {
				return fs.SkipDir // its files say when things were; it decides nothing
			}
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			files++
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				s, ok := call.Fun.(*ast.SelectorExpr)
				if !ok || !slices.Contains(wallClock, s.Sel.Name) {
					return true
				}
				if x, ok := s.X.(*ast.Ident); ok && slices.Contains([]string{"bytes", "cmp", "slices", "strings", "maps"}, x.Name) {
					return true // of another package's
				}
				t.Errorf("%s: %s goes by the wall clock", set.Position(s.Sel.Pos()), s.Sel.Name)
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 50 {
		t.Errorf("only %d files were looked at", files)
	}
}
