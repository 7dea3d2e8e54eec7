// Questions about a decision, one open at a time: uncertainty, what moves the first of the pair, break-even and its best size. Each has
// the decision's plans, ranges and changes; the full page has all options.
import { post } from "../api.js";
import { categoryAxis, cut, grid, line, seriesLines, valueAxis, vertical } from "../axes.js";
import { chart } from "../chart.js";
import { choice, h, labelled } from "../dom.js";
import { percent, share, short, shortMoney, wholePercent } from "../format.js";
import { takeNumber } from "../number_field.js";
import { optimize } from "../views/optimize.js";
import { widened } from "../views/widening.js";
import { askedUnit, textOf, unitOf } from "./assumptions.js";
import { namesOf, reaching, valuesAt } from "./concepts.js";
import { step, valueOf } from "./state.js";
import { amount, figures } from "./words.js";

const tickOf = ({ decide_by: by, currency }) => (figures[by].money ? (value) => shortMoney(value, currency) : short);
const unitOfFigure = ({ decide_by: by, currency }) => (figures[by].money ? currency : figures[by].unit);
const colourOf = (plan) => `var(--p${plan.colour})`;

// The changes of a request without those of pointers, which vary.
const without = (changes, ...pointers) =>
  Object.fromEntries(
    Object.entries(changes).map(([name, values]) => [
      name,
      Object.fromEntries(Object.entries(values).filter(([pointer]) => !pointers.includes(pointer))),
    ]),
  );
const asOf = (view) => (view.asOf ? { as_of: view.asOf } : {});

// The plans' differences to the baseline over the draws, and the chance of each to stay under a budget.
function uncertainty(view) {
  const { answer, chances, plans, baseline, order, budget } = view;
  if (!chances) return [h("p", { class: "small" }, "Drawing…")];
  const rows = order
    .filter((i) => i !== baseline && chances.scenarios[i].difference)
    .map((i) => ({ i, plan: plans[i], difference: chances.scenarios[i].difference }));
  const name = figures[answer.decide_by].name;
  const unit = unitOfFigure(answer);
  const shares = Array.from({ length: 21 }, (_, at) => at / 20);
  const field = h("input", {
    id: "panel-budget",
    inputmode: "decimal",
    value: budget ?? "",
    onchange: ({ target }) => takeNumber(target, (amount) => step({ budget: amount }), { min: 0 }),
  });
  const within = (i) => chances.scenarios[i].probability_below?.[0]?.probability;
  return [
    h("div", { class: "controls" }, labelled(`Budget (${unit})`, field)),
    budget
      ? h(
          "table",
          { class: "within", "data-figure": "within" },
          h("caption", {}, `Chance that a plan does its work for at most ${amount(budget, answer)}`),
          h(
            "tbody",
            {},
            order.map((i) =>
              h(
                "tr",
                { "data-plan": plans[i].reference },
                h("th", { scope: "row" }, plans[i].name),
                h("td", { class: "num" }, within(i) === undefined ? "not known" : share(within(i))),
              ),
            ),
          ),
        )
      : "",
    rows.length
      ? chart({
          title: `Difference to ${plans[baseline].name}`,
          name: "differences",
          size: "small",
          note: `${name} less that of ${plans[baseline].name} in the same draw; ${chances.samples} draws within the ranges, seed ${chances.seed}. Left of 0: cheaper.`,
          legend: rows.map(({ plan }) => ({ name: plan.name, colour: colourOf(plan) })),
          option: (colours) => ({
            grid,
            tooltip: {
              trigger: "item",
              formatter: ({ seriesName, value }) =>
                `${seriesName}\n${percent(value[1])} of draws: at most ${amount(value[0], answer)}`,
            },
            xAxis: { ...valueAxis(`${name}, difference (${unit})`, colours, tickOf(answer)), splitLine: { show: false } },
            yAxis: vertical({ ...valueAxis("Share of draws", colours, wholePercent), min: 0, max: 1 }),
            series: rows.map(({ plan, difference }) =>
              line(
                plan.name,
                difference.quantiles.map((value, at) => [value, shares[at]]),
                colours.plans[plan.colour - 1],
              ),
            ),
          }),
          table: {
            columns: [
              { name: "plan", value: ({ plan }) => plan.name },
              ...["mean", "p10", "p50", "p90"].map((one) => ({
                name: one,
                unit,
                value: ({ difference }) => difference[one],
                show: (value) => amount(value, answer),
              })),
            ],
            rows,
          },
        }).element
      : h("p", { class: "small" }, "No plan has a difference to the baseline in the draws."),
  ];
}

// What each assumption moves over its range, of the first of the pair.
const sensitivity = {
  ask({ address, answer, concepts, pair, plans, request }, signal) {
    const { scenarios, ...changed } = request;
    const now = (concept) => (concept.absolute ? 1 : valueOf(concept, address)); // factors are on top of those that stand
    const inputs = concepts
      .filter((concept) => concept.low < concept.high && now(concept) > 0)
      .map((concept) => ({ pointer: concept.pointer, low: concept.low / now(concept), high: concept.high / now(concept) }));
    const against = scenarios.filter((_, i) => i !== pair[0]);
    const output = `/total/${answer.decide_by}`;
    return post("/v1/sensitivity", { ...reaching(changed, plans), scenario: scenarios[pair[0]], against, inputs, output }, signal);
  },
  draw({ address, answer, concepts, pair, plans }, found) {
    const reach = ({ low, high }) => Math.abs(high.output - low.output);
    const rows = found.inputs
      .filter(({ low, high }) => low.output !== null && high.output !== null)
      .map((input) => ({ ...input, concept: concepts.find(({ pointer }) => pointer === input.pointer) }))
      .sort((a, b) => reach(b) - reach(a));
    const name = figures[answer.decide_by].name;
    const unit = unitOfFigure(answer);
    // Factors are on top of those that stand; people see the assumption's own number.
    const inputShown = (value, { concept }) => textOf(concept, concept.absolute ? value : value * valueOf(concept, address));
    const unitShown = (_, { concept }) => unitOf(concept, answer.currency);
    const side = (which, at, { costs }) => ({
      type: "bar",
      stack: "swing",
      name: `input ${which === "low" ? "lower" : "higher"}`,
      barMaxWidth: 14,
      itemStyle: { color: costs[at] },
      data: rows.map((row) => row[which].output - found.base),
    });
    const ends = [
      ["low", 1],
      ["high", 0],
    ];
    return chart({
      title: `What moves ${plans[pair[0]].name}`,
      name: "tornado",
      note: `${name} is ${amount(found.base, answer)}; one assumption at a time, over the range drawn.`,
      legend: ends.map(([which, at]) => ({ name: `input ${which === "low" ? "lower" : "higher"}`, colour: `var(--c${at + 1})` })),
      option: (colours) => ({
        grid: { ...grid, top: 8 },
        tooltip: { trigger: "axis", axisPointer: { type: "shadow" } },
        xAxis: valueAxis(`${name} (${unit})`, colours, (value) => tickOf(answer)(value + found.base)),
        yAxis: {
          ...categoryAxis(
            "",
            rows.map(({ concept }) => concept.label),
            colours,
          ),
          inverse: true,
        },
        series: ends.map(([which, at]) => side(which, at, colours)),
      }),
      table: {
        columns: [
          { name: "assumption", value: ({ concept }) => concept.label },
          { name: "unit of the input", value: ({ concept }) => (concept.absolute ? askedUnit(concept) : "× now"), show: unitShown },
          ...["low", "high"].flatMap((which) => [
            { name: `at ${which}`, value: (row) => row[which].input, show: inputShown },
            { name: `${name} at ${which}`, unit, value: (row) => row[which].output, show: (value) => amount(value, answer) },
          ]),
        ],
        rows,
      },
    }).element;
  },
};

// The concepts that one of the pair has: the one that varies, and the others.
function overOf({ concepts, over, pair, plans }) {
  const theirs = concepts.filter(({ pointer }) => pair.some((i) => valuesAt(plans[i].resolved, namesOf(pointer)).length));
  const concept = theirs.find(({ id }) => id === over) ?? theirs[0];
  return { concept, theirs, others: theirs.filter((one) => one !== concept) };
}

// Over an assumption: where the pair changes places by the figure that decides, as the assumption's red mark has it for all plans.
const breakEven = {
  async ask(view, signal) {
    const { answer, plans, pair, request } = view;
    const { concept, theirs, others } = overOf(view);
    const other = others[0] ?? { pointer: "/finance/discount_rate", absolute: true, base: 0 }; // a map has two axes: this one stays
    const two = pair.map((i) => plans[i]);
    const [a, b] = pair.map((i) => request.scenarios[i]);
    const rest = (...pointers) => ({ ...reaching(without(view.changes, ...pointers), two), ...asOf(view) });
    const output = `/total/${answer.decide_by}`;
    const { pointer } = concept;
    const search = async (from, to) => {
      const question = { ...rest(pointer), scenario: a, against: [b], inputs: [{ pointer, low: from, high: to }], output };
      const at = (await post("/v1/sensitivity", question, signal)).inputs[0]?.flips_at ?? null;
      return { at, cost: { relation: at ? "crosses" : "same", crossings: at ? [at.value] : [] } };
    };
    const { low, high, answer: found, searched } = await widened(search, Math.max(concept.from, concept.absolute ? 0 : 0.01), concept.to);
    const x = { pointer, from: low, to: high, steps: 24 };
    const y = { pointer: other.pointer, values: [valueOf(other, view.address)] };
    const values = await post("/v1/map", { ...rest(pointer, other.pointer), scenarios: [a, b], x, y, output }, signal);
    return { concept, theirs, at: found.at, low, high, searched, values };
  },
  draw(view, { concept, theirs, at, low, high, searched, values }) {
    const { answer } = view;
    const two = view.pair.map((i) => view.plans[i]);
    const { name } = figures[answer.decide_by];
    const unit = unitOf(concept, answer.currency);
    const show = (value) => `${textOf(concept, value)} ${unit}`;
    return [
      h(
        "div",
        { class: "controls" },
        labelled(
          "Over",
          choice(
            theirs.map(({ id, label }) => ({ value: id, text: label })),
            concept.id,
            (id) => step({ over: id }),
            { id: "panel-over" },
          ),
        ),
      ),
      h("p", { id: "crossings" }, crossingOf({ concept, at, two, cheapest: values.cheapest[0], range: searched ?? { low, high } }, show)),
      chart({
        title: `${name} over ${concept.label.toLowerCase()}`,
        name: "over",
        size: "small",
        note: "Between 24 evaluated values: straight lines.",
        legend: two.map((plan) => ({ name: plan.name, colour: colourOf(plan) })),
        option: (colours) => ({
          grid,
          tooltip: {
            trigger: "axis",
            formatter: (points) =>
              [
                show(points[0].value[0]),
                ...seriesLines(points, (value) => amount(value, answer)),
              ].join("\n"),
          },
          xAxis: {
            ...valueAxis(`${concept.label} (${unit})`, colours, (value) => textOf(concept, value)),
            min: low,
            max: high,
            splitLine: { show: false },
          },
          yAxis: vertical(valueAxis(`${name} (${unitOfFigure(answer)})`, colours, tickOf(answer))),
          series: two.map((plan, i) =>
            line(
              plan.name,
              values.x.values.map((value, n) => [value, values.values[i][0][n]]),
              colours.plans[plan.colour - 1],
            ),
          ),
        }),
        table: {
          columns: [
            {
              name: concept.label,
              unit: askedUnit(concept),
              head: `${concept.label} (${unit})`,
              value: (n) => values.x.values[n],
              show: (value) => textOf(concept, value),
            },
            ...two.map((plan, i) => ({
              name: cut(plan.name, 40),
              unit: unitOfFigure(answer),
              value: (n) => values.values[i][0][n],
              show: (value) => amount(value, answer),
            })),
          ],
          rows: values.x.values.map((_, n) => n),
        },
      }).element,
    ];
  },
};

// The value at which the cheaper of two changes, in a sentence; which is the cheaper all over where none does.
function crossingOf({ concept, at, two, cheapest, range }, show) {
  const isUp = at && at.value > (concept.absolute ? concept.base : 1);
  const [upTo, beyond] = isUp ? ["up to", "above"] : ["down to", "below"];
  if (at && at.cheapest !== null) {
    const [before, after] = [two[1 - at.cheapest].name, two[at.cheapest].name];
    if (at.infeasible) return `${before} costs less ${upTo} ${show(at.value)}; it can't serve ${beyond} that, ${after} can.`;
    return `${before} costs less ${upTo} ${show(at.value)}, ${after} ${beyond} that.`;
  }
  const winners = [...new Set(cheapest.filter((one) => one !== null))];
  const where = `from ${show(range.low)} to ${show(range.high)}`;
  if (!winners.length) return `Neither can be called cheaper ${where}.`;
  const none = at ? ` Neither can serve ${beyond} ${show(at.value)}.` : "";
  return `${two[winners[0]].name} costs less at every value ${where} at which the two can be compared.${none}`;
}

// The best size of the first of the pair, by the full page's own form.
const size = {
  async ask(view, signal) {
    const plan = view.plans[view.pair[0]];
    const place = h("div", { class: "panels" });
    await optimize(view.address, place, {
      first: plan.reference,
      scenario: () => plan.request,
      document: () => plan.document,
      rest: { ...reaching(view.changes, [plan]), ...asOf(view) },
      signal,
    });
    return place;
  },
  draw: (_, place) => place,
};

// By name: {draw(view, found)}, and {ask(view, signal)} where it has a question of its own.
export const panels = { simulate: { draw: uncertainty }, sensitivity, "break-even": breakEven, optimize: size };
