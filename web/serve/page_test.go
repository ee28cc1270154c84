package serve

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/ludozero/ludozero/internal/chromium"
	"github.com/ludozero/ludozero/web/table"
)

// serving runs a server and returns it with its address.
func serving(t *testing.T) (*Server, string) { return servingTo(t, "") }

// servingTo wants a token, if there is one.
func servingTo(t *testing.T, token string) (*Server, string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	cfg := testConfig()
	cfg.MaxTables = 20
	cfg.Token = token
	depth := []table.Limit{{Option: "depth", Doc: "turns looked ahead", Min: 1, Max: 2, Default: 1}}
	cfg.Tables.Offers = append([]table.Offer{{Name: "minimax", Label: "minimax", Doc: "counts material", Limits: depth}}, cfg.Tables.Offers...)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	s := New(cfg)
	go func() { ended <- s.Run(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return s, "http://" + l.Addr().String() + "/"
}

func cell(name string) string { return `[data-cell="` + name + `"]` }

func word(w string) string { return `#choices [data-word="` + w + `"]` }

// steps waits until so many decisions were made.
func steps(p *chromium.Page, n int) {
	p.Wait("document.querySelectorAll('#log [data-step]').length === " + itoa(n))
}

// begin opens a game by the dialog.
func begin(p *chromium.Page, game, preset, first, second string, fields map[string]string) {
	p.Wait("document.querySelector('#prompt').textContent")
	p.Click("#new")
	set := func(id, value string) {
		chromium.Value[bool](p, "(() => { const e = document.getElementById("+quoted(id)+"); e.value = "+quoted(value)+"; e.dispatchEvent(new Event('change')); return e.value === "+quoted(value)+"; })()")
	}
	p.Wait("document.querySelector('#setup').open")
	chromium.Value[bool](p, "(document.querySelector('[name=setup-games][value="+game+"]').click(), true)")
	set("setup-preset", preset)
	set("setup-seat-0", first)
	set("setup-seat-1", second)
	for id, value := range fields {
		set(id, value)
	}
	p.Click("#start")
	p.Wait("!document.querySelector('#setup').open")
}

func quoted(s string) string { return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"` }

// myTurn waits until the person is asked.
func myTurn(p *chromium.Page) {
	p.Wait("document.querySelector('#prompt').textContent.startsWith('Your turn')")
}

// decide clicks, and waits until that has made a decision.
func decide(p *chromium.Page, selectors ...string) {
	before := chromium.Value[int](p, "document.querySelectorAll('#log [data-step]').length")
	for _, s := range selectors {
		p.Click(s)
	}
	made := "document.querySelectorAll('#log [data-step]').length > " + itoa(before)
	if p.Wait(made + " || document.querySelector('#choices .main')"); !chromium.Value[bool](p, made) {
		p.Click("#choices .main") // it gives something up, and the page asks first
	}
	p.Wait(made)
}

// anyMove makes the first move that the board offers.
func anyMove(p *chromium.Page) {
	myTurn(p)
	from := chromium.Value[string](p, "document.querySelector('.squares [aria-pressed]').dataset.cell")
	p.Click(cell(from))
	decide(p, cell(chromium.Value[string](p, "document.querySelector('.squares .usable:not([aria-pressed])').dataset.cell")))
}

// race is a position in which both Blues are captured. A can plant at once, for a Green
// on the enemy Apex, seed from h1 two turns later, and wait until B's turns have run
// out: its only piece cannot be in the way or on a1 by then, wherever it goes.
const race = "3r4/8/7R/8/8/1G6/R7/8 A m HD,r0,s0,x0,c5,n-,h0,k0 HD,r0,s0,x0,c5,n-,h0,k0 0 10"

// TestGameByClicks is a whole game against a weak player, with a placement for a
// Green and a Seed.
func TestGameByClicks(t *testing.T) {
	t.Parallel()
	p := chromium.Open(t, 1280, 900)
	_, address := serving(t)
	p.Go(address)
	begin(p, "konreh", "standard", "you", "random", map[string]string{"setup-position": race})
	p.Wait("[...document.querySelectorAll('.player .entry')].filter((t) => t.title.startsWith('Blue, ')).length === 2")
	decide(p, cell("h6"), cell("h8"))
	p.Wait("document.querySelector('#prompt').textContent.includes('where Blue is reforged')")
	decide(p, word("apex"))
	decide(p, cell("b3"))
	p.Wait("document.querySelector('#log [title*=\"[Plant apex]\"]')")
	myTurn(p)
	decide(p, cell("h8"), cell("h4"))
	myTurn(p)
	decide(p, cell("h4"), cell("h1"))
	p.Wait("document.querySelector('" + word("noseed") + "')")
	decide(p, cell("a8")) // where the Green will be
	p.Wait("document.querySelector('#log [title*=\"[Seed]\"]')")
	anyMove(p)
	anyMove(p)
	p.Wait("document.querySelector('.turn.result #prompt').textContent === 'You win: reforge. Well played!'")
	if p.Wait("document.querySelectorAll('.squares .usable').length === 0"); !chromium.Value[bool](p, "document.querySelector('#typed').hidden") {
		t.Error("a game that is over can be gone on with")
	}
}

// TestLateAnswer: the table shows a move and the reply to it before the move's own
// answer comes. What is decided then is not lost.
func TestLateAnswer(t *testing.T) {
	t.Parallel()
	p := chromium.Open(t, 1280, 900)
	_, address := serving(t)
	p.Go(address)
	begin(p, "connect4", "standard", "you", "random", nil)
	chromium.Value[bool](p, `(() => {
		const now = window.fetch;
		window.fetch = async (path, how) => {
			const answer = await now(path, how);
			if (how?.method === "POST") await new Promise((done) => setTimeout(done, 700));
			return answer;
		};
		return true;
	})()`)
	for n := range 3 {
		myTurn(p)
		// A double click is one decision.
		chromium.Value[bool](p, "(() => { const c = document.querySelector('"+cell("4.6")+"'); for (let i = 0; i < 2; i++) c.dispatchEvent(new MouseEvent('click', { bubbles: true })); return true; })()")
		steps(p, 2*n+2)
	}
	// A decision is not lost either while the answer to another request is on its way.
	myTurn(p)
	chromium.Value[bool](p, "(() => { document.querySelector('#hints').click(); document.querySelector('"+cell("3.6")+"').dispatchEvent(new MouseEvent('click', { bubbles: true })); return true; })()")
	steps(p, 8)
	p.Wait("document.querySelector('#hints').checked")
}

// TestSwapByClicks: the person takes over the side that the other has begun with, and
// the board turns round.
func TestSwapByClicks(t *testing.T) {
	t.Parallel()
	p := chromium.Open(t, 1280, 900)
	_, address := serving(t)
	p.Go(address)
	begin(p, "konreh", "lightning", "random", "you", nil)
	p.Wait("document.querySelector('#near').textContent.includes('You (B)')")
	if y := "document.querySelector('" + cell("h8") + "').getBoundingClientRect().y > document.querySelector('" + cell("a1") + "').getBoundingClientRect().y"; !chromium.Value[bool](p, y) {
		t.Error("B's Home Apex is not at the bottom")
	}
	myTurn(p) // the other's first move is in the list that decide counts
	decide(p, word("swap"))
	p.Wait("document.querySelector('#near').textContent.includes('You (A)') && document.querySelector('#far').textContent.includes('(B)')")
	anyMove(p) // after the other's
	p.Wait("document.querySelectorAll('#log [data-step]').length >= 4")
}

// TestOnlyPieceIsSelected: of a special after a slide its squares are shown at once.
func TestOnlyPieceIsSelected(t *testing.T) {
	t.Parallel()
	p := chromium.Open(t, 390, 844)
	_, address := serving(t)
	p.Go(address)
	const slid = "r1gB2rb/1r4R1/o1r5/5R2/GR6/R3o3/4R3/1O4O1 A fd8HR HD,r0,s0,x0,c0,n-,h1,k0 HD,r0,s0,x0,c0,n-,h0,k0 49 106"
	begin(p, "konreh", "standard", "you", "you", map[string]string{"setup-position": slid})
	p.Wait("document.querySelectorAll('#board .target').length === 2")
	p.Click(cell("d8")) // of no use, and no harm
	p.Wait("document.querySelectorAll('#board .target').length === 2")
	p.Click(cell("e5")) // no target: since the piece was clicked, the rules say why
	p.Wait("!document.querySelector('#problem').hidden && document.querySelector('#problem').textContent.length > 10")
	p.Wait("document.querySelectorAll('#board .target').length === 2")
	decide(p, cell("b8"))
	p.Wait("document.querySelector('#log').textContent.includes('d8^b8')")
	p.Wait("document.querySelectorAll('#board .target').length === 0 && document.querySelectorAll('.can').length > 1")
}

// TestColumnByAnyOfItsCells: a stone falls into the column that is clicked, on a stone too.
func TestColumnByAnyOfItsCells(t *testing.T) {
	t.Parallel()
	p := chromium.Open(t, 390, 844)
	_, address := serving(t)
	p.Go(address + "#game=connect4&moves=4+4")
	steps(p, 2)
	p.Click(cell("4.1"))
	steps(p, 3)
	p.Click(cell("4.6"))
	steps(p, 4)
}

// TestReload keeps the game: that of the address, and, where the program has
// forgotten it, that which the browser remembers.
func TestReload(t *testing.T) {
	t.Parallel()
	p := chromium.Open(t, 1280, 900)
	s, address := serving(t)
	p.Go(address)
	begin(p, "connect4", "standard", "you", "minimax", nil)
	p.Click(cell("4.6")) // the column is meant
	p.Wait("document.querySelectorAll('#log [data-step]').length === 2 && document.querySelector('.player.moves').textContent.includes('You')")
	position := p.Text("#position")
	where := chromium.Value[string](p, "location.href")
	p.Go("about:blank")
	p.Go(where)
	p.Wait("document.querySelector('#position').textContent === " + quoted(position))
	s.mu.Lock()
	s.tables = map[string]*seat{}
	s.mu.Unlock()
	p.Go("about:blank")
	p.Go(where)
	p.Wait("document.querySelector('#position').textContent === " + quoted(position) + " && location.href !== " + quoted(where))
	p.Click("#takeback")
	steps(p, 0)
	// A link within the page takes the game out of the address.
	chromium.Value[bool](p, "(location.hash = 'main', true)")
	p.Go("about:blank")
	p.Go(address + "#main")
	steps(p, 0)
	p.Wait("document.querySelector('#ruleset').textContent.startsWith('connect4')")
	for _, x := range p.Forgive() {
		if !strings.Contains(x, "404") {
			t.Errorf("the page complains of %q, want only that games are gone", x)
		}
	}
}

// TestForgottenGames are set up again, also when there was no place for them at first.
func TestForgottenGames(t *testing.T) {
	t.Parallel()
	p := chromium.Open(t, 1280, 900)
	s, address := serving(t)
	p.Go(address)
	begin(p, "tictactoe", "standard", "you", "you", map[string]string{"setup-moves": "b2"})
	steps(p, 1)
	s.mu.Lock()
	most := s.cfg.MaxTables
	s.cfg.MaxTables = 0
	s.tables = map[string]*seat{}
	s.mu.Unlock()
	p.Click("#tab-review")
	p.Click("#hints") // the page learns that the game is gone
	p.Wait("document.querySelector('#problem').textContent.includes('no such game')")
	p.Wait("document.querySelector('#problem').textContent.includes('games are under way')")
	s.mu.Lock()
	s.cfg.MaxTables = most
	s.mu.Unlock()
	p.Wait("document.querySelector('#problem').hidden")
	decide(p, cell("a1"))
	p.Forgive()
}

// TestKeyboardOnly plays tic-tac-toe without a mouse: by arrows, by words, and asks
// for a hint.
func TestKeyboardOnly(t *testing.T) {
	t.Parallel()
	p := chromium.Open(t, 1280, 900)
	_, address := serving(t)
	p.Go(address)
	begin(p, "tictactoe", "standard", "you", "you", map[string]string{"setup-moves": "b2"})
	steps(p, 1)
	tabTo := func(what string) {
		for range 30 {
			if chromium.Value[bool](p, "document.activeElement.matches("+quoted(what)+")") {
				return
			}
			p.Press(kb.Tab)
		}
		t.Fatalf("the Tab key never comes to %s", what)
	}
	chromium.Value[bool](p, "document.activeElement.blur() || true")
	tabTo("[data-cell]")
	at := func() string { return chromium.Value[string](p, "document.activeElement.dataset.cell || ''") }
	for range 2 {
		p.Press(kb.ArrowLeft, kb.ArrowUp)
	}
	if got := at(); got != "a3" {
		t.Fatalf("up and left is %q", got)
	}
	p.Press(kb.ArrowRight, kb.ArrowDown)
	if got := chromium.Value[string](p, "document.activeElement.getAttribute('aria-label')"); !strings.HasPrefix(got, "b2, x stone") {
		t.Fatalf("the middle is called %q", got)
	}
	p.Press(kb.ArrowRight, kb.Enter) // c2
	steps(p, 2)
	tabTo("#word")
	p.Press("c", "2", kb.Enter) // taken
	p.Wait("!document.querySelector('#problem').hidden")
	if word := chromium.Value[string](p, "document.querySelector('#word').value"); word != "c2" {
		t.Errorf("after a word that was refused %q is left to mend", word)
	}
	p.Press(kb.Backspace, kb.Backspace, "a", "1", kb.Enter)
	steps(p, 3)
	p.Wait("document.querySelector('#problem').hidden")
	// A screen reader clicks without a place.
	chromium.Value[bool](p, "document.querySelector('"+cell("a2")+"').dispatchEvent(new MouseEvent('click', { bubbles: true }))")
	steps(p, 4)
	p.ForgiveError("status of 409")
	tabTo("#hint")
	p.Press(kb.Enter)
	p.Wait("document.querySelector('.hinted')")
	p.Wait("document.querySelector('#advice').textContent.includes('would play')")
}

// TestPhone: nothing is wider than the screen, and taps play.
func TestPhone(t *testing.T) {
	t.Parallel()
	p := chromium.Open(t, 360, 740)
	_, address := serving(t)
	p.Go(address)
	begin(p, "konreh", "micro", "you", "minimax", map[string]string{"setup-clock": "5+3"})
	anyMove(p)
	p.Wait("document.querySelectorAll('#log [data-step]').length >= 2")
	if w := chromium.Value[int](p, "document.documentElement.scrollWidth"); w > 360 {
		t.Errorf("the page is %d wide on a screen of 360", w)
	}
	if text := p.Text("#near .clock"); !strings.Contains(text, ":") {
		t.Errorf("the clock shows %q", text)
	}
	p.Click("#resign")
	p.Wait("document.querySelector('dialog#sure').open")
	p.Click("#sure-yes")
	p.Wait("document.querySelector('.turn.result #prompt').textContent === 'Easy wins by resignation'")
}

// TestTokenByALink: the address may come in a letter that is read in the browser.
func TestTokenByALink(t *testing.T) {
	t.Parallel()
	p := chromium.Open(t, 1280, 900)
	_, address := servingTo(t, "0123456789abcdef")
	letter := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, `<link rel="icon" href="data:,"><a href="`+address+`?token=0123456789abcdef">play</a>`)
	}))
	t.Cleanup(letter.Close)
	p.Go(strings.Replace(letter.URL, "127.0.0.1", "localhost", 1)) // another site
	p.Click("a")
	p.Wait("document.querySelector('#prompt')?.textContent")
	if where := chromium.Value[string](p, "location.href"); strings.Contains(where, "token") {
		t.Errorf("the token stays in the address %s", where)
	}
}

// TestBadSetupIsExplained in the dialog, which stays open.
func TestBadSetupIsExplained(t *testing.T) {
	t.Parallel()
	p := chromium.Open(t, 1280, 900)
	s, address := serving(t)
	p.Go(address)
	p.Wait("document.querySelector('#prompt').textContent")
	p.Click("#new")
	chromium.Value[bool](p, "(() => { document.getElementById('setup-position').value = 'nonsense'; return true; })()")
	s.mu.Lock()
	before := len(s.tables)
	s.mu.Unlock()
	p.Click("#start")
	p.Wait("document.querySelector('#setup-problem').textContent.includes('position')")
	if !chromium.Value[bool](p, "document.querySelector('#setup').open") {
		t.Error("the dialog has gone")
	}
	p.ForgiveError("status of 422")
	// Two clicks on Start are one.
	chromium.Value[bool](p, "(() => { document.getElementById('setup-position').value = ''; const b = document.getElementById('start'); b.click(); b.click(); return true; })()")
	p.Wait("!document.querySelector('#setup').open")
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.tables) - before; n != 1 {
		t.Errorf("%d games were begun, want 1", n)
	}
}

// TestLateAnswers change nothing any more: that of a table that was left, and the end of
// the first of two copies.
func TestLateAnswers(t *testing.T) {
	t.Parallel()
	p := chromium.Open(t, 1280, 900)
	_, address := serving(t)
	p.Go(address)
	begin(p, "tictactoe", "standard", "you", "you", nil)
	for _, name := range []string{"b2", "a1", "c1"} {
		decide(p, cell(name))
	}
	chromium.Value[bool](p, `(() => {
		const real = fetch;
		window.fetch = (path, how) => path.startsWith("api/tables/") && how.method === "POST" ? new Promise((done) => {
			window.release = async () => {
				const view = await (await real(path, how)).json();
				done({ ok: true, json: async () => view });
				await new Promise((r) => setTimeout(r, 0));
				return true;
			};
		}) : real(path, how);
		return true;
	})()`)
	p.Click("#takeback")
	begin(p, "connect4", "standard", "you", "you", nil)
	p.Wait("document.querySelector('#ruleset').textContent.startsWith('connect4')")
	chromium.Value[bool](p, "release()")
	if rules := p.Text("#ruleset"); !strings.HasPrefix(rules, "connect4") {
		t.Errorf("the page shows the table that was left: %s", rules)
	}
	said := chromium.Value[string](p, `(async () => {
		const later = [], real = setTimeout, copy = document.querySelector("#copy");
		Clipboard.prototype.writeText = async () => {};
		window.setTimeout = (f) => later.push(f);
		for (let i = 0; i < 2; i++) {
			copy.click();
			await new Promise((r) => real(r, 0));
		}
		later.forEach((f) => f());
		window.setTimeout = real;
		return later.length + " " + copy.textContent;
	})()`)
	if said != "2 Copy the position" {
		t.Errorf("after two copies: %s", said)
	}
}

// TestPageWithoutTheProgram: the browser keeps the page and says what is wrong.
func TestPageWithoutTheProgram(t *testing.T) {
	t.Parallel()
	p := chromium.Open(t, 1280, 900)
	s := httptest.NewServer(New(testConfig()))
	t.Cleanup(s.Close)
	p.Go(s.URL)
	chromium.Value[bool](p, "navigator.serviceWorker.ready.then(() => true)")
	p.Wait("navigator.serviceWorker.controller")
	p.Go("about:blank")
	s.CloseClientConnections()
	s.Listener.Close()
	p.Go(s.URL)
	p.Wait("document.querySelector('#problem').textContent.includes('cannot be reached')")
	p.Forgive()
}
