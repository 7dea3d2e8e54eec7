// The answer of a ranking: one sentence by fixed rules, what would decide, the trade as cards, and the one figure.
import { amount, figures, lasting, sure } from "../decision/words.js";
import { h } from "../dom.js";
import { count, money, number, percent, share, shareBeside, sharesOf } from "../format.js";
import { glossary } from "../terms.js";
import { brief, cardsPart, figureOf, signed, trade } from "./cards.js";
import { deviceShort } from "./names.js";
import { dayText, winsAt, worthKnowing } from "./rows.js";

// A plan in a sentence, whose start it is or not.
const mark = (row, isStart = false) =>
  h("mark", { "--k": `var(--p${row.colour})` }, isStart ? row.title : row.title.replace(/^(Up to|Prompts on)/, (start) => start.toLowerCase()));
const mostNamed = 3; // level plans in the sentence, the first among them; two where their names are long
const longNames = 90; // letters

const tooSmall = (row) => `too small in ${shareBeside(row.holds).replace(" ", "\u00a0")}`;
const isUnsure = (row) => row.holds !== null && row.holds < sure;
const takes = ({ decide_by: by }) => figures[by].of;
// "costs $111k more", or less.
function differs(row, first, answer) {
  const gap = row.cost - first.cost;
  if (Math.abs(gap) < 0.0005 * Math.abs(first.cost)) return `${takes(answer)} the same`;
  return `${takes(answer)} ${brief(Math.abs(gap), answer)} ${gap > 0 ? "more" : "less"}`;
}
const doubt = (row) => (isUnsure(row) ? `, ${tooSmall(row)}` : "");

// The states of an answer, the first that fits: what is said of the first plan and of the next.
export function levelSaid({ rows: [first], level, answer, months }) {
  const all = level.slice(0, mostNamed - 1);
  const named = [first, ...all].map((row) => row.title).join("").length > longNames ? all.slice(0, 1) : all;
  const more = level.length - named.length;
  return [
    mark(first, true),
    ` ${takes(answer)} ${brief(first.cost, answer)} for ${lasting(months)}${isUnsure(first) ? `, but is ${tooSmall(first)} of draws` : ""}. `,
    named.map((row, i) => [i ? ", " : "", mark(row, i === 0), ` ${differs(row, first, answer)}${doubt(row)}`]),
    more ? `, and ${number(more)} more` : "",
    ": ",
    h("span", { class: "lvl", title: glossary.Level }, "level within what is known."),
  ];
}
function unsureSaid({ rows: [first], next, answer, months }) {
  return [
    mark(first, true),
    ` ${takes(answer)} ${brief(first.cost, answer)} for ${lasting(months)}, but is ${tooSmall(first)} of draws.`,
    next ? [" ", mark(next, true), ` ${differs(next, first, answer)}${doubt(next)}.`] : "",
  ];
}
function plainSaid({ rows: [first], next, answer, months }) {
  const isDrawn = first.holds !== null;
  const cost = `${brief(first.cost, answer)} for ${lasting(months)}.`;
  return [
    isDrawn ? ["Take ", mark(first), `: ${cost}`] : [mark(first, true), ` is the first as stated: ${cost}`],
    next ? [" ", mark(next, true), `, the next, ${differs(next, first, answer)}${doubt(next)}.`] : "",
  ];
}
const states = [
  { name: "level", is: ({ level }) => level.length > 0, say: levelSaid },
  { name: "unsure", is: ({ rows: [first] }) => isUnsure(first), say: unsureSaid },
  { name: "plain", is: () => true, say: plainSaid },
];

function sentence(view) {
  if (!view.rows.length) return ["No plan holds this: nothing in the catalogue can do the work as it is asked."];
  const told = trade(view);
  return states
    .find(({ is }) => is(told))
    .say(told)
    .flat(Infinity);
}

// "Llama 3.1 70B on MI300X" of the API's "llama-3.1-70b on amd.mi300x".
const measurementWords = (text, modelName) => {
  const [model, device] = text.split(" on ");
  return device ? `${modelName(model)} on ${deviceShort(device)}` : text;
};

// One line: what costs less and is not known as well; the measurement that would most often change the choice, or the price at which
// another would be the first.
function lede(view) {
  const { cheaper, first } = trade(view);
  const behind = cheaper ? [mark(cheaper, true), ` ${differs(cheaper, first, view.answer)}, but ${cheaper.behind}. `] : [];
  return [view.none, ...behind, ...decider(view)];
}
function decider(view) {
  const { answer } = view;
  if (view.rows[0]?.isReordered) return [];
  const { next, level } = trade(view);
  const [best] = worthKnowing(answer);
  if (best)
    return [
      h("b", {}, `Measuring ${measurementWords(best.measurement, view.modelName)} would decide: `),
      `worth ${brief(best.value, answer)} on average.`,
    ];
  if (level.length) return [h("b", {}, "No single rate would tell them apart.")];
  const at = next && winsAt(next);
  if (at) return [h("b", {}, `${next.title} would be the first at ${at}.`)];
  return view.isDrawn && next ? ["Nothing that can be measured would change the choice."] : [];
}

const pair = (term, text, tone = "") => [h("dt", { title: glossary[term] ?? null }, term), h("dd", { class: tone }, text)];
function figure(view) {
  const { answer, rows, taken, budget } = view;
  if (!taken) return [];
  const by = figures[answer.decide_by];
  const others = [
    ...rows.filter((row) => row !== taken && !row.behind).slice(0, 2),
    ...rows.filter((row) => row !== taken && row.behind),
  ].slice(0, 2);
  const chances = chanceTexts(view);
  const at = others.map((row) => [row, winsAt(row)]).find(([, text]) => text);
  return [
    h(
      "div",
      { class: "small", title: glossary[by.name] ?? null },
      `${by.name}, ${taken.title}, ${count(taken.plan.scenario.months, "month")}`,
    ),
    h("div", { class: "big" }, amount(taken.cost, figureOf(answer))),
    h(
      "div",
      { class: "deltas" },
      others.map((row) => {
        const gap = taken.cost - row.cost;
        const tone = gap < 0 ? "good" : gap > 0 ? "bad" : "";
        const text = `to ${row.short}${row.isLevel && taken === rows[0] ? ", level" : ""}${row.behind ? ", not known as well" : ""}`;
        return [
          h("b", { class: tone }, signed(gap, answer)),
          h("span", { class: `pc ${tone}` }, percent(gap / Math.abs(row.cost), { signed: true })),
          h("span", {}, text),
        ];
      }),
    ),
    h(
      "dl",
      { class: "two-n" },
      budget
        ? pair(
            "Budget",
            `${brief(budget, answer)}, ${taken.cost <= budget ? "within it" : "over it"}`,
            taken.cost <= budget ? "" : "bad",
          )
        : "",
      taken.low === null ? "" : pair("8 in 10 draws", `${brief(taken.low, answer)} to ${brief(taken.high, answer)}`),
      taken.holds === null ? "" : pair("Holds as sized", `${share(taken.holds)} of draws`, isUnsure(taken) ? "warn" : ""),
      taken.chance === null ? "" : pair("Chance to be best", chances[taken.i]),
      taken.million === null ? "" : pair("Per million output tokens", money(taken.million, taken.plan.scenario.currency)),
      at ? pair("Changes if", `${at[0].short} costs ${at[1]}`, "bad") : "",
      pair("Oldest price", dayText(taken.day), taken.day ? "" : "warn"),
    ),
  ];
}

// Chances of the shown plans, as texts that add up to 100 % with those of all others.
export function chanceTexts({ rows, answer }) {
  const { probability_others: others = 0, probability_none: none = 0 } = answer.uncertainty ?? {};
  return sharesOf([...rows.map((row) => row.chance), others + none]);
}

export function answerPart() {
  const heading = h("h1", { class: "answer", id: "answer", tabindex: "-1" });
  const below = h("p", { class: "lede" });
  const cards = cardsPart();
  const side = h("div", { class: "figure" });
  return {
    element: h("section", { class: "ans", "aria-label": "Answer" }, h("div", { class: "say" }, heading, below, cards.element), side),
    show(view) {
      heading.replaceChildren(...sentence(view));
      below.replaceChildren(...(view.rows.length ? lede(view) : view.nearest));
      cards.show(view);
      side.replaceChildren(...figure(view).flat(Infinity).filter(Boolean));
    },
    text: () => `${heading.textContent} ${below.textContent}`.trim(),
  };
}
