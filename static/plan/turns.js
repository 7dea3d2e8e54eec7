// What would have to be true: the price at which each next plan would be the first, and the shared price at which the first gives way. The
// plans keep their sizes, so that demand and rates, which change these, are not asked about.
import { post } from "../api.js";
import { unitOf } from "../decision/assumptions.js";
import { present } from "../decision/concepts.js";
import { flipRequest, flipsOf } from "../decision/flips.js";
import { h } from "../dom.js";
import { csvButton } from "../table.js";
import { winsAt } from "./rows.js";
import { waitLine } from "./wait.js";

const priced = ["token-price", "hour-price", "server-price", "power-price", "discount-rate", "resale"];
const [mostPlans, mostWins] = [8, 4];

// {request, read}: the question of the first plan against those that stand with it, and its answer as flips.
function questionOf({ rows, answer, compared }) {
  const some = rows.filter(({ behind }) => !behind).slice(0, mostPlans);
  const plans = some.map((row) => ({ name: row.short, resolved: row.plan.scenario, document: row.plan.scenario }));
  const concepts = present(plans).filter(({ id }) => priced.includes(id));
  const view = { concepts, plans, answer: { cheapest: 0, currency: compared.currency, decide_by: answer.decide_by } };
  if (some.length < 2 || !concepts.length) return null;
  const request = flipRequest(view, { scenarios: some.map((row) => row.plan.scenario) });
  return { request, read: (sensitivity) => flipsOf(sensitivity, view) };
}

const flipText = ({ flips }) => (flips ? `${flips.said}${flips.next ? `: then ${flips.next}` : ""}` : "no flip in its range");

export function turnsPart() {
  const element = h("section", { class: "panel", id: "turns", "aria-labelledby": "turns-title", "data-figure": "turns", hidden: true });
  let asked = "";
  let found = [];
  let wait = null;
  return {
    element,
    async show(view, signal) {
      element.hidden = view.rows.length < 2;
      if (element.hidden) return;
      const question = questionOf(view);
      const key = JSON.stringify(question?.request ?? null);
      if (key !== asked) {
        found = question ? question.read(await post("/v1/sensitivity", question.request, signal)) : [];
        wait = await waitLine(view, signal);
        asked = key;
      }
      const wins = view.rows.map((row) => ({ row, text: winsAt(row) })).filter(({ text }) => text).slice(0, mostWins);
      const lines = [
        ...wins.map(({ row, text }) => ({ what: row.title, value: `would be the first at ${text}`, isFlip: true })),
        ...found.map((one) => ({ what: one.concept.label, value: `${one.now} ${unitOf(one.concept, view.compared.currency)} now; ${flipText(one)}`, isFlip: Boolean(one.flips) })),
        ...(wait ? [wait] : []),
      ];
      element.hidden = !lines.length;
      const columns = [
        { name: "what", value: ({ what }) => what },
        { name: "flips at", value: ({ value }) => value },
      ];
      element.replaceChildren(
        h(
          "div",
          { class: "bar" },
          h("h2", { id: "turns-title" }, "What would have to be true"),
          h("span", { class: "small" }, "for another to be the first, each plan at its size"),
          h("div", { class: "tools" }, csvButton("turns", () => ({ columns, rows: lines }))),
        ),
        h(
          "ul",
          { class: "rows turns" },
          lines.map(({ what, value, isFlip }) => h("li", {}, h("b", {}, what), h("span", { class: isFlip ? "bad" : "small" }, value))),
        ),
      );
    },
  };
}
