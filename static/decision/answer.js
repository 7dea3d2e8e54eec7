// The answer of a decision: one sentence by fixed rules, the facts beside it, and the one figure.
import { h } from "../dom.js";
import { date, money, number, percent, share, shortMoney } from "../format.js";
import { utilizationOf } from "../parts.js";
import { change, valueOf } from "./state.js";
import { glossary } from "../terms.js";
import { bestChance, bestChances, clause, figures, lacked, lasting, mayRank, netted, undone, weakest } from "./words.js";

export const amount = (value, { decide_by: by, currency }, brief = false) =>
  figures[by].money ? (brief ? shortMoney(value, currency) : money(value, currency)) : number(value, figures[by].unit, 0);

const mark = (plan) => h("mark", { "--k": `var(--p${plan.colour})` }, plan.name);
const tie = 0.01; // below this share of the cheaper, two plans cost the same
export const sure = 0.9; // of the draws: a plan that can serve in fewer is not chosen without a word

// In which share of the draws a plan can serve; null until they are there.
export const canServe = ({ chances, stale }, i) => (stale?.has("chances") ? null : (chances?.scenarios[i].probability_feasible ?? null));

// The cheapest can't serve in many draws: what it costs, how often it can, and the cheapest that nearly always can.
function doubtful(view, first) {
  const { answer, order, plans } = view;
  const cost = (i) => answer.scenarios[i].result.decisive;
  const able = order.filter((i) => mayRank(answer.scenarios[i].result) && cost(i) !== null);
  const safe = able.find((i) => canServe(view, i) >= sure);
  const surest = able.reduce((best, i) => (canServe(view, i) > canServe(view, best) ? i : best));
  return [
    mark(plans[first]),
    ` is the cheapest as stated, ${amount(cost(first), answer, true)} for ${lasting(answer.scenarios[first].result.months)}, ` +
      `but can serve in only ${share(canServe(view, first))} of the draws. `,
    ...(safe === undefined
      ? [
          `No plan can in ${share(sure)} of them`,
          ...(surest === first ? ["."] : ["; the surest, ", mark(plans[surest]), `, ${amount(cost(surest), answer, true)}, can in ${share(canServe(view, surest))}.`]),
        ]
      : [
          "The cheapest that can in ",
          `${share(sure)} or more: `,
          mark(plans[safe]),
          `, ${amount(cost(safe), answer, true)} (${percent(cost(safe) / cost(first) - 1, { signed: true })}), in ${share(canServe(view, safe))}.`,
        ]),
  ];
}

// The sentence as children of a heading. `why` are the bridge's steps from the first to the second.
function sentence(view) {
  const { answer, order, plans, why } = view;
  const [first, second] = order.map((i) => ({ plan: plans[i], result: answer.scenarios[i].result }));
  const one = plans.length === 1;
  if (!answer.comparable) {
    const { what, a, b } = answer.differences[0];
    return [`These plans don't do the same work: ${what.replaceAll("_", " ")} is ${figureText(a)} in one and ${figureText(b)} in another. None is ranked.`];
  }
  if (answer.cheapest === null) {
    if (answer.scenarios.every(({ result }) => result.feasible || result.decisive !== null)) {
      const closest = [...order].sort((a, b) => undone(answer.scenarios[a].result) - undone(answer.scenarios[b].result))[0];
      const result = answer.scenarios[closest].result;
      return [
        `${one ? "This plan can't" : "No plan can"} serve this. ${one ? "It" : ""}`,
        one ? "" : h("span", {}, "Closest: ", mark(plans[closest])),
        ` ${lacked(result)}.`,
      ];
    }
    return [`No plan's ${figures[answer.decide_by].name.toLowerCase()} is known, so none is the least.`];
  }
  const by = figures[answer.decide_by];
  const months = first.result.months;
  const drawn = canServe(view, order[0]);
  if (drawn !== null && drawn < sure) return doubtful(view, order[0]);
  const cost = `${amount(first.result.decisive, answer, true)} for ${lasting(months)}.`;
  const said = drawn === null ? [mark(first.plan), ` is the cheapest as stated: ${cost}`] : ["Choose ", mark(first.plan), `: ${cost}`];
  if (!second || !mayRank(second.result) || second.result.decisive === null) {
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
  const reason = reasonOf(why ?? [], second.result, answer);
  return [...said, " The next best, ", second.plan.name, `, ${by.of} ${amount(second.result.decisive, answer, true)}${reason}.`];
}

const figureText = (value) => (value !== "" && Number.isFinite(Number(value)) ? number(Number(value)) : value);

const counts = 0.5; // a step against the largest that is at least so much of it is said too

// Why the second plan costs more: the bridge's largest step, idle hours by their share where that is known; and what takes much of it away.
function reasonOf(steps, result, answer) {
  const { rest } = netted(steps);
  const bySize = (rest.some(({ amount: one }) => one > 0) ? rest : [...steps]).sort((a, b) => b.amount - a.amount);
  const [largest, second, least] = [bySize[0], bySize[1], bySize.at(-1)];
  if (!largest || largest.amount <= 0) return "";
  const busy = largest.driver === "idle device-hours" && !largest.a ? utilizationOf(result) : null;
  const said = busy !== null ? `its devices idle ${percent(1 - busy)} of the hours paid` : clause(largest, answer.currency);
  if (-least.amount < counts * largest.amount) return `: ${said}`;
  const change = (step) => `${amount(Math.abs(step.amount), answer, true)} ${step.amount > 0 ? "more" : "less"}`;
  // Where more is taken away than the largest adds, the next is said with it.
  const also = second?.amount > 0 && -least.amount > largest.amount ? `, ${clause(second, answer.currency)} (${change(second)})` : "";
  return `: ${said} (${change(largest)})${also}, though ${clause(least, answer.currency)} (${change(least)})`;
}

// `isOld`: of the last state, until it is computed anew.
const fact = (name, text, more = "", title = "", isOld = false) =>
  h("div", { class: isOld ? "stale" : null }, h("dt", title ? { title } : {}, name), h("dd", {}, text, more ? h("span", {}, ` ${more}`) : ""));

function facts(view) {
  const { answer, chances, flips, budget, stale } = view;
  const first = answer.cheapest;
  const list = [];
  if (first === null) return list;
  const chance = chances ? bestChance(chances, first) : null;
  if (chance !== null)
    list.push(fact("Chance it is best", bestChances(chances)[first], `of ${chances.samples} draws`, glossary["Be best"], stale.has("chances")));
  if (budget) {
    const within = chances?.scenarios[first].probability_below?.[0]?.probability;
    const now = answer.scenarios[first].result.decisive <= budget ? "within it" : "over it";
    list.push(
      fact(`Budget ${amount(budget, answer, true)}`, now, within === undefined ? "" : `as stated, and in ${share(within)} of draws`, "", stale.has("chances")),
    );
  }
  const flip = flips?.find((one) => one.flips);
  if (flip) list.push(
      fact("Changes if", `${flip.concept.label.toLowerCase()} ${flip.flips.said}`, `(now ${flip.now})`, "", stale.has("flips")),
    );
  else if (flips) list.push(fact("Changes if", "nothing in the ranges drawn", "", "", stale.has("flips")));
  const word = weakest(answer.scenarios[first].result);
  list.push(fact("Weakest evidence", word === "hosted" ? "price list of a hosted model" : word, "", glossary.Evidence));
  const oldest = answer.scenarios[first].result.provenance.oldest_price;
  list.push(fact("Oldest price", oldest ? date(oldest) : "not dated", ""));
  return list;
}

const delta = (value, part, text, currency, isMoney) => [
  h(
    "b",
    { class: value < 0 ? "good" : value > 0 ? "bad" : "" },
    isMoney
      ? shortMoney(value, currency)
          .replace(/^(?=[^−])/, value > 0 ? "+" : "")
      : number(value, "", 0),
  ),
  h("span", { class: `pc ${value < 0 ? "good" : value > 0 ? "bad" : ""}` }, percent(part, { signed: true })),
  h("span", {}, text),
];

// Whether the page's figures are discounted is one switch for all of them: without, what decides is the cost, whose parts the bars show.
function discounting({ answer, concepts, address }) {
  const rate = concepts.find((concept) => concept.id === "discount-rate");
  const now = rate && valueOf(rate, address);
  if (!rate?.base || (now !== 0 && !answer.decide_by.startsWith("npv"))) return null;
  const button = (text, value, isPressed) =>
    h("button", { type: "button", "aria-pressed": String(isPressed), onclick: () => isPressed || change(rate, value) }, text);
  return h(
    "div",
    { class: "seg", role: "group", id: "discounting", "aria-label": "Discounting of all figures" },
    button(`Discounted at ${number(100 * (now || rate.base), "%", 1)}`, null, now !== 0),
    button("Not discounted", 0, now === 0),
  );
}

function figure(view) {
  const { answer, order, plans, baseline, chances } = view;
  const shown = answer.cheapest ?? order[0];
  const result = answer.scenarios[shown].result;
  const by = figures[answer.decide_by];
  const next = order.find(
    (i) => i !== shown && mayRank(answer.scenarios[i].result) && answer.scenarios[i].result.decisive !== null,
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
      mayRank(answer.scenarios[i].result) ? "" : "which can't serve",
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
    discounting(view),
    h("div", { class: "big" }, result.decisive === null ? "not known" : amount(result.decisive, answer)),
    h("div", { class: "deltas" }, rows),
    h(
      "p",
      { class: "foot" },
      unit?.cost_per_million_units ? `${money(unit.cost_per_million_units, answer.currency)} per million ${unit.unit}s, not discounted` : "",
      spread ? h("br", {}) : "",
      spread && !view.stale.has("chances") ? `9 in 10 draws: ${amount(spread.p5, answer, true)} to ${amount(spread.p95, answer, true)}` : "",
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
      side.replaceChildren(...figure(view).filter(Boolean));
    },
    text: () => heading.textContent,
    // Whether the draws took back what the answer said before them.
    isDoubtful: (view) => view.answer.cheapest !== null && (canServe(view, view.order[0]) ?? 1) < sure,
  };
}
