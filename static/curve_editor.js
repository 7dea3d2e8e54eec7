// The points of a curve as text, one point per line, drawn as they are typed.
import { grid } from "./axes.js";
import { chart } from "./chart.js";
import { curveColour, inTheme } from "./colours.js";
import { held, xAxis, xText, yAxis } from "./curve_axes.js";
import { h, labelled } from "./dom.js";
import { number, unitOf } from "./format.js";

const axisNames = {
  utilization: "utilization (fraction)",
  throughput_share: "share of the largest rate",
  busy_time: "share of time busy",
  load: "load (fraction)",
  hour_of_day: "hour of the day",
  hour_of_week: "hour of the week",
  hour_of_year: "hour of the year",
  date: "date",
  batch: "batch (sequences)",
  devices: "devices",
  age_months: "age (months)",
};
export const kindUnits = {
  price: "currency/instance-hour",
  power: "W",
  pue: "ratio",
  tariff: "currency/kWh",
  carbon: "g/kWh",
  utilization: "fraction",
  demand: "multiplier",
  throughput: "units/s",
  latency: "s",
  scaling: "fraction",
  residual: "fraction of the price",
  availability: "fraction",
};

// Series of a curve: drawn between points with the curve's own interpolation.
function series(curve, colour) {
  const points = (curve.points ?? []).filter((point) => point.length === 2 && typeof point[1] === "number");
  const step = curve.interpolation === "step" ? "end" : false;
  const dense = points.length > 60;
  return [
    {
      type: "line",
      name: curve.kind,
      data: held(curve, points),
      step,
      showSymbol: !dense,
      symbolSize: 7,
      lineStyle: { width: 2, color: colour },
      itemStyle: { color: colour },
      emphasis: { disabled: true },
    },
  ];
}

const isLog = (curve) => curve.interpolation === "log" || (curve.axis === "batch" && (curve.points ?? []).length > 2);

const between = { step: "the previous value holds", log: "logarithmic interpolation" };

export function curveFigure(curve, { title, note = "", size = "small", unit, wide = false, tools = null }) {
  const x = axisNames[curve.axis] ?? "x";
  const unitOfY = (shown) => unit ?? unitOf(kindUnits[shown.kind], shown.currency ?? "currency");
  const spec = (shown, y = unitOfY(shown)) => ({
    title,
    size,
    wide,
    tools,
    note: [
      note,
      `Points as stated; between them ${between[shown.interpolation] ?? "linear interpolation"} ` +
        `(assumed), beyond them ${shown.outside === "error" ? "is an error" : "the last value holds"}.`,
    ]
      .filter(Boolean)
      .join(" "),
    option: (colours) => ({
      grid: { ...grid, left: 16, right: 44 }, // room for half of a date at either end
      tooltip: {
        trigger: "axis",
        formatter: (points) => `${xText(shown.axis, points[0].value[0])}: ${number(points[0].value[1], y)}`,
      },
      xAxis: xAxis(x, shown, isLog(shown) && shown.axis === "batch", colours),
      yAxis: yAxis(`${shown.kind ?? "y"} (${y})`, shown, colours),
      series: series(shown, inTheme(curveColour)),
    }),
    table: {
      columns: [
        { name: x, value: (row) => row[0], text: false },
        { name: shown.kind ?? "y", unit: y, value: (row) => row[1], show: (value) => number(value) },
      ],
      rows: shown.points ?? [],
    },
  });
  const figure = chart(spec(curve));
  return { element: figure.element, update: (next) => figure.update(spec(next)) };
}

const textOf = (points) => (points ?? []).map((point) => point.join(" ")).join("\n");

// A line has two numbers, or a date and a number. Anything else stays text, and the daemon reports it.
function pointsOf(text) {
  return text
    .split("\n")
    .map((line) => line.trim().split(/[\s,;]+/))
    .filter(([first]) => first)
    .map((cells) => cells.map((cell) => (cell !== "" && !Number.isNaN(Number(cell)) ? Number(cell) : cell)));
}

export function curveEditor(curve, pointer, changed) {
  const figure = curveFigure(curve, { title: curve.id ? `Curve ${curve.id}` : "Curve" });
  const area = h("textarea", {
    value: textOf(curve.points),
    rows: 8,
    spellcheck: "false",
    "data-field": pointer,
    oninput: (event) => {
      curve.points = pointsOf(event.target.value);
      figure.update(curve);
      changed();
    },
  });
  const frame = labelled("points", area, "One point per line: x and y, x ascending. A date is YYYY-MM-DD.");
  frame.dataset.pointer = pointer;
  frame.append(h("p", { class: "issue" }));
  return h("div", { class: "curve-editor" }, frame, figure.element);
}
