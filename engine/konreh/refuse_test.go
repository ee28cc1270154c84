package konreh

import (
	"strings"
	"testing"
)

const (
	startLine = "4rrob/5rgo/6rr/7r/R7/RR6/OGR5/BORR4 A m HD,r0,s0,x0,c0,n-,h0,k0 HD,r0,s0,x0,c0,n-,h0,k0 0 0"
	fresh     = "HD,r0,s0,x0,c0,n-,h0,k0"
	counting  = "HD,r0,s0,x0,c3,n-,h0,k0"
)

func TestStartPosition(t *testing.T) {
	if got := mustGame(t, "standard").newState().line(); got != startLine {
		t.Errorf("start = %s, want %s", got, startLine)
	}
}

// TestRefusedPositions has one line for each rule of the rules page's list, and
// the word that the error must hold.
func TestRefusedPositions(t *testing.T) {
	const board = "7b/8/8/8/8/8/8/B1R5"
	table := []struct{ rules, line, want string }{
		{"standard", "", "fields"},
		{"standard", startLine + " x", "follows the last field"},
		{"standard", startLine + " ", "follows the last field"},
		{"standard", strings.Replace(startLine, " A", "  A", 1), "follows the last field"},
		{"standard", board + " A m " + fresh + " " + fresh + " 0", "turn is missing"},
		{"standard", "8/8/8/8/8/8/B7 A m " + fresh + " " + fresh + " 0 0", "field 1, board"},
		{"standard", "7b/8/8/8/8/8/8/B1R4 A m " + fresh + " " + fresh + " 0 0", "7 squares"},
		{"standard", "7b/8/8/8/8/8/8/B1RR5 A m " + fresh + " " + fresh + " 0 0", "9 squares"},
		{"standard", "7b/8/8/8/8/8/8/B1R41 A m " + fresh + " " + fresh + " 0 0", "two numbers"},
		{"standard", "7b/8/8/8/8/8/8/B1K5 A m " + fresh + " " + fresh + " 0 0", "unknown letter"},
		{"standard", "7b/8/8/8/8/8/8/B1B5 A m " + fresh + " " + fresh + " 0 0", "two Blues"},
		{"standard", "GGGGGGGb/8/8/8/8/8/8/B1R5 A m " + fresh + " " + fresh + " 0 0", "cap of 6"},
		{"standard", board + " C m " + fresh + " " + fresh + " 0 0", "want A or B"},
		{"standard", board + " A m " + counting + " " + fresh + " 0 0", "c is above 0"},
		{"standard", "7b/8/8/8/8/8/8/2R5 A m " + fresh + " " + fresh + " 0 0", "c is 0"},
		{"standard", board + " A m HH,r0,s0,x0,c0,n-,h0,k0 " + fresh + " 0 0", "specials"},
		{"standard", board + " A m HD,r3,s0,x0,c0,n-,h0,k0 " + fresh + " 0 0", "r is 3"},
		{"standard", board + " A m HD,r0,s4,x0,c0,n-,h0,k0 " + fresh + " 0 0", "s is 4"},
		{"standard", board + " A m HD,r0,s0,x3,c0,n-,h0,k0 " + fresh + " 0 0", "x is 3"},
		{"standard,cross_stay=0", board + " A m HD,r0,s0,x1,c0,n-,h0,k0 " + fresh + " 0 0", "x is 1"},
		{"standard", board + " A m HD,r0,s0,x0,c6,n-,h0,k0 " + fresh + " 0 0", "c is 6"},
		{"standard", board + " A m HD,r0,s0,x0,c0,n-,h3,k0 " + fresh + " 0 0", "h is 3"},
		{"standard", board + " A m HD,r0,s0,x0,c0,n-,h0,k2 " + fresh + " 0 0", "k is 2"},
		{"standard", board + " A m HD,r-1,s0,x0,c0,n-,h0,k0 " + fresh + " 0 0", "no number"},
		{"standard", board + " A m HD,s0,r0,x0,c0,n-,h0,k0 " + fresh + " 0 0", "want r"},
		{"standard", board + " A m " + fresh + ",e0 " + fresh + " 0 0", "parts"},
		{"standard,seed_limit=2", board + " A m " + fresh + ",e3 " + fresh + ",e0 0 0", "e is 3"},
		{"standard,seed_limit=2", board + " A m " + fresh + " " + fresh + " 0 0", "parts"},
		{"standard", board + " A m HD,r0,s1,x0,c0,n-,h0,k0 " + fresh + " 0 0", "s is above 0"},
		{"standard", "7b/8/8/8/3B4/8/8/2R5 A m " + fresh + " " + fresh + " 0 0", "s is 0"},
		{"standard", "7b/8/8/8/3B4/8/8/2R5 A m HD,r0,s1,x1,c0,n-,h1,k0 " + fresh + " 0 0", "x is above 0"},
		{"standard", board + " A m HD,r0,s0,x0,c0,na2,h0,k0 " + fresh + " 0 0", "no Sanctum"},
		{"standard", board + " A m HD,r0,s0,x0,c0,n-,h2,k0 " + fresh + " 0 0", "h is 2"},
		{"standard", board + " A m " + fresh + " " + fresh + " 0 1", "field 7, turn"},
		{"standard", board + " B m " + fresh + " " + fresh + " 0 2", "field 7, turn"},
		{"standard", board + " A m " + fresh + " " + fresh + " 0 00", "field 7, turn"},
		{"standard", board + " A m " + fresh + " " + fresh + " 0 2/t", "field 7, turn"},
		{"standard", board + " A m " + fresh + " " + fresh + " 0 2/s", "no swap"},
		{"standard,balance=pie", board + " A m " + fresh + " " + fresh + " 0 0/s", "before it was asked"},
		{"standard", board + " A m " + fresh + " " + fresh + " -1 0", "field 6, quiet turns"},
		{"standard", board + " A m " + fresh + " " + fresh + " 0+ 0", "middle of a turn"},
		{"standard", board + " A z " + fresh + " " + fresh + " 0 0", "unknown phase"},
		{"standard", board + " A d " + fresh + " " + fresh + " 0 0", "no square"},
		{"standard", board + " A over:boredom " + fresh + " " + fresh + " 0 0", "unknown reason"},
		{"standard", board + " A over:reforge " + fresh + " " + fresh + " 0 0", "over:reforge needs"},
		{"standard", board + " A over:stalemate " + fresh + " " + fresh + " 0 0", "has a legal move"},
		{"standard", "4rrob/5rgo/6rr/7r/R7/RR6/OGR5/BORR4 B over:stalemate " + fresh + " " + fresh + " 0 1", "has a legal move"},
		{"standard", "8/8/8/8/3b4/8/8/2R4B A sh1 HD,r0,s0,x0,c0,n-,h1,k0 " + fresh + " 0 8", "s is 0"},
		{"standard", "7b/8/8/8/3Br3/8/8/2R5 A fd4OL HD,r0,s3,x0,c0,n-,h1,k0 " + fresh + " 0 8", "has slid onto it"},
		{"standard", board + " B over:no-progress " + fresh + " " + fresh + " 3 5", "after 3 quiet turns"},
		{"standard", board + " A over:max-turns " + fresh + " " + fresh + " 0 8", "after 8 turns"},
		{"standard", "7b/8/8/8/8/8/8/R7 A da1 " + counting + " " + fresh + " 0 0", "opening double move"},
		{"standard", "7b/r7/8/8/8/8/8/B1R5 B da6 " + fresh + " " + fresh + " 0 1", "no piece of the side"},
		{"standard", "8/r7/8/8/8/8/8/B1R5 B da7 " + fresh + " " + counting + " 0 1", "no legal second move"},
		{"standard", "7b/8/8/8/8/8/8/8 A m " + counting + " " + fresh + " 0 0", "no legal move"},
		{"standard", board + " A fc1OL " + fresh + " " + fresh + " 0 0", "Blue of the side to move is not on"},
		{"standard", board + " A fa1OL " + fresh + " " + fresh + " 0 0", "nothing to decide"},
		{"standard", board + " A fa1XX " + fresh + " " + fresh + " 0 0", "want a lane"},
		{"standard", "7b/8/8/8/8/8/8/Br6 A fa1OL HD,r1,s0,x0,c0,n-,h0,k0 " + fresh + " 0 0", "Rooted"},
		{"standard", board + " A sa1 " + fresh + " " + fresh + " 0 0", "nothing to decide"},
		{"standard", board + " A sh1 " + fresh + " " + fresh + " 0 0", "Blue of the side to move is not on"},
		{"tutor", "7b/8/8/8/8/8/8/2R4B A sh1 " + fresh + " " + fresh + " 0 0", "nothing to decide"},
		{"standard", "7b/8/8/8/8/8/8/2R4B A sh1 HD,r0,s0,x0,c0,nh1,h0,k0 " + fresh + " 0 0", "nothing to decide"},
		{"standard", board + " A pR " + fresh + " " + fresh + " 0 0", "cannot be placed"},
		{"standard", board + " A pB " + fresh + " " + fresh + " 0 0", "runner"},
		{"standard", "7b/8/8/8/8/8/8/2R5 A pR " + counting + " " + fresh + " 0 0", "a piece stands there"},
		{"standard", "R6b/8/8/8/8/8/8/8 A g " + counting + " " + fresh + " 0 0", "a piece stands there"},
		{"standard", "Rb6/8/8/8/8/8/8/8 A g " + counting + " " + fresh + " 0 0", "no Green"},
		{"standard", "Rb6/8/8/8/8/8/8/R6R A pR " + counting + " " + fresh + " 0 0", "placed nowhere"},
		{"standard,buyback=true", "7b/8/8/8/8/8/8/B1G5 A bH " + fresh + " " + fresh + " 0 0", "cannot be bought"},
		{"standard", "7b/8/8/8/8/8/8/B1G5 A bH D,r0,s0,x0,c0,n-,h0,k0 " + fresh + " 0 0", "cannot be bought"},
		{"standard", "7b/8/8/8/8/8/8/B6R A over:threefold HD,r0,s1,x0,c0,n-,h0,k0 " + fresh + " 5 40", "s is above 0"},
		{"standard", "7b/8/8/8/8/8/8/B6R A over:no-progress HD,r0,s3,x0,c0,n-,h1,k0 " + fresh + " 100 140", "s is above 0"},
		{"standard", "7b/8/8/3B4/8/8/8/7R A over:no-progress " + fresh + " " + fresh + " 100 140", "s is 0"},
		{"standard", "7b/8/8/8/8/8/8/Br5R A fa1OL " + fresh + " " + fresh + " 0 40", "an empty square behind"},
		{"standard", "7b/8/8/8/8/8/8/1RBr4 A fc1OL " + fresh + " " + fresh + " 0 40", "an empty square behind"},
		{"standard", board + " B pie " + fresh + " " + fresh + " 0 1", "does not ask"},
		{"standard,balance=pie", board + " B pie " + fresh + " " + fresh + " 0 3", "does not ask"},
	}
	for _, row := range table {
		g := mustGame(t, row.rules)
		s := g.newState()
		err := s.ParsePosition(row.line)
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: ParsePosition(%q) = %v, want an error with %q", row.rules, row.line, err, row.want)
		}
		if *s != *g.newState() {
			t.Errorf("%s: ParsePosition(%q) changed the state", row.rules, row.line)
		}
	}
}

// TestAcceptedPositions has lines at the edge of the refusals.
func TestAcceptedPositions(t *testing.T) {
	table := []struct{ rules, line string }{
		{"standard", "7b/8/8/8/3B4/8/8/2R5 A m HD,r0,s1,x0,c0,n-,h1,k0 " + fresh + " 400 9000"},
		{"standard", "Rb6/8/8/8/8/8/8/6GR A pR " + fresh + " " + fresh + " 0+ 8"},
		{"standard", "7b/8/8/8/8/8/8/2R5 A over:reforge " + fresh + " " + fresh + " 0 8"},
		{"standard,balance=pie", "7b/8/8/8/8/8/8/B1R5 A m " + fresh + " " + fresh + " 0 8/s"},
		{"standard,balance=double-pie", "7b/8/8/8/8/8/8/B1R5 A pie " + fresh + " " + fresh + " 0 2"},
		{"standard", "7b/8/8/8/5Br1/8/8/2R5 A ff4OL HD,r0,s3,x0,c0,n-,h1,k0 " + fresh + " 0 8"},
	}
	for _, row := range table {
		if got := mustPosition(t, mustGame(t, row.rules), row.line).line(); got != row.line {
			t.Errorf("%s: printed as %s, want %s", row.rules, got, row.line)
		}
	}
}

func TestRefusedMoves(t *testing.T) {
	const (
		crossLimit = "7b/8/8/4B3/8/8/8/2R5 A m HD,r0,s3,x0,c0,n-,h1,k0 " + fresh + " 0 8"
		rooted     = "7b/8/8/8/8/8/3Br3/R7 A m HD,r1,s0,x0,c0,n-,h1,k0 " + fresh + " 0 8"
		spent      = "7b/8/8/8/8/8/3Br3/R7 A m -,r0,s0,x0,c0,n-,h1,k0 " + fresh + " 0 8"
		special    = "7b/8/8/8/8/8/3Brr2/R7 A fd2OL HD,r0,s0,x0,c0,n-,h1,k0 " + fresh + " 0 8"
		placing    = "Rb6/8/8/8/8/8/8/R7 A pR " + counting + " " + fresh + " 0 8"
		giving     = "Rb6/8/8/8/8/8/8/R5G1 A g " + counting + " " + fresh + " 0 8"
		seeding    = "7b/8/8/8/8/8/8/2R4B A sh1 HD,r0,s0,x0,c0,n-,h1,k0 " + fresh + " 0 8"
		second     = "4rrob/5rgo/6rr/R6r/8/RR6/OGR5/BORR4 B dh5 " + fresh + " " + fresh + " 1 1"
		over       = "7b/8/8/8/8/8/8/2R5 A over:reforge " + fresh + " " + fresh + " 0 8"
		zoc        = "7b/8/8/8/3r4/8/8/B1R5 A m " + fresh + " " + fresh + " 0 8"
		atHome     = "7b/8/8/8/8/8/8/B1G5 A m D,r0,s0,x0,c0,n-,h0,k0 " + fresh + " 0 8"
		onward     = "7b/8/8/8/8/8/8/B1Or4 A m " + fresh + " " + fresh + " 0 8"
	)
	table := []struct{ rules, line, word, want string }{
		{"standard", startLine, "", "unknown word"},
		{"standard", startLine, "jump", "unknown word"},
		{"standard", startLine, "a1a9", "unknown word"},
		{"micro", "3rob/4rr/5r/R5/RR4/BOR3 A m " + fresh + " " + fresh + " 0 0", "a4a8", "unknown word"},
		{"standard", startLine, "a4a4", "one lane"},
		{"standard", startLine, "a4b5", "one lane"},
		{"standard", startLine, "a1h1", "too far"},
		{"standard", startLine, "a5a7", "no own piece"},
		{"standard", startLine, "h5f5", "no own piece"},
		{"standard", startLine, "a4a7", "not exact"},
		{"standard", startLine, "a4a5", "not exact"},
		{"standard", startLine, "a1a3", "blocked by your own piece on a2"},
		{"standard", startLine, "hold", "not now"},
		{"standard", startLine, "-b2", "not now"},
		{"standard", startLine, "buyH", "no buyback"},
		{"standard", startLine, "a4*a5", "only Blue"},
		{"standard", startLine, "a1*a3", "one step"},
		{"standard", startLine, "a1^a2", "two steps"},
		{"standard", startLine, "a1*a2", "no enemy next to Blue"},
		{"standard", crossLimit, "e5e4", "Cross"},
		{"standard", crossLimit, "c1b1", "Cross"},
		{"standard", "7b/8/8/2r5/8/8/3B4/R7 A m HD,r0,s0,x2,c0,n-,h1,k0 " + fresh + " 0 8", "d2d5", "Cross: Blue is barred"},
		{"standard", rooted, "d2d1", "Rooted"},
		{"standard", rooted, "d2*e2", "Rooted"},
		{"standard", spent, "d2*e2", "no Displacement left"},
		{"standard", spent, "d2^f2", "no Hop left"},
		{"standard", special, "d2d1", "not now"},
		{"standard", special, "d2*d1", "direction of the slide"},
		{"standard", special, "d2^f2", "needs an empty square"},
		{"standard", special, "seed", "not now"},
		{"standard", placing, "apex", "no Green"},
		{"standard", placing, "home", "a1 is occupied"},
		{"standard", placing, "a1a2", "not now"},
		{"standard", giving, "-a1", "no own Green"},
		{"standard", giving, "-a9", "no square"},
		{"standard", seeding, "none", "not now"},
		{"standard", second, "h5h4", "same piece twice"},
		{"standard", over, "c1c2", "game is over"},
		{"standard", zoc, "c1c4", "not exact"},
		{"standard", zoc, "d4d2", "no own piece"},
		{"standard", "7b/8/8/8/3r4/8/2r5/B1O5 A m " + fresh + " " + fresh + " 0 8", "c1c4", "blocked by the enemy piece on c2"},
		{"standard", "7b/8/8/8/8/8/6r1/B1r4G A m " + fresh + " " + fresh + " 0 8", "h1f1", "ends in ZoC at g1"},
		{"standard,no_capture_turns=9", "7b/8/8/8/8/8/8/B1rR4 A m " + fresh + " " + fresh + " 0 8", "d1c1", "no captures"},
		{"standard,no_capture_turns=9", "7b/8/8/8/8/8/8/Br1R4 A m " + fresh + " " + fresh + " 0 8", "a1*b1", "no specials"},
		{"standard,buyback=true", atHome, "buyD", "not spent"},
		{"standard,buyback=true", onward, "buyH", "not spent"},
		{"standard,buyback=true", "7b/8/8/8/8/8/8/B1R5 A m D,r0,s0,x0,c0,n-,h0,k0 " + fresh + " 0 8", "buyH", "no Green"},
		{"standard,buyback=true", "7b/8/8/8/8/8/8/B1G5 A m D,r0,s0,x0,c0,n-,h0,k1 " + fresh + " 0 8", "buyH", "used its buyback"},
		{"standard,buyback=true", "7b/8/8/8/8/8/8/B1G5 A m D,r1,s0,x0,c0,n-,h0,k0 " + fresh + " 0 8", "buyH", "Rooted"},
		{"standard,buyback=true", "7b/8/8/8/8/8/8/1BG5 A m D,r0,s0,x0,c0,n-,h1,k0 " + fresh + " 0 8", "buyH", "not on its Home"},
		{"standard,buyback=true", "5g1b/8/8/8/8/8/8/B1G5 B m " + fresh + " D,r0,s0,x0,c0,n-,h0,k0 0 1", "buyH", "opening double move"},
		{"standard", onward, "c1f1", "blocked by the enemy piece on d1"},
		{"standard", onward, "c1d1", "not exact"},
	}
	for _, row := range table {
		s := mustPosition(t, mustGame(t, row.rules), row.line)
		before := *s
		_, err := s.ParseAction(row.word, nil)
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %s: ParseAction(%q) = %v, want an error with %q", row.rules, row.line, row.word, err, row.want)
		}
		if *s != before {
			t.Errorf("%s: ParseAction(%q) changed the state", row.line, row.word)
		}
	}
}

func TestRefusedRules(t *testing.T) {
	table := []struct{ rules, want string }{
		{"nonsense", "no preset"},
		{"standard,size=6", "belongs to preset micro alone"},
		{"standard,specials=1", "belongs to preset micro alone"},
		{"micro,size=8", "played on size 6"},
		{"micro,specials=2", "specials=1"},
		{"standard,size=7", "want one of"},
		{"standard,green_cap=1", "want 2 to 12"},
		{"standard,cross_stay=16", "want 0 to 15"},
		{"standard,reforge_turns=0", "want 1 to 15"},
		{"standard,balance=triple", "want one of"},
	}
	for _, row := range table {
		if _, err := Family.Parse(row.rules); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("Parse(%q) = %v, want an error with %q", row.rules, err, row.want)
		}
	}
	for _, rules := range allRules {
		if _, err := Family.Parse(rules); err != nil {
			t.Error(err)
		}
	}
}
