package strictjson

import "testing"

func TestDecode(t *testing.T) {
	for text, ok := range map[string]bool{
		`{"A": 1}`: true, " {\"A\": 1}\n": true, `{}`: true,
		``: false, `{"A": 1} 2`: false, `{"A": 1}x`: false, `{"B": 1}`: false, `{"A": "1"}`: false, `{"A": 1`: false,
	} {
		var v struct{ A int }
		if err := Decode([]byte(text), &v); (err == nil) != ok {
			t.Errorf("Decode(%q) = %v, want success %v", text, err, ok)
		} else if cut := text == "" || text == `{"A": 1`; cut && err.Error() != "unexpected end of JSON" {
			t.Errorf("Decode(%q): %v", text, err)
		}
	}
}
