package manual

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Formula computes a number or a set of cells: an operator with its operands, each a
// formula, a number or a word. In Go it is written as (op operand ...), in JSON as a list.
type Formula []any

// F reads a formula. One that does not read is a bug.
func F(text string) Formula {
	tokens := strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text))
	if len(tokens) == 0 || tokens[0] != "(" {
		panic("BUG: a formula without an operator: " + text)
	}
	f, rest := read(tokens[1:], text)
	if len(rest) != 0 {
		panic("BUG: something behind the formula " + text)
	}
	return f
}

// read reads operands up to the closing parenthesis.
func read(tokens []string, text string) (f Formula, rest []string) {
	for len(tokens) > 0 {
		word := tokens[0]
		tokens = tokens[1:]
		switch word {
		case ")":
			return f, tokens
		case "(":
			var inner Formula
			inner, tokens = read(tokens, text)
			f = append(f, inner)
		default:
			if x, err := strconv.Atoi(word); err == nil {
				f = append(f, x)
			} else {
				f = append(f, word)
			}
		}
	}
	panic("BUG: a formula is not closed: " + text)
}

// String writes a formula as F reads it.
func (f Formula) String() string {
	text, err := json.Marshal(f)
	if err != nil {
		panic("BUG: a formula of other values: " + err.Error())
	}
	return string(text)
}

// operators have the least and the largest number of operands of each operator; -1 is any.
var operators = map[string][2]int{
	// numbers
	"+": {1, -1}, "-": {2, 2}, "*": {2, -1}, "/": {2, 2}, "mod": {2, 2}, "min": {1, -1}, "max": {1, -1},
	"=": {2, 2}, "<": {2, 2}, "not": {1, 1}, "if": {3, 3}, "side": {2, 2},
	"count": {1, 1}, "option": {1, 2}, "field": {1, 2}, "letters": {2, 2}, "number": {1, -1},
	// sets
	"on": {1, -1}, "named": {1, 2}, "view": {0, -1}, "set": {1, -1}, "pick": {2, 2}, "board": {0, 0}, "none": {0, 0},
	"or": {1, -1}, "and": {2, -1}, "minus": {2, 2}, "step": {3, 3}, "ray": {5, 5}, "spread": {4, 4}, "linked": {2, 2},
	"many": {3, 3}, "it": {0, 0}, "term": {1, 1},
	// words
	"at": {1, 1}, "cell": {1, 1}, "is": {2, 2}, "index": {2, 2}, "find": {2, -1},
}

// check looks for operators that do not exist or have too many or too few operands, and
// calls use for each that refers to something by name.
func (f Formula) check(use func(op, name string) error) error {
	op, ok := "", false
	if len(f) > 0 {
		op, ok = f[0].(string)
	}
	want, known := operators[op]
	if n := len(f) - 1; !ok || !known || n < want[0] || want[1] >= 0 && n > want[1] {
		return fmt.Errorf("%s: no such operator, or not with %d operands", f, len(f)-1)
	}
	for i, x := range f[1:] {
		switch x := x.(type) {
		case Formula:
			if op == "spread" && i == 1 { // a list of steps
				continue
			}
			if err := x.check(use); err != nil {
				return err
			}
		case string:
			if i == 0 {
				if err := use(op, x); err != nil {
					return fmt.Errorf("%s: %w", f, err)
				}
			}
		}
	}
	return nil
}
