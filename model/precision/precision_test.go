package precision

import (
	"strings"
	"testing"
)

func TestNamesAreParsed(t *testing.T) {
	for i, name := range Names() {
		p, err := Parse(name)
		if err != nil || p != Precision(i) || p.String() != name {
			t.Errorf("Parse(%q) = %v, %v, want number %d", name, p, err, i)
		}
	}
	if F32.String() != Default || F32 != 0 {
		t.Errorf("the zero value is %v, want %s", Precision(0), Default)
	}
	for _, name := range []string{"", "F32", "int4", Auto} {
		if p, err := Parse(name); err == nil || !strings.Contains(err.Error(), "f32, int8, bf16") {
			t.Errorf("Parse(%q) = %v, %v, want an error that names the choices", name, p, err)
		}
	}
}
