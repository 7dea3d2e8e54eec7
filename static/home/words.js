// The parts of a question that is a sentence: boxed words that are fields, and dashed chips of what is assumed until somebody says
// otherwise. A part changes parameters of the address.
import { h } from "../dom.js";
import { number, typedNumber } from "../format.js";
import { icon } from "../icons.js";
import { problemOf } from "../number_field.js";
import { picker } from "../pickers/picker.js";

const shownNumber = (text) => {
  const value = typedNumber(String(text ?? ""));
  return value === null || Number.isNaN(value) ? String(text ?? "") : number(value);
};

// A number with its unit: `field` is a row of the table of fields; empty is as where nothing is stated.
export function numberWord(context, field, { unit = field.unit, empty = "" } = {}) {
  const stated = () => context.params().get(field.name) ?? String(field.value);
  const fit = () => input.style.setProperty("--letters", Math.max(1, (input.value || input.placeholder).length));
  const take = ({ target }) => {
    fit();
    const problem = problemOf(target.value, field);
    context.wrong(field.name, problem && `${field.label}: ${problem}`);
    target.toggleAttribute("aria-invalid", Boolean(problem));
    if (problem) return;
    const value = typedNumber(target.value);
    context.change({ [field.name]: value === null || String(value) === String(field.value) ? null : String(value) });
  };
  const input = h("input", {
    id: field.name,
    inputmode: "decimal",
    autocomplete: "off",
    "aria-label": [field.label, field.unit].filter(Boolean).join(", "),
    title: field.help ?? null,
    value: shownNumber(stated()),
    placeholder: empty || shownNumber(field.value) || "none",
    oninput: take,
    onfocus: () => input.select(),
    onblur: () => {
      if (!input.hasAttribute("aria-invalid")) input.value = shownNumber(stated());
      fit();
    },
    onkeydown: (event) => {
      if (event.key !== "Escape") return;
      input.value = shownNumber(stated());
      take({ target: input });
      input.blur();
    },
  });
  fit();
  return h("label", { class: "w" }, input, unit ? h("small", {}, unit) : "");
}

// One of a few words.
export function choiceWord(context, { name, label, options, value = "" }) {
  const now = context.params().get(name) ?? value;
  const known = options.some((option) => option.value === now) ? options : [...options, { value: now, text: now }];
  return h(
    "span",
    { class: "w" },
    h(
      "select",
      {
        id: name,
        "aria-label": label,
        value: now,
        onchange: ({ target }) => context.change({ [name]: target.value === value ? null : target.value }, { redraw: true }),
      },
      known.map((option) => h("option", { value: option.value }, option.text)),
    ),
  );
}

export function modelWord(context) {
  const field = picker("model", context.known, context.params().get("model") ?? "", (model) => context.change({ model }), {
    id: "model",
    "aria-label": "Model",
    placeholder: "a model",
  });
  return h("span", { class: "w model" }, field);
}

export const monthWord = (context, name, value) =>
  h(
    "label",
    { class: "w" },
    h("input", {
      id: name,
      type: "month",
      "aria-label": "First month",
      value: context.params().get(name) ?? value,
      onchange: ({ target }) => target.value && context.change({ [name]: target.value === value ? null : target.value }),
    }),
  );

// What is assumed: `chips` [{names: parameters, text: as assumed, field(context): the field of it}]. One whose parameters the address states
// is a field; a click makes a field of one that is assumed.
export function assumedRow(context, chips) {
  const isStated = ({ names }) => names.some((name) => context.params().has(name));
  const open = (chip) => {
    context.opened.add(chip.names[0]);
    context.redraw();
    document.getElementById(chip.names[0])?.focus();
  };
  const drop = (chip) => {
    context.opened.delete(chip.names[0]);
    for (const name of chip.names) context.wrong(name, "");
    context.change(Object.fromEntries(chip.names.map((name) => [name, null])), { redraw: true });
  };
  return chips.map((chip) =>
    isStated(chip) || context.opened.has(chip.names[0])
      ? h(
          "span",
          { class: "chosen" },
          chip.label ? h("span", {}, `${chip.label} `) : "",
          chip.field(context),
          h(
            "button",
            {
              type: "button",
              class: "tool",
              "aria-label": `As assumed: ${chip.text}`,
              title: `As assumed: ${chip.text}`,
              onclick: () => drop(chip),
            },
            icon("close"),
          ),
        )
      : h("button", { type: "button", class: "assumed", title: "Change it", onclick: () => open(chip) }, chip.text),
  );
}
