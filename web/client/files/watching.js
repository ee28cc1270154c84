// What the pages on runs share: requests to the server, and small elements.
import { byId, el, show } from "./dom.js";

// ask fetches JSON with its tag, which changes with the contents.
export async function ask(what, params = {}) {
  const query = new URLSearchParams(params).toString();
  const answer = await fetch("./api/" + what + (query && "?" + query)).catch(() => { throw new Error("The server does not answer."); });
  const body = await answer.json().catch(() => ({ error: "the server answers " + answer.status }));
  if (!answer.ok) throw new Error(body.error || "the server answers " + answer.status);
  return { body, tag: answer.headers.get("Etag") };
}

// repeat calls work again and again while the page is visible, never twice at the same
// time. After an error the pause doubles, up to half a minute.
export function repeat(work, pause) {
  let wait = pause;
  let timer = 0;
  let busy = false;
  const turn = async () => {
    clearTimeout(timer);
    if (busy || document.hidden) return;
    busy = true;
    try {
      await work();
      wait = pause;
      problem("");
    } catch (err) {
      wait = Math.min(2 * wait, 30000);
      problem(err.message);
    }
    busy = false;
    timer = setTimeout(turn, wait);
  };
  document.addEventListener("visibilitychange", turn);
  turn();
  return turn;
}

// problem shows an error, or none if text is empty.
const problem = (text) => show(byId("problem"), Boolean(text), text);

// cells makes a row of a table; numbers are the indices of columns of numbers.
export function cells(numbers, ...list) {
  return el("tr", {}, list.map((c, i) => el("td", numbers.includes(i) ? { class: "n" } : {}, c)));
}

export function clock(seconds) {
  const s = Math.floor(seconds);
  return Math.floor(s / 3600) + ":" + String(Math.floor(s / 60) % 60).padStart(2, "0") + ":" + String(s % 60).padStart(2, "0");
}

export function time(text) {
  const at = new Date(text);
  return el("time", { datetime: text, title: at.toLocaleString() }, at.toLocaleTimeString());
}
