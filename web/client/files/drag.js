// Drag and drop on a board, with mouse, pen and finger, and the short flight of a piece
// that somebody else has moved.

const slack = 6; // pixels that a click may wobble
const flight = 220; // milliseconds of one step of a move

const units = (board) => Number(board.drawing.firstElementChild.dataset.unit);

// piecesOn are the elements of the drawing that belong to the piece on a cell.
const piecesOn = (board, cell) => [...board.drawing.querySelectorAll(`[data-on="${cell}"]`)];

// drag lets pieces of a board (board.js) be dragged to where they may go.
export function drag(board) {
  let held = null; // { cell, x, y, pixels, moved }
  const release = () => {
    for (const e of held ? piecesOn(board, held.cell) : []) e.style.transform = "";
    board.box.classList.remove("dragging");
    held = null;
  };
  board.over.addEventListener("pointerdown", (e) => {
    board.dragged = false;
    const cell = board.cellOf(e.target);
    if (cell === undefined || e.button !== 0 || !board.starts(cell)) return;
    if (e.target.hasPointerCapture(e.pointerId)) e.target.releasePointerCapture(e.pointerId);
    held = { cell, x: e.clientX, y: e.clientY, moved: false };
  });
  addEventListener("pointermove", (e) => {
    if (!held) return;
    const [dx, dy] = [e.clientX - held.x, e.clientY - held.y];
    if (!held.moved && Math.hypot(dx, dy) < slack) return;
    if (!held.moved) {
      held.moved = true;
      board.box.classList.add("dragging");
      board.selected = board.focus = held.cell;
      board.entry = null; // the piece beside the board that was selected
      board.picked = held.cell === board.only;
      board.draw();
      board.dropped();
    }
    const scale = board.drawing.firstElementChild.viewBox.baseVal.width / board.box.getBoundingClientRect().width;
    for (const x of piecesOn(board, held.cell)) x.style.transform = `translate(${dx * scale}px, ${dy * scale}px)`;
  });
  addEventListener("pointerup", (e) => {
    if (!held?.moved) {
      held = null;
      return;
    }
    const from = held.cell;
    const to = board.cellOf(document.elementFromPoint(e.clientX, e.clientY));
    release();
    board.dragged = true; // no click follows that counts
    setTimeout(() => (board.dragged = false), 0);
    if (to === undefined || to === from) return;
    board.landed = to; // the view that comes of it needs no flight
    board.use(to);
  });
  addEventListener("pointercancel", release);
}

// fly shows how a piece came to where it is, by the marks of the last turn.
export function fly(board) {
  const landed = board.landed;
  board.landed = undefined;
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const { marks = [], layout } = board.picture;
  const moves = marks.filter((m) => m.kind === "move");
  const to = moves.at(-1)?.cells.at(-1);
  if (to === undefined || to === landed) return;
  // The way of that piece, from its first cell on.
  let way = [];
  for (const m of moves) way = way.at(-1) === m.cells[0] ? [...way, ...m.cells.slice(1)] : [...m.cells];
  const [x, y] = board.at(layout.cells[to].center);
  const u = units(board);
  const frames = way.map((c) => {
    const [cx, cy] = board.at(layout.cells[c].center);
    return { transform: `translate(${(cx - x) * u}px, ${(cy - y) * u}px)` };
  });
  for (const e of piecesOn(board, to)) e.animate(frames, { duration: flight * (way.length - 1), easing: "ease-in-out" });
}
