package mcts

import (
	"math"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/problems"
)

// Tuning refines PUCT. Its zero value changes nothing; a Gumbel search ignores it. All but
// MovesLeft is for play alone, so that what self-play learns is about the result of the game.
type Tuning struct {
	// Contempt is by how much less than nothing the player at the root values a draw, and
	// the opponent more than nothing: with the value q and the probability d of a draw of
	// an edge, in the view of the player who acts, the search goes by q - Contempt·d where
	// that is the player at the root and by q + Contempt·d elsewhere. What RootValue and
	// Root report is without it.
	Contempt float64 `mapstructure:"-"`
	// Spread scales exploration by the standard deviation s of the values below a
	// position, after KataGo (dynamic variance-scaled cPUCT):
	//
	//	cpuct · (1 + Spread · (s / 0.4 - 1))
	//
	// where s has a prior of 0.4 with the weight of two visits.
	Spread float64 `mapstructure:"-"`
	// MovesLeft is the largest bonus to the value of an edge that ends the game sooner
	// than its alternatives, for a player who is ahead: from nothing at a value of 0.5
	// to all of it at 1, and from nothing to all of it over turnsOfBonus turns. An edge
	// that ends it later has as much of a malus. For a player who is behind it is the
	// other way round. The idea is Lc0's. What RootValue and Root report is without it.
	MovesLeft float64 `mapstructure:"moves_left"`
	// LowerBound chooses the move by the lower confidence bound of its value instead of by
	// its visits, after KataGo: see lowerBound.
	LowerBound bool `mapstructure:"-"`
	// Bias is how much of what a search found out about the network's errors corrects
	// its later evaluations of like positions: see bias.go. KataGo has 0.45.
	Bias float64 `mapstructure:"-"`
}

const (
	spreadPrior       = 0.4
	spreadPriorWeight = 2
	aheadFrom         = 0.5
	turnsOfBonus      = 20
)

// validate adds the problems of c to l, each with its key, value and rule.
func (c *Tuning) validate(l *problems.List) {
	problems.Range(l, "contempt", c.Contempt, 0, MaxContempt)
	problems.Range(l, "spread", c.Spread, 0, 1)
	problems.Range(l, "moves_left", c.MovesLeft, 0, 1)
	problems.Range(l, "bias", c.Bias, 0, 1)
}

// MaxContempt keeps a draw better than a loss and worse than a win.
const MaxContempt = 0.9

// moment holds sums over the visits of an edge that its record has no room for.
type moment struct {
	draws   float32 // probabilities of a draw
	squares float32 // of values
	ends    float32 // turns in which the game is expected to end, as State.Turn counts
	correction
}

// changesSelection tells whether the search descends by pickTuned.
func (c *Tuning) changesSelection() bool { return c.Contempt > 0 || c.Spread > 0 || c.MovesLeft > 0 }

// needsMoments tells whether a tree has moments, which take as much memory as its edges.
func (c *Tuning) needsMoments() bool { return c.changesSelection() || c.LowerBound || c.Bias > 0 }

// addMoments adds one visit that ended in value v and the probability of a draw, in a
// game that is expected to end in that turn, on the path to i.
func (t *Tree) addMoments(i index, v, draw, end float32) {
	for {
		m := t.moment(i)
		m.draws += draw
		m.squares += v * v
		m.ends += end
		if i == 0 {
			return
		}
		i = t.at(i).parent
	}
}

// repeatMoments adds one more visit like those so far of edge i, none of which went below.
func (t *Tree) repeatMoments(i index) {
	e, m := t.at(i), t.moment(i)
	n := float32(e.visits)
	t.addMoments(i, e.sum/n, m.draws/n, m.ends/n)
}

// pickTuned is pick at a decision by PUCT with Tuning. With a Tuning of zero it picks
// the same edge.
func (t *Tree) pickTuned(i index) index {
	n := t.at(i)
	edges := t.children(n)
	u := t.exploration(n.visits+uint32(n.virtual)) * t.spread(i)
	bonus, end := t.movesLeftBonus(i)
	mass := float32(0) // sum of the priors of visited edges
	for k := range edges[:n.seen] {
		if edges[k].visits > 0 {
			mass += edges[k].prior
		}
	}
	mean := view(n.sum/float32(n.visits), n.actor)
	fpu := t.firstPlayAt(i).of(t.withContempt(i, n.actor, mean), mass)
	best, bestScore := 0, float32(math.Inf(-1))
	for k := range edges[:min(int(n.seen)+1, len(edges))] {
		e := &edges[k]
		visits, value := float32(e.visits)+float32(e.virtual), fpu
		if e.visits > 0 {
			if e.proof.view(n.actor).lost() {
				continue
			}
			value = t.utility(n.first+index(k), n.actor)
			if bonus != 0 {
				value += t.soonerBonus(n.first+index(k), bonus, end)
			}
		}
		if e.virtual > 0 {
			value -= t.virtualLoss * float32(e.virtual) / visits
		}
		s := value + u*e.prior/(1+visits)
		if s > bestScore || s == bestScore && ranksBefore(e, &edges[best]) {
			best, bestScore = k, s
		}
	}
	if best == int(n.seen) {
		n.seen++
		bringBestPrior(edges, best+1)
	}
	return n.first + index(best)
}

// utility is what the search goes by: the value of the visited edge i in that player's
// view, with contempt.
func (t *Tree) utility(i index, actor engine.Player) float32 {
	return t.withContempt(i, actor, q(t.at(i), actor))
}

// withContempt moves the value v of the visited edge i, in that player's view, by the
// contempt for the draws behind it. Where bounds exclude a win or a loss the draw has the
// rest of the probability.
func (t *Tree) withContempt(i index, actor engine.Player, v float32) float32 {
	if t.contempt == 0 {
		return v
	}
	e := t.at(i)
	room := max(0, 1-max(v, -v))
	draw := room
	if e.proof&^hasBounds == 0 {
		draw = min(room, t.moment(i).draws/float32(e.visits))
	}
	if actor == t.rootActor {
		return v - t.contempt*draw
	}
	return v + t.contempt*draw
}

// spread is the factor of exploration at the visited edge i that Tuning.Spread describes.
func (t *Tree) spread(i index) float32 {
	scale := t.tuning.Spread
	if scale == 0 {
		return 1
	}
	n := float64(t.at(i).visits)
	mean, square := float64(t.at(i).sum)/n, float64(t.moment(i).squares)/n
	deviation := spreadPrior
	if n > 1 {
		prior := mean*mean + spreadPrior*spreadPrior
		around := (prior*spreadPriorWeight+square*n)/(spreadPriorWeight+n-1) - mean*mean
		deviation = math.Sqrt(max(0, around))
	}
	return float32(1 + scale*(deviation/spreadPrior-1))
}

// movesLeftBonus is what Tuning.MovesLeft gives an edge of the position behind edge i whose
// game ends turnsOfBonus turns before end, the turn in which that of the position does;
// below 0 for a player who is behind.
func (t *Tree) movesLeftBonus(i index) (bonus, end float32) {
	e := t.at(i)
	value := q(e, e.actor)
	ahead := (max(value, -value) - aheadFrom) / (1 - aheadFrom)
	if t.tuning.MovesLeft == 0 || ahead <= 0 {
		return 0, 0
	}
	bonus = float32(t.tuning.MovesLeft) * min(1, ahead)
	if value < 0 {
		bonus = -bonus
	}
	return bonus, t.moment(i).ends / float32(e.visits)
}

// soonerBonus is the part of bonus, which is not 0, that the visited edge i has for when its game
// ends.
func (t *Tree) soonerBonus(i index, bonus, end float32) float32 {
	sooner := end - t.moment(i).ends/float32(t.at(i).visits)
	return bonus * max(-1, min(1, sooner/turnsOfBonus))
}

// rootValue is what the search goes by at the visited edge in place k of the root, in the view of the
// player who acts there, but for the priors: the value with contempt and what movesLeftBonus of the
// root, bonus and end, adds.
func (t *Tree) rootValue(k int, bonus, end float32) float64 {
	i := t.at(0).first + index(k)
	v := t.utility(i, t.at(0).actor)
	if bonus != 0 {
		v += t.soonerBonus(i, bonus, end)
	}
	return float64(v)
}

const (
	// boundDeviations is how many standard errors the lower bound is below the value;
	// boundShare is the share of the most visits that a move needs to be chosen by it.
	boundDeviations = 5
	boundShare      = 0.15
)

// lowerBound is the lower confidence bound of the edge i of the root, with n > 0 visits,
// in the view of the player who acts at the root:
//
//	utility - boundDeviations · sqrt(variance / n)
//
// The variance has a prior of the largest that there can be, with the weight of 1/n²
// visits, so that the bounds of a few equal values are wide.
func (t *Tree) lowerBound(i index) float64 {
	e := t.at(i)
	n := float64(e.visits)
	mean, square := float64(e.sum)/n, float64(t.moment(i).squares)/n
	weight := 1 / (n * n * n)
	square = (square + (mean*mean+1)*weight) / (1 + weight)
	return float64(t.utility(i, t.rootActor)) - boundDeviations*math.Sqrt(max(0, square-mean*mean)/n)
}

// bestByBound is Best by Tuning.LowerBound, where byVisits is Best without it.
func (t *Tree) bestByBound(byVisits engine.Action) engine.Action {
	at := t.child(byVisits)
	if t.at(at).visits == 0 {
		return byVisits
	}
	least := boundShare * float64(t.at(at).visits)
	best, bound := at, t.lowerBound(at)
	n := t.at(0)
	for k := n.first; k < n.first+index(n.seen); k++ {
		e := t.at(k)
		if e.visits == 0 || float64(e.visits) < least || t.provenWorse(e.action()) {
			continue
		}
		if b := t.lowerBound(k); b > bound {
			best, bound = k, b
		}
	}
	return t.at(best).action()
}
