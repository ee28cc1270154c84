// The page of rules of a game, to read while playing.

import { byId, el } from "./dom.js";

export class Rules {
  // load(name) is a promise of the page of a game: { html }.
  constructor(box, load) {
    Object.assign(this, { box, load, game: null, shown: null, pages: new Map() });
    // Its links go to places in the page; the address has the game.
    box.addEventListener("click", (e) => {
      const to = e.target.closest('a[href^="#"]');
      if (!to) return;
      e.preventDefault();
      const place = box.querySelector(`[id="${CSS.escape(to.getAttribute("href").slice(1))}"]`);
      place?.scrollIntoView({ block: "start" });
    });
  }

  // set is called when another game (table.Game) is played.
  set(game) {
    this.game = game;
    byId("tab-rules").hidden = !game?.page;
    if (!this.box.hidden) this.show();
  }

  page(name) {
    if (!this.pages.has(name)) {
      const asked = this.load(name);
      this.pages.set(name, asked);
      asked.catch(() => this.pages.delete(name));
    }
    return this.pages.get(name);
  }

  async show() {
    if (!this.game?.page || this.shown === this.game.name) return;
    const { name } = this.game;
    try {
      const { html } = await this.page(name);
      if (this.game.name !== name) return;
      this.box.innerHTML = html; // by report/rulebook, with all text escaped
      this.shown = name;
    } catch (e) {
      if (this.game.name !== name) return;
      this.shown = null;
      this.box.replaceChildren(el("p", { class: "problem" }, e.message));
    }
  }

  // quote shows the paragraph of an anchor below a field.
  async quote(game, anchor, field) {
    field.querySelector(".quote")?.remove();
    const quote = el("div", { class: "quote text" });
    field.append(quote);
    try {
      const { html } = await this.page(game.name);
      const page = new DOMParser().parseFromString(html, "text/html");
      let part = page.getElementById(anchor);
      const parts = [];
      for (; part && (parts.length === 0 || !/^H[1-6]$/.test(part.tagName)); part = part.nextElementSibling) parts.push(part.cloneNode(true));
      for (const p of parts) p.removeAttribute?.("id");
      quote.replaceChildren(...(parts.length ? parts : [el("p", {}, "The page of rules says nothing about it.")]));
    } catch (e) {
      quote.replaceChildren(el("p", { class: "problem" }, e.message));
    }
  }
}
