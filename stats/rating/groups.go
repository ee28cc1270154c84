package rating

// reach[i][j] says that i took points off j, or off somebody who took points off
// j, and so on. A difference has a finite lower end if and only if reach holds
// from the one to the other, since otherwise the likelihood does not fall
// however weak the one is taken to be (Ford 1957).
type reach [][]bool

func newReach(players int, list []cell) reach {
	r := make(reach, players)
	for i := range r {
		r[i] = make([]bool, players)
		r[i][i] = true
	}
	for _, c := range list {
		if c.n[2]+c.n[1] > 0 {
			r[c.first][c.second] = true
		}
		if c.n[0]+c.n[1] > 0 {
			r[c.second][c.first] = true
		}
	}
	r.close()
	return r
}

// close makes r transitive (Warshall).
func (r reach) close() {
	for k := range r {
		for i := range r {
			if !r[i][k] {
				continue
			}
			for j := range r {
				r[i][j] = r[i][j] || r[k][j]
			}
		}
	}
}

// group are the players between whom and i all differences are finite.
func (r reach) group(i int) []int {
	var list []int
	for j := range r {
		if r[i][j] && r[j][i] {
			list = append(list, j)
		}
	}
	return list
}

// groups returns the lowest member of each player's group.
func (r reach) groups() []int {
	lowest := make([]int, len(r))
	for i := range lowest {
		lowest[i] = r.group(i)[0]
	}
	return lowest
}

// tied are the players whose differences are finite once those in the list are
// tied to each other.
func (r reach) tied(list []int) []int {
	from, to := make([]bool, len(r)), make([]bool, len(r))
	for _, i := range list {
		for j := range r {
			from[j] = from[j] || r[i][j]
			to[j] = to[j] || r[j][i]
		}
	}
	var out []int
	for j := range r {
		if from[j] && to[j] {
			out = append(out, j)
		}
	}
	return out
}
