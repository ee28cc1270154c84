// Package school plays Kon'reh in the manner of the schools of its rulebook
// (Nicholas A. Gasper, 2025): fourteen doctrines about the Cross, Seeds, where a Blue
// is reforged, tempo and risk. All schools are the same engine, package alphabeta,
// at the same depth and with the same weights; what differs is a [School], read from
// a YAML file that anybody may write. The school called none has no doctrine and is
// the control: what a doctrine does is the difference from it.
//
// A doctrine speaks in features, whole numbers that a position has from one side's
// seat (features.go). Its terms weigh features of the positions that the search judges;
// its rules wait for an event of the turn under way, such as a Seed, under conditions
// on features, and either forbid it or add to its value.
//
// A school knows positions and rules of Kon'reh and nothing of matches. It draws no
// random number.
package school
