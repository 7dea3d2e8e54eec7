// What is likely where inputs are uncertain: quantiles, the fan of cumulative cash, and who is the cheapest how often.
import { ask } from "../api.js";
import { categoryAxis, cut, grid, line, moneyAxis, valueAxis, vertical } from "../axes.js";
import { chart } from "../chart.js";
import { scenarioColour } from "../colours.js";
import { choice, h, labelled } from "../dom.js";
import { money, month, number, percent, pointerWords, quantity, short, shortMoney, wholePercent } from "../format.js";
import { go } from "../router.js";
import { fill } from "../states.js";
import { section } from "./result.js";
import { inputChoice, inputsOf, outputChoice } from "./questions.js";

// An uncertain input in the URL: vary=/pointer:spread, a triangle from 1 - spread to 1 + spread times what is stated.
const read = (params) =>
  params.getAll("vary").map((entry) => {
    const at = entry.lastIndexOf(":");
    return { pointer: entry.slice(0, at), spread: Number(entry.slice(at + 1)) };
  });
const written = (varied) => varied.map(({ pointer, spread }) => `${pointer}:${spread}`);

export async function simulate(params, place, of) {
  const [mine, others] = await Promise.all([inputsOf(of, of.first), inputsOf(of, of.other)]);
  const whole = ["servers", "instances", "months", "devices", "sequences"];
  const inputs = [...mine, ...others.filter((input) => !mine.some((one) => one.pointer === input.pointer))].filter(
    (input) => input.base !== 0 && !whole.some((word) => input.unit.startsWith(word)),
  );
  const likely = [/demand\/mean_per_s$/, /server\/price$/, /hourly_price$/, /epochs_per_month$/];
  const first = likely
    .map((wish) => inputs.find((input) => wish.test(input.pointer)))
    .filter(Boolean)
    .map(({ pointer }) => ({ pointer, spread: 0.3 }));
  const varied = read(params).length
    ? read(params)
    : first.length
      ? first
      : inputs.slice(0, 2).map(({ pointer }) => ({ pointer, spread: 0.2 }));
  const output = params.get("output") ?? "/total/cost";
  const samples = Number(params.get("samples") ?? 1000);
  place.append(controls(inputs, varied, of, output, samples));
  const answerPlace = h("div", { class: "wide panels" });
  place.append(answerPlace);
  const question = {
    scenarios: [of.send(of.first), of.send(of.other)],
    outputs: [output],
    samples,
    seed: Number(params.get("seed") ?? 1),
    by_month: true,
    break_even: { a: 0, b: 1 },
    ...of.rest,
    inputs: varied.map(({ pointer, spread }) => ({ pointer, distribution: distribution(pointer, spread, inputs) })),
  };
  const told = h("p", { class: "muted" });
  await fill(
    answerPlace,
    async () =>
      pictures(
        await ask(
          "/v1/simulate",
          question,
          ({ done, total }) => {
            told.textContent = `${done} of ${total}`;
          },
          of.signal,
        ),
        output,
        of,
        varied,
        samples,
      ),
    `Drawing ${number(samples)} samples…`,
  );
}

// Fractions stay below 1.
function distribution(pointer, spread, inputs) {
  const input = inputs.find((one) => one.pointer === pointer);
  const high = input?.unit === "fraction" ? Math.min(1 + spread, 1 / input.base) : 1 + spread;
  return { kind: "triangular", low: Math.max(0, 1 - spread), mode: Math.min(1, high), high, relative: true };
}

function controls(inputs, varied, of, output, samples) {
  const spreads = [0.05, 0.1, 0.2, 0.3, 0.5].map((value) => ({ value: String(value), text: `± ${percent(value)}` }));
  const change = (next) => go({ vary: written(next) });
  return h(
    "div",
    { class: "panel wide" },
    h("h2", {}, "Uncertain inputs"),
    h(
      "ul",
      { class: "plain" },
      varied.map(({ pointer, spread }, i) =>
        h(
          "li",
          { class: "controls" },
          h("span", {}, of.words(pointer)),
          choice(
            spreads,
            String(spread),
            (value) => change(varied.map((one, n) => (n === i ? { ...one, spread: Number(value) } : one))),
            { id: `spread-${i}`, "aria-label": `Spread of ${of.words(pointer)}` },
          ),
          varied.length > 1
            ? h(
                "button",
                {
                  type: "button",
                  class: "bare",
                  "aria-label": `Take out ${of.words(pointer)}`,
                  onclick: () => change(varied.filter((_, n) => n !== i)),
                },
                "×",
              )
            : null,
        ),
      ),
    ),
    h(
      "p",
      { class: "muted" },
      "Each is a triangle around what is stated (assumed), drawn apart from the others, and the same draws for both scenarios.",
    ),
    h(
      "div",
      { class: "controls" },
      labelled(
        "Another input",
        inputChoice(
          inputs.filter((input) => !varied.some((one) => one.pointer === input.pointer)),
          "",
          of,
          (value) => value && change([...varied, { pointer: value, spread: 0.2 }]),
          { id: "vary" },
        ),
      ),
      outputChoice(of, output),
      labelled(
        "Samples",
        choice(
          [500, 1000, 10000].map((value) => ({ value: String(value), text: number(value) })),
          String(samples),
          (value) => go({ samples: value }),
          { id: "samples" },
        ),
      ),
    ),
  );
}

function pictures(answer, output, of, varied, samples) {
  const references = [of.first, of.other];
  const scenarios = answer.scenarios.map((one, i) => ({
    ...one,
    name: of.name(references[i]),
    reference: references[i],
    figure: one.outputs[output],
  }));
  const { unit } = scenarios[0].figure;
  const basis = `${number(samples - answer.failed)} samples, seed ${answer.seed}.`;
  return [
    cheapest(scenarios, basis),
    distributionChart(scenarios, unit, output, basis),
    ...scenarios.map((one) => fan(one, basis, of)),
    chance(answer, scenarios, basis),
    summary(scenarios, unit, varied, of),
  ];
}

function cheapest(scenarios, basis) {
  return chart({
    title: "Probability of being the cheapest",
    name: "probability",
    size: "small",
    note: basis,
    option: (colours, width) => ({
      grid: { ...grid, top: 8, right: 64 },
      tooltip: { trigger: "item", formatter: (point) => `${scenarios[point.dataIndex].name}: ${percent(point.value)}` },
      xAxis: { ...valueAxis("Share of samples", colours, wholePercent), min: 0, max: 1 },
      yAxis: {
        ...categoryAxis(
          "",
          scenarios.map((one) => cut(one.name, width < 500 ? 18 : 34)),
          colours,
        ),
        inverse: true,
      },
      series: [
        {
          type: "bar",
          barMaxWidth: 30,
          data: scenarios.map((one) => ({ value: one.probability_cheapest, itemStyle: { color: scenarioColour(one.reference) } })),
          label: { show: true, position: "right", color: colours.text, formatter: (point) => percent(point.value) },
        },
      ],
    }),
    table: {
      columns: [
        { name: "scenario", of: (row) => row.name, text: true },
        { name: "probability", of: (row) => row.probability_cheapest, show: percent },
      ],
      rows: scenarios,
    },
  }).element;
}

function distributionChart(scenarios, unit, output, basis) {
  const tick = (value) => (/^[A-Z]{3}$/.test(unit) ? shortMoney(value, unit) : short(value));
  const shares = scenarios[0].figure.quantiles.map((_, i, all) => i / (all.length - 1));
  return chart({
    title: "Cumulative distribution",
    name: "distribution",
    size: "small",
    legend: scenarios.map((one) => ({ name: one.name, colour: scenarioColour(one.reference) })),
    note: `Quantiles of ${pointerWords(output)} in steps of 5 %; straight lines between them (interpolated). ${basis}`,
    option: (colours) => ({
      grid,
      tooltip: {
        trigger: "item",
        formatter: (point) => `${point.seriesName}\n${percent(point.value[1])} are at most ${quantity(point.value[0], unit)}`,
      },
      xAxis: { ...valueAxis(`${pointerWords(output)} (${unit})`, colours, tick), scale: true, splitLine: { show: false } },
      yAxis: vertical({ ...valueAxis("Share of samples at most that", colours, wholePercent), min: 0, max: 1 }),
      series: scenarios.map((one) =>
        line(
          one.name,
          shares.map((share, i) => [one.figure.quantiles[i], share]),
          scenarioColour(one.reference),
          { showSymbol: true, symbolSize: 4 },
        ),
      ),
    }),
    table: {
      columns: [
        { name: "share", of: (row) => row.share, show: percent },
        ...scenarios.map((one) => ({
          name: one.name,
          unit,
          of: (row) => one.figure.quantiles[row.index],
          show: (value) => quantity(value, unit),
        })),
      ],
      rows: shares.map((share, index) => ({ share, index })),
    },
  }).element;
}

function fan(one, basis, of) {
  const currency = of.document(one.reference)?.currency ?? "USD";
  const rows = one.by_month;
  const colour = scenarioColour(one.reference);
  return chart({
    title: `Cumulative cash: ${one.name}`,
    name: "fan",
    size: "small",
    note: `The middle of the samples, and the band in which nine of ten lie. ${basis}`,
    option: (colours) => ({
      grid,
      tooltip: {
        trigger: "axis",
        formatter: (points) => {
          const row = rows[points[0].dataIndex];
          return [
            month(row.month),
            `95 %: ${money(row.p95, currency)}`,
            `50 %: ${money(row.p50, currency)}`,
            `5 %: ${money(row.p5, currency)}`,
          ].join("\n");
        },
      },
      xAxis: categoryAxis(
        "Month",
        rows.map((row) => month(row.month)),
        colours,
      ),
      yAxis: vertical(moneyAxis(currency, colours, "Cash so far")),
      series: [
        {
          type: "line",
          stack: "band",
          silent: true,
          showSymbol: false,
          lineStyle: { opacity: 0 },
          data: rows.map((row) => row.p5),
          itemStyle: { color: colour },
        },
        {
          type: "line",
          stack: "band",
          silent: true,
          showSymbol: false,
          lineStyle: { opacity: 0 },
          areaStyle: { color: colour, opacity: 0.25 },
          data: rows.map((row) => row.p95 - row.p5),
          itemStyle: { color: colour },
        },
        line(
          "50 %",
          rows.map((row) => row.p50),
          colour,
        ),
      ],
    }),
    table: {
      columns: [
        { name: "month", of: (row) => row.month, text: true },
        ...["p5", "p50", "p95"].map((name) => ({
          name: `${name.slice(1)} %`,
          unit: currency,
          of: (row) => row[name],
          show: (value) => money(value, currency),
        })),
      ],
      rows,
    },
  }).element;
}

function chance(answer, scenarios, basis) {
  const months = scenarios.reduce((a, b) => (b.by_month.length > a.by_month.length ? b : a)).by_month;
  const rows = answer.break_even.probability.map((share, i) => ({ month: months[i].month, share }));
  return chart({
    title: "Probability of having broken even",
    name: "break-even",
    size: "small",
    note: `That ${scenarios[0].name} has cost no more cash than ${scenarios[1].name} by then. ${basis}`,
    option: (colours) => ({
      grid,
      tooltip: { trigger: "axis", formatter: (points) => `${points[0].name}: ${percent(points[0].value)}` },
      xAxis: categoryAxis(
        "Month",
        rows.map((row) => month(row.month)),
        colours,
      ),
      yAxis: vertical({ ...valueAxis("Share of samples", colours, wholePercent), min: 0, max: 1 }),
      series: [
        line(
          "share",
          rows.map((row) => row.share),
          scenarioColour(scenarios[0].reference),
        ),
      ],
    }),
    table: {
      columns: [
        { name: "month", of: (row) => row.month, text: true },
        { name: "share", of: (row) => row.share, show: percent },
      ],
      rows,
    },
  }).element;
}

function summary(scenarios, unit, varied, of) {
  const figure = (name, member, extra = {}) => ({
    name,
    unit,
    of: (row) => row.figure[member],
    show: (value) => quantity(value, unit),
    ...extra,
  });
  return section(
    "In figures",
    {
      caption: "In figures",
      rows: scenarios,
      columns: [
        { name: "scenario", of: (row) => row.name, text: true },
        figure("mean", "mean"),
        figure("standard error", "standard_error"),
        figure("5 %", "p5"),
        figure("50 %", "p50"),
        figure("95 %", "p95"),
        figure("mean of the worst 5 %", "cvar_95"),
        ...varied.map(({ pointer }) => ({
          name: `variance by ${of.words(pointer)}`,
          of: (row) => row.figure.variance_by_input?.[pointer] ?? null,
          text: false,
          show: (value) => (value === null ? null : percent(value)),
        })),
      ],
    },
    "simulation",
  );
}
