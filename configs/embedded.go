package configs

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ludozero/ludozero/internal/input"
)

// embedded are the run files and the plans of sweeps and fits of this folder.
//
//go:embed */*.yaml
var embedded embed.FS

// Names lists the embedded files as --config takes them: konreh/quick.
func Names() []string {
	paths, _ := fs.Glob(embedded, "*/*.yaml") // the pattern is well-formed
	for i := range paths {
		paths[i] = strings.TrimSuffix(paths[i], ".yaml")
	}
	return paths
}

// Find returns the path of the file that word names: word itself if there is such
// a file, else, for the name of an embedded file with or without configs/ before
// and .yaml behind it, configs/NAME.yaml, which Load finds in the program. Any other
// word is returned as it is.
func Find(word string) string {
	if _, err := os.Stat(word); errors.Is(err, fs.ErrNotExist) {
		if name := embeddedName(word); name != "" {
			return "configs/" + name
		}
	}
	return word
}

// embeddedName is the path of an embedded file in this folder, "" if word names
// none.
func embeddedName(word string) string {
	name := strings.TrimPrefix(filepath.ToSlash(filepath.Clean(word)), "configs/")
	if filepath.Ext(name) == "" {
		name += ".yaml"
	}
	if _, err := fs.Stat(embedded, name); err != nil {
		return ""
	}
	return name
}

// read reads the file that word names and returns its path for messages. A missing
// file that could have been meant as an embedded one gets the list of those.
func read(word string) (path string, data []byte, err error) {
	path = Find(word)
	if data, err = input.Read(path, input.Small); !errors.Is(err, fs.ErrNotExist) {
		return path, data, err
	}
	if name := embeddedName(word); name != "" {
		data, err = embedded.ReadFile(name)
		return path, data, err
	}
	if filepath.Ext(word) == "" || strings.HasPrefix(filepath.ToSlash(word), "configs/") {
		err = fmt.Errorf("%w; the program brings %s", err, strings.Join(Names(), ", "))
	}
	return path, nil, err
}
