package evaluation

import "io"

// Dismiss ends what a player holds that nobody else would end, such as a process:
// it may not be asked any more. Players that hold nothing, and nil, are left alone.
func Dismiss(p Player) {
	if c, ok := p.(io.Closer); ok {
		c.Close()
	}
}
