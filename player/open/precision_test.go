package open

import (
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/precision"
)

// TestFastestPrecision: int8 takes a calibration and a processor that multiplies bytes.
func TestFastestPrecision(t *testing.T) {
	calibrated := &model.Card{Calibration: &model.Calibration{}}
	for level, want := range map[string]precision.Precision{
		"generic": precision.F32, "avx2": precision.F32, "avx2vnni": precision.Int8, "avx512": precision.F32, "avx512vnni": precision.Int8, "amx": precision.Int8,
	} {
		if got := fastest(calibrated, level); got != want {
			t.Errorf("%s: %v, want %v", level, got, want)
		}
		if got := fastest(&model.Card{}, level); got != precision.F32 {
			t.Errorf("%s without a calibration: %v, want f32", level, got)
		}
	}
	// The shipped network opens in whatever is fastest here.
	g, err := konreh.Family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	p := New(engine.Families{&konreh.Family})
	defer p.Close()
	o, err := p.open("shipped:konreh", precision.Fastest, 8, g)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.New(); err != nil {
		t.Error(err)
	}
}
