package serve

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/ludozero/ludozero/internal/chromium"
)

// prompts waits until the prompt begins so.
func prompts(p *chromium.Page, text string) {
	p.Wait("document.querySelector('#prompt').textContent.startsWith(" + quoted(text) + ")")
}

// typeFirst types the first decision that can be made.
func typeFirst(p *chromium.Page) {
	chromium.Value[bool](p, `(() => {
		document.querySelector("#word").value = document.querySelector("#words option").value;
		document.querySelector("#typed").requestSubmit();
		return true;
	})()`)
}

// TestDiceByHand: the program rolls and says so; from a switch on people enter all rolls,
// take one back, keep the game as a link, and let the program roll again.
func TestDiceByHand(t *testing.T) {
	t.Parallel()
	for _, width := range []int{1280, 390} {
		p := chromium.Open(t, width, 844)
		_, address := serving(t)
		p.Go(address)
		begin(p, "knaw", "standard", "you", "random", nil)
		myTurn(p)
		if text := p.Text("#rolled"); !strings.HasPrefix(text, "The program rolled ") || !strings.HasSuffix(text, " in south’s turn") {
			t.Errorf("of the first roll the page says %q", text)
		}
		p.Click("#byhand")
		p.Wait("document.querySelector('#byhand:checked:enabled')")
		// The focus shows the name of a space within the rim, whose names are not at the edge.
		chromium.Value[bool](p, "document.activeElement.blur() || true")
		p.Press(kb.Tab)
		for range 3 {
			chromium.Value[bool](p, "document.querySelector('#board [tabindex=\"0\"]').focus() || true")
			p.Press(kb.ArrowUp)
		}
		p.Wait("document.querySelector('.squares :focus-visible + .spelled')?.textContent === document.activeElement.dataset.cell && getComputedStyle(document.querySelector('.squares :focus-visible + .spelled')).visibility === 'visible'")
		typeFirst(p)
		prompts(p, "Enter the dice: north rolls a die")
		p.Click(word("3"))
		prompts(p, "Enter the dice: south rolls a die")
		steps(p, 4)
		if text := p.Text("#rolled"); text != "Rolled: 3 in north’s turn" {
			t.Errorf("of a roll that was entered the page says %q", text)
		}
		p.Click(word("5"))
		myTurn(p)
		p.Wait("document.querySelector('#prompt').textContent.includes('a move of 5')")
		p.Click("#hint")
		p.Wait("document.querySelector('#said').textContent.includes('would play')")
		p.Click("#takeback")
		prompts(p, "Enter the dice: south")
		if text := p.Text("#said"); text != "" {
			t.Errorf("after a takeback the page still says %q", text)
		}
		p.Click(word("6"))
		p.Wait("document.querySelector('#prompt').textContent.includes('a move of 6')")
		p.Click("#hint")
		p.Wait("document.querySelector('#advice').textContent.includes('would play')")
		if w := chromium.Value[int](p, "document.documentElement.scrollWidth"); w > width {
			t.Errorf("the page is %d wide on a screen of %d", w, width)
		}
		chromium.Value[bool](p, "(Clipboard.prototype.writeText = async (text) => { window.copied = text; }, true)")
		p.Click("#tab-more")
		p.Click("#share")
		p.Wait("window.copied")
		link := chromium.Value[string](p, "copied")
		p.Go("about:blank")
		p.Go(link)
		steps(p, 5)
		p.Wait("document.querySelector('#byhand').checked")
		typeFirst(p)
		prompts(p, "Enter the dice: north")
		p.Click("#byhand")
		myTurn(p)
		if text := p.Text("#rolled"); !strings.HasPrefix(text, "The program rolled ") {
			t.Errorf("after the switch back the page says %q", text)
		}
		p.Click("#tab-review")
		p.Click("#review")
		p.Wait("document.querySelector('#mistakes p').textContent.match(/no mistakes|found/)")
	}
}
