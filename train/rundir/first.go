package rundir

// FirstName is what the network of generation 0 is called.
func FirstName(dir string) string {
	if BeganUntrained(dir) {
		return "untrained"
	}
	return "first"
}

// BeganUntrained reports whether the network of generation 0 has learned nothing, as in
// every run that was not given a network.
func BeganUntrained(dir string) bool {
	s, err := ReadState(dir, 0)
	return err != nil || s.First == "" && s.Origin == ""
}
