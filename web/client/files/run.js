// The page of one run: its curves while it trains, and its newest games.
import { byId, el, show } from "./dom.js";
import { ask, cells, clock, repeat, time } from "./watching.js";
import { showGames } from "./replay.js";
import { overlay } from "./overlay.js";

const name = new URLSearchParams(location.search).get("name") || ".";
let shown = "";
let shownWith = ""; // of the run whose curves lie over these
let generation = -1;
const drawn = new Map(); // elements of figures by id

// draw makes a figure, or updates the existing one, so that the page does not jump.
function draw(f) {
  let e = drawn.get(f.id);
  if (!e) {
    const picture = el("div", {});
    const numbers = el("table", {});
    const details = el("details", {}, el("summary", {}, "Numbers"), el("div", { class: "scroll list", tabindex: "0" }, numbers));
    e = { picture, numbers, details, svg: "", figure: el("figure", { id: "figure-" + f.id }, el("figcaption", {}, el("h3", {}, f.title), el("p", { class: "doc" }, f.about || "")), picture, details) };
    drawn.set(f.id, e);
  }
  if (e.svg !== f.svg) {
    e.svg = f.svg;
    e.picture.innerHTML = f.svg; // drawn by the server, with all text escaped
    e.details.hidden = !f.rows;
    e.numbers.replaceChildren(el("thead", {}, el("tr", {}, ...(f.head || []).map((text) => el("th", { scope: "col", class: "n" }, text)))),
      el("tbody", {}, (f.rows || []).map((row) => el("tr", {}, row.map((text) => el("td", { class: "n" }, text))))));
  }
  return e.figure;
}

// drawAll shows the first section, the strength of the networks if it was measured, at
// the top, and the others to open. What was opened stays open.
function drawAll(figures) {
  const sections = new Map();
  for (const f of figures) {
    if (!sections.has(f.section)) sections.set(f.section, []);
    sections.get(f.section).push(f);
  }
  const parts = [];
  let lead = null;
  for (const [title, list] of sections) {
    const charts = el("div", { class: "charts" }, ...list.map(draw));
    if (!lead) {
      lead = [el("h2", {}, title), charts];
      continue;
    }
    const id = "part-" + title.toLowerCase().replaceAll(" ", "-");
    parts.push(el("details", { id, class: "part", open: byId(id)?.open ? "" : undefined }, el("summary", {}, title, el("small", {}, list.length > 5 ? ` ${list.length} charts` : ` ${list.map((f) => f.title.toLowerCase()).join(", ")}`)), charts));
  }
  byId("lead").replaceChildren(...(lead || []));
  byId("charts").replaceChildren(...parts);
}

function showRun(run) {
  document.title = run.label + ": run";
  byId("title").textContent = run.label;
  byId("under").textContent = [run.game, run.rules].filter(Boolean).join(", rules ");
  byId("report").replaceChildren(...(run.report ? [el("a", { href: "report?" + new URLSearchParams({ path: run.report }) }, "Finished report")] : []));
  const notices = run.notices || [];
  const notice = (n) => el("div", { class: "notice" + (n.severe ? " severe" : "") + (n.past ? " past" : "") }, el("strong", {}, n.about), " " + n.text);
  const past = notices.filter((n) => n.past).map(notice);
  byId("notices").replaceChildren(...notices.filter((n) => !n.past).map(notice),
    ...(past.length ? [el("details", { class: "doc" }, el("summary", {}, `${past.length} earlier ${past.length === 1 ? "warning" : "warnings"}, no longer`), past)] : []));
  byId("headline").replaceChildren(...(run.headline || []).map((text) => el("p", {}, text)));
  byId("facts").replaceChildren(...(run.facts || []).flatMap(([key, value]) => [el("dt", {}, key), el("dd", {}, value)]));
  drawAll(run.figures || []);
  compare(run);
}

// compare draws the curves of another run over those of this one, and says in what the
// two differ.
async function compare(run) {
  let other = byId("with").value;
  let view = null;
  if (other) {
    try {
      view = (await ask("run", { name: other })).body;
    } catch (err) {
      if (other === byId("with").value) {
        byId("with").value = other = ""; // its curves go, too
        show(byId("problem"), true, err.message);
      }
    }
  }
  if (other !== byId("with").value) return; // another was chosen meanwhile
  for (const [id, e] of drawn) {
    const f = (run.figures || []).find((x) => x.id === id);
    const g = (view?.figures || []).find((x) => x.id === id);
    const both = f && g && overlay(f, g, run.label, view.label);
    e.picture.replaceChildren(...(both ? [both] : []));
    if (!both && f) e.picture.innerHTML = f.svg; // drawn by the server, with all text escaped
  }
  if (view) {
    const first = byId("charts").firstElementChild;
    if (first) first.open = true;
    const facts = new Map(view.facts || []);
    const differ = (run.facts || []).filter(([key, value]) => key && key !== "run" && facts.get(key) !== value && facts.has(key));
    byId("headline").prepend(el("table", { class: "differ" },
      el("thead", {}, el("tr", {}, el("th", {}, ""), el("th", { scope: "col" }, run.label), el("th", { scope: "col" }, view.label))),
      el("tbody", {}, differ.map(([key, value]) => el("tr", {}, el("th", { scope: "row" }, key), el("td", {}, value), el("td", {}, facts.get(key)))))));
  }
}

// others offers the other runs to compare with.
async function others() {
  const { body } = await ask("runs");
  const list = body.runs.filter((r) => r.name !== name && !r.problem);
  byId("withbox").hidden = list.length === 0;
  const wanted = new URLSearchParams(location.search).get("with");
  byId("with").replaceChildren(el("option", { value: "" }, "no other run"), ...list.map((r) => el("option", { value: r.name, selected: r.name === wanted ? "" : undefined }, r.label)));
}

// curves asks for the curves, which change with each generation.
async function curves() {
  const { body, tag } = await ask("run", { name });
  const other = byId("with").value;
  const under = other ? await ask("run", { name: other }).then((a) => a.tag, () => "") : ""; // compare says why there is none
  if (tag !== shown || under !== shownWith) {
    [shown, shownWith] = [tag, under];
    showRun(body);
    if (body.generation !== generation) {
      generation = body.generation;
      showGames(name);
    }
  }
  if (body.problem) throw new Error(body.problem);
}

// showCluster lists the machines that play for the run.
function showCluster(cluster) {
  byId("cluster").hidden = !cluster;
  if (!cluster) return;
  byId("cluster-text").textContent = cluster.text;
  byId("cluster-text").className = cluster.holds ? "" : "notice severe";
  const faults = cluster.faults.filter((f) => f.count);
  byId("cluster-faults").textContent = faults.length ? "Faults since the trainer was started: " + faults.map((f) => `${f.count} ${f.name.replaceAll("_", " ")}`).join(", ") : "";
  byId("workers").tBodies[0].replaceChildren(...cluster.workers.map((w) => cells([1, 2, 3, 4, 5], w.name, String(w.cores),
    w.positions_per_second.toFixed(0), String(w.leases), String(w.games), w.silent_seconds >= 10 ? clock(w.silent_seconds) + " ago" : "now")));
}

// live asks what the run is doing.
async function live() {
  const { body } = await ask("run/now", { name });
  byId("state").textContent = body.running ? "Running" : "Not running";
  byId("state").className = body.running ? "state-running" : "";
  byId("doing").textContent = body.doing || "";
  byId("alive").textContent = body.time
    ? (body.learned + " learned; last event " + clock(Math.max(0, (Date.now() - new Date(body.time)) / 1000)) + " ago")
    : "";
  showCluster(body.cluster);
  byId("log").replaceChildren(...body.log.map((l) => el("li", {}, time(l.time), l.text)));
  if (body.problem) throw new Error(body.problem);
}

byId("with").addEventListener("change", () => {
  const query = new URLSearchParams({ name });
  if (byId("with").value) query.set("with", byId("with").value);
  history.replaceState(null, "", "?" + query);
  shown = ""; // draw again
  curves().catch(() => {});
});
const listed = others().catch(() => {});

repeat(async () => {
  await listed;
  // What is wrong with one does not hide the other.
  const failed = (await Promise.allSettled([live(), curves()])).find((r) => r.reason);
  if (failed) throw failed.reason;
}, 2000);

byId("again").addEventListener("click", () => showGames(name));
