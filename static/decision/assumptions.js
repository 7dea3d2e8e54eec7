// The assumptions of a decision: a slider and a typed number for each concept, the range that is drawn, and where the answer changes.
import { h } from "../dom.js";
import { number } from "../format.js";
import { icon } from "../icons.js";
import { change, redo, redoable, undo, undoable, valueOf } from "./state.js";
import { othersPart } from "./others.js";
import { glossary } from "../terms.js";
import { dots } from "./words.js";

// The number that is shown of a factor or value, and the one that is stored of a shown number.
const isMultiple = (concept) => !concept.absolute && (concept.base === null || concept.unit.startsWith("×"));
const factorOf = (concept) => (concept.scale ?? 1) * (concept.absolute || isMultiple(concept) ? 1 : concept.base);
const shown = (concept, value) => value * factorOf(concept);
const digits = (value) => (Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 4);
export const textOf = (concept, value) => number(shown(concept, value), "", digits(shown(concept, value)));
export const unitOf = (concept, currency) =>
  concept.unit.startsWith("/") && !isMultiple(concept)
    ? `${currency}${concept.unit}`
    : isMultiple(concept) && !concept.unit.startsWith("×")
      ? "× plan"
      : concept.unit;

// Where a concept's value is from: the source of the first document that states it, as its first words.
function sourceOf(concept, plans) {
  const owner = concept.pointer.split("/")[3];
  const documents = plans
    .flatMap((plan) => plan.resolved.pools.map((pool) => pool[owner]))
    .filter((one) => one && typeof one === "object" && one.source);
  return documents.length ? { title: documents[0].source, text: documents[0].id ?? documents[0].source } : null;
}

function row(concept, view, actions) {
  const { plans, answer } = view;
  const value = valueOf(concept);
  const low = concept.low;
  const high = concept.high;
  const at = (one) =>
    `${(100 * (Math.min(concept.to, Math.max(concept.from, one)) - concept.from)) / (concept.to - concept.from)}%`;
  const changed = Math.abs(value - (concept.absolute ? concept.base : 1)) > 1e-12;
  const id = `assume-${concept.id}`;
  const flip = view.flips?.find((one) => one.concept.id === concept.id);
  const unit = unitOf(concept, answer.currency);
  const problem = view.problems?.find((one) => one.pointer.replaceAll("~1", "/").endsWith(concept.pointer));
  const field = h("input", {
    id,
    inputmode: "decimal",
    value: textOf(concept, value),
    autocomplete: "off",
    "aria-invalid": problem ? "true" : null,
    onchange: (event) => typed(event.target),
  });
  const wrong = h("div", { class: "wrong", role: "alert" }, problem?.message ?? "");
  const typed = (input) => {
    const text = Number(input.value.replace(/,/g, ""));
    const next = text / factorOf(concept);
    if (!Number.isFinite(text) || next < 0) {
      wrong.textContent = "A number, 0 or more.";
      input.setAttribute("aria-invalid", "true");
      return;
    }
    change(concept, next);
  };
  const slider = h("input", {
    type: "range",
    min: concept.from,
    max: concept.to,
    step: (concept.to - concept.from) / 200,
    value,
    id: `${id}-slider`,
    "aria-label": `${concept.label}, slider`,
    "aria-valuetext": `${textOf(concept, value)} ${unit}`,
    oninput: (event) => {
      field.value = textOf(concept, Number(event.target.value));
      actions.drag(concept, Number(event.target.value));
    },
    onchange: (event) => change(concept, Number(event.target.value)),
    ondblclick: () => change(concept, null),
  });
  const source = sourceOf(concept, plans);
  const evidence = source ? "stated" : "assumed";
  return h(
    "div",
    { class: `assume ${changed ? "changed" : ""}`, "data-concept": concept.id },
    h(
      "div",
      { class: "l" },
      h("label", { for: id, title: glossary[concept.label] ?? null }, concept.label),
      changed
        ? h(
            "button",
            {
              type: "button",
              class: "bare",
              title: "Back to the plans' own",
              "aria-label": `Reset ${concept.label}`,
              onclick: () => change(concept, null),
            },
            icon("undo"),
          )
        : "",
      h("span", { class: "field" }, field, h("span", {}, unit)),
    ),
    wrong,
    h(
      "div",
      { class: "slide", "--lo": at(low), "--hi": at(high), "--flip": flip?.flips ? at(flip.flips.value) : null },
      flip?.flips ? h("i", { title: `The answer changes here: ${flip.flips.text}` }) : "",
      slider,
    ),
    h(
      "div",
      { class: "r" },
      h("span", {}, textOf(concept, concept.from)),
      flip?.flips ? h("b", {}, flip.flips.text) : h("span", {}, concept.effect ?? (flip ? "no flip in range" : "")),
      h("span", {}, textOf(concept, concept.to)),
    ),
    h(
      "div",
      { class: "m" },
      h("span", { class: `ev e${source ? 3 : dots.assumed}` }, h("i", { "aria-hidden": "true" }, h("b", {})), evidence),
      source ? h("span", { class: "cut", title: source.title }, source.text) : "",
    ),
  );
}

export function assumptionsPart(actions) {
  const list = h("div", { class: "assumptions" });
  let latest = null;
  const others = othersPart((concept) => row(concept, latest, actions));
  const tools = h("div", { class: "tools" });
  const element = h(
    "aside",
    { class: "rail", id: "assumptions", "aria-label": "Assumptions" },
    h(
      "div",
      { class: "in" },
      h("div", { class: "bar" }, h("h2", {}, "Assumptions"), tools),
      h(
        "p",
        { class: "small" },
        "They hold for all plans at once. Dark bar: the range drawn. ",
        h("span", { class: "bad" }, "Red"),
        ": the answer changes.",
      ),
      list,
      others.element,
      actions.below,
    ),
  );
  return {
    element,
    show(view) {
      const focused = document.activeElement?.id;
      const button = (id, name, text, run, can) =>
        h(
          "button",
          {
            type: "button",
            class: "btn bare",
            id,
            disabled: !can,
            title: can ? text : `Nothing to ${name}`,
            "aria-label": text,
            onclick: run,
          },
          id === "redo" ? h("span", { class: "mirror" }, icon("undo")) : icon("undo"),
        );
      tools.replaceChildren(
        button("undo", "undo", "Undo (Ctrl Z)", undo, undoable()),
        button("redo", "do again", "Do it again (Ctrl Shift Z)", redo, redoable()),
      );
      latest = view;
      list.replaceChildren(...view.concepts.map((concept) => row(concept, view, actions)));
      others.show(view);
      if (focused?.startsWith("assume-")) document.getElementById(focused)?.focus({ preventScroll: true });
    },
  };
}
