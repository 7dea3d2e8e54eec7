// Where the cheapest changes: the cheapest plan that can serve, over two assumptions, with a cross where we are.
import { chart } from "../chart.js";
import { grid, valueAxis, vertical } from "../axes.js";
import { choice, h } from "../dom.js";
import { askedUnit, textOf, unitOf } from "./assumptions.js";
import { valueOf } from "./state.js";

const steps = 24;
const yFirst = ["token-price", "hour-price", "server-price", "power-price", "discount-rate", "throughput"];

// The two concepts of the axes: by the address, which has their names or their pointers, else the first of `xFirst` and the first price.
export function axesOf(concepts, params, xFirst = ["demand"]) {
  const by = (id) => concepts.find((concept) => concept.id === id || concept.pointers.includes(id));
  const x = by(params.get("x")) ?? xFirst.map(by).find(Boolean) ?? concepts[0];
  const y =
    by(params.get("y")) ?? yFirst.map(by).find((concept) => concept && concept !== x) ?? concepts.find((concept) => concept !== x);
  return x && y && x !== y ? { x, y } : null;
}

// A question for /v1/map. The changed values of the axes' own assumptions are left out: an axis is a multiple of the plans' own.
export function mapRequest(view, { x, y }) {
  const { set, scale } = view.changes ?? {};
  const without = (values) =>
    Object.fromEntries(Object.entries(values ?? {}).filter(([pointer]) => pointer !== x.pointer && pointer !== y.pointer));
  const axis = (concept) => ({
    pointer: concept.pointer,
    from: Math.max(concept.from, concept.absolute ? 0 : 0.01),
    to: concept.to,
    steps,
  });
  return { ...view.request, set: without(set), scale: without(scale), x: axis(x), y: axis(y) };
}

// A cell's corners in whole px, so that neighbours meet: [left, top, right, bottom].
function corners(api, { width, height }, [x, y]) {
  const [left, top] = api.coord([x - width / 2, y + height / 2]);
  const [right, bottom] = api.coord([x + width / 2, y - height / 2]);
  return [left, top, right, bottom].map(Math.round);
}

// The line between cells of which another plan is the cheapest.
function frontier(map, cell, stroke) {
  const at = (r, c) => map?.cheapest[r]?.[c];
  const sides = (map?.cheapest ?? []).flatMap((row, r) =>
    row.flatMap((plan, c) => [
      ...(c + 1 < row.length && at(r, c + 1) !== plan ? [[map.x.values[c], map.y.values[r], 1]] : []),
      ...(r + 1 < map.cheapest.length && at(r + 1, c) !== plan ? [[map.x.values[c], map.y.values[r], 0]] : []),
    ]),
  );
  return {
    type: "custom",
    silent: true,
    clip: true,
    data: sides,
    encode: { x: 0, y: 1 },
    tooltip: { show: false },
    z: 3,
    renderItem: (_, api) => {
      const [left, top, right, bottom] = corners(api, cell, [api.value(0), api.value(1)]);
      const shape = api.value(2) ? { x1: right, y1: top, x2: right, y2: bottom } : { x1: left, y1: top, x2: right, y2: top };
      return { type: "line", shape, style: { stroke, lineWidth: 1.4 } };
    },
  };
}

const close = 0.45; // of the step between two labels
// Whether a value has its label: an end that is nearer than that to a round one has none. The step is ECharts', of five.
function isLabelled(axis, value) {
  const rough = (axis.to - axis.from) / 5;
  const size = 10 ** Math.floor(Math.log10(rough));
  const part = rough / size;
  const step = size * (part < 1.5 ? 1 : part < 2.5 ? 2 : part < 4 ? 3 : part < 7 ? 5 : 10);
  const off = Math.abs(value / step - Math.round(value / step));
  return off < 1e-6 || off > close;
}

const leastShare = 0.04; // of the cells: a smaller region has no room for its name
const flat = 0.5; // a name is wider than it is high, so a column counts for less than a row

// How far a cell is from the next one of another region, the edge, and the cross.
function roomAt(rows, cross, { plan, r, c }) {
  const edge = Math.min(r + 1, rows.length - r, flat * (c + 1), flat * (rows[0].length - c));
  let room = Math.min(edge, Math.hypot(cross.r - r, flat * (cross.c - c)));
  rows.forEach((row, i) =>
    row.forEach((other, j) => {
      if (other !== plan) room = Math.min(room, Math.hypot(i - r, flat * (j - c)));
    }),
  );
  return room;
}

// Each region's name at the cell that is the farthest within it.
function regions(map, plans, cross, colours) {
  const rows = map?.cheapest ?? [];
  const all = rows.flatMap((row, r) => row.map((plan, c) => ({ plan, r, c })));
  const names = [...new Set(all.map(({ plan }) => plan))].flatMap((plan) => {
    const cells = all.filter((one) => one.plan === plan).map((one) => ({ ...one, room: roomAt(rows, cross, one) }));
    if (cells.length < leastShare * all.length) return [];
    const { r, c } = cells.reduce((a, b) => (b.room > a.room ? b : a));
    const align = ["left", "center", "right"][Math.min(2, Math.floor((3 * c) / rows[r].length))]; // towards the middle: none leaves the plot
    return [{ value: [map.x.values[c], map.y.values[r]], name: plan === null ? "no plan can serve" : plans[plan].name, label: { align } }];
  });
  return {
    type: "scatter",
    silent: true,
    symbolSize: 0.01,
    data: names,
    tooltip: { show: false },
    z: 4,
    label: {
      show: true,
      formatter: ({ name }) => name,
      width: 150,
      overflow: "break",
      lineHeight: 13,
      color: colours.text,
      fontWeight: 600,
      fontSize: 11,
      textBorderColor: colours.page,
      textBorderWidth: 2,
    },
  };
}

// `actions` are {axes(next), go(x, y)}: without `go` a click does nothing, as where the plans are ranked anew at another demand.
export function mapPart(actions) {
  let figure = null;
  let place = null;
  let latest = null;
  const spec = (view) => {
    const { axes, map, plans, concepts, answer } = view;
    const options = concepts.map((concept) => ({ value: concept.id, text: concept.label }));
    const cells = map ? map.cheapest.flatMap((row, r) => row.map((plan, c) => ({ plan, r, c }))) : [];
    const winners = [...new Set(cells.map((cell) => cell.plan).filter((plan) => plan !== null))];
    const label = (concept, value) => `${textOf(concept, value)} ${unitOf(concept, answer.currency)}`;
    const ticked = (axis) => (value) => (isLabelled(axis, value) ? textOf(axis, value) : "");
    const here = [valueOf(axes.x), valueOf(axes.y)];
    const note = !map
      ? "Drawing…"
      : winners.length === 0
        ? "No plan can serve anywhere here."
        : winners.length === 1
          ? `${plans[winners[0]].name} is the cheapest everywhere here that some plan can serve.`
          : `The cheapest plan that can serve, each of its size. Hatched: no plan can. Cross: where we are.${actions.go ? " A click goes there." : ""}`;
    return {
      title: "Where the cheapest changes",
      name: "map",
      note,
      tools: null,
      legend: winners.map((plan) => ({ name: plans[plan].name, colour: `var(--p${plans[plan].colour})` })),
      option: (colours) => {
        const step = (axis, value) => ((value - axis.from) / (axis.to - axis.from)) * (steps - 1);
        const cross = { r: step(axes.y, here[1]), c: step(axes.x, here[0]) };
        const cell = { width: (axes.x.to - axes.x.from) / (steps - 1), height: (axes.y.to - axes.y.from) / (steps - 1) };
        return {
          grid: { ...grid, right: 12 },
          tooltip: {
            trigger: "item",
            formatter: ({ value }) =>
              value
                ? `${axes.x.label} ${label(axes.x, value[0])}\n${axes.y.label} ${label(axes.y, value[1])}\n${value[2] === null ? "no plan can serve" : plans[value[2]].name}`
                : "",
          },
          xAxis: {
            ...valueAxis(`${axes.x.label} (${unitOf(axes.x, answer.currency)})`, colours, ticked(axes.x)),
            min: axes.x.from,
            max: axes.x.to,
            splitLine: { show: false },
          },
          yAxis: {
            ...vertical(
              valueAxis(`${axes.y.label} (${unitOf(axes.y, answer.currency)})`, colours, ticked(axes.y)),
            ),
            min: axes.y.from,
            max: axes.y.to,
            splitLine: { show: false },
          },
          series: [
            {
              type: "custom",
              clip: true,
              data: cells.map((cell) => [map.x.values[cell.c], map.y.values[cell.r], cell.plan]),
              encode: { x: 0, y: 1 },
              renderItem: (_, api) => {
                const [left, top, right, bottom] = corners(api, cell, [api.value(0), api.value(1)]);
                const plan = api.value(2);
                const isNone = plan === null || Number.isNaN(plan) || plan === undefined;
                const shape = { x: left, y: top, width: right - left, height: bottom - top };
                if (!isNone) return { type: "rect", shape, style: { fill: colours.plans[plans[plan].colour - 1], opacity: 0.32 } };
                return {
                  type: "line",
                  shape: { x1: left, y1: bottom, x2: right, y2: top },
                  style: { stroke: colours.muted, lineWidth: 1 },
                };
              },
            },
            frontier(map, cell, colours.text),
            regions(map, plans, cross, colours),
            {
              type: "scatter",
              silent: true,
              symbol: "path://M0 4.5h10M5 -0.5v10",
              symbolSize: 16,
              itemStyle: { color: "none", borderColor: colours.text, borderWidth: 2 },
              data: [here],
              z: 5,
              tooltip: { show: false },
            },
          ],
        };
      },
      table: {
        columns: [
          {
            name: axes.x.label,
            unit: askedUnit(axes.x),
            head: `${axes.x.label} (${unitOf(axes.x, answer.currency)})`,
            value: (cell) => map.x.values[cell.c],
            show: (value) => textOf(axes.x, value),
          },
          {
            name: axes.y.label,
            unit: askedUnit(axes.y),
            head: `${axes.y.label} (${unitOf(axes.y, answer.currency)})`,
            value: (cell) => map.y.values[cell.r],
            show: (value) => textOf(axes.y, value),
          },
          { name: "cheapest", value: (cell) => (cell.plan === null ? "no plan can serve" : plans[cell.plan].name), text: true },
        ],
        rows: cells,
      },
      pickers: [
        choice(
          options.filter((one) => one.value !== axes.y.id),
          axes.x.id,
          (id) => actions.axes({ x: id }),
          { id: "map-x", "aria-label": "Across" },
        ),
        h("span", { class: "small" }, " by "),
        choice(
          options.filter((one) => one.value !== axes.x.id),
          axes.y.id,
          (id) => actions.axes({ y: id }),
          { id: "map-y", "aria-label": "Up" },
        ),
      ],
    };
  };
  function clicked(event) {
    const box = figure.element.querySelector(".chart").getBoundingClientRect();
    const at = figure.valueAt([event.clientX - box.left, event.clientY - box.top]);
    if (at) actions.go([latest.axes.x, at[0]], [latest.axes.y, at[1]]);
  }
  return {
    element: null,
    show(view) {
      if (!view.axes) return;
      const next = spec(view);
      if (!figure) {
        place = h("span", { class: "pickers" });
        figure = chart({ ...next, tools: place });
        this.element = figure.element;
        this.element.id = "map";
        if (actions.go) this.element.querySelector(".chart").addEventListener("click", clicked);
      } else figure.update({ ...next, tools: undefined });
      place.replaceChildren(...next.pickers);
      figure.element.querySelector(".chart").classList.toggle("stale", Boolean(view.map && view.stale.has("map")));
      latest = view;
    },
  };
}
