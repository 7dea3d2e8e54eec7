// The question on the page: a sentence of one kind of work, what it assumes, and the address that it stands for.
import { currencies, currencyOf } from "../decision/start.js";
import { h, keepFocus } from "../dom.js";
import { icon } from "../icons.js";
import { go, linkTo, params as here } from "../router.js";
import { fleet } from "./fleet.js";
import { batch, edge, serve } from "./serve.js";
import { sizes } from "./sizes.js";
import { train } from "./train.js";

export const kinds = [serve, train, batch, fleet, edge, sizes];
const viewKinds = ["train", "batch", "fleet", "edge", "mix"]; // views of one kind of question
export function kindOf(params) {
  const stated = viewKinds.find((name) => name === params.get("view")) ?? params.get("ask") ?? "";
  return kinds.find(({ name }) => name === stated) ?? serve;
}

// The address of all plans of a question.
export function plansAddress(kind, params) {
  const names = kind.parameters.filter((name) => params.has(name));
  return linkTo(kind.view, Object.fromEntries(names.map((name) => [name, params.getAll(name)])));
}

export const hasModel = (kind, params) => kind.hasModel?.(params) ?? params.has("model");

// What a question lacks to be asked, in words; "" where nothing.
export function lackOf(kind, params) {
  if (!hasModel(kind, params)) return "Choose a model: plans follow each change of the sentence.";
  const lack = kind.lack?.(params);
  if (lack) return lack;
  const currency = currencyOf(params);
  return currency !== currencies[0] && !params.get("dollar")
    ? `Say what a US dollar is in ${currency}: prices of the catalogue are in dollars.`
    : "";
}

// `known` are the models; `changed(kind, params)` hears of each change; `others` are links to kinds that have no sentence.
export function question(known, changed, action = null, others = []) {
  const wrong = new Map(); // by field
  const opened = new Set();
  const sentence = h("div", { class: "sentence" });
  const assumed = h("div", { class: "chips" });
  const issues = h("ul", { class: "issues", role: "alert" });
  const kindPart = h("div", { class: "seg", role: "group", "aria-label": "Kind of question" });
  const open = action ?? h("a", { class: "btn first", id: "open-plans" }, "Open as a decision");

  const context = {
    known,
    opened,
    params: here,
    wrong(name, text) {
      if (text) wrong.set(name, text);
      else wrong.delete(name);
      issues.replaceChildren(...[...wrong.values()].map((one) => h("li", {}, one)));
    },
    change(changes, { redraw = false } = {}) {
      go(changes, { quiet: true, replace: true });
      if (redraw) context.redraw();
      heard();
    },
    redraw() {
      const refocus = keepFocus();
      const kind = kindOf(here());
      sentence.replaceChildren(...kind.sentence(context).flat());
      assumed.replaceChildren(h("span", { class: "small" }, "Assumed until you say otherwise"), ...kind.assumed(context).flat());
      kindPart.replaceChildren(...kinds.map((one) => button(one, one === kind)), ...others);
      refocus();
    },
  };
  function heard() {
    const kind = kindOf(here());
    const lack = lackOf(kind, here());
    const isWhole = !lack && !wrong.size;
    if (!action) {
      open.href = plansAddress(kind, here());
      open.toggleAttribute("aria-disabled", !isWhole);
    }
    changed(kind, here(), { isWhole, lack });
  }
  const button = ({ name, title }, isPressed) =>
    h(
      "button",
      {
        type: "button",
        id: `ask-${name || "serve"}`,
        "aria-pressed": String(isPressed),
        onclick: () => {
          wrong.clear();
          opened.clear();
          context.wrong("", "");
          context.change({ ask: name || null }, { redraw: true });
        },
      },
      title,
    );
  context.redraw();
  const element = h(
    "section",
    { class: "question", "aria-label": "A question" },
    sentence,
    issues,
    h("div", { class: "under" }, assumed, h("div", { class: "end" }, open)),
  );
  // A model from elsewhere on the page: of the sentence, or of those of its workloads that have none.
  const choose = (model) => {
    const kind = kindOf(here());
    context.change(kind.withModel?.(here(), model) ?? { model }, { redraw: true });
  };
  return { element, kinds: kindPart, hear: heard, choose };
}

const steps = [
  ["Import a price list", { page: "imports" }],
  ["Turn on feeds", { page: "feeds" }],
];

// In the place of the lists, where the catalogue has no model.
export const emptyCatalogue = () =>
  h(
    "section",
    { class: "box empty-store", "aria-labelledby": "empty-title" },
    h("h2", { id: "empty-title" }, "No prices yet"),
    h("p", {}, "Plans need models, prices and measurements. The catalogue that ships with costcurve has all three:"),
    h("p", {}, h("code", {}, "deploy/catalog/store costcurve --database FILE")),
    h("p", { class: "small" }, "deploy/run does it at its first start. Or begin with your own:"),
    h(
      "div",
      { class: "acts" },
      steps.map(([text, page], i) =>
        h("a", { class: `btn ${i ? "" : "first"}`, href: linkTo("data", page) }, i ? "" : icon("plus"), text),
      ),
    ),
    h("p", { class: "small" }, "The question above waits for models: 0 are known."),
  );
