package kernel

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestEveryBoard holds all that depends on the size of a board to plain Go, for every
// height and width: convolutions in float32, int8 and bfloat16, the direct method and
// Winograd's, for inputs and for weights. TestWinogradOnEveryBoard has the rest.
func TestEveryBoard(t *testing.T) {
	const in, out, batch = 5, 19, 2
	r := source(1)
	wt, wt8, scale, bias := values(r, 9*in*out), weights8(r, 9*in*out), scales(r, out, 9*in), values(r, out)
	pixels := MaxHeight * MaxWidth * batch
	allX, allDY, allX8 := values(r, pixels*in), values(r, pixels*out), bytes(r, pixels*in)
	for h := MinSide; h <= MaxHeight; h++ {
		for w := MinSide; w <= MaxWidth; w++ {
			s := shape{k: 3, h: h, w: w, in: in, out: out, batch: batch}
			n := batch * h * w
			x, dy, x8 := allX[:n*in], allDY[:n*out], allX8[:n*in]
			want, got := make([]float32, n*out), make([]float32, n*out)
			conv(want, x, batch, generic.pack(wt, s.conv(), false, direct), bias, dy, true)
			wantDX, dx := make([]float32, n*in), make([]float32, n*in)
			conv(wantDX, dy, batch, generic.pack(wt, s.conv(), true, direct), nil, nil, false)
			wantDW := make([]float32, 9*in*out)
			generic.gradWeights(wantDW, x, dy, batch, h, w, 3, in, out)
			for _, v := range variants() {
				what := fmt.Sprintf("%s %d×%d", v.name, h, w)
				conv(got, x, batch, v.pack(wt, s.conv(), false, direct), bias, dy, true)
				compare(t, what, got, want, 9*in)
				conv(dx, dy, batch, v.pack(wt, s.conv(), true, byWinograd), nil, nil, false)
				compare(t, what+" gradient of the input", dx, wantDX, winogradTerms(out))
				for _, winograd := range []bool{false, true} {
					dw := make([]float32, len(wantDW))
					addWeightGradient(by(v, s, winograd), dw, x, dy, batch)
					for i := range dw {
						if d := math.Abs(float64(dw[i] - wantDW[i])); !(d <= 1e-5*float64(n)) {
							t.Fatalf("%s gradient of the weights, Winograd %t: value %d is %g, want %g", what, winograd, i, dw[i], wantDW[i])
						}
					}
				}
			}
			want8, got8 := make([]uint8, n*out), make([]uint8, n*out)
			Conv8(want8, x8, batch, h, w, generic8.packed(wt8, 3, in, out), scale, bias, nil, 0)
			for _, v := range variants8() {
				Conv8(got8, x8, batch, h, w, v.packed(wt8, 3, in, out), scale, bias, nil, 0)
				same(t, fmt.Sprintf("%s int8 %d×%d", v.name, h, w), got8, want8)
			}
			for _, v := range variants16()[1:] {
				conv(want, x, batch, generic16.packed(wt, s.conv16(), false), bias, dy, true)
				conv(got, x, batch, v.packed(wt, s.conv16(), false), bias, dy, true)
				same(t, fmt.Sprintf("%s bfloat16 %d×%d", v.name, h, w), got, want)
			}
		}
	}
}

// TestBoardsBeyondTheLimits are refused before any work, with the limit.
func TestBoardsBeyondTheLimits(t *testing.T) {
	for _, c := range []struct{ h, w int }{{MaxHeight + 1, 7}, {7, MaxWidth + 1}, {MaxWidth, MaxHeight}, {MinSide - 1, 7}, {7, MinSide - 1}} {
		s := ConvShape{K: 3, In: 8, Out: 8, H: c.h, W: c.w}
		for name, call := range map[string]func(){
			"PackConv":          func() { PackConv(make([]float32, 9*8*8), s) },
			"NewWeightGradient": func() { NewWeightGradient(s) },
			"Conv8": func() {
				n := c.h * c.w * 8
				Conv8(make([]uint8, n), make([]uint8, n), 1, c.h, c.w, PackConv8(make([]int8, 9*8*8), 3, 8, 8), make([]float32, 8), nil, nil, 0)
			},
		} {
			func() {
				defer func() {
					said := fmt.Sprint(recover())
					if !strings.Contains(said, "kernel."+name) || !strings.Contains(said, "want 3 to 16 rows and to 13 columns") {
						t.Errorf("%s of %d×%d: %s", name, c.h, c.w, said)
					}
				}()
				call()
			}()
		}
	}
}
