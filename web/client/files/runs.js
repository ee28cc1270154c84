// The page of all runs in the folder that is served.
import { byId, el } from "./dom.js";
import { ask, cells, clock, repeat } from "./watching.js";

let shown = "";

function warnings(run) {
  const list = [];
  if (run.alarms) list.push(run.alarms + (run.alarms === 1 ? " alarm" : " alarms"));
  if (run.warnings > run.alarms) list.push(run.warnings - run.alarms + (run.warnings - run.alarms === 1 ? " warning" : " warnings"));
  return list.join(", ");
}

function row(run) {
  const link = el("a", { href: "run?" + new URLSearchParams({ name: run.name }) }, run.label);
  const state = el("span", { class: "state-" + run.state }, run.state);
  if (run.problem) {
    const tr = cells([], link, state, run.problem);
    tr.lastChild.colSpan = 8;
    return tr;
  }
  return cells([3, 4, 5, 6, 7], link, state, run.game + " " + run.rules,
    run.generation + (run.generations ? "/" + run.generations : ""),
    clock(run.learned_seconds) + (run.budget_seconds ? "/" + clock(run.budget_seconds) : ""), String(run.games),
    run.policy_loss ? run.policy_loss.toFixed(3) : "", run.value_loss ? run.value_loss.toFixed(3) : "", run.elo || "", warnings(run));
}

repeat(async () => {
  const { body, tag } = await ask("runs");
  if (tag === shown) return;
  shown = tag;
  byId("folder").textContent = body.folder;
  byId("runs").tBodies[0].replaceChildren(...body.runs.map(row));
  byId("runs").hidden = body.runs.length === 0;
  byId("none").hidden = body.runs.length > 0;
  byId("reports").replaceChildren(...body.reports.map((r) =>
    el("li", {}, el("a", { href: "report?" + new URLSearchParams({ path: r.path }) }, r.path), " " + new Date(r.time).toLocaleString())));
  byId("reports-section").hidden = body.reports.length === 0;
  byId("more").hidden = !body.more;
}, 3000);
