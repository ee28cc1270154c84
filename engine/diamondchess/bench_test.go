package diamondchess

import (
	"testing"

	"github.com/ludozero/ludozero/engine/enginetest/pagetest"
	"github.com/ludozero/ludozero/engine/konreh"
)

// BenchmarkRandomGames plays random decisions of this game and of Kon'reh.
func BenchmarkRandomGames(b *testing.B) {
	pagetest.RandomGames(b, pagetest.Open(b, &Family, ""), pagetest.Open(b, &konreh.Family, ""))
}

func BenchmarkEncodingHash(b *testing.B) {
	pagetest.EncodingHash(b, pagetest.Open(b, &Family, "listed"))
}
