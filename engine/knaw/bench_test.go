package knaw

import (
	"testing"

	"github.com/ludozero/ludozero/engine/enginetest/pagetest"
	"github.com/ludozero/ludozero/engine/konreh"
)

// BenchmarkRandomGames plays random decisions, rolls among them, of this game and of Kon'reh.
func BenchmarkRandomGames(b *testing.B) {
	pagetest.RandomGames(b, pagetest.Open(b, &Family, "standard"), pagetest.Open(b, &Family, "symmetric"), pagetest.Open(b, &konreh.Family, ""))
}
