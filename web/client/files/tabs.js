// Tabs beside the board: click, or arrow keys on a tab.

import { byId } from "./dom.js";

const opened = new Map(); // called when the tab of an id is shown

export const whenShown = (name, call) => opened.set(name, call);

// showTab shows the panel of a name: "game", "review", "rules", "lessons", "more".
export function showTab(name) {
  for (const tab of document.querySelectorAll('[role="tab"]')) {
    const here = tab.id === "tab-" + name;
    tab.setAttribute("aria-selected", String(here));
    tab.tabIndex = here ? 0 : -1;
    byId("panel" + tab.id.slice(3)).hidden = !here;
  }
  opened.get(name)?.();
}

export function listenToTabs() {
  const tabs = [...document.querySelectorAll('[role="tab"]')];
  for (const [i, tab] of tabs.entries()) {
    tab.addEventListener("click", () => {
      showTab(tab.id.slice(4));
      // Below the board, as on a phone, the panel would begin at the edge of the screen.
      if (tab.getBoundingClientRect().top > innerHeight / 2) tab.scrollIntoView({ block: "start" });
    });
    tab.addEventListener("keydown", (e) => {
      const turn = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
      if (!turn) return;
      const next = tabs.filter((t) => !t.hidden).at((tabs.filter((t) => !t.hidden).indexOf(tabs[i]) + turn) % tabs.filter((t) => !t.hidden).length);
      next.focus();
      next.click();
      e.preventDefault();
      e.stopPropagation();
    });
  }
}
