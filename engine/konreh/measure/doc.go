// Package measure computes the measures of a position in the rulebook of Kon'reh
// (Nicholas A. Gasper, 2025): how far attackers are (R), how safe a Seed is (SSI), how many
// ways lead out of the Cross (XS), who leads in Greens (CCA), what spending the
// second special risks (SRI), how soon a side could plant (T*), how many squares
// would stop it (kappa), and the five clocks of a Blue.
//
// Every measure is about one side; opp is the other one. Squares are numbers
// 8a+b of the board turned so that this side's Home Apex is 0 (its seat). A [Meter]
// is set to a position and then queried; it allocates nothing once its scratch has grown.
//
// # Standing still
//
// The measures are static: all pieces but the one in question stand still, so a
// distance says what that piece could do if nobody reacted. They are counted in own
// turns of the piece's owner: 1 is "on its next turn", which for the side to act is
// the turn under way, taken as if it began now with everything as it stands, also in
// the middle of it. [Inf] is never. In detail:
//
//   - Another piece's turn passes: the piece may also stay where it is for a turn,
//     unless it is a Blue that must leave the Cross. Its Blue's counters run on, so
//     that Cross, exclusion and Rooted mark are obeyed on the way.
//   - A piece but Blue may capture on the way. Where it stands the captured piece is
//     gone, and back when it has moved on: what is walked is a graph of squares, with
//     an edge for each slide that is legal with the piece on one square and all others
//     where they are now. It differs from taking captured pieces off the board only on
//     ways that come back past a square where they captured.
//   - Blue reaches squares by slides alone; specials are for the capture asked about.
//   - If the side's own Blue must leave the Cross on its next turn, the turn is
//     Blue's: its other pieces begin to move one turn later, past a Blue that stands
//     where it stood.
//   - In the first turns of a game, where rules forbid captures, pieces wait for them.
//
// Readings that the text of the measures leaves open are named with each function.
package measure
