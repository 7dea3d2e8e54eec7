// A simulation in pictures: quantiles, cumulative cash with its 5–95 % band, probability of being the cheapest.
import { categoryAxis, cut, dateAxis, grid, line, moneyAxis, valueAxis, vertical } from "../axes.js";
import { chart } from "../chart.js";
import { inTheme, scenarioColour } from "../colours.js";
import { choice, h } from "../dom.js";
import { money, month, number, percent, quantity, short, shortMoney, wholePercent } from "../format.js";
import { go } from "../router.js";
import { capital, figureWords } from "../terms.js";
import { endMark } from "./until_end.js";
import { differences, spreads, summary } from "./simulate_tables.js";

export function pictures(answer, settled, context, varied, samples) {
  const [output] = Object.keys(answer.scenarios[0].outputs);
  const scenarios = answer.scenarios.map((scenario, i) => ({
    ...scenario,
    name: context.name(context.references[i]),
    reference: context.references[i],
    figure: scenario.outputs[output],
    settles: settled[i],
  }));
  const unknown = scenarios.filter((scenario) => scenario.figure === null).map((scenario) => scenario.name);
  if (unknown.length) return [h("p", { class: "box wide" }, `${capital(figureWords(output))} is not known of ${unknown.join(", ")}.`)];
  const { unit } = scenarios[0].figure;
  const basis = `${number(samples - answer.failed)} samples, seed ${answer.seed}.`;
  const none = answer.probability_none > 0 ? `No scenario is the cheapest in ${percent(answer.probability_none)} of samples. ` : "";
  const other = answer.not_comparable ? `In ${number(answer.not_comparable)} samples they do not do the same work. ` : "";
  return [
    cheapest(scenarios, none + other + basis),
    distributionChart(scenarios, unit, output, basis),
    ...scenarios.map((_, i) => fan(scenarios, i, basis, context)),
    answer.break_even ? chance(answer, scenarios, basis, context) : null,
    summary(scenarios, unit),
    spreads(scenarios, varied, context),
    differences(answer, scenarios, output, basis),
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
          scenarios.map((scenario) => cut(scenario.name, width < 500 ? 18 : 34)),
          colours,
        ),
        inverse: true,
      },
      series: [
        {
          type: "bar",
          barMaxWidth: 30,
          data: scenarios.map((scenario) => ({
            value: scenario.probability_cheapest,
            itemStyle: { color: inTheme(scenarioColour(scenario.reference)) },
          })),
          label: { show: true, position: "right", color: colours.text, formatter: (point) => percent(point.value) },
        },
      ],
    }),
    table: {
      columns: [
        { name: "scenario", value: (row) => row.name, text: true },
        { name: "probability", value: (row) => row.probability_cheapest, show: percent },
        { name: "can do its work", value: (row) => row.probability_feasible, show: percent },
      ],
      rows: scenarios,
    },
  }).element;
}

function distributionChart(scenarios, unit, output, basis) {
  const tick = (value) => (/^[A-Z]{3}$/.test(unit) ? shortMoney(value, unit) : short(value));
  const shares = scenarios[0].figure.quantiles.map((_, i, quantiles) => i / (quantiles.length - 1));
  return chart({
    title: "Cumulative distribution",
    name: "distribution",
    size: "small",
    legend: scenarios.map((scenario) => ({ name: scenario.name, colour: scenarioColour(scenario.reference) })),
    note: `Quantiles of ${figureWords(output)} in steps of 5 %, linearly interpolated. ${basis}`,
    option: (colours) => ({
      grid,
      tooltip: {
        trigger: "item",
        formatter: (point) =>
          `${point.seriesName}\n${percent(point.value[1])} of samples are at most ${quantity(point.value[0], unit)}`,
      },
      xAxis: { ...valueAxis(`${capital(figureWords(output))} (${unit})`, colours, tick), scale: true, splitLine: { show: false } },
      yAxis: vertical({ ...valueAxis("Cumulative probability", colours, wholePercent), min: 0, max: 1 }),
      series: scenarios.map((scenario) =>
        line(
          scenario.name,
          shares.map((share, i) => [scenario.figure.quantiles[i], share]),
          scenarioColour(scenario.reference),
          { showSymbol: true, symbolSize: 4 },
        ),
      ),
    }),
    table: {
      columns: [
        { name: "share", value: (row) => row.share, show: percent },
        ...scenarios.map((scenario) => ({
          name: scenario.name,
          unit,
          value: (row) => scenario.figure.quantiles[row.index],
          show: (value) => quantity(value, unit),
        })),
      ],
      rows: shares.map((share, index) => ({ share, index })),
    },
  }).element;
}

// Months of an axis, and the end where it settles something.
const datesOf = (rows, settles) => [...rows.map((row) => month(row.month)), ...(settles ? ["end"] : [])];

// The band at the end, as a bar.
const endBand = ({ p5, p95 }, colour) => ({
  silent: true,
  symbol: "none",
  label: { show: false },
  lineStyle: { color: inTheme(colour), type: "solid", width: 6, opacity: 0.35 },
  data: [[{ coord: ["end", p5] }, { coord: ["end", p95] }]],
});

// One scale for all, so that bands can be compared.
function fan(scenarios, i, basis, context) {
  const item = scenarios[i];
  const currency = context.document(item.reference)?.currency ?? "USD";
  const rows = item.by_month;
  const until = item.settles ? rows.slice(0, -1) : rows;
  const colour = scenarioColour(item.reference);
  const ends = scenarios.flatMap((scenario) => scenario.by_month.flatMap((row) => [row.p5, row.p95]));
  return chart({
    title: `Cumulative cash: ${item.name}`,
    name: i === 0 ? "fan" : `fan-${i + 1}`,
    size: "small",
    note: [
      `Median and the band from the 5 % to the 95 % quantile. ${basis}`,
      item.settles ? " Diamond and bar: the same once the end has settled what servers fetch." : "",
    ],
    option: (colours, width) => ({
      grid,
      tooltip: {
        trigger: "axis",
        formatter: (points) => {
          const isEnd = points[0].axisValue === "end";
          const row = isEnd ? rows.at(-1) : rows[points[0].dataIndex];
          return [
            isEnd ? "end" : month(row.month),
            `95 %: ${money(row.p95, currency)}`,
            `50 %: ${money(row.p50, currency)}`,
            `5 %: ${money(row.p5, currency)}`,
          ].join("\n");
        },
      },
      xAxis: dateAxis("Month", datesOf(rows, item.settles), colours, width),
      yAxis: vertical({ ...moneyAxis(currency, colours, "Cumulative cash"), min: Math.min(0, ...ends), max: Math.max(...ends) }),
      series: [
        {
          type: "line",
          stack: "band",
          silent: true,
          showSymbol: false,
          lineStyle: { opacity: 0 },
          data: until.map((row) => row.p5),
        },
        {
          type: "line",
          stack: "band",
          silent: true,
          showSymbol: false,
          lineStyle: { opacity: 0 },
          areaStyle: { color: inTheme(colour), opacity: 0.25 },
          data: until.map((row) => row.p95 - row.p5),
        },
        line(
          "50 %",
          until.map((row) => row.p50),
          colour,
        ),
        ...(item.settles ? [{ ...endMark("end", rows.at(-1).p50, colour), markLine: endBand(rows.at(-1), colour) }] : []),
      ],
    }),
    table: {
      columns: [
        { name: "month", value: (row) => row.month, text: true },
        ...["p5", "p50", "p95"].map((name) => ({
          name: `${name.slice(1)} %`,
          unit: currency,
          value: (row) => row[name],
          show: (value) => money(value, currency),
        })),
      ],
      rows,
    },
  }).element;
}

function chance(answer, scenarios, basis, context) {
  const [a, b] = context.pair.map((reference) => scenarios.find((scenario) => scenario.reference === reference));
  const months = [a, b].reduce((one, other) => (other.by_month.length > one.by_month.length ? other : one)).by_month;
  const rows = answer.break_even.probability.map((share, i) => ({ month: months[i].month, share }));
  const options = scenarios.map(({ reference, name }) => ({ value: reference, text: name }));
  const pick = (name, now, other) =>
    choice(
      options.filter((option) => option.value !== other),
      now,
      (value) => go({ [name]: value }),
      { id: `pair-${name}`, "aria-label": name === "a" ? "Which becomes cheaper" : "Than which" },
    );
  return chart({
    title: "Probability of break-even",
    name: "break-even",
    size: "small",
    tools: scenarios.length > 2 ? [pick("a", a.reference, b.reference), pick("b", b.reference, a.reference)] : null,
    note: `${a.name} has become cheaper than ${b.name} by cumulative cash, before the end settles what servers fetch. ${basis}`,
    option: (colours, width) => ({
      grid,
      tooltip: { trigger: "axis", formatter: (points) => `${points[0].name}: ${percent(points[0].value)}` },
      xAxis: dateAxis("Month", datesOf(rows, false), colours, width),
      yAxis: vertical({ ...valueAxis("Share of samples", colours, wholePercent), min: 0, max: 1 }),
      series: [
        line(
          "share",
          rows.map((row) => row.share),
          scenarioColour(a.reference),
        ),
      ],
    }),
    table: {
      columns: [
        { name: "month", value: (row) => row.month, text: true },
        { name: "share", value: (row) => row.share, show: percent },
      ],
      rows,
    },
  }).element;
}
