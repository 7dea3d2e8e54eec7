// The keys of a decision. Single letters do nothing in a field.
import { announce, h } from "../dom.js";
import { redo, undo } from "./state.js";

export const keys = [
  ["Ctrl K", "search or jump"],
  ["Ctrl Z", "undo the last change"],
  ["Ctrl Shift Z", "do it again"],
  ["J, K", "next and former plan"],
  ["A, B", "make the plan in focus the first or second of the pair"],
  ["E", "explain the plan in focus: its figure as a tree"],
  ["F", "the chart in focus on the full screen, and back"],
  ["T", "the table of the chart in focus"],
  ["↓, ↑", "from plan to plan; →, ← between its marks"],
  ["M", "the marks of the plan in focus, read out"],
  ["P, L, Q, O", "of a question: keep the plan in focus, what was left out, the first field, the order"],
  ["/", "search"],
  ["?", "all keys"],
];

const isField = (element) => ["INPUT", "SELECT", "TEXTAREA"].includes(element?.tagName) && element.type !== "range";

const table = (part) => `#ranking ${part}, #plans ${part}`; // of a decision, of a question

const marksIn = (row) => [...row.querySelectorAll(".mk .tip")].map((one) => one.textContent).join(". ") || "No marks";

// Listens while the view is shown. `actions` are {pair(letter, reference), explain(reference), search(), more: {key: what it does}}.
export function listen(actions, signal) {
  const names = () => [...document.querySelectorAll(table(".name"))];
  const move = (by) => {
    const all = names();
    const at = all.indexOf(document.activeElement);
    all[Math.max(0, Math.min(all.length - 1, at < 0 ? 0 : at + by))]?.focus();
  };
  const focused = () => document.activeElement?.closest(table("tr"))?.dataset.plan;
  const chart = () => document.activeElement?.closest("figure[data-figure]");
  const unfold = (fold) => {
    fold.open = !fold.open;
    fold.querySelector("summary").focus();
  };
  const run = {
    e: () => {
      if (focused()) actions.explain(focused());
      document.getElementById("terms").focus();
    },
    f: () => chart()?.querySelector('[title="Full screen"]').click(),
    t: () => chart() && unfold(chart().querySelector(".twin")),
    j: () => move(1),
    k: () => move(-1),
    a: () => focused() && actions.pair("a", focused()),
    b: () => focused() && actions.pair("b", focused()),
    m: () => focused() && announce(marksIn(document.activeElement.closest("tr"))),
    "/": actions.search,
    "?": showKeys,
    ...actions.more?.(focused),
  };
  document.addEventListener(
    "keydown",
    (event) => {
      if (document.querySelector("dialog[open]")) return;
      const command = event.ctrlKey || event.metaKey;
      if (command && event.key.toLowerCase() === "z" && !isField(event.target)) {
        event.preventDefault();
        event.shiftKey ? redo() : undo();
      } else if (!command && !event.altKey && !isField(event.target) && run[event.key]) {
        event.preventDefault();
        run[event.key]();
      }
    },
    { signal },
  );
}

function showKeys() {
  const dialog = h(
    "dialog",
    { class: "dialog", "aria-labelledby": "keys-title", onclose: () => dialog.remove() },
    h("h2", { id: "keys-title" }, "Keys"),
    h(
      "dl",
      { class: "keys" },
      keys.map(([key, text]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, text)]),
    ),
    h("button", { type: "button", class: "btn", onclick: () => dialog.close() }, "Close"),
  );
  document.body.append(dialog);
  dialog.showModal();
  announce("All keys");
}
