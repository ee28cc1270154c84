package plan

// ConfigFrom is the configuration of a run that goes on from generation of a run
// of c: the network is the one of that generation, and what Growth still had to
// come is so many generations nearer, as is the end of growing simulations.
func (c Config) ConfigFrom(generation int) Config {
	c.Model = c.ModelAt(generation)
	var later []Growth
	for _, g := range c.Growth {
		if g.Generation > generation {
			g.Generation -= generation
			later = append(later, g)
		}
	}
	c.Growth = later
	c.SelfPlay.GoOnFrom(generation)
	return c
}
