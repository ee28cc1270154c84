package match

import "io"

// Rester is a Player that holds much memory while a game lasts. A series of many players
// has those rest that do not play: Rest lets go of what NewGame would forget.
type Rester interface {
	Player
	Rest()
}

// Dismiss ends what a player holds that nobody else would end, such as a process:
// it may not be asked any more. Players that hold nothing, and nil, are left alone.
func Dismiss(p Player) {
	if c, ok := p.(io.Closer); ok {
		c.Close()
	}
}
