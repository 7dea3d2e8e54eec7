// A rate and its latencies against the requests held at a time, with the measured points.
import { grid, line, valueAxis, vertical } from "../axes.js";
import { chart } from "../chart.js";
import { inTheme } from "../colours.js";
import { count, latency, number, quantity, short } from "../format.js";
import { measuredWords } from "./rate_words.js";

const rateColour = "var(--p1)"; // and of the time between tokens
const firstColour = "var(--p2)";

const loadAxis = (answer, points, colours) => ({
  ...valueAxis("Requests at a time", colours, (load) => number(load)),
  type: "log",
  logBase: 4,
  min: 1,
  max: 4 ** Math.ceil(Math.log2(Math.max(...[...answer.loads, ...points].map((one) => one.concurrency))) / 2),
});

const tipOf = (name, load, value) => `${name}\n${quantity(load, "requests")} at a time: ${value}`;

// Filled where the conditions are those of the rate, hollow where they are others.
const scatter = (name, colour, isSame, data) => ({
  type: "scatter",
  name,
  data,
  symbol: "circle",
  symbolSize: 8,
  itemStyle: isSame
    ? { color: inTheme(colour) }
    : { color: "none", borderColor: inTheme(colour), borderWidth: 1.5, opacity: 0.6 },
  emphasis: { disabled: true },
  z: 5,
});

// What lies between p10 and p90, along the line.
function band(answer, colour) {
  const { loads } = answer;
  return {
    type: "custom",
    name: "10th to 90th percentile",
    silent: true,
    clip: true,
    data: loads.map((load) => [load.concurrency, load.high]), // the axis reaches to the greatest
    tooltip: { show: false },
    renderItem: ({ dataIndex }, api) =>
      dataIndex === 0 && {
        type: "polygon",
        shape: {
          points: [
            ...loads.map((load) => api.coord([load.concurrency, load.high])),
            ...loads.toReversed().map((load) => api.coord([load.concurrency, load.low])),
          ],
        },
        style: { fill: inTheme(colour), opacity: 0.16 },
      },
  };
}

// A vertical line at the load that the sentence is of.
const here = (answer, colours) => ({
  markLine: {
    symbol: "none",
    silent: true,
    animation: false,
    label: { show: false },
    lineStyle: { color: colours.muted, type: "dashed", width: 1 },
    data: [{ xAxis: answer.concurrency }],
  },
});

// A column of points of the latencies is drawn where it has means, as the lines are.
const isMean = (point, column) => point[column] > 0 && point.measurement.percentiles?.[column] === undefined;

const sameName = "measured in these conditions";
const otherName = "moved the rate, other conditions";

// Others are drawn where they don't stretch the picture: some are of far shorter prompts or more devices.
function drawnOf(answer, same, others) {
  const most = (column, own) => Math.max(...answer.loads.map((load) => load[own]), ...same.map((point) => point[column]));
  const [load, rate] = [most("concurrency", "concurrency"), most("output_per_s", "high")];
  return others.filter((point) => point.concurrency <= load && point.output_per_s <= 1.25 * rate);
}

function measuredNote(same, others) {
  const parts = same.length
    ? `${count(same.length, "point")} measured in these conditions.`
    : "Nothing is measured in these conditions.";
  return others.length ? `${parts} Hollow: what moved this rate and was measured in others.` : parts;
}

export function rateChart(answer, same, moved, columns) {
  const others = drawnOf(answer, same, moved);
  return chart({
    title: "Output by concurrency",
    name: "rates-output",
    legend: [
      { name: "output", colour: rateColour },
      { name: "10th to 90th percentile", colour: rateColour },
      ...(same.length ? [{ name: sameName, colour: rateColour }] : []),
      ...(others.length ? [{ name: otherName, colour: rateColour }] : []),
    ],
    note: `Of the whole replica. Dashed: the requests at a time that the rate above is of. ${measuredNote(same, others)}`,
    option: (colours) => ({
      grid,
      tooltip: {
        trigger: "item",
        formatter: ({ seriesName, data }) =>
          tipOf(data[2] ? measuredWords(data[2]) : seriesName, data[0], number(Number(data[1].toPrecision(4)), "tokens/s")),
      },
      xAxis: loadAxis(answer, [...same, ...others], colours),
      yAxis: { ...vertical(valueAxis("Output (tokens/s)", colours, short)), min: 0 },
      series: [
        band(answer, rateColour),
        {
          ...line(
            "output",
            answer.loads.map((load) => [load.concurrency, load.output_per_s]),
            rateColour,
          ),
          showSymbol: true,
          symbolSize: 4,
          ...here(answer, colours),
        },
        ...(same.length
          ? [
              scatter(
                sameName,
                rateColour,
                true,
                same.map((point) => [point.concurrency, point.output_per_s, point]),
              ),
            ]
          : []),
        ...(others.length
          ? [
              scatter(
                otherName,
                rateColour,
                false,
                others.map((point) => [point.concurrency, point.output_per_s, point]),
              ),
            ]
          : []),
      ],
    }),
    table: { columns: columns(["output_per_s", "low", "high"]), rows: answer.loads },
  }).element;
}

export function latencyChart(answer, same, columns) {
  const parts = [
    { name: "to the first token", column: "ttft_s", colour: firstColour },
    { name: "between tokens", column: "itl_s", colour: rateColour },
  ];
  const measured = parts
    .map((part) => ({ ...part, name: `measured ${part.name}`, points: same.filter((point) => isMean(point, part.column)) }))
    .filter(({ points }) => points.length);
  return chart({
    title: "Latency by concurrency",
    name: "rates-latency",
    legend: [...parts, ...measured].map(({ name, colour }) => ({ name, colour })),
    note: `Means. ${measured.length ? "Points are measured means" : "No mean is measured"} in these conditions.`,
    option: (colours) => ({
      grid,
      tooltip: {
        trigger: "item",
        formatter: ({ seriesName, data }) =>
          tipOf(data[2] ? `${measuredWords(data[2])}, ${seriesName}` : seriesName, data[0], latency(data[1])),
      },
      xAxis: loadAxis(answer, same, colours),
      yAxis: { ...vertical(valueAxis("Mean", colours, latency)), type: "log", min: "dataMin" },
      series: [
        ...parts.map(({ name, column, colour }, i) => ({
          ...line(
            name,
            answer.loads.filter((load) => load[column] > 0).map((load) => [load.concurrency, load[column]]), // the axis has no 0
            colour,
          ),
          showSymbol: true,
          symbolSize: 4,
          ...(i === 0 && here(answer, colours)),
        })),
        ...measured.map(({ name, column, colour, points }) =>
          scatter(
            name,
            colour,
            true,
            points.map((point) => [point.concurrency, point[column], point]),
          ),
        ),
      ],
    }),
    table: { columns: columns(["ttft_s", "itl_s"]), rows: answer.loads },
  }).element;
}
