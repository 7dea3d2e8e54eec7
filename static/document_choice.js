// A field that takes the id of a stored document: what is typed searches ids and facts; the list says what each is and costs.
import { h, newId } from "./dom.js";
import { factsOf } from "./document_facts.js";
import { count } from "./format.js";
import { linkTo } from "./router.js";

const maxShown = 12;

const deviceOf = (document) => document?.device?.id ?? document?.device ?? null;

// The device of the pool that a rate is for: by its offer or server, a stored one or its own.
async function poolDevice(context, holder) {
  const pool = context.draft?.pools?.find((one) => one.id === holder.pool);
  const part = pool?.offer ?? pool?.server;
  if (typeof part !== "string") return deviceOf(part);
  const stored = await context.documents(pool.offer ? "offers" : "servers");
  return deviceOf(stored.find((one) => one.id === part));
}

// `context` {documents(kind): a promise of the stored ones, draft}; `store(id)` takes what is typed or chosen.
export function documentChoice(context, { kind, name, label, holder, pointer }, store) {
  const listId = newId("found");
  const list = h("ul", { role: "listbox", id: listId, class: "found", hidden: true, "aria-label": `${label}: found` });
  const about = h("p", { class: "small facts-of" });
  let all = []; // {document, title, facts, text, isOther}
  let isLoaded = false;
  let found = [];
  let at = -1;

  const entry = (document, wanted) => {
    const { title, facts } = factsOf(kind, document);
    return {
      document,
      title,
      facts,
      text: `${document.id} ${title} ${facts.join(" ")}`.toLowerCase(),
      isOther: Boolean(wanted) && deviceOf(document) !== wanted,
    };
  };
  async function load() {
    const [documents, wanted] = await Promise.all([
      context.documents(kind),
      kind === "performances" ? poolDevice(context, holder) : null,
    ]);
    all = documents.map((document) => entry(document, wanted)).sort((a, b) => a.isOther - b.isOther);
    isLoaded = true;
    describe();
    if (!list.hidden) show(); // what was typed before they came
  }
  function describe() {
    const one = all.find(({ document }) => document.id === field.value);
    about.replaceChildren(
      ...(one
        ? [
            h("b", {}, one.title),
            ` · ${one.facts.join(" · ")} `,
            one.isOther ? h("span", { class: "bad" }, "Another device than the pool's. ") : "",
            h("a", { href: linkTo("data", { kind, id: one.document.id }) }, "In the catalogue"),
          ]
        : []),
    );
  }
  function matches() {
    const typed = field.value.trim().toLowerCase();
    const isChosen = all.some(({ document }) => document.id === field.value);
    const words = isChosen ? [] : typed.split(/\s+/).filter(Boolean);
    return all.filter(({ text }) => words.every((word) => text.includes(word)));
  }
  function show() {
    const matching = matches();
    found = matching.slice(0, maxShown);
    at = Math.min(at, found.length - 1);
    list.replaceChildren(
      ...found.map((one, i) =>
        h(
          "li",
          {
            role: "option",
            id: `${listId}-${i}`,
            "aria-selected": String(i === at),
            onmousedown: (event) => event.preventDefault(), // the field keeps the focus
            onclick: () => take(i),
          },
          h("span", {}, one.title, one.isOther ? h("small", {}, " another device than the pool's") : ""),
          h("small", {}, one.facts.join(" · ")),
        ),
      ),
      ...(matching.length > found.length
        ? [h("li", { class: "small", role: "presentation" }, `${count(matching.length - found.length, "more")} to search among`)]
        : []),
      ...(matching.length ? [] : [h("li", { class: "small", role: "presentation" }, nothing())]),
    );
    list.hidden = false;
    field.setAttribute("aria-expanded", "true");
    field.setAttribute("aria-activedescendant", at >= 0 ? `${listId}-${at}` : "");
    list.children[at]?.scrollIntoView({ block: "nearest" });
  }
  function nothing() {
    if (!isLoaded) return "Loading…";
    return all.length ? "None has all of these words." : "None is stored.";
  }
  function close() {
    list.hidden = true;
    at = -1;
    field.setAttribute("aria-expanded", "false");
    field.removeAttribute("aria-activedescendant");
  }
  function take(i) {
    field.value = found[i].document.id;
    store(field.value);
    close();
    describe();
  }
  const step = (by) => {
    at = Math.max(0, Math.min(found.length - 1, at + by));
    show();
  };
  const keys = {
    ArrowDown: () => (list.hidden ? show() : step(1)),
    ArrowUp: () => step(-1),
    Enter: () => at >= 0 && take(at),
    Escape: close,
  };
  const field = h("input", {
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-controls": listId,
    "aria-label": `${label}: search, or an id`,
    "data-field": pointer,
    value: holder[name] ?? "",
    spellcheck: "false",
    autocomplete: "off",
    placeholder: "search by device, seller, place, model",
    oninput: () => {
      at = -1;
      store(field.value || undefined);
      describe();
      show();
    },
    onfocus: load,
    onclick: () => list.hidden && load().then(show),
    onblur: close,
    onkeydown: (event) => {
      if (!keys[event.key] || (event.key === "Escape" && list.hidden)) return;
      if (event.key !== "Enter" || at >= 0) event.preventDefault();
      keys[event.key]();
    },
  });
  if (holder[name]) load();
  return h("div", { class: "choose-document" }, field, list, about);
}
