// Package seed derives independent random streams from the one seed of a run,
// so that nothing draws from a shared generator and the order in which workers
// happen to run changes no number. A stream is named by what it is for and by
// an index: ("game", 17) is the stream of game 17, whoever plays it.
package seed

import "math/rand/v2"

// golden is 2^64 divided by the golden ratio, made odd: the step of splitmix64
// (Steele, Lea, Flood 2014), whose finaliser mix is.
const golden = 0x9e3779b97f4a7c15

// Stream returns a new generator for stream index of a purpose, a short fixed
// word. Equal arguments give equal streams, on every machine and for ever: a
// test pins them. Streams that differ in any argument start at states that are
// unrelated 128-bit hashes of the arguments.
func Stream(run uint64, purpose string, index uint64) *rand.PCG {
	hi, lo := State(run, purpose, index)
	return rand.NewPCG(hi, lo)
}

// State is the start state of Stream, for a caller that re-seeds a generator it
// owns: pcg.Seed(seed.State(run, "game", n)). It does not allocate.
func State(run uint64, purpose string, index uint64) (hi, lo uint64) {
	// Every input is absorbed by adding and mixing; the length of the purpose
	// goes in too, so that no two argument lists absorb the same words.
	h := mix(run + golden)
	for i := 0; i < len(purpose); i += 8 {
		word := uint64(0)
		for j := i; j < min(i+8, len(purpose)); j++ {
			word |= uint64(purpose[j]) << (8 * (j - i))
		}
		h = mix((h ^ word) + golden)
	}
	h = mix((h ^ uint64(len(purpose))) + golden)
	h = mix((h ^ mix(index+golden)) + golden)
	hi = mix(h + golden)
	return hi, mix(hi + golden)
}

// Number is one number of the run, for things that take a seed and not a
// generator.
func Number(run uint64, purpose string, index uint64) uint64 {
	hi, _ := State(run, purpose, index)
	return hi
}

// mix is a bijection of the 64-bit numbers in which every input bit flips every
// output bit about half the time.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
