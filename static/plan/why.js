// The right column: why one plan costs more than another, and where the figure comes from.
import { post } from "../api.js";
import { bar, showTree } from "../decision/why.js";
import { amount, figures, stepText } from "../decision/words.js";
import { choice, h } from "../dom.js";
import { inThousands, number, sign } from "../format.js";
import { capital } from "../terms.js";
import { addingUp, becauseOf, nounsOf } from "./nouns.js";

function table(list, [a, b], answer) {
  const isThousand = inThousands([a.cost, b.cost]);
  const unit = isThousand ? 1000 : 1;
  const sizes = [a.cost, ...list.map((one) => one.amount)].map((value) => value / unit);
  const amounts = addingUp(sizes[0], sizes.slice(1), b.cost / unit);
  const ends = list.reduce((all, one) => [...all, all.at(-1) + one.amount], [a.cost]);
  const most = Math.max(...ends, a.cost, b.cost, 1e-9);
  const least = Math.min(0, ...ends);
  const at = (value) => value - least;
  const end = (row) =>
    h(
      "tr",
      { class: "ends" },
      h("td", {}, row.short),
      h("td", {}, bar(at(0), at(row.cost), most - least, `var(--p${row.colour})`)),
      h("td", { class: "num" }, number(Math.round(row.cost / unit))),
    );
  const isOff = list.filter((one) => one.isOff).map((one) => one.name);
  const by = figures[answer.decide_by];
  return [
    h(
      "table",
      { class: "nouns", "aria-label": `From ${a.name} to ${b.name}` },
      h(
        "tbody",
        {},
        end(a),
        list.map((one, i) => {
          const tone = one.isOff || !amounts[i] ? "" : one.amount > 0 ? "bad" : "good";
          return h(
            "tr",
            { class: one.isOff ? "off" : null },
            h("td", {}, one.name, h("small", {}, one.text)),
            h(
              "td",
              {},
              bar(
                at(ends[i]),
                at(ends[i + 1]),
                most - least,
                one.isOff ? "var(--ink-3)" : one.amount > 0 ? "var(--bad)" : "var(--good)",
              ),
            ),
            h("td", { class: `num ${tone}` }, (amounts[i] > 0 ? "+" : "") + number(amounts[i])),
          );
        }),
        isOff.length ? h("tr", {}, h("td", { class: "cx", colspan: 3 }, `These cancel: ${isOff.join(", ").toLowerCase()}.`)) : "",
        end(b),
      ),
    ),
    h(
      "p",
      { class: "foot" },
      `${by.name}, ${[by.money ? sign(answer.unit) : "", isThousand ? "thousand" : "", by.unit ?? ""].filter(Boolean).join(" ")}. Steps add up to the difference.`,
    ),
  ];
}

// The steps of energy or carbon, which have no nouns of money.
const driversOf = ({ steps }, currency) =>
  steps.filter(({ amount }) => amount).map((one) => ({ name: capital(one.driver), amount: one.amount, text: stepText(one, currency) }));

// `actions.pair(a, b)` gets the keys of the plans that are explained.
export function whyPart(actions) {
  const reasons = h("section", { class: "panel", id: "why", "aria-labelledby": "why-title" });
  const tree = h("section", { class: "panel", id: "terms", tabindex: "-1", "aria-labelledby": "terms-title" });
  let opened = "";

  function draw(view, compared) {
    const { rows, answer, pair } = view;
    const [a, b] = pair; // the plan of the answer, and the one that it is held against
    const picker = (which, row) =>
      h(
        "span",
        { class: "pick-plan", "--k": `var(--p${row.colour})` },
        h("i", { class: "sw" }),
        choice(
          rows.map((one) => ({ value: one.key, text: one.short })),
          row.key,
          (key) => (which ? actions.pair(a.key, key) : actions.pair(key, b.key)),
          { id: which ? "pair-b" : "pair-a", "aria-label": which ? "From this plan" : "To this plan" },
        ),
      );
    const split = compared?.waterfalls[0]?.bridge;
    const bridge = split?.figure === answer.decide_by ? split : null; // where a figure has no drivers, the API splits the cost
    const { currency } = a.plan.scenario;
    const of = figures[answer.decide_by];
    const list = bridge
      ? of.money
        ? nounsOf(
          bridge,
          compared.scenarios.map(({ result }) => result),
          currency,
        )
        : driversOf(bridge, currency)
      : [];
    const said = bridge && of.money ? becauseOf(list, currency, (value) => amount(value, { decide_by: answer.decide_by, currency }, true)) : null;
    reasons.replaceChildren(
      h(
        "div",
        { class: "bar" },
        h(
          "h2",
          { id: "why-title" },
          a.cost === b.cost ? "They are the same" : `Why ${a.short} ${of.of} ${a.cost < b.cost ? "less" : "more"}`,
        ),
      ),
      h("div", { class: "pair" }, picker(1, b), picker(0, a)),
      said ? h("p", { class: "because" }, h("b", {}, said.first), said.rest ? ` ${said.rest}` : "") : "",
      ...(bridge
        ? table(list, [b, a], answer)
        : [h("p", { class: "small" }, !compared ? "Comparing…" : split ? "This figure is not split by what drives it; below is what it consists of." : "What one of them costs is not known: there is no bridge.")]),
    );
  }

  return {
    reasons,
    tree,
    async show(view, signal) {
      const [a, b] = view.pair;
      reasons.hidden = !a || !b || a === b;
      tree.hidden = !a;
      if (!a) return;
      const scenario = (row) => row.plan.scenario;
      if (!reasons.hidden) {
        const compared = await post("/v1/compare", { scenarios: [scenario(b), scenario(a)], baseline: 0 }, signal);
        if (signal.aborted) return;
        draw(view, compared);
      }
      const key = JSON.stringify([a.key, a.cost, view.request]);
      if (key === opened || !a.result) return;
      opened = key;
      const plan = { reference: null, request: scenario(a), resolved: scenario(a), name: a.name, colour: a.colour };
      await showTree(
        tree,
        plan,
        { answer: { decide_by: view.answer.decide_by, currency: a.plan.scenario.currency }, changes: {}, asOf: null, signal },
        () => key === opened,
      );
    },
  };
}
