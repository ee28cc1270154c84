package rulebook

import (
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/engine/guide"
)

const rules = `# A <b>game</b> & its "rules"

The **goal** is [three](#three) in ` + "`a row`" + `,
as many people know <script>alert(1)</script>.

- one
- two
  and more
1. first

| word | meaning |
|---|---|
| row | three cells |
| rank | a row of the board |

## Three {#three}

` + guide.Fence + `
position: oo./xx./... x
arrows: c2
legal: c2
illegal: a2
caption: x <completes> the row.
` + "```" + `

### Small

The end.

## More

Something else.

### Morels
`

// TestHTMLEscapesEverything of the page, and draws its positions in it.
func TestHTMLEscapesEverything(t *testing.T) {
	f, _ := games.All().ByName("tictactoe")
	got, err := HTML(f, rules)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<h1 id="a-b-game-b-its-rules">A &lt;b&gt;game&lt;/b&gt; &amp; its &#34;rules&#34;</h1>`,
		`<p>The <strong>goal</strong> is <a href="#three">three</a> in <code>a row</code>, as many people know &lt;script&gt;alert(1)&lt;/script&gt;.</p>`,
		"<ul>\n<li>one</li>\n<li>two and more</li>\n</ul>\n<ol>\n<li>first</li>\n</ol>",
		`<tr><th scope="col">word</th><th scope="col">meaning</th></tr>`, `<tr><td>row</td><td>three cells</td></tr>`,
		`<figure><svg `, `<figcaption>x &lt;completes&gt; the row. Allowed: <code>c2</code>. Not allowed: <code>a2</code> (the cell is taken).</figcaption>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if strings.Contains(got, "<script") || strings.Contains(got, "<style") {
		t.Errorf("scripts or styles:\n%s", got)
	}
}

// TestTextWrapsAndFindsSections by anchor or by the beginning of a heading.
// TestMovesWithoutAReason have no empty parentheses behind them.
func TestMovesWithoutAReason(t *testing.T) {
	p := &guide.Picture{Legal: []string{"a1"}, Illegal: []string{"b2", "c3"}}
	if got, want := claims(p, []string{"", "it is taken"}).Plain(), "Allowed: a1. Not allowed: b2, c3 (it is taken)."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestTextWrapsAndFindsSections(t *testing.T) {
	f, _ := games.All().ByName("tictactoe")
	got, err := Text(f, rules, "THREE", false)
	want := "Three\n-----\n\n3  o o .\n2  x x .\n1  . . .\n   a b c\nx <completes> the row. Allowed: c2. Not allowed: a2 (the cell is taken).\n\nSmall\n-----\n\nThe end.\n\n"
	if err != nil || got != want {
		t.Errorf("%v\n%q\n%q", err, got, want)
	}
	if got, err = Text(f, rules, "sm", false); err != nil || got != "Small\n-----\n\nThe end.\n\n" {
		t.Errorf("%v\n%q", err, got)
	}
	if got, err = Text(f, rules, "row", false); err != nil || got != "row: three cells\n\n" {
		t.Errorf("%v\n%q", err, got)
	}
	for section, want := range map[string]string{
		"mo": `section "mo": several begin so: want one of more, morels`,
		"r":  `section "r": several begin so: want one of row, rank`,
	} {
		if got, err := Text(f, rules, section, false); got != "" || err == nil || err.Error() != want {
			t.Errorf("%s: %q, %v, want %s", section, got, err, want)
		}
	}
	if got, err = Text(f, rules, "MORE", false); err != nil || got != "More\n----\n\nSomething else.\n\nMorels\n------\n\n" {
		t.Errorf("%v\n%q", err, got)
	}
	if _, err = Text(f, rules, "nothing", false); err == nil || !strings.Contains(err.Error(), "want one of three, more") {
		t.Error(err)
	}
	for _, f := range games.All() {
		about := games.Guides()[f.Name]
		if about == nil {
			continue
		}
		all, err := Text(f, about.Rules, "", false)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(all) {
			if n := len([]rune(line)); n > TextWidth+1 && strings.Contains(strings.TrimSpace(line), " ") {
				t.Errorf("%s: %d characters in %q", f.Name, n, line)
			}
		}
	}
}

// TestMarkdownNamesItsPictures.
func TestMarkdownNamesItsPictures(t *testing.T) {
	f, _ := games.All().ByName("tictactoe")
	text, pictures, err := Markdown(f, rules, "images", "ttt")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\n<a id=\"three\"></a>\n## Three\n\n![x <completes> the row.](images/ttt-1.svg)\n\nx <completes> the row. Allowed: `c2`. Not allowed: `a2` (the cell is taken).\n\n<a id"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if len(pictures) != 1 || !strings.HasPrefix(string(pictures["ttt-1.svg"]), "<svg") {
		t.Errorf("pictures %v", pictures)
	}
}
