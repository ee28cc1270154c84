package deps

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestExportedNamesNoInternalType holds every exported declaration to types that
// other modules can name too.
func TestExportedNamesNoInternalType(t *testing.T) {
	fset := token.NewFileSet()
	for _, p := range packages(t) {
		if strings.HasPrefix(p.ImportPath, "internal/") || p.Name == "main" {
			continue
		}
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			internal := map[string]bool{}
			for _, imported := range file.Imports {
				if path := strings.Trim(imported.Path.Value, `"`); strings.HasPrefix(path, module+"/internal/") {
					internal[path[strings.LastIndex(path, "/")+1:]] = true
				}
			}
			for _, d := range file.Decls {
				for _, n := range exported(d) {
					ast.Inspect(n, func(n ast.Node) bool {
						switch n := n.(type) {
						case *ast.StructType:
							n.Fields.List = slices.DeleteFunc(n.Fields.List, func(f *ast.Field) bool {
								return len(f.Names) > 0 && !slices.ContainsFunc(f.Names, (*ast.Ident).IsExported)
							})
						case *ast.SelectorExpr:
							if x, ok := n.X.(*ast.Ident); ok && internal[x.Name] {
								t.Errorf("%s: an exported declaration names %s.%s, which other modules cannot", fset.Position(n.Pos()), x.Name, n.Sel.Name)
							}
						}
						return true
					})
				}
			}
		}
	}
}

// exported lists the types that d shows to importers: receivers and bodies of
// functions and values of variables are its own business.
func exported(d ast.Decl) (list []ast.Node) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() {
			list = append(list, d.Type)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() {
					list = append(list, s.Type)
				}
			case *ast.ValueSpec:
				if s.Type != nil && s.Names[0].IsExported() {
					list = append(list, s.Type)
				}
			}
		}
	}
	return list
}
