// The answer of a decision: one sentence by fixed rules, the facts beside it, and the one figure.
import { h } from "../dom.js";
import { date, money, number, percent, shortMoney, wholePercent } from "../format.js";
import { utilizationOf } from "../parts.js";
import { glossary } from "../terms.js";
import { clause, figures, lack, lasting, undone, weakest } from "./words.js";

export const amount = (value, { decide_by: by, currency }, brief = false) =>
  figures[by].money ? (brief ? shortMoney(value, currency) : money(value, currency)) : number(value, figures[by].unit, 0);

const mark = (plan) => h("mark", { "--k": `var(--p${plan.colour})` }, plan.name);
const tie = 0.01; // below this share of the cheaper, two plans cost the same

// The sentence as children of a heading. `why` are the bridge's steps from the first to the second.
function sentence({ answer, order, plans, why }) {
  const [first, second] = order.map((i) => ({ plan: plans[i], result: answer.scenarios[i].result }));
  const one = plans.length === 1;
  if (!answer.comparable) {
    const { what, a, b } = answer.differences[0];
    return [`These plans don't do the same work: ${what.replaceAll("_", " ")} is ${a} in one and ${b} in another. None is ranked.`];
  }
  if (answer.cheapest === null) {
    if (answer.scenarios.every(({ result }) => result.feasible || result.decisive !== null)) {
      const closest = [...order].sort((a, b) => undone(answer.scenarios[a].result) - undone(answer.scenarios[b].result))[0];
      const result = answer.scenarios[closest].result;
      return [
        `${one ? "This plan can't" : "No plan can"} serve this. ${one ? "It" : ""}`,
        one ? "" : h("span", {}, "Closest: ", mark(plans[closest])),
        ` ${lack(result.infeasible_because)}.`,
      ];
    }
    return [`No plan's ${figures[answer.decide_by].name.toLowerCase()} is known, so none is the least.`];
  }
  const by = figures[answer.decide_by];
  const months = first.result.months;
  const said = ["Choose ", mark(first.plan), `: ${amount(first.result.decisive, answer, true)} for ${lasting(months)}.`];
  if (!second || !second.result.feasible || second.result.decisive === null) {
    return one
      ? [mark(first.plan), ` ${by.of} ${amount(first.result.decisive, answer, true)} for ${lasting(months)}.`]
      : [...said, " No other plan can serve this."];
  }
  const gap = second.result.decisive - first.result.decisive;
  if (Math.abs(gap) < tie * Math.abs(first.result.decisive)) {
    return [
      mark(first.plan),
      " and ",
      mark(second.plan),
      `: the same within 1 %, ${amount(first.result.decisive, answer, true)} for ${lasting(months)}.`,
    ];
  }
  const largest = [...(why ?? [])].sort((a, b) => b.amount - a.amount)[0];
  const reason = largest && largest.amount > 0 ? `: ${reasonOf(largest, second.result, answer.currency)}` : "";
  return [...said, " The next best, ", second.plan.name, `, ${by.of} ${amount(second.result.decisive, answer, true)}${reason}.`];
}

// Why the second plan costs more: idle hours by their share where that is known, else the bridge's largest step.
function reasonOf(step, result, currency) {
  const busy = step.driver === "idle device-hours" && !step.a ? utilizationOf(result) : null;
  if (busy !== null) return `its devices idle ${percent(1 - busy)} of the hours paid`;
  return clause(step, (value) => brief(value, step, currency));
}
const brief = (value, step, currency) => (step.unit === "currency" ? shortMoney(value, currency) : money(value, currency));

const fact = (name, text, more = "", title = "") =>
  h("div", {}, h("dt", title ? { title } : {}, name), h("dd", {}, text, more ? h("span", {}, ` ${more}`) : ""));

function facts({ answer, chances, flips, budget }) {
  const first = answer.cheapest;
  const list = [];
  if (first === null) return list;
  const chance = chances?.scenarios[first].probability_cheapest;
  if (chance !== undefined && chance !== null)
    list.push(fact("Chance it is best", wholePercent(chance), `of ${chances.samples} draws`, glossary["Be best"]));
  if (budget) {
    const within = chances?.scenarios[first].probability_below?.[0]?.probability;
    const now = answer.scenarios[first].result.decisive <= budget ? "within it" : "over it";
    list.push(
      fact(`Budget ${amount(budget, answer, true)}`, now, within === undefined ? "" : `in ${wholePercent(within)} of draws within`),
    );
  }
  const flip = flips?.find((one) => one.flips);
  if (flip) list.push(fact("Changes if", `${flip.concept.label.toLowerCase()} ${flip.flips.said}`, `(now ${flip.now})`));
  else if (flips) list.push(fact("Changes if", "nothing in the ranges drawn", ""));
  const word = weakest(answer.scenarios[first].result);
  list.push(fact("Weakest evidence", word === "hosted" ? "price list of a hosted model" : word, "", glossary.Evidence));
  const oldest = answer.scenarios[first].result.provenance.oldest_price;
  list.push(fact("Oldest price", oldest ? date(oldest) : "not dated", ""));
  return list;
}

const delta = (value, share, text, currency, isMoney) => [
  h(
    "b",
    { class: value < 0 ? "good" : value > 0 ? "bad" : "" },
    isMoney
      ? shortMoney(value, currency)
          .replace(/^(?=[^−])/, value > 0 ? "+" : "")
      : number(value, "", 0),
  ),
  h("span", { class: `pc ${value < 0 ? "good" : value > 0 ? "bad" : ""}` }, percent(share, { signed: true })),
  h("span", {}, text),
];

function figure(view) {
  const { answer, order, plans, baseline, chances } = view;
  const shown = answer.cheapest ?? order[0];
  const result = answer.scenarios[shown].result;
  const by = figures[answer.decide_by];
  const next = order.find(
    (i) => i !== shown && answer.scenarios[i].result.feasible && answer.scenarios[i].result.decisive !== null,
  );
  const against = [...new Set([next, baseline])].filter((i) => i !== undefined && i !== shown && answer.comparable);
  const spread = chances?.scenarios[shown].outputs[`/total/${answer.decide_by}`];
  const unit = Object.values(result.by_workload)[0];
  const rows = against.flatMap((i) => {
    const other = answer.scenarios[i].result.decisive;
    if (other === null || result.decisive === null) return [];
    const roles = [
      i === next ? "next best" : "",
      i === baseline ? "baseline" : "",
      answer.scenarios[i].result.feasible ? "" : "which can't serve",
    ];
    const text = `to ${[plans[i].name, ...roles].filter(Boolean).join(", ")}`;
    return delta(result.decisive - other, (result.decisive - other) / Math.abs(other), text, answer.currency, by.money);
  });
  return [
    h(
      "div",
      { class: "small", title: glossary[by.name] },
      `${by.name} of ${plans[shown].name}, ${result.months} months, ${answer.currency}`,
    ),
    h("div", { class: "big" }, result.decisive === null ? "not known" : amount(result.decisive, answer)),
    h("div", { class: "deltas" }, rows),
    h(
      "p",
      { class: "foot" },
      unit?.cost_per_million_units ? `${money(unit.cost_per_million_units, answer.currency)} per million ${unit.unit}s` : "",
      spread ? h("br", {}) : "",
      spread ? `8 in 10 draws: ${amount(spread.p10, answer, true)} to ${amount(spread.p90, answer, true)}` : "",
    ),
  ];
}

export function answerPart() {
  const heading = h("h1", { class: "answer", id: "answer" });
  const list = h("dl", { class: "facts" });
  const side = h("div", { class: "figure" });
  return {
    say: [heading, list],
    side,
    show(view) {
      heading.replaceChildren(...sentence(view).filter(Boolean));
      list.replaceChildren(...facts(view));
      side.replaceChildren(...figure(view));
    },
    text: () => heading.textContent,
  };
}
