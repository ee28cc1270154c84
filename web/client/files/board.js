// The board of a view: the picture that the program has drawn, with a target for each
// cell over it. The view lists the legal choices; this module knows no pieces.

import { drag } from "./drag.js";
import { el, svg } from "./dom.js";
import { shapeOf, sign } from "./signs.js";

const round = (x) => Math.round(x * 1000) / 1000;

export class Board {
  // box is the element for the board. decide(choice) is called with a choice made on
  // it, decide(null, several) with the choices of a square that has more than one.
  // refused(from, to) is called with two cells between which there is no choice.
  // changed() is called when other choices are shown.
  constructor(box, decide, refused, changed) {
    Object.assign(this, { refused, changed });
    this.box = box;
    this.drawing = el("div", { class: "drawing", "aria-hidden": "true" });
    this.over = svg("svg", { class: "over", role: "group", "aria-label": "Board: arrow keys go from square to square, Enter chooses" });
    this.decide = decide;
    this.dropped = () => {}; // called when another piece is selected, so that questions end
    this.flipped = false;
    this.selected = -1; // the cell of the selected piece
    this.only = -1; // the cell of the only piece that can move
    this.picked = false; // it was chosen by a click or a drag, too
    this.entry = null; // the piece beside the board that is selected, { side, kind }
    this.focus = -1; // the cell that has the keyboard focus
    this.choices = [];
    this.hinted = [];
    this.asked = null; // the cell of a choice that waits for a confirmation
    drag(this);
    box.addEventListener("keydown", (e) => this.key(e));
    // On the box: a target that is drawn anew between press and release gets no click.
    // A screen reader's click has no place.
    box.addEventListener("click", (e) => {
      if (this.dragged) return; // that was the end of a drag
      const cell = this.cellOf(e.target) ?? this.cellOf(document.elementFromPoint(e.clientX, e.clientY));
      if (cell !== undefined) this.use(cell);
    });
  }

  // cellOf is the cell of a target, undefined for other elements.
  cellOf(element) {
    const name = element?.dataset?.cell;
    const cell = name && this.picture ? this.picture.layout.cells.findIndex((c) => c.name === name) : -1;
    return cell < 0 ? undefined : cell;
  }

  flip() {
    this.flipped = !this.flipped;
    this.draw();
  }

  // set shows the board of a view (table.View).
  set({ picture, boards, legal: choices = [] }) {
    this.asked = null;
    const other = !this.picture || this.picture.position !== picture.position || this.picture.rules !== picture.rules;
    this.picture = picture;
    this.boards = boards;
    this.taken = new Set(picture.pieces.map((p) => p.cell));
    this.choices = choices;
    // The only piece that can move, as in a special after a slide, is selected.
    const starts = new Set(choices.filter((c) => c.from !== undefined).map((c) => c.from));
    this.only = starts.size === 1 ? [...starts][0] : -1;
    if (other || choices.length === 0) this.selected = -1;
    if (other || !choices.some((c) => this.holds(c.entry))) this.entry = null;
    if (this.selected < 0) this.selected = this.only;
    if (other) this.picked = false;
    this.draw();
  }

  // hint marks choices as hints: [{ choice, share }], the best first.
  hint(list) {
    this.hinted = list;
    this.draw();
  }

  // ask marks the place of a choice that waits for a confirmation, null for none.
  ask(choice) {
    this.asked = choice;
    this.draw();
  }

  at(p) {
    const l = this.picture.layout;
    return this.flipped ? [l.width - p.x, l.height - p.y] : [p.x, p.y];
  }

  // takes are the choices that take a piece beside the board.
  takes({ side, kind }) {
    return this.choices.filter((c) => c.entry?.side === side && c.entry.kind === kind);
  }

  // holds tells whether a piece beside the board is selected.
  holds(entry) {
    return Boolean(entry && this.entry) && entry.side === this.entry.side && entry.kind === this.entry.kind;
  }

  // take is a click on a piece beside the board. With one choice it is made, with a few
  // for no cell they are offered, else the cells are shown.
  take(entry) {
    const list = this.takes(entry);
    const held = this.holds(entry);
    this.entry = null;
    if (list.length === 1) return this.decide(list[0]);
    if (list.every((c) => c.to === undefined)) return this.decide(null, list);
    this.selected = this.only;
    if (!held) [this.entry, this.selected] = [entry, -1];
    this.draw();
  }

  // fits tells whether a choice is for the selected piece, on the board or beside it.
  fits(c) {
    if (this.entry) return this.holds(c.entry);
    return c.from === undefined ? !c.entry || this.selected < 0 : c.from === this.selected;
  }

  // targets are the choices that end on a cell, for the selected piece.
  targets(cell) {
    const here = this.choices.filter((c) => c.to === cell && this.fits(c));
    if (here.length > 0) return here;
    // If every open cell has a column of its own, a click anywhere in the column counts, on
    // a piece only where choices name columns of cells such as 4.1.
    const cells = this.picture.layout.cells;
    const open = this.choices.filter((c) => c.from === undefined && c.to !== undefined);
    const columns = new Set(open.map((c) => cells[c.to].center.x));
    if (open.length === 0 || open.length !== this.choices.length || columns.size !== open.length) return here;
    if (this.taken.has(cell) && !open.every((c) => cells[c.to].name.startsWith(c.word + "."))) return here;
    return open.filter((c) => cells[c.to].center.x === cells[cell].center.x);
  }

  starts(cell) {
    return this.choices.some((c) => c.from === cell);
  }

  // use is a click on a cell, or Enter.
  use(cell) {
    this.focus = cell;
    const here = this.targets(cell);
    this.entry = null;
    // What a piece does where it stands waits for a second click if it can move, too.
    const first = this.selected !== cell && this.starts(cell) && here.every((c) => c.from === undefined);
    if (here.length > 0 && !first) {
      this.selected = -1;
      if (here.length === 1) this.decide(here[0]);
      else this.decide(null, here);
      return;
    }
    const from = this.selected;
    const picked = this.picked;
    this.picked = cell === this.only;
    this.selected = this.starts(cell) && from !== cell ? cell : this.only;
    this.draw();
    this.dropped();
    if (this.choices.length === 0 || this.starts(cell) || from === cell) return;
    if (from >= 0 && (from !== this.only || picked)) this.refused(from, cell);
    else if (this.taken.has(cell)) this.refused(this.only >= 0 ? this.only : cell, cell);
  }

  key(e) {
    const turn = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
    if (e.altKey || e.ctrlKey || e.metaKey) return;
    if (turn) {
      const next = this.beside(this.focus, turn);
      if (next >= 0) {
        this.focus = next;
        this.draw();
      }
    } else if (e.key === "Enter" || e.key === " ") {
      if (this.focus >= 0) this.use(this.focus);
    } else if (e.key === "Escape") {
      this.selected = this.only;
      this.entry = null;
      this.draw();
    } else return;
    e.preventDefault();
  }

  // beside is the next cell in a direction: the nearest within 50 degrees of it. On a
  // board of diamonds two are equally near; the shade of the cell decides, so that the
  // way back is the same and every cell can be reached.
  beside(cell, [dx, dy]) {
    const cells = this.picture.layout.cells;
    const [x, y] = this.at(cells[cell].center);
    let best = -1;
    let least = Infinity;
    cells.forEach((c, i) => {
      const [cx, cy] = this.at(c.center);
      const along = (cx - x) * dx + (cy - y) * dy;
      const across = (cx - x) * -dy + (cy - y) * dx;
      if (along < 0.1 || Math.abs(across) > 1.2 * along) return;
      const way = (cells[cell].shade === 0) === (dx + dy > 0) ? 1 : -1;
      const cost = Math.hypot(along, across) - 0.01 * Math.sign(across) * way;
      if (cost < least) [best, least] = [i, cost];
    });
    return best;
  }

  // words describe a cell.
  words(i) {
    const l = this.picture.layout;
    const zone = l.zones[l.cells[i].zone].name;
    const parts = [l.cells[i].name];
    if (zone) parts.push(zone);
    for (const p of this.picture.pieces) {
      if (p.cell !== i) continue;
      const own = p.side >= 0 ? l.sides[p.side] + " " : "";
      parts.push(own + l.kinds[p.kind].name, ...(p.tags || []).map((t) => t.text));
    }
    if (!this.taken.has(i)) parts.push("empty");
    for (const o of this.picture.overlays || []) {
      if (!o.cells.includes(i)) continue;
      const to = o.kind === "link" ? ` with ${l.cells[o.cells.find((c) => c !== i)].name}` : "";
      parts.push((o.side >= 0 ? `${l.sides[o.side]}: ` : "") + o.name + to);
    }
    if (this.selected === i) parts.push("selected");
    else if (this.targets(i).length > 0) parts.push(this.targets(i).map((c) => c.word + (c.uses ? ", which uses up " + c.uses.join(" and ") : "")).join(" or ") + " can be played");
    else if (this.starts(i)) parts.push("can move");
    return parts.join(", ");
  }

  // outline is the shape of a cell, scaled about its centre.
  outline(i, scale, attributes) {
    const c = this.picture.layout.cells[i];
    const s = this.picture.layout.shapes[c.shape];
    const [x, y] = this.at(c.center);
    if (s.radius) return this.circle(i, s.radius * scale, attributes);
    const turned = this.flipped ? -scale : scale;
    const points = s.corners.map((p) => `${round(x + p.x * turned)},${round(y + p.y * turned)}`);
    return svg("polygon", { points: points.join(" "), ...attributes });
  }

  // around is the radius of a ring around a piece on a cell, in units of the layout: a
  // little more than the radius of the piece as report/board draws it.
  around(i) {
    const s = this.picture.layout.shapes[this.picture.layout.cells[i].shape];
    const across = (p, q) => Math.abs(p.x * q.y - q.x * p.y) / Math.hypot(q.x - p.x, q.y - p.y);
    const inner = s.radius || Math.min(...s.corners.map((p, j) => across(p, s.corners[(j + 1) % s.corners.length])));
    return inner > 0.4 && inner < 0.53 ? 0.52 : 0.86 * inner + 0.09;
  }

  circle(i, r, attributes) {
    const [cx, cy] = this.at(this.picture.layout.cells[i].center).map(round);
    return svg("circle", { cx, cy, r: round(r), ...attributes });
  }

  draw() {
    if (!this.picture) return;
    const { cells } = this.picture.layout;
    if (this.focus < 0 || this.focus >= cells.length) this.focus = this.choices.find((c) => c.from !== undefined)?.from ?? this.choices.find((c) => c.to !== undefined)?.to ?? 0;
    const drawn = this.boards[this.flipped ? 1 : 0];
    if (this.drawn !== drawn) this.drawing.innerHTML = this.drawn = drawn; // by report/board, with all text escaped
    const root = this.drawing.firstElementChild;
    this.over.setAttribute("viewBox", root.getAttribute("viewBox").split(" ").map((x) => x / root.dataset.unit).join(" "));
    const had = this.box.contains(document.activeElement);
    const edge = new Set((this.picture.layout.labels || []).map((l) => l.text));
    const inner = cells.some((c) => edge.has(c.name)) ? cells.filter((c) => !edge.has(c.name)) : [];
    this.over.replaceChildren(...this.pointers(), ...this.advice(), svg("g", { class: "squares" }, cells.flatMap((c, i) => [this.square(i), ...(inner.includes(c) ? [this.spelled(c)] : [])])));
    if (this.over.parentNode !== this.box) this.box.replaceChildren(this.drawing, this.over);
    if (had) this.box.querySelector('[tabindex="0"]')?.focus({ preventScroll: true });
    this.changed();
  }

  // shown are the choices that the board shows at the moment, by their target.
  shown() {
    const list = this.choices.filter((c) => c.to !== undefined && this.fits(c));
    return Map.groupBy ? Map.groupBy(list, (c) => c.to) : list.reduce((m, c) => m.set(c.to, [...(m.get(c.to) || []), c]), new Map());
  }

  // pointers show what can be chosen.
  pointers() {
    const list = this.selected >= 0 ? [this.outline(this.selected, 0.94, { class: "selected" })] : [];
    const shown = this.shown();
    this.picture.layout.cells.forEach((c, i) => {
      const at = this.at(c.center).map(round);
      if (shown.has(i)) {
        for (const shape of new Set(shown.get(i).map(shapeOf))) list.push(sign(shape, at, this.taken.has(i) && this.around(i)));
      } else if (this.selected < 0 && !this.entry && this.starts(i)) list.push(this.outline(i, 0.86, { class: "can" }));
    });
    if (this.asked?.to !== undefined) list.push(this.outline(this.asked.to, 0.9, { class: "asked" }));
    return list;
  }

  // advice shows the choices that are hinted at: the larger the share, the wider the
  // arrow.
  advice() {
    if (this.hinted.length === 0) return [];
    const cells = this.picture.layout.cells;
    const list = [svg("marker", { id: "tip", viewBox: "0 0 3 3", refX: 2, refY: 1.5, orient: "auto", markerUnits: "userSpaceOnUse", markerWidth: 0.42, markerHeight: 0.42 }, svg("path", { d: "M0 0L3 1.5L0 3z" }))];
    for (const { choice: { from, to }, share } of [...this.hinted].reverse()) {
      if (to === undefined) continue;
      const width = round(0.05 + 0.1 * (share ?? 1));
      const [x2, y2] = this.at(cells[to].center).map(round);
      if (from === undefined || from === to) list.push(this.circle(to, this.around(to), { class: "hinted", "stroke-width": round(width / 2) }));
      else {
        const [x1, y1] = this.at(cells[from].center).map(round);
        list.push(svg("line", { class: "hinted", x1, y1, x2, y2, "stroke-width": width, "marker-end": "url(#tip)" }));
      }
      if (share !== undefined) list.push(svg("text", { class: "share", x: x2, y: round(y2 - 0.3) }, `${Math.round(100 * share)} %`));
    }
    return list;
  }

  // square is what is clicked and focused of a cell.
  square(i) {
    const starts = this.starts(i);
    const square = this.outline(i, 1, {
      class: starts || this.targets(i).length > 0 ? "usable" : "", role: "button", tabindex: i === this.focus ? "0" : "-1",
      "aria-label": this.words(i), "aria-pressed": starts ? String(this.selected === i) : undefined, "data-cell": this.picture.layout.cells[i].name,
    });
    square.append(svg("title", {}, this.words(i)));
    return square;
  }

  // spelled is the name of a cell, seen while the pointer or the focus is on it: moves and
  // hints say it, and the edge of the board has only those of other cells.
  spelled({ name, center }) {
    const [x, y] = this.at(center);
    return svg("text", { class: "spelled", "aria-hidden": "true", x: round(x), y: round(y - 0.4) }, name);
  }
}
