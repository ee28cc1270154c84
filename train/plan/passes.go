package plan

// samples is how many draws the positions earn that were seen last: those from
// number from, counted over all that were seen, up to but not including to.
//
// Below FullPassesAt a new position earns PassesPerPosition times the share of it
// that was seen, so that every position of a window that fills is drawn about as
// often in a generation as those of one of that size that is full. With all passes
// at once the first positions would be drawn in every generation until the window
// is full: of a window of n generations about log n times as often as later ones.
func (c *Config) Samples(from, to int64) float64 {
	full := c.FullPassesAt
	if from >= full {
		return float64(to-from) * c.PassesPerPosition
	}
	// The integral of the share; it depends on the two ends alone, however the
	// positions between them came.
	share := func(seen int64) float64 {
		if seen < full {
			return float64(seen) / float64(full) * float64(seen) / 2
		}
		return float64(seen) - float64(full)/2
	}
	return (share(to) - share(from)) * c.PassesPerPosition
}
