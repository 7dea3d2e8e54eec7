// A form for any document, generated from the field tables (/v1/fields): the control of each field, and where its issues are shown.
import { curveEditor } from "./curve_editor.js";
import { documentChoice } from "./pickers/document_choice.js";
import { choice, h, labelled, newId } from "./dom.js";
import {
  choiceOf,
  choicesOf,
  flagOf,
  idsOf,
  secretOf,
  slicesOf,
  framed,
  helpOf,
  numberInput,
  numberListOf,
  numbersOf,
  tagsOf,
  store,
  textOf,
  textsOf,
} from "./form_controls.js";
import { reveal, showIssues } from "./form_issues.js";
import { capital, meaningOf, words } from "./terms.js";

// Members of these types are documents: inline, or the id of a stored one.
const stored = {
  device: "devices",
  offer: "offers",
  server: "servers",
  site: "sites",
  performance: "performances",
  curve: "curves",
};
const part = (pointer, name) => `${pointer}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;

// A form that edits `draft` in place; `changed` is called after each change. Returns {element, issues(list), reveal(pointer)}.
// `about`: {fields: the field tables, documents(kind): promise of the stored ones, currency()}.
export function formOf(document, draft, about, changed) {
  const root = h("div", { class: "form" });
  const context = { ...about, draft, changed, tables: Object.fromEntries(about.fields.map((table) => [table.document, table.fields])) };
  root.append(...fieldsOf(context, document, draft, ""));
  return { element: root, issues: (list) => showIssues(root, list), reveal: (pointer) => reveal(root, pointer) };
}

// Fields that apply to one kind only are shown for that kind; changing the kind rebuilds the fields.
function fieldsOf(context, document, holder, pointer) {
  // The id is above the form; source and notes come last.
  const asides = ["source", "note"];
  const table = (context.tables[document] ?? []).filter((field) => pointer !== "" || field.name !== "id");
  const fields = [
    ...table.filter((field) => !asides.includes(field.name)),
    ...table.filter((field) => asides.includes(field.name)),
  ];
  const place = h("div", { class: "fields" });
  // Money of a document is in its own currency.
  const own = {
    ...context,
    currency: () => holder.currency ?? context.currency(),
    serverCurrency: () =>
      typeof holder.server === "object" ? (holder.server.currency ?? context.currency()) : context.serverCurrency(),
  };
  const again = () =>
    place.replaceChildren(
      ...fields
        .filter((field) => !field.only_for || field.only_for.split(" ").includes(holder.kind))
        .map((field) =>
          fieldOf({ ...own, again: field.name === "kind" ? again : null }, field, holder, part(pointer, field.name)),
        ),
      ...(document === "curve" ? [curveEditor(holder, part(pointer, "points"), context.changed)] : []),
    );
  again();
  return [place];
}

function fieldOf(context, field, holder, pointer) {
  if (field.array && field.choices) return choicesOf(context, field, holder, pointer);
  if (field.array && ["number", "integer"].includes(field.type)) return numberListOf(context, field, holder, pointer);
  if (field.array) return listOf(context, field, holder, pointer);
  if (field.by_name) return makers[field.type](context, field, holder, pointer);
  const kind = stored[field.type] ? "document" : context.tables[field.type] && field.type !== "curve" ? "part" : field.type;
  return (makers[kind] ?? makers.text)(context, field, holder, pointer);
}

// A field that can be stated in several ways: its value tells which; another way starts from that way's initial value.
function waysOf(context, field, holder, pointer, ways, now) {
  const place = h("div", {});
  const frame = h("div", { class: "control ways", "data-pointer": pointer, role: "group", "aria-label": words(field.name) });
  const show = (way) => place.replaceChildren(ways[way].show());
  const select = choice(
    Object.entries(ways).map(([value, way]) => ({ value, text: way.text })),
    now,
    (way) => {
      store(context, holder, field.name, ways[way].start());
      show(way);
    },
    { "aria-label": `How ${words(field.name)} is stated` },
  );
  frame.append(
    h("div", { class: "ways-head" }, h("span", { class: "ways-name", title: meaningOf(field.name) }, capital(words(field.name))), select),
    place,
    h("small", { class: "help" }, helpOf(context, field)),
    h("p", { class: "issue", id: newId("issue") }),
  );
  show(now);
  return frame;
}

const bare = (name, control, pointer) => {
  control.setAttribute("aria-label", name);
  control.setAttribute("data-field", pointer);
  return control;
};

const idInput = (context, field, holder, pointer, kind) =>
  documentChoice(context, { kind, name: field.name, label: words(field.name), holder, pointer }, (id) =>
    store(context, holder, field.name, id),
  );

// A nested document: collapsed, and built when it is first opened.
function nested(context, document, value, pointer, title) {
  const inner = h("div", { class: "nested" });
  const details = h("details", { "data-fold": pointer }, h("summary", {}, title), inner);
  details.unfold = () => {
    details.open = true;
    if (!inner.children.length) inner.append(...fieldsOf(context, document, value, pointer));
  };
  details.addEventListener("toggle", () => {
    if (details.open) details.unfold();
  });
  return details;
}

const titleOf = (value, fallback) => value?.id ?? value?.name ?? value?.pool ?? fallback;
const noneIsFine = (context, field, holder) =>
  field.required ? {} : { none: { text: "not stated", start: () => undefined, show: () => "" } };
const wayOf = (value) => (value === undefined || value === null ? "none" : typeof value === "object" ? "inline" : "stored");

function documentOf(context, field, holder, pointer) {
  if (field.by_name) return makers[field.type](context, field, holder, pointer);
  const kind = stored[field.type];
  const value = () => holder[field.name];
  const begin = field.type === "curve" ? { kind: field.curve, axis: "", points: [] } : {};
  const now = wayOf(value());
  return waysOf(
    context,
    field,
    holder,
    pointer,
    {
      ...noneIsFine(context, field, holder),
      stored: { text: "stored document", start: () => "", show: () => idInput(context, field, holder, pointer, kind) },
      inline: {
        text: "inline",
        start: () => structuredClone(begin),
        show: () => nested(context, field.type, value(), pointer, titleOf(value(), "Fields")),
      },
    },
    now === "none" && field.required ? "stored" : now,
  );
}

function rateOf(context, field, holder, pointer) {
  const value = () => holder[field.name];
  const way = wayOf(value());
  const now = typeof value() === "number" ? "number" : way === "none" && field.required ? "number" : way;
  return waysOf(
    context,
    field,
    holder,
    pointer,
    {
      ...noneIsFine(context, field, holder),
      number: {
        text: "number",
        start: () => (typeof field.default === "number" ? field.default : 0),
        show: () => bare(words(field.name), numberInput(context, field, holder), pointer),
      },
      stored: { text: "stored curve", start: () => "", show: () => idInput(context, field, holder, pointer, "curves") },
      inline: {
        text: "curve",
        start: () => ({ kind: field.curve, axis: "", points: [] }),
        show: () => nested(context, "curve", value(), pointer, titleOf(value(), `Curve of ${words(field.name)}`)),
      },
    },
    now,
  );
}

const unitClasses = ["input", "cached_input", "cache_write", "output", "reasoning"];

// A number for each class of units that has one.
function classNumbers(context, field, values, pointer) {
  const inner = (name) =>
    labelled(
      capital(words(name)),
      numberInput(context, { ...field, name, default: undefined }, values, { "data-field": part(pointer, name) }),
    );
  return h("div", { class: "controls" }, unitClasses.map(inner));
}

function byClassOf(context, field, holder, pointer) {
  return waysOf(
    context,
    field,
    holder,
    pointer,
    {
      absent: { text: "not stated", start: () => undefined, show: () => h("span", {}) },
      stated: {
        text: "by class",
        start: () => ({}),
        show: () => classNumbers(context, field, holder[field.name], pointer),
      },
    },
    holder[field.name] ? "stated" : "absent",
  );
}

function splitOf(context, field, holder, pointer) {
  const value = () => holder[field.name];
  return waysOf(
    context,
    field,
    holder,
    pointer,
    {
      number: {
        text: "single number",
        start: () => field.default ?? 0,
        show: () => bare(words(field.name), numberInput(context, field, holder), pointer),
      },
      split: {
        text: "by class",
        start: () => ({ input: 1, output: 1 }),
        show: () => classNumbers(context, field, value(), pointer),
      },
    },
    typeof value() === "object" ? "split" : "number",
  );
}

function partOf(context, field, holder, pointer) {
  const table = field.type;
  if (field.required) {
    holder[field.name] ??= {};
    return h(
      "div",
      { "data-pointer": pointer },
      nested(context, table, holder[field.name], pointer, capital(words(field.name))),
      h("p", { class: "issue" }),
    );
  }
  return waysOf(
    context,
    field,
    holder,
    pointer,
    {
      ...noneIsFine(context, field, holder),
      inline: {
        text: "stated",
        start: () => ({}),
        show: () => nested(context, table, holder[field.name], pointer, capital(words(field.name))),
      },
    },
    holder[field.name] === undefined ? "none" : "inline",
  );
}

function listOf(context, field, holder, pointer) {
  const place = h("div", { class: "entries" });
  const table = field.type;
  const entries = () => holder[field.name] ?? [];
  const show = () =>
    place.replaceChildren(
      ...entries().map((entry, i) =>
        h(
          "div",
          { class: "entry" },
          nested(context, table, entry, part(pointer, i), titleOf(entry, `${words(table)} ${i + 1}`)),
          h(
            "button",
            {
              type: "button",
              class: "bare",
              "aria-label": `Remove ${words(table)} ${i + 1}`,
              onclick: () => {
                holder[field.name] = entries().filter((_, n) => n !== i);
                if (!field.required && !entries().length) delete holder[field.name];
                show();
                context.changed();
              },
            },
            "×",
          ),
        ),
      ),
    );
  show();
  return h(
    "fieldset",
    { class: "list", "data-pointer": pointer },
    h("legend", {}, capital(words(field.name))),
    h("small", { class: "help" }, helpOf(context, field)),
    place,
    h(
      "button",
      {
        type: "button",
        class: "quiet",
        onclick: () => {
          holder[field.name] = [...entries(), {}];
          show();
          place.lastElementChild.querySelector("details").unfold();
          context.changed();
        },
      },
      `Add ${words(table)}`,
    ),
    h("p", { class: "issue", id: newId("issue") }),
  );
}

const makers = {
  text: textOf,
  choice: choiceOf,
  boolean: flagOf,
  texts: textsOf,
  secret: secretOf,
  "all, changed or ids": idsOf,
  numbers: numbersOf,
  tags: tagsOf,
  rate: rateOf,
  document: documentOf,
  part: partOf,
  "number or by class": splitOf,
  "by class": byClassOf,
  slice: slicesOf,
  number: (context, field, holder, pointer) => framed(context, field, pointer, numberInput(context, field, holder)),
  integer: (context, field, holder, pointer) =>
    framed(context, field, pointer, numberInput(context, field, holder, { inputmode: "numeric" })),
};
