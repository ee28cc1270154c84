package rundir

// FirstName is what the network of generation 0 is called.
func FirstName(dir string) string {
	if s, err := ReadState(dir, 0); err == nil && (s.First != "" || s.Origin != "") {
		return "first"
	}
	return "untrained"
}
