// The assumptions of a decision: a slider and a typed number for each concept, the range that is drawn, and where the answer changes.
import { h, keepFocus } from "../dom.js";
import { messageWords, notANumber, number, typedNumber, unitOf as unitIn } from "../format.js";
import { icon } from "../icons.js";
import { isAbout } from "./concepts.js";
import { change, valueOf } from "./state.js";
import { othersPart } from "./others.js";
import { glossary } from "../terms.js";
import { dots } from "./words.js";

// The number that is shown of a factor or value, and the one that is stored of a shown number.
const isMultiple = (concept) => !concept.absolute && (concept.base === null || concept.unit.startsWith("×"));
const factorOf = (concept) => (concept.scale ?? 1) * (concept.absolute || isMultiple(concept) ? 1 : concept.base);
const shown = (concept, value) => value * factorOf(concept);
const digits = (value) => (Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 4);
export const textOf = (concept, value) => number(shown(concept, value), "", digits(shown(concept, value)));
// The unit of the number that is shown. What is money is in the currency of the plans' documents, which may be another than the plans'.
export const unitOf = (concept, currency) =>
  isMultiple(concept) && !concept.unit.startsWith("×") ? "× plan" : unitIn(concept.unit, concept.currency ?? currency);
// That of the value that a request and its answer have.
export const askedUnit = (concept) =>
  concept.absolute ? (concept.scale === 100 ? concept.unit.replace("%", "fraction") : concept.unit) : "× plan";

// What is wrong with a value, in the field's own unit where the API says a limit.
function problemWords(concept, message, unit) {
  const [, side, limit] = /at (most|least) (-?[\d.e+-]*\d)/.exec(message) ?? [];
  const [, low, high] = /allowed (-?[\d.e+-]+) to (-?[\d.e+-]*\d)/.exec(message) ?? [];
  const own = (text) => number(Number(text) * (concept.scale ?? 1));
  if (high && !isMultiple(concept)) return `${concept.label} is ${own(low)} to ${own(high)} ${unit}.`;
  if (!limit || isMultiple(concept)) return messageWords(message);
  return `${concept.label} is at ${side} ${own(limit)} ${unit}.`;
}

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
  const problem = view.problems?.find((one) => isAbout(one, concept.pointer));
  const field = h("input", {
    id,
    inputmode: "decimal",
    value: textOf(concept, value),
    autocomplete: "off",
    "aria-invalid": problem ? "true" : null,
    oninput: ({ target }) => (target.dataset.typed = "true"),
    onblur: ({ target }) => delete target.dataset.typed,
    onchange: ({ target }) => {
      delete target.dataset.typed;
      typed(target);
    },
  });
  const wrong = h("div", { class: "wrong", role: "alert" }, problem ? problemWords(concept, problem.message, unit) : "");
  const typed = (input) => {
    const entered = typedNumber(input.value);
    if (entered === null) {
      input.value = textOf(concept, concept.absolute ? concept.base : 1);
      return change(concept, null); // the plan's own
    }
    if (!Number.isFinite(entered) || entered < 0) {
      wrong.textContent = entered < 0 ? "A number, 0 or more." : notANumber(input.value);
      input.setAttribute("aria-invalid", "true");
      return;
    }
    settle(entered / factorOf(concept));
  };
  // The steps of a slider need not hit the plan's own value: what is nearest to it is it.
  const own = concept.absolute ? concept.base : 1;
  const grain = (concept.to - concept.from) / 200;
  const near = (next) => (Math.abs(next - own) <= grain / 2 ? own : next);
  const settle = (next) => change(concept, Math.abs(next - own) <= 1e-9 * Math.abs(own) ? null : next);
  const slider = h("input", {
    type: "range",
    min: concept.from,
    max: concept.to,
    step: grain,
    value,
    id: `${id}-slider`,
    "aria-label": `${concept.label}, slider`,
    "aria-valuetext": `${textOf(concept, value)} ${unit}`,
    oninput: (event) => {
      const next = near(Number(event.target.value));
      field.value = textOf(concept, next);
      actions.drag(concept, next);
    },
    onchange: (event) => settle(near(Number(event.target.value))),
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
      { class: `r ${view.flips && view.stale.has("flips") ? "stale" : ""}`.trim() },
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
  const element = h(
    "section",
    { class: "panel", id: "assumptions", "aria-labelledby": "assumptions-title" },
    h(
      "div",
      { class: "bar" },
      h("h2", { id: "assumptions-title" }, "What is assumed"),
      h(
        "span",
        { class: "small" },
        "They hold for all plans at once. Dark bar: the range drawn. ",
        h("span", { class: "bad" }, "Red"),
        ": the answer changes.",
      ),
    ),
    list,
    others.element,
    actions.below,
  );
  return {
    element,
    show(view) {
      const refocus = keepFocus();
      latest = view;
      if (document.activeElement?.dataset.typed && element.contains(document.activeElement)) return; // what is being typed stays
      list.replaceChildren(...view.concepts.map((concept) => row(concept, view, actions)));
      others.show(view);
      refocus();
    },
  };
}
