package main

import (
	"slices"

	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/model/precision"
)

// format is a number format that our inference is measured in.
type format struct {
	name      string
	precision precision.Precision
	kernel    string // variant of the kernels, "" for the one chosen at start-up
	model     string // what ONNX Runtime computes meanwhile
	batches   []int
}

// vnni is the variant of the kernels whose instructions ONNX Runtime has too.
// Releases up to 1.30 of onnxruntime-node hold no instruction of AMX.
const vnni = "avx512vnni"

// formats are those of this machine, float32 first. Where the kernels know
// faster instructions for int8 than ONNX Runtime, int8 is measured a second time
// without them.
func formats() []format {
	small := []int{1, 8, 32, 64, 256}
	large := small[3:]
	all := []format{
		{precision.F32.String(), precision.F32, "", floatModel, small},
		{precision.Int8.String(), precision.Int8, "", int8Model, small},
	}
	if kernel.Level() == "amx" && slices.Contains(kernel.Levels(), vnni) {
		all = append(all, format{precision.Int8.String() + "-" + vnni, precision.Int8, vnni, int8Model, large})
	}
	return all
}

func (f format) environment() []string {
	if f.kernel == "" {
		return nil
	}
	return []string{kernel.EnvVariant + "=" + f.kernel}
}
