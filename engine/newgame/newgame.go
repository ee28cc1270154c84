// Package newgame writes the beginnings of a game: pawnrace, a small complete game with
// its tests, guide and run files, under the name of the new one. pawnrace is a package
// of this module, so that the compiler, the linters and its own tests keep it right.
//
// The package reads a source tree by fs.FS and returns files; writing them is for the
// caller.
package newgame

import (
	"bytes"
	"embed"
	"fmt"
	"go/format"
	"go/scanner"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A File is a file to write. Path is relative, with slashes.
type File struct {
	Path string
	Data []byte
}

//go:embed pawnrace files
var template embed.FS

// The names that are replaced by those of the new game.
const (
	templateName = "pawnrace"
	templatePath = module + "/engine/newgame/" + templateName
)

// module is the path of this module.
const module = "github.com/ludozero/ludozero"

// name is what a game can be called: it is a package, a folder, and a word in commands.
var name = regexp.MustCompile(`^[a-z][a-z0-9]{1,19}$`)

// reserved are names of folders that Go does not import as others.
var reserved = []string{"init", "internal", "main", "testdata", "vendor"}

// CheckName refuses what no new game can be called.
func CheckName(word string) error {
	switch {
	case !name.MatchString(word):
		return fmt.Errorf("name %q: want 2 to 20 small letters and digits, a letter first", word)
	case slices.Contains(reserved, word) || token.IsKeyword(word):
		return fmt.Errorf("name %q: Go gives the word another meaning", word)
	case identifiers()[word] || word == "files": // the latter is where the template has its run files
		return fmt.Errorf("name %q: the files of a new game use the word themselves", word)
	}
	return nil
}

// identifiers are the words of the template's program, among which a package of the same
// name would be lost.
func identifiers() map[string]bool {
	words := map[string]bool{}
	for _, f := range rename(templateName, templatePath) {
		if path.Ext(f.Path) != ".go" {
			continue
		}
		var s scanner.Scanner
		set := token.NewFileSet()
		s.Init(set.AddFile(f.Path, set.Base(), len(f.Data)), f.Data, nil, 0)
		for _, tok, text := s.Scan(); tok != token.EOF; _, tok, text = s.Scan() {
			if tok == token.IDENT && text != templateName {
				words[text] = true
			}
		}
	}
	return words
}

// rename returns all files of the template for a game that is imported as importPath.
func rename(game, importPath string) (files []File) {
	_ = fs.WalkDir(template, ".", func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := template.ReadFile(at)
		data = bytes.ReplaceAll(data, []byte(templatePath), []byte(importPath))
		data = bytes.ReplaceAll(data, []byte(templateName), []byte(game))
		at = strings.TrimSuffix(strings.ReplaceAll(at, templateName, game), ".tmpl")
		if path.Ext(at) == ".go" {
			data, err = format.Source(data) // imports have another order
		}
		files = append(files, File{at, data})
		return err
	}) // an embedded file can be read and formatted
	return files
}

// Module returns the files of a module of its own with a game: a program with all
// commands, the game below it, and its run files. source is the source tree of this
// module, which the new one finds at the path from, relative to itself or not.
func Module(source fs.FS, from, modulePath, game string) ([]File, error) {
	if err := checkModule(modulePath); err != nil {
		return nil, err
	}
	requirements, err := checkTree(source)
	if err != nil {
		return nil, err
	}
	sums, err := fs.ReadFile(source, "go.sum")
	if err != nil {
		return nil, err
	}
	if strings.ContainsAny(from, " \t\"'`") {
		from = fmt.Sprintf("%q", from)
	}
	// A module names all modules that its packages come from.
	requirements = regexp.MustCompile(`(?m)^(\t\S+ \S+)$`).ReplaceAllString(requirements, "$1 // indirect")
	files := []File{
		{"go.mod", fmt.Appendf(nil, "module %s%s\nrequire %s v0.0.0\n\nreplace %[3]s => %s\n", modulePath, requirements, module, from)},
		{"go.sum", sums},
	}
	for _, f := range rename(game, modulePath+"/"+game) {
		if at, ok := strings.CutPrefix(f.Path, "files/"); ok {
			f.Path = at
		}
		files = append(files, f)
	}
	return files, nil
}

// checkModule refuses what is no path of a module.
func checkModule(modulePath string) error {
	if !regexp.MustCompile(`^[a-z0-9][a-z0-9.-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)*$`).MatchString(modulePath) || modulePath == module {
		return fmt.Errorf("module %q: want a path such as example.org/games", modulePath)
	}
	return nil
}

// checkTree refuses what is not the source tree of this module, and returns its go.mod
// after the name.
func checkTree(source fs.FS) (requirements string, err error) {
	text, err := fs.ReadFile(source, "go.mod")
	requirements, ok := strings.CutPrefix(string(text), "module "+module)
	if err != nil || !ok {
		return "", fmt.Errorf("no source tree of %s: want the folder with its go.mod", module)
	}
	return requirements, nil
}

// Tree returns the files that add a game to the source tree of this module, new ones and
// changed ones: its package, its run files, and its entries in lists.
func Tree(source fs.FS, game string) (added, changed []File, err error) {
	if _, err := checkTree(source); err != nil {
		return nil, nil, err
	}
	importPath := module + "/engine/" + game
	for _, dir := range []string{"engine/" + game, "configs/" + game} {
		if _, err := fs.Stat(source, dir); err == nil {
			return nil, nil, fmt.Errorf("%s exists: want a name that nothing has", dir)
		}
	}
	for _, f := range rename(game, importPath) {
		if at, ok := strings.CutPrefix(f.Path, "files/"); !ok {
			f.Path = "engine/" + f.Path
		} else if path.Ext(at) == ".yaml" {
			f.Path = "configs/" + game + "/" + at
		} else {
			continue
		}
		added = append(added, f)
	}
	for _, e := range []struct {
		path string
		edit func(string) (string, error)
	}{
		{"engine/games/games.go", func(text string) (string, error) { return enlist(text, importPath, "&"+game+".Family,") }},
		{"engine/games/guides.go", func(text string) (string, error) {
			return enlist(text, importPath, game+".Family.Name: "+game+".Guide(),")
		}},
		{"internal/deps/testdata/ludozero.txt", func(text string) (string, error) { return insertLine(text, importPath), nil }},
		{"internal/deps/testdata/ludozero-wasm.txt", func(text string) (string, error) { return insertLine(text, importPath), nil }},
	} {
		text, err := fs.ReadFile(source, e.path)
		if err != nil {
			return nil, nil, err
		}
		now, err := e.edit(string(text))
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", e.path, err)
		}
		changed = append(changed, File{e.path, []byte(now)})
	}
	return added, changed, nil
}

// enlist adds an import and a last element to the one list that a Go file returns.
func enlist(text, importPath, element string) (string, error) {
	const imports, end = "import (\n", "\n\t}\n}\n"
	if strings.Count(text, imports) != 1 || strings.Count(text, end) != 1 {
		return "", fmt.Errorf("want one list, to which %s can be added", element)
	}
	text = strings.Replace(text, imports, imports+"\t\""+importPath+"\"\n", 1)
	text = strings.Replace(text, end, "\n\t\t"+element+end, 1)
	formatted, err := format.Source([]byte(text))
	return string(formatted), err
}

// insertLine adds a line to sorted ones.
func insertLine(text, line string) string {
	lines := append(strings.Split(strings.TrimSuffix(text, "\n"), "\n"), line)
	slices.Sort(lines)
	return strings.Join(lines, "\n") + "\n"
}
