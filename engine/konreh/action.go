package konreh

import (
	"fmt"

	"github.com/ludozero/ludozero/engine"
)

// An action below codeWords is 64·plane + from: from is the square the piece
// leaves (the Green's own square for giving it up), turned by 180° for side B
// so that both sides see their Home at a1, and plane says what it does. The
// other codes are words without a square.
const (
	planeOnLeft  = 0  // 0-4: slide onward left, 1 to 5 steps
	planeOnRight = 5  // 5-9: onward right
	planeHmLeft  = 10 // 10-13: homeward left, 1 to 4 steps
	planeHmRight = 14 // 14-17: homeward right
	planeStep    = 18 // 18-21: Displacement along lane 0-3
	planeHop     = 22 // 22-25: Hop along lane 0-3
	planeGive    = 26 // 26: give up the Green on from
	numPlanes    = 27

	codeWords               = 64 * numPlanes
	codeSeed  engine.Action = codeWords + 0
	codeKeep  engine.Action = codeWords + 1 // noseed
	codeNone  engine.Action = codeWords + 2 // no special
	codeHome  engine.Action = codeWords + 3
	codeLeft  engine.Action = codeWords + 4
	codeRight engine.Action = codeWords + 5
	codeApex  engine.Action = codeWords + 6
	codeHold  engine.Action = codeWords + 7
	codeSwap  engine.Action = codeWords + 8
	codeBuyH  engine.Action = codeWords + 9
	codeBuyD  engine.Action = codeWords + 10

	numWords   = 11
	numActions = codeWords + numWords
)

// words are the texts of the codes from codeWords on.
var words = [numWords]string{
	"seed", "noseed", "none", "home", "left", "right", "apex", "hold", "swap", "buyH", "buyD",
}

// slidePlane is the first plane of each lane's slides.
var slidePlane = [4]int{planeOnLeft, planeOnRight, planeHmLeft, planeHmRight}

// maxSteps is the longest slide along each lane, Blue's.
var maxSteps = [4]int{5, 5, 4, 4}

// reach is how far a piece of each kind slides onward, exactly; homeward it may
// go one step less or any shorter way.
var reach = [4]int{red: 2, orange: 3, green: 4, blue: 5}

// policyHead is the policy head: the action code without its words is the head
// cell, plane by plane, then one global logit for each word.
var policyHead = func() engine.PolicyHead {
	h := engine.PolicyHead{Planes: numPlanes, Globals: numWords, Cells: make([]int32, numActions), GlobalNames: words[:]}
	for a := range h.Cells {
		h.Cells[a] = int32(a)
	}
	lanes := [4]string{"onward left", "onward right", "homeward left", "homeward right"}
	for lane, name := range lanes {
		for steps := range maxSteps[lane] {
			h.PlaneNames = append(h.PlaneNames, fmt.Sprintf("slide %s %d from here", name, steps+1))
		}
	}
	for _, special := range [2]string{"Displacement", "Hop"} {
		for _, name := range lanes {
			h.PlaneNames = append(h.PlaneNames, special+" "+name+" from here")
		}
	}
	h.PlaneNames = append(h.PlaneNames, "give up the Green here")
	return h
}()
