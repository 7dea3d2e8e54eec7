// Numbers of a question that stand in rows, each boxed, with its unit. `about` {label, unit, value, min, max}.
import { h } from "../dom.js";
import { number, typedNumber } from "../format.js";
import { icon } from "../icons.js";
import { problemOf } from "../number_field.js";

export const numberOr = (text, other) => {
  const value = typedNumber(text ?? "");
  return Number.isFinite(value) ? value : other; // null of an empty text, NaN of an address typed by hand
};

export const rowNumber = (context, id, name, about, value, take) =>
  h(
    "label",
    { class: "w" },
    h("input", {
      id,
      inputmode: "decimal",
      autocomplete: "off",
      "aria-label": `${name}: ${about.label}, ${about.unit}`,
      "--letters": String(Math.max(3, number(value).length)),
      value: number(value),
      oninput: ({ target }) => {
        const problem = problemOf(target.value, about);
        context.wrong(id, problem && `${name}, ${about.label}: ${problem}`);
        target.toggleAttribute("aria-invalid", Boolean(problem));
        if (!problem) take(typedNumber(target.value) ?? about.value);
      },
    }),
    h("small", {}, about.unit),
  );

export const withoutButton = (name, remove) =>
  h(
    "button",
    { type: "button", class: "tool", "aria-label": `Without ${name}`, title: "Without it", onclick: remove },
    icon("close"),
  );
export const addButton = (id, text, add) => h("button", { type: "button", class: "btn", id, onclick: add }, icon("plus"), text);
