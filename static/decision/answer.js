// The answer of a decision: one sentence by fixed rules, the facts beside it, and the one figure.
import { h } from "../dom.js";
import { date, money, number, percent, plural, share, shortMoney } from "../format.js";
import { utilizationOf } from "../parts.js";
import { levelSaid } from "../plan/answer.js";
import { cardsPart } from "../plan/cards.js";
import { change, valueOf } from "./state.js";
import { glossary } from "../terms.js";
import { amount, bestChances, clause, figures, lacked, lasting, mayRank, netted, sure, undone, weakest } from "./words.js";

export { amount, sure } from "./words.js"; // for those that take them from here

const mark = (plan) => h("mark", { "--k": `var(--p${plan.colour})` }, plan.name);
const tie = 0.01; // below this share of the cheaper, two plans cost the same

// Nobody states the latency of a pool of it, and the work has an objective: it is not chosen without a word.
const isLatencyUnknown = ({ warnings }) => warnings.some(({ code }) => code === "latency_unknown");

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
    return [
      `These plans don't do the same work: ${what.replaceAll("_", " ")} is ${figureText(a)} in one and ${figureText(b)} in another. None is ranked.`,
      levelized(answer, plans),
    ];
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
  const level = view.rows.filter(({ isLevel }) => isLevel);
  const figureOf = { decide_by: answer.decide_by, unit: answer.currency };
  if (level.length) return levelSaid({ rows: view.rows, level, answer: figureOf, months }).flat(Infinity);
  const cost = `${amount(first.result.decisive, answer, true)} for ${lasting(months)}.`;
  const said = drawn === null || isLatencyUnknown(first.result) ? [mark(first.plan), ` is the cheapest as stated: ${cost}`] : ["Choose ", mark(first.plan), `: ${cost}`];
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

// What a million units cost in each of unlike plans, where these are of one unit.
const levelized = ({ by_unit: each, currency }, plans) =>
  each
    ? ` A million ${plural(each.unit)}, levelized: ${plans.map(({ name }, i) => `${name} ${money(each.levelized_cost_per_million_units[i], currency)}`).join(", ")}.`
    : "";

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
const fact = (name, text, { title = "", isOld = false, tone = "" } = {}) => [
  h("dt", title ? { title } : {}, name),
  h("dd", { class: `${tone} ${isOld ? "stale" : ""}`.trim() || null }, text),
];

function facts(view, shown) {
  const { answer, chances, budget, stale } = view;
  const { result } = answer.scenarios[shown];
  const { p10: low, p90: high, mean } = chances?.scenarios[shown].outputs[`/total/${answer.decide_by}`] ?? {};
  const isOld = stale.has("chances");
  const able = canServe(view, shown);
  const within = chances?.scenarios[shown].probability_below?.[0]?.probability;
  const isWithin = result.decisive !== null && result.decisive <= budget;
  const word = weakest(result);
  const oldest = result.provenance.oldest_price;
  const million = Object.values(result.by_workload)[0];
  return [
    budget
      ? fact(
          `Budget ${amount(budget, answer, true)}`,
          `${isWithin ? "within it" : "over it"}${within === undefined ? "" : `, and in ${share(within)} of draws`}`,
          { isOld, tone: isWithin ? "" : "bad" },
        )
      : "",
    low === undefined || low === null ? "" : fact("8 in 10 draws", `${amount(low, answer, true)} to ${amount(high, answer, true)}`, { isOld }),
    mean === undefined ? "" : fact("Expected", amount(mean, answer, true), { title: glossary.Expected, isOld }),
    able === null ? "" : fact("Can serve", `${share(able)} of draws`, { tone: able < sure ? "warn" : "" }),
    chances ? fact("Chance to be best", bestChances(chances)[shown], { title: glossary["Chance to be best"], isOld }) : "",
    million?.cost_per_million_units ? fact(`Per million ${plural(million.unit)}`, money(million.cost_per_million_units, answer.currency)) : "",
    fact("Weakest evidence", word === "hosted" ? "hosted model's price list" : word, { title: glossary.Evidence }),
    fact("Oldest price", oldest ? date(oldest) : "not dated", { tone: oldest ? "" : "warn" }),
  ];
}

// One line: what of the first is not known and the cheapest of which it is; what would change the choice, of the assumptions.
function lede(view) {
  return [...unknownOf(view), ...flipOf(view)];
}
function unknownOf({ answer, order, plans }) {
  const result = (i) => answer.scenarios[i].result;
  if (answer.cheapest === null || !isLatencyUnknown(result(order[0]))) return [];
  const known = order.find((i) => mayRank(result(i)) && result(i).decisive !== null && !isLatencyUnknown(result(i)));
  const next =
    known === undefined
      ? [" Nor is it of another. "]
      : [" The cheapest of which it is: ", mark(plans[known]), `, ${amount(result(known).decisive, answer, true)}. `];
  return [h("b", {}, "Whether it keeps the latency is not known."), ...next];
}
function flipOf({ answer, flips, stale }) {
  if (!flips || answer.cheapest === null) return [];
  const flip = flips.find((one) => one.flips);
  const text = flip
    ? [h("b", {}, "Changes if "), `${flip.concept.label.toLowerCase()} is ${flip.flips.said} (now ${flip.now}).`]
    : ["No assumption changes the choice within its range."];
  return [h("span", { class: stale.has("flips") ? "stale" : null }, text)];
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
export function discounting({ answer, concepts, address }) {
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
  const { answer, order, plans, baseline } = view;
  const shown = view.taken ?? answer.cheapest ?? order[0];
  const result = answer.scenarios[shown].result;
  const by = figures[answer.decide_by];
  const next = order.find(
    (i) => i !== shown && mayRank(answer.scenarios[i].result) && answer.scenarios[i].result.decisive !== null,
  );
  const against = [...new Set([next, baseline])].filter((i) => i !== undefined && i !== shown && answer.comparable);
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
    h("div", { class: "big" }, result.decisive === null ? "not known" : amount(result.decisive, answer)),
    h("div", { class: "deltas" }, rows),
    h("dl", { class: "two-n" }, facts(view, shown)),
  ];
}

export function answerPart() {
  const heading = h("h1", { class: "answer", id: "answer", tabindex: "-1" });
  const below = h("p", { class: "lede" });
  const cards = cardsPart();
  const side = h("div", { class: "figure" });
  return {
    element: h("section", { class: "ans", "aria-label": "Answer" }, h("div", { class: "say" }, heading, below, cards.element), side),
    show(view) {
      heading.replaceChildren(...sentence(view).filter(Boolean));
      below.replaceChildren(...lede(view));
      const isChosen = view.answer.comparable && view.answer.cheapest !== null && view.rows.length > 1;
      cards.show({
        ...view,
        answer: { decide_by: view.answer.decide_by, unit: view.answer.currency },
        rows: isChosen ? view.rows : [],
        taken: view.rows.find(({ at }) => at === (view.taken ?? view.answer.cheapest)),
      });
      side.replaceChildren(...figure(view).filter(Boolean));
    },
    text: () => heading.textContent,
    // Whether the draws took back what the answer said before them.
    isDoubtful: (view) => view.answer.cheapest !== null && (canServe(view, view.order[0]) ?? 1) < sure,
  };
}
