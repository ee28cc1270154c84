package serve

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/ludozero/ludozero/internal/chromium"
)

// pieces counts the stones that the board shows.
func pieces(p *chromium.Page, n int) {
	p.Wait("document.querySelectorAll('#board path[data-on]').length === " + itoa(n))
}

// TestFirstGamesAreEasy: in every game that has opponents by name the first game is against
// the one for that, whether a network is shipped for it or not.
func TestFirstGamesAreEasy(t *testing.T) {
	t.Parallel()
	p := chromium.Open(t, 1280, 800)
	_, address := serving(t)
	p.Go(address)
	p.Wait("document.querySelector('#prompt').textContent")
	wrong := chromium.Value[[]string](p, `(async () => {
		const { firstSetup } = await import("./setup.js");
		const catalog = await (await fetch("api/catalog")).json();
		const games = catalog.games.filter((g) => g.opponents);
		if (games.length < 7) return ["only " + games.length + " games with opponents"];
		return games.map((g) => [g, firstSetup(catalog, g.name).seats]).filter(([g, seats]) => seats[0] !== "you" || seats[1] !== g.opponents.find((o) => o.default).player).map(([g, seats]) => g.name + ": " + seats);
	})()`)
	if len(wrong) > 0 {
		t.Errorf("first games: %q", wrong)
	}
}

// TestGameOfTheAddress: a new game of that name, whatever was played before, and presets are
// explained where they are chosen.
func TestGameOfTheAddress(t *testing.T) {
	t.Parallel()
	p := chromium.Open(t, 1280, 800)
	_, address := serving(t)
	p.Go(address + "#game=tictactoe&moves=a1")
	steps(p, 1)
	p.Go(address + "?#new=konkvest")
	p.Wait("location.hash.length > 1 && !location.hash.includes('new=')")
	p.Click("#new")
	p.Wait("[...document.querySelectorAll('#setup-preset option')].some((o) => o.value === 'fixed' && o.textContent === 'fixed: all pieces stand in one formation')")
}

// TestLookingBack: moves, buttons, keys, slider and chart lead to earlier positions, which
// nobody can play in; a review names the mistake everywhere.
func TestLookingBack(t *testing.T) {
	t.Parallel()
	p := chromium.Open(t, 1280, 800)
	_, address := serving(t)
	p.Go(address + "#game=tictactoe&moves=a1+b2+a2+b1+c3+b3")
	steps(p, 6)
	pieces(p, 6)
	p.Click(`#log [data-step="2"]`)
	pieces(p, 2)
	p.Wait("document.querySelector('#prompt').textContent.startsWith('After move 2 of 6')")
	p.Click("#forth")
	pieces(p, 3)
	p.Click("#first")
	pieces(p, 0)
	chromium.Value[bool](p, "document.activeElement.blur() || true")
	p.Press(kb.ArrowRight, kb.ArrowRight)
	pieces(p, 2)
	p.Press(kb.End)
	pieces(p, 6)
	chromium.Value[bool](p, "(() => { const e = document.querySelector('#slide'); e.value = 4; e.dispatchEvent(new Event('input')); return true; })()")
	pieces(p, 4)
	if n := chromium.Value[int](p, "document.querySelectorAll('.squares .usable').length"); n != 0 {
		t.Errorf("%d squares of an earlier position can be used", n)
	}
	p.Click("#tab-review")
	p.Click("#review")
	p.Wait("[...document.querySelectorAll('.flaws button')].some((b) => /^3. x: .*: c3; better was a3, from/.test(b.textContent))")
	if text := p.Text("#mistakes"); strings.Contains(text, "null") || strings.Contains(text, "Luck") {
		t.Errorf("the review of a game without dice says %q", text)
	}
	p.Click(".flaws li:last-child button")
	p.Click("#tab-game")
	p.Wait("document.querySelector('#log [data-step=\"5\"] .bad') && document.querySelector('#log [data-step=\"5\"]').getAttribute('aria-label').includes('c3, ')")
	p.Wait("document.querySelectorAll('#chart .flaw').length > 0")
	p.Click("#chart svg")
	p.Wait("document.querySelector('#prompt').textContent.includes('of 6')")
}

// TestGameIsKept: a file and a link carry the game; both are checked.
func TestGameIsKept(t *testing.T) {
	t.Parallel()
	p := chromium.Open(t, 1280, 800)
	_, address := serving(t)
	p.Go(address)
	begin(p, "tictactoe", "standard", "you", "you", map[string]string{"setup-moves": "b2 a1"})
	steps(p, 2)
	chromium.Value[bool](p, `(() => {
		URL.createObjectURL = (blob) => { blob.text().then((text) => (window.saved = text)); return "#"; };
		HTMLAnchorElement.prototype.click = function () { window.savedAs = this.download; };
		Clipboard.prototype.writeText = async (text) => { window.copied = text; };
		return true;
	})()`)
	p.Click("#tab-more")
	p.Click("#save")
	p.Wait("window.saved")
	var kept struct {
		Game, Preset, Pos, Moves string
		Options                  []string
	}
	text := chromium.Value[string](p, "saved")
	if err := json.Unmarshal([]byte(text), &kept); err != nil || kept.Game != "tictactoe" || kept.Preset != "standard" || kept.Moves != "b2 a1" || kept.Options == nil || strings.Count(text, "\n") != 1 {
		t.Errorf("saved %q, %v", text, err)
	}
	p.Click("#share")
	p.Wait("window.copied")
	link := chromium.Value[string](p, "copied")
	open := func(content string) {
		chromium.Value[bool](p, `(() => {
			const e = document.querySelector("#file"), d = new DataTransfer();
			d.items.add(new File([`+quoted(strings.ReplaceAll(strings.TrimSpace(content), `\`, `\\`))+`], "game.json"));
			e.files = d.files;
			e.dispatchEvent(new Event("change"));
			return true;
		})()`)
	}
	open(strings.Replace(text, "b2 a1", "b2 a1 c3", 1))
	steps(p, 3)
	open(strings.Replace(text, `"seats"`, `"ended":{"winner":"second","reason":"resignation"},"seats"`, 1))
	p.Wait("document.querySelector('#prompt').textContent.includes('resign') && (window.saved = '') === ''")
	p.Click("#save")
	p.Wait("window.saved.includes('\"ended\":{\"winner\":\"second\"')")
	// Who is not here does not keep the game from being played on.
	open(strings.Replace(text, `"seats":["you","you"]`, `"seats":["you","mcts:sims=1000000"]`, 1))
	p.Wait("document.querySelector('#problem').textContent.startsWith('Two people play on: player \"mcts:sims=1000000\"')")
	p.ForgiveError("status of 422")
	steps(p, 2)
	open("nonsense")
	p.Wait("document.querySelector('#problem').textContent.includes('game.json is no game')")
	p.Go("about:blank")
	p.Go(link)
	steps(p, 2)
	p.Go("about:blank")
	p.Go(address + "#game=tictactoe&moves=" + strings.Repeat("a", 70000))
	p.Wait("document.querySelector('#problem').textContent.includes('longer than')")
}

// TestWhatAClickDoes: a choice that uses something up has a sign of its own, is explained,
// and asks first; a click that is not allowed is answered by the rules.
func TestWhatAClickDoes(t *testing.T) {
	t.Parallel()
	p := chromium.Open(t, 1280, 800)
	_, address := serving(t)
	p.Go(address)
	p.Wait("document.querySelector('#prompt').textContent")
	p.Click("#tab-lessons")
	p.Click("[data-lesson=displacement]")
	p.Wait("!document.querySelector('#lesson').hidden && document.querySelector('#lesson').textContent.includes('Goal')")
	blue := chromium.Value[string](p, "[...document.querySelectorAll('.squares [aria-pressed]')].find((e) => e.getAttribute('aria-label').includes('A Blue')).dataset.cell")
	p.Click(cell(blue))
	p.Wait("document.querySelector('#board .special') && document.querySelector('#legend').textContent.includes('uses up Displacement')")
	use := chromium.Value[string](p, "[...document.querySelectorAll('.squares .usable')].find((e) => e.getAttribute('aria-label').includes('uses up Displacement')).dataset.cell")
	p.Click(cell(use))
	p.Wait("document.querySelector('#choices').textContent.includes('uses up Displacement') && document.querySelector('#board .asked')")
	// Reports of an analysis, several a second, leave a question alone.
	chromium.Value[bool](p, "(() => { document.querySelector('#choices button:last-child').focus(); document.querySelector('#hints').click(); return true; })()")
	p.Wait("document.querySelector('#hints').checked && document.querySelectorAll('#advice li, #advice tr').length > 1")
	p.Wait("document.activeElement === document.querySelector('#choices button:last-child') && document.querySelector('#board .asked')")
	chromium.Value[bool](p, "(() => { document.querySelector('#hints').click(); return true; })()")
	p.Click("#choices button:last-child")
	p.Wait("!document.querySelector('#board .asked')")
	p.Wait("document.activeElement.closest('#board')") // for who plays by keyboard
	steps(p, 0)
	p.Click(cell("h8")) // with the Blue still selected
	p.Wait("!document.querySelector('#problem').hidden && document.querySelector('#problem').textContent.length > 10")
	// Dragged, it asks too.
	chromium.Value[bool](p, `(() => {
		const at = (name) => { const r = document.querySelector("[data-cell=" + name + "]").getBoundingClientRect(); return { clientX: r.x + r.width / 2, clientY: r.y + r.height / 2, bubbles: true, button: 0 }; };
		const [from, to] = [at("`+blue+`"), at("`+use+`")];
		document.querySelector("[data-cell=`+blue+`]").dispatchEvent(new PointerEvent("pointerdown", from));
		dispatchEvent(new PointerEvent("pointermove", to));
		dispatchEvent(new PointerEvent("pointerup", to));
		return true;
	})()`)
	p.Click("#choices .main")
	p.Wait("document.querySelector('#lesson').textContent.includes('Done!') || document.querySelector('#lesson').textContent.includes('Not this time')")
	p.Wait("JSON.parse(localStorage.getItem('ludozero.lessons') || '[]').includes('konreh displacement') === document.querySelector('#lesson').textContent.includes('Done!')")
	p.Click("#tab-rules")
	p.Wait("document.querySelector('#panel-rules [id=\"option-seed\"]') && document.querySelector('#panel-rules svg')")
}

// TestLabels: what can be used has a name, tabs are tabs, and the reply of the opponent
// is said in words.
func TestLabels(t *testing.T) {
	t.Parallel()
	p := chromium.Open(t, 1280, 800)
	_, address := serving(t)
	p.Go(address)
	begin(p, "connect4", "standard", "you", "minimax", nil)
	p.Click(cell("4.6"))
	p.Wait("/^\\S.* played \\S+/.test(document.querySelector('#said').textContent)")
	for _, bad := range []string{
		"button, input:not([type=file]), select, textarea, [role=tab], [role=button]",
	} {
		if list := chromium.Value[[]string](p, `[...document.querySelectorAll("`+bad+`")].filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || e.labels?.[0]?.textContent.trim() || document.getElementById(e.getAttribute("aria-labelledby")))).map((e) => e.outerHTML.slice(0, 100))`); len(list) > 0 {
			t.Errorf("without a name: %q", list)
		}
	}
	if n := chromium.Value[int](p, "[...document.querySelectorAll('[role=tab]')].filter((e) => document.getElementById(e.getAttribute('aria-controls')) === null).length"); n != 0 {
		t.Errorf("%d tabs without a panel", n)
	}
	p.Click("#tab-game")
	p.Press(kb.ArrowRight)
	p.Wait("document.activeElement.id === 'tab-review' && !document.querySelector('#panel-review').hidden")
	// Everything that matters is seen without scrolling.
	if bottom := chromium.Value[float64](p, "Math.max(...['#board', '#far', '#near', '#prompt', '.actions', '.steps', '#chart', '#logbox'].map((s) => document.querySelector(s).getBoundingClientRect().bottom))"); bottom > 800 {
		t.Errorf("the page reaches down to %v of 800 pixels", bottom)
	}
}

// TestOpponentsHaveNames: the dialog offers them, says how strong they are, and seats the
// person as wanted; what is set there is what is played.
func TestOpponentsHaveNames(t *testing.T) {
	t.Parallel()
	p := chromium.Open(t, 390, 844)
	_, address := serving(t)
	p.Go(address)
	p.Wait("document.querySelector('#far strong').textContent === 'Easy' && document.querySelector('#far').textContent.includes('Elo')")
	p.Click("#new")
	p.Wait("document.querySelector('#setup').open")
	p.Click("[name=setup-games][value=tictactoe] + span")
	p.Click("[name=setup-opponent][value='minimax:depth=1']")
	p.Click("[name=setup-side][value='1'] + span")
	p.Click("#start")
	p.Wait("!document.querySelector('#setup').open && document.querySelector('#near').textContent.includes('You (o)') && document.querySelector('#far strong').textContent === 'Beginner'")
	if y := "document.querySelector('" + cell("a3") + "').getBoundingClientRect().y < document.querySelector('" + cell("a1") + "').getBoundingClientRect().y"; !chromium.Value[bool](p, y) {
		t.Error("a board of stones is upside down")
	}
	if w := chromium.Value[int](p, "document.documentElement.scrollWidth"); w > 390 {
		t.Errorf("the page is %d wide on a screen of 390", w)
	}
}

// TestPageFigures measures the page as docs/web.md tells it, with -v: what a first visit
// loads, when the first move can be made, how long an opponent who answers at once takes,
// and the frames while a piece is dragged. Only the size has a limit: the rest depends on
// the machine.
func TestPageFigures(t *testing.T) {
	p := chromium.Open(t, 1280, 800)
	_, address := serving(t)
	p.Go(address)
	p.Wait("document.querySelector('.squares .usable')")
	ready := chromium.Value[float64](p, "performance.now()")
	size := chromium.Value[int](p, `performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation")).reduce((n, e) => n + e.transferSize, 0)`)
	frames := chromium.Value[[]float64](p, `(async () => {
		const name = document.querySelector(".squares [aria-pressed]").dataset.cell;
		const r = document.querySelector("[data-cell=" + name + "]").getBoundingClientRect();
		const event = (type, i) => new PointerEvent(type, { clientX: r.x + r.width / 2 + 3 * i, clientY: r.y + r.height / 2 - 3 * i, bubbles: true, button: 0 });
		document.querySelector("[data-cell=" + name + "]").dispatchEvent(event("pointerdown", 0));
		const list = [];
		let last = await new Promise(requestAnimationFrame);
		for (let i = 0; i < 60; i++) {
			dispatchEvent(event("pointermove", i));
			const now = await new Promise(requestAnimationFrame);
			list.push(now - last);
			last = now;
		}
		dispatchEvent(event("pointerup", 0));
		return list.sort((a, b) => a - b);
	})()`)
	reply := chromium.Value[float64](p, `(async () => {
		const before = performance.now();
		document.querySelector("#word").value = document.querySelector("#words option").value;
		document.querySelector("#typed button").click();
		while (document.querySelectorAll("#log [data-step]").length < 2) await new Promise(requestAnimationFrame);
		return performance.now() - before;
	})()`)
	t.Logf("%.0f kB loaded, first move possible after %.0f ms, reply shown after %.0f ms, frames of a drag: median %.1f ms, slowest %.1f ms",
		float64(size)/1e3, ready, reply, frames[len(frames)/2], frames[len(frames)-1])
	if size > 100e3 {
		t.Errorf("a first visit loads %d bytes, want at most 100 kB", size)
	}
}

// TestPiecesBesideTheBoard are chosen by a click: a set-up by its hands, then, by the
// module of the board alone, a piece that may go to several cells and one that changes
// its place beside the board.
func TestPiecesBesideTheBoard(t *testing.T) {
	t.Parallel()
	p := chromium.Open(t, 1280, 800)
	_, address := serving(t)
	p.Go(address)
	begin(p, "diamondchess", "free", "you", "you", nil)
	decide(p, `#near button.entry[title^="cani"]`)
	p.Wait("document.querySelector('#log').textContent.includes('cani')")
	decide(p, `.player.moves button.entry[title^="gormoror"]`)
	got := chromium.Value[string](p, `import("./board.js").then(({ Board }) => {
		const said = [];
		const board = new Board(document.createElement("div"), (c, several) => said.push(c ? c.word : several.length), () => said.push("refused"), () => {});
		const corners = [{ x: -1, y: -1 }, { x: 1, y: -1 }, { x: 0, y: 1 }];
		const cells = ["a", "b", "c"].map((name, i) => ({ name, center: { x: 2 * i + 1, y: 1 }, shape: 0, zone: 0, shade: 0 }));
		const [reserve, other, draft] = [{ side: 0, kind: 0 }, { side: 0, kind: 1 }, { side: -1, kind: 0 }];
		const legal = [{ word: "P@a", to: 0, entry: reserve }, { word: "P@b", to: 1, entry: reserve }, { word: "S@b", to: 1, entry: other }, { word: "c-a", from: 2, to: 0 }, { word: "c-b", from: 2, to: 1 }, { word: "take P", entry: draft }];
		const layout = { width: 6, height: 2, shapes: [{ corners }], zones: [{}], sides: ["x", "y"], kinds: [{ name: "P" }, { name: "S" }], cells };
		const overlays = [{ kind: "tint", side: 1, name: "territory", cells: [0, 1] }, { kind: "link", side: -1, name: "connected", cells: [2, 0] }];
		board.set({ picture: { layout, overlays, pieces: [{ cell: 2, kind: 0, side: 0 }], position: "", rules: "" }, boards: ['<svg data-unit="1" viewBox="0 0 6 2"></svg>', '<svg data-unit="1" viewBox="0 0 6 2"></svg>'], legal });
		const shown = () => said.push([...board.shown().values()].flat().map((c) => c.word).join());
		shown(); // of the only piece that can move
		board.take(reserve); shown(); board.use(1);
		board.take(other);
		board.take(draft);
		board.take(reserve); board.take(reserve); shown(); // given up again
		board.take(reserve); board.use(2); shown();
		board.take(reserve);
		board.over.querySelector("[data-cell=c]").dispatchEvent(new PointerEvent("pointerdown", { button: 0, bubbles: true }));
		dispatchEvent(new PointerEvent("pointermove", { clientX: 99, clientY: 99 }));
		shown(); // of what is dragged
		dispatchEvent(new PointerEvent("pointercancel"));
		board.flipped = true; board.draw();
		said.push(board.over.querySelector("[data-cell=a]").getAttribute("points"), board.words(0));
		return said.join("; ");
	})`)
	want := "c-a,c-b; P@a,P@b; P@b; S@b; take P; c-a,c-b; c-a,c-b; c-a,c-b; 6,2 4,2 5,0; a, empty, y: territory, connected with c, c-a can be played"
	if got != want {
		t.Errorf("the board says %q, want %q", got, want)
	}
}

// TestPieceThatActsWhereItStands: a first click on a piece that can move and can also do
// something where it stands selects it, a second asks.
func TestPieceThatActsWhereItStands(t *testing.T) {
	t.Parallel()
	p := chromium.Open(t, 1280, 800)
	_, address := serving(t)
	p.Go(address)
	begin(p, "konkvest", "fixed", "you", "you", map[string]string{"setup-position": "6/3q3/p7/9/4P5/4R6/12/11/10/9/8/3Q3/6 south play"})
	p.Click(cell("h5"))
	p.Wait(`document.querySelector('.squares [data-cell="h1"]').classList.contains('usable')`)
	if made := chromium.Value[int](p, "document.querySelectorAll('#log [data-step]').length"); made != 0 {
		t.Errorf("%d decisions made by a first click", made)
	}
	decide(p, cell("h5"))
	p.Wait("document.querySelector('#log').textContent.includes('h5+')")
}

// TestKeyboardAfterAChoice: where a cell has several moves, the one chosen by keyboard is played
// and the keyboard is on the board; Escape takes the choices back.
func TestKeyboardAfterAChoice(t *testing.T) {
	t.Parallel()
	p := chromium.Open(t, 1280, 800)
	_, address := serving(t)
	p.Go(address)
	begin(p, "konkvest", "free", "you", "you", map[string]string{"setup-position": "gl1l2/gnrqnr1/ppp1pppp/4p4/10/11/12/11/3P6/9/PP1PPPPP/GRGQNLL/2R1N1 south play south=SSS north=SSS ply=2"})
	ask := func() {
		p.Click(cell("e4"))
		p.Click(cell("g5"))
		p.Wait(`document.querySelector('` + word("e4-g5+") + `')`)
		chromium.Value[bool](p, `(document.querySelector('`+word("e4-g5+")+`').focus(), true)`)
	}
	ask()
	p.Press(kb.Escape)
	p.Wait(`!document.querySelector('` + word("e4-g5+") + `') && document.activeElement.closest('#board')`)
	ask()
	p.Press(kb.Enter)
	steps(p, 1)
	p.Wait("document.activeElement.closest('#board')")
}
