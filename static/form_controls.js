// The simple controls of a form: text, numbers, choices; each with its label, help from the field tables, and a place for issues.
import { choice, h, labelled, newId } from "./dom.js";
import { number, typedNumber, unitOf } from "./format.js";
import { capital, meaningOf, words } from "./terms.js";


export function store(context, holder, name, value) {
  if (value === undefined) delete holder[name];
  else holder[name] = value;
  context.changed();
}

// Help from the field table: meaning, unit, range, default.
export function helpOf(context, field) {
  const unit = unitOf(field.unit, /of the server/.test(field.unit ?? "") ? context.serverCurrency() : context.currency());
  const low =
    field.above !== undefined ? `above ${number(field.above)}` : field.min !== undefined ? `from ${number(field.min)}` : "";
  const range = field.array ? "" : [low, field.max !== undefined ? `to ${number(field.max)}` : ""].filter(Boolean).join(" ");
  const fallback = field.default !== undefined ? `default ${field.default}` : field.required ? "required" : "";
  return [field.help, [unit, range].filter(Boolean).join(", "), fallback].filter(Boolean).join(" · ");
}

// A control with its label, help and a place for issues.
export function framed(context, field, pointer, control) {
  control.setAttribute("data-field", pointer);
  const frame = labelled(capital(words(field.name)), control, helpOf(context, field));
  frame.querySelector("label").title = meaningOf(field.name) ?? "";
  frame.dataset.pointer = pointer;
  frame.append(h("p", { class: "issue", id: newId("issue") }));
  return frame;
}

export function textOf(context, field, holder, pointer) {
  const long = ["note", "source"].includes(field.name);
  return framed(
    context,
    field,
    pointer,
    h(long ? "textarea" : "input", {
      value: holder[field.name] ?? "",
      rows: long ? 2 : null,
      spellcheck: "false",
      placeholder: field.default ?? null,
      oninput: (event) => store(context, holder, field.name, event.target.value || undefined),
    }),
  );
}

// Text that is not a number is kept as typed, so that the daemon's issue refers to it.
const numberFrom = (text) => {
  const value = typedNumber(text);
  return value === null ? undefined : Number.isNaN(value) ? text : value;
};

export const numberInput = (context, field, holder, attributes = {}) =>
  h("input", {
    inputmode: "decimal",
    autocomplete: "off",
    value: holder[field.name] ?? "",
    placeholder: field.default ?? null,
    oninput: (event) => store(context, holder, field.name, numberFrom(event.target.value)),
    ...attributes,
  });

export function choiceOf(context, field, holder, pointer) {
  const unset = field.required ? [] : [{ value: "", text: field.default ? `${field.default} (default)` : "not stated" }];
  const options = [
    ...(field.required && !holder[field.name] ? [{ value: "", text: "Choose…" }] : unset),
    ...field.choices.map((value) => ({ value, text: words(value) })),
  ];
  return framed(
    context,
    field,
    pointer,
    choice(options, holder[field.name] ?? "", (value) => {
      store(context, holder, field.name, value || undefined);
      context.again?.();
    }),
  );
}

export function flagOf(context, field, holder, pointer) {
  return framed(
    context,
    field,
    pointer,
    choice(
      [
        { value: "", text: `${field.default} (default)` },
        { value: "true", text: "yes" },
        { value: "false", text: "no" },
      ],
      holder[field.name] === undefined ? "" : String(holder[field.name]),
      (value) => store(context, holder, field.name, value === "" ? undefined : value === "true"),
    ),
  );
}

// Several texts, separated by commas.
export function textsOf(context, field, holder, pointer) {
  return framed(
    context,
    field,
    pointer,
    h("input", {
      value: (holder[field.name] ?? []).join(", "),
      spellcheck: "false",
      oninput: (event) =>
        store(
          context,
          holder,
          field.name,
          event.target.value
            .split(",")
            .map((item) => item.trim())
            .filter(Boolean),
        ),
    }),
  );
}
export function numberListOf(context, field, holder, pointer) {
  const read = (text) => (text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text.trim());
  return framed(
    context,
    { ...field, help: `${field.help}; separated by commas` },
    pointer,
    h("input", {
      value: (holder[field.name] ?? []).join(", "),
      spellcheck: "false",
      autocomplete: "off",
      oninput: (event) => {
        const items = event.target.value.split(",").map(read);
        store(context, holder, field.name, event.target.value.trim() ? items : undefined);
      },
    }),
  );
}
// One name and its value per line, with a separator between them.
function namedOf(context, field, holder, pointer, { separator, split, read, show = String }) {
  const text = Object.entries(holder[field.name] ?? {})
    .map(([name, value]) => `${name}${separator}${show(value)}`)
    .join("\n");
  return framed(
    context,
    { ...field, help: `${field.help}; one per line: name${separator}value` },
    pointer,
    h("textarea", {
      value: text,
      rows: 3,
      spellcheck: "false",
      oninput: (event) =>
        store(
          context,
          holder,
          field.name,
          Object.fromEntries(
            event.target.value
              .split("\n")
              .map((item) => split(item.trim()))
              .filter(([name]) => name)
              .map(([name, value]) => [name, read(value ?? "")]),
          ),
        ),
    }),
  );
}
export const numbersOf = (context, field, holder, pointer) =>
  namedOf(context, field, holder, pointer, {
    separator: " ",
    split: (line) => line.split(/\s+/),
    read: (value) => numberFrom(value) ?? null,
  });
// Fraction and memory of each slice.
export const slicesOf = (context, field, holder, pointer) =>
  namedOf(context, { ...field, help: `${field.help}; value: fraction and GiB` }, holder, pointer, {
    separator: " ",
    split: (line) => [line.split(/\s+/)[0], line.split(/\s+/).slice(1).join(" ")],
    read: (value) => {
      const [fraction, memory] = value.split(/\s+/).map((number) => numberFrom(number) ?? null);
      return { fraction, memory_gib: memory ?? null };
    },
    show: (slice) => `${slice.fraction} ${slice.memory_gib}`,
  });
export const tagsOf = (context, field, holder, pointer) =>
  namedOf(context, field, holder, pointer, {
    separator: "=",
    split: (line) => [line.split("=")[0].trim(), line.split("=").slice(1).join("=").trim()],
    read: (value) => value,
  });

// Any number of the choices.
export function choicesOf(context, field, holder, pointer) {
  const has = (value) => (holder[field.name] ?? []).includes(value);
  const change = (value, checked) =>
    store(
      context,
      holder,
      field.name,
      checked ? [...(holder[field.name] ?? []), value] : holder[field.name].filter((item) => item !== value),
    );
  const boxes = field.choices.map((value) =>
    h(
      "label",
      { class: "check" },
      h("input", { type: "checkbox", checked: has(value), onchange: (event) => change(value, event.target.checked) }),
      words(value),
    ),
  );
  return h(
    "fieldset",
    { class: "list", "data-pointer": pointer },
    h("legend", {}, capital(words(field.name))),
    h("div", { class: "controls" }, boxes),
    h("small", { class: "help" }, helpOf(context, { ...field, array: true })),
    h("p", { class: "issue", id: newId("issue") }),
  );
}

// A keyword, or ids separated by commas.
const choiceWords = ["all", "changed"];
export function idsOf(context, field, holder, pointer) {
  const value = [holder[field.name] ?? ""].flat().join(", ");
  const listed = (text) =>
    text
      .split(",")
      .map((item) => item.trim())
      .filter(Boolean);
  return framed(
    context,
    field,
    pointer,
    h("input", {
      value,
      spellcheck: "false",
      placeholder: field.default ?? null,
      oninput: ({ target }) =>
        store(
          context,
          holder,
          field.name,
          target.value === "" ? undefined : choiceWords.includes(target.value) ? target.value : listed(target.value),
        ),
    }),
  );
}

// A secret: write-only, the daemon never returns it.
export function secretOf(context, field, holder, pointer) {
  return framed(
    context,
    field,
    pointer,
    h("input", {
      type: "password",
      autocomplete: "new-password",
      oninput: (event) => store(context, holder, field.name, event.target.value || undefined),
    }),
  );
}
