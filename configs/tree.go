package configs

import (
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/internal/problems"
	"go.yaml.in/yaml/v3"
)

// walk calls visit for the keys below a mapping: with a dotted key and its
// value where the key is no section of ours or its value is no mapping.
func walk(n *yaml.Node, prefix string, visit func(key string, n *yaml.Node), sections map[string]bool) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := prefix+n.Content[i].Value, n.Content[i+1]
		if sections[key] && value.Kind == yaml.MappingNode {
			walk(value, key+".", visit, sections)
			continue
		}
		visit(key, value)
	}
}

// takeDuplicates takes out of the mappings at and below n the keys that stand
// there before, and returns them. The yaml package looks for them only when it
// decodes into Go values.
func takeDuplicates(n *yaml.Node) []*yaml.Node {
	var taken []*yaml.Node
	if n.Kind == yaml.MappingNode {
		var kept []*yaml.Node
		seen := map[string]bool{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if seen[key.Value] {
				taken = append(taken, key)
				continue
			}
			seen[key.Value] = true
			kept = append(kept, key, n.Content[i+1])
		}
		n.Content = kept
	}
	for _, c := range n.Content {
		taken = append(taken, takeDuplicates(c)...)
	}
	return taken
}

// sections lists the keys above leaves.
func sections(list []leaf) map[string]bool {
	found := map[string]bool{}
	for _, l := range list {
		for i, r := range l.key {
			if r == '.' {
				found[l.key[:i]] = true
			}
		}
	}
	return found
}

func find(list []leaf, key string) *leaf {
	for i := range list {
		if list[i].key == key {
			return &list[i]
		}
	}
	return nil
}

// nest enters a value under a dotted key in maps of maps.
func nest(values map[string]any, key string, v any) {
	for {
		section, rest, ok := strings.Cut(key, ".")
		if !ok {
			values[key] = v
			return
		}
		if values[section] == nil {
			values[section] = map[string]any{}
		}
		values, key = values[section].(map[string]any), rest
	}
}

// unknown is the error for a key that no leaf has, with the nearest that one
// has.
func unknown(key string, list []leaf) error {
	keys := make([]string, len(list))
	for i, l := range list {
		keys[i] = l.key
	}
	return fmt.Errorf("unknown key %q%s", key, problems.Nearest(key, keys))
}

func (l *loader) similarVariable(name string) string {
	names := make([]string, len(l.leaves))
	for i := range l.leaves {
		names[i] = l.leaves[i].env()
	}
	return problems.Nearest(name, names)
}
