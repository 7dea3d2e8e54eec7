// What stands around the parts of a decision: its head with the way back, undo and its menu, the bar of jumps, and plans left out.
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { link, linkTo } from "../router.js";
import { redo, redoable, step, undo, undoable } from "./state.js";

// Hosted models of others: in the running, or left out.
export const outside = (isLeft) =>
  h(
    "label",
    { class: "small check" },
    h("input", { type: "checkbox", id: "without-api", checked: isLeft, onchange: ({ target }) => step({ without: target.checked ? "api" : null }) }),
    " without outside API",
  );
export const leftOut = ({ left }, width) =>
  left.map((plan) =>
    h(
      "tr",
      { class: "out", "data-left": plan.reference },
      h("td", { colspan: width }, `${plan.name}: left out, as it buys tokens of others`),
    ),
  );

export function historyPart() {
  const [back, forth] = [
    ["undo", "Undo (Ctrl Z)", undo],
    ["redo", "Do it again (Ctrl Shift Z)", redo],
  ].map(([id, text, run]) =>
    h("button", { type: "button", class: `tool ${id === "redo" ? "mirror" : ""}`, id, "aria-label": text, title: text, onclick: run }, icon("undo")),
  );
  return { elements: [back, forth], show: () => ([back.disabled, forth.disabled] = [!undoable(), !redoable()]) };
}

// On a narrow screen: from part to part of the page.
export function jumps() {
  const parts = [
    ["Plans", "ranking"],
    ["Why", "why"],
    ["Charts", "cash"],
    ["Assumptions", "assumptions"],
  ];
  const jump = (id) => () => document.getElementById(id)?.scrollIntoView({ block: "start" });
  return h(
    "nav",
    { class: "jumps", "aria-label": "Parts of this page" },
    parts.map(([text, id]) => h("button", { type: "button", onclick: jump(id) }, text)),
  );
}

// Whether a decision was made of a question, which its source is the address of: it can be changed and ranked again.
const asksAgain = ({ id, source }) => Boolean(id) && /^\/\?(.*&)?view=plans(&|$)/.test(source ?? "");

export function crumbs({ stored }, computed, end) {
  const page = (name, text) => h("a", { href: link({ page: name }), "aria-current": name === null ? "page" : null }, text);
  return h(
    "div",
    { class: "crumbs" },
    h("a", { href: linkTo("decisions") }, "Decisions"),
    " / ",
    h("b", {}, stored.name),
    h(
      "div",
      { class: "seg", role: "group", "aria-label": "Views of this decision" },
      page(null, "Overview"),
      page("finance", "Finance"),
      asksAgain(stored) ? h("a", { href: `${stored.source}&decision=${encodeURIComponent(stored.id)}`, id: "ask-again" }, "Question") : "",
    ),
    computed,
    h("div", { class: "end" }, end),
  );
}
