// Search and jump: decisions, scenarios, pages and documents by name. Ctrl K, or the field in the bar.
import { getAll } from "./api.js";
import { h } from "./dom.js";
import { goTo, linkTo, params } from "./router.js";

// A name, a view, its parameters, and whether it keeps the scenarios that the address names.
const pages = [
  ["All decisions", "decisions", {}],
  ["New decision from a question", "decisions", { start: "1" }],
  ["Train a model", "train", {}],
  ["One fleet for several workloads", "fleet", {}],
  ["Requests by size", "mix", {}],
  ["Compare scenarios, map of the cheapest", "decision", {}, true],
  ["New scenario", "scenario", { new: "1" }],
  ["Sensitivity", "questions", { question: "sensitivity" }, true],
  ["Uncertainty", "questions", { question: "simulate" }, true],
  ["Break-even", "questions", { question: "break-even" }, true],
  ["Optimization", "questions", { question: "optimize" }, true],
  ["Cost against interactivity", "pareto", {}],
  ["Rates of a model on a device", "rates", {}],
  ["Catalogue", "data", { page: "catalogue" }],
  ["Imports", "data", { page: "imports" }],
  ["Telemetry", "data", { page: "telemetry" }],
  ["Plan and actual", "data", { page: "actual" }],
  ["Recalculations", "jobs", { page: "recalculations" }],
  ["Events", "jobs", { page: "events" }],
  ["Webhooks", "jobs", { page: "webhooks" }],
  ["Glossary", "glossary", {}],
];

const kinds = [
  ["decisions", "decision", (id) => linkTo("decision", { id })],
  ["scenarios", "scenario", (id) => linkTo("result", { scenario: id })],
  ["offers", "offer", (id) => linkTo("data", { kind: "offers", id })],
  ["servers", "server", (id) => linkTo("data", { kind: "servers", id })],
  ["sites", "site", (id) => linkTo("data", { kind: "sites", id })],
  ["devices", "device", (id) => linkTo("data", { kind: "devices", id })],
];
const maxShown = 12;

async function entries() {
  const lists = await Promise.all(kinds.map(([path]) => getAll(`/v1/${path}`).catch(() => [])));
  const documents = kinds.flatMap(([, kind, address], i) =>
    lists[i].map(({ id, name }) => ({ text: name ?? id, more: name ? `${kind}, ${id}` : kind, href: address(id) })),
  );
  const decision = params().get("view") === "decision" && lists[0].find(({ id }) => id === params().get("id"));
  return [...pageEntries(decision ? decision.scenarios : []), ...documents];
}

// `shown` are the scenarios of a stored decision; the address may name others.
function pageEntries(shown = []) {
  const named = params().getAll("scenario");
  const scenario = named.length ? named : shown;
  return pages.map(([text, view, parameters, keeps]) => ({
    text,
    more: "page",
    href: linkTo(view, { ...parameters, ...(keeps && { scenario }) }),
  }));
}

// Every word must be there; those whose name begins with the first come first.
function matches(all, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = all.filter((one) => words.every((word) => `${one.text} ${one.more}`.toLowerCase().includes(word)));
  const begins = (one) => (one.text.toLowerCase().startsWith(words[0] ?? "") ? 0 : 1);
  return found.sort((a, b) => begins(a) - begins(b)).slice(0, maxShown);
}

export function openPalette() {
  if (document.getElementById("palette")) return;
  const list = h("ul", { role: "listbox", id: "palette-list", "aria-label": "Found" });
  let all = pageEntries();
  let found = [];
  let at = 0;
  const show = () => {
    found = matches(all, field.value);
    at = Math.min(at, Math.max(0, found.length - 1));
    list.replaceChildren(
      ...found.map((one, i) =>
        h(
          "li",
          { role: "option", id: `palette-${i}`, "aria-selected": String(i === at), onclick: () => open(i) },
          h("span", {}, one.text),
          h("small", {}, one.more),
        ),
      ),
      found.length ? "" : h("li", { class: "small" }, "Nothing of this name."),
    );
    field.setAttribute("aria-activedescendant", found.length ? `palette-${at}` : "");
  };
  const open = (i) => {
    dialog.close();
    if (found[i]) goTo(found[i].href);
  };
  const keys = {
    ArrowDown: () => (at = Math.min(found.length - 1, at + 1)),
    ArrowUp: () => (at = Math.max(0, at - 1)),
    Enter: () => open(at),
  };
  const field = h("input", {
    id: "palette-field",
    role: "combobox",
    "aria-expanded": "true",
    "aria-controls": "palette-list",
    "aria-label": "Search or jump to",
    placeholder: "A decision, a scenario, an offer, a page",
    autocomplete: "off",
    oninput: () => {
      at = 0;
      show();
    },
    onkeydown: (event) => {
      if (!keys[event.key]) return;
      event.preventDefault();
      keys[event.key]();
      if (event.key !== "Enter") show();
    },
  });
  const dialog = h(
    "dialog",
    {
      id: "palette",
      class: "palette",
      "aria-label": "Search or jump to",
      onclose: () => dialog.remove(),
      onclick: (event) => event.target === dialog && dialog.close(),
    },
    field,
    list,
  );
  document.body.append(dialog);
  dialog.showModal();
  show();
  entries().then((more) => {
    all = more;
    show();
  });
}

document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
    event.preventDefault();
    openPalette();
  }
});
