package record

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
)

// simulations is the number of visits of a made-up search.
const simulations = 100

// randomRows plays games at random from game number first on and records them
// as a search might have: visits and policy fall steeply from the move played
// best; one row in oneIn was searched in full.
func randomRows(t testing.TB, games []engine.Game, first int64, count, oneIn int, run uint64) []Row {
	t.Helper()
	var rows []Row
	for n := range int64(count) {
		number := first + n
		r := rand.New(seed.Stream(run, "test game", uint64(number)))
		rows = append(rows, randomGame(t, games[int(number)%len(games)], number, oneIn, r)...)
	}
	return rows
}

func randomGame(t testing.TB, g engine.Game, number int64, oneIn int, r *rand.Rand) []Row {
	t.Helper()
	info := g.Info()
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	var rows []Row
	var before []engine.Action
	ply := int32(0)
	for !s.Outcome().Over {
		if s.Actor() == engine.Chance {
			w := s.Chance(nil)
			a := w[r.IntN(len(w))].Code
			before = append(before, a)
			s.Apply(a, h)
			continue
		}
		legal := s.Legal(nil, h)
		if r.IntN(20) == 0 { // a move that was not searched
			a := legal[r.IntN(len(legal))]
			before = append(before, a)
			s.Apply(a, h)
			ply++
			continue
		}
		row := Row{
			Run: "test", Game: info.Name, Rules: g.Rules(), Generation: 3, GameNumber: number, Seed: uint64(number) * 977, Beginning: BeginningStart,
			Ply: ply, Turn: int32(s.Turn()), Player: int8(s.Actor()), Side: int8(s.Side()),
			Position: string(s.AppendPosition(nil)), Packed: s.Pack(nil),
			Before: before, Legal: legal, PolicyKind: PolicyNone,
			RootValue: float32(math.Tanh(r.NormFloat64())), NetworkValue: float32(math.Tanh(r.NormFloat64())),
		}
		row.RootDraw = r.Float32() * (1 - float32(math.Abs(float64(row.RootValue))))
		before = nil
		row.Visits = randomVisits(len(legal), r)
		best := slices.Index(row.Visits, slices.Max(row.Visits))
		row.Action = legal[best]
		if row.Full = r.IntN(oneIn) == 0; row.Full {
			row.PolicyKind = PolicyVisits
			probs := make([]float32, len(legal))
			for i, v := range row.Visits {
				probs[i] = float32(v)
			}
			row.Policy = AppendPolicy(nil, probs)
			row.Surprise = float32(math.Abs(r.NormFloat64()))
		}
		rows = append(rows, row)
		s.Apply(row.Action, h)
		ply++
	}
	end := s.Outcome()
	for i := range rows {
		rows[i].Outcome = int8(end.Value(engine.Player(rows[i].Player)))
		rows[i].Reason = end.Reason
		rows[i].TurnsLeft = int32(s.Turn()) - rows[i].Turn
	}
	if len(rows) > 0 {
		rows[len(rows)-1].After = before
	}
	return rows
}

// randomVisits deals the visits of a search over n actions.
func randomVisits(n int, r *rand.Rand) []int32 {
	weights := make([]float64, n)
	total := 0.0
	for i := range weights {
		weights[i] = math.Exp(1.5 * r.NormFloat64())
		total += weights[i]
	}
	visits := make([]int32, n)
	for range simulations {
		x := r.Float64() * total
		i := 0
		for x > weights[i] && i < n-1 {
			x -= weights[i]
			i++
		}
		visits[i]++
	}
	return visits
}
