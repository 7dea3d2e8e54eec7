// A document of the catalogue: fields, source, curves, price by date.
import { get, getAll } from "../api.js";
import { grid, line, valueAxis, vertical } from "../axes.js";
import { chart } from "../chart.js";
import { pieceColour } from "../colours.js";
import { curveFigure, kindUnits } from "../curve_editor.js";
import { h } from "../dom.js";
import { kindOf, number, unitOf } from "../format.js";
import { link, linkTo } from "../router.js";
import { when } from "../sources/parts.js";
import { section } from "../table.js";
import { useInDecision } from "./plan_limits.js";
import { rateLink } from "./rate_question.js";

const unlisted = ["id", "source", "note", "revision", "recorded_at", "recorded_by"];

export async function documentPage(kind, id, asOf, signal) {
  const [document, tables, { items: revisions }] = await Promise.all([
    get(`/v1/${kind}/${id}`, { as_of: asOf }, signal),
    get("/v1/fields", {}, signal),
    get(`/v1/${kind}/${id}/revisions`, { limit: 1000 }, signal),
  ]);
  const fields = tables.find((table) => table.document === kindOf(kind)).fields;
  const curves = await curvesOf(kind, document, asOf, signal);
  return h(
    "div",
    { class: "panels" },
    h(
      "div",
      { class: "view-head wide" },
      h(
        "div",
        {},
        h("h2", {}, id),
        h(
          "p",
          { class: "muted" },
          `${kindOf(kind)}, revision ${document.revision}, recorded ${when(document.recorded_at)} by ${document.recorded_by}`,
        ),
      ),
      h(
        "div",
        { class: "actions" },
        useInDecision(kind, document),
        rateLink(kind, document),
        h("a", { class: "button", href: link({ id: null }) }, `All ${kind}`),
        h("a", { class: "button", href: linkTo("scenario", { kind, id }) }, "Edit"),
        revisions.length > 1
          ? h("a", { class: "button", href: linkTo("scenario", { kind, id, tab: "revisions" }) }, `${revisions.length} revisions`)
          : null,
      ),
    ),
    ...curves,
    section(
      "Fields",
      {
        caption: "Fields of the document",
        rows: fields.filter((field) => document[field.name] !== undefined && !unlisted.includes(field.name)),
        columns: [
          { name: "field", value: (row) => row.name, show: (value) => value.replaceAll("_", " "), text: true },
          {
            name: "value",
            value: (row) => plain(document[row.name]),
            show: (value, row) => shown(row, document[row.name]),
            text: true,
          },
          { name: "unit", value: (row) => unitOf(row.unit, document.currency ?? "currency"), text: true },
          { name: "meaning", value: (row) => row.help, text: true },
        ],
      },
      "fields",
    ),
    h(
      "section",
      { class: "panel wide", "aria-label": "Source" },
      h("h2", {}, "Source"),
      h("p", {}, document.source ?? "—"),
      document.note ? h("p", { class: "muted" }, document.note) : null,
    ),
  );
}

const plain = (value) => (typeof value === "object" ? JSON.stringify(value).slice(0, 2000) : value);
const referencedKinds = {
  device: "devices",
  site: "sites",
  server: "servers",
  curve: "curves",
  rate: "curves",
  performance: "performances",
};
function shown(field, value) {
  if (typeof value === "string" && referencedKinds[field.type])
    return h("a", { href: linkTo("data", { kind: referencedKinds[field.type], id: value }) }, value);
  if (typeof value === "number") return number(value);
  if (value?.points) return `curve of ${value.points.length} points, drawn above`;
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join(", ");
  if (field.type === "numbers")
    return Object.entries(value)
      .map(([name, part]) => `${name} ${number(part)}`)
      .join(", ");
  if (field.type === "tags")
    return Object.entries(value)
      .map(([key, text]) => `${key}: ${text}`)
      .join(", ");
  return typeof value === "object" ? JSON.stringify(value).slice(0, 300) : String(value);
}

// The curves of a document, inline or stored; of a device also its measured throughput.
async function curvesOf(kind, document, asOf, signal) {
  if (kind === "curves")
    return [curveFigure(document, { title: document.id, size: "tall", wide: true, note: document.note ?? "" }).element];
  const resolve = async (value) => (typeof value === "string" ? get(`/v1/curves/${value}`, { as_of: asOf }, signal) : value);
  const members = Object.entries(document).filter(
    ([name, value]) =>
      value?.points ||
      (typeof value === "string" &&
        [
          "power",
          "hourly_price",
          "energy_price",
          "pue",
          "carbon_g_per_kwh",
          "units_per_s",
          "itl_s",
          "ttft_s",
          "scaling",
          "residual_fraction",
        ].includes(name)),
  );
  const figures = await Promise.all(
    members.map(async ([name, value]) => {
      const curve = await resolve(value);
      const unit = unitOf(kindUnits[curve.kind], curve.currency ?? document.currency ?? "currency");
      const title =
        name === "hourly_price" ? "Price by date" : name.replaceAll("_", " ").replace(/^./, (first) => first.toUpperCase());
      return curveFigure(curve, {
        title,
        unit,
        size: "",
        wide: name === "hourly_price",
        note: curve.source ? `${asOf ? `As known on ${when(asOf)}. ` : ""}${curve.note ?? ""}` : "",
      }).element;
    }),
  );
  return kind === "devices" ? [...figures, ...(await throughputOf(document.id, asOf, signal))] : figures;
}

async function throughputOf(device, asOf, signal) {
  const performances = (await getAll("/v1/performances", { as_of: asOf, q: "" }, signal)).filter(
    (item) => (item.device?.id ?? item.device) === device,
  );
  const measured = (
    await Promise.all(
      performances
        .filter((performance) => typeof performance.units_per_s !== "number" && performance.units_per_s)
        .map(async (performance) => ({
          id: performance.id,
          basis: performance.basis,
          devices: performance.devices,
          curve:
            typeof performance.units_per_s === "string"
              ? await get(`/v1/curves/${performance.units_per_s}`, { as_of: asOf }, signal)
              : performance.units_per_s,
        })),
    )
  ).filter((item) => item.curve.axis === "batch");
  if (!measured.length) return [];
  const ids = measured.map((performance) => performance.id);
  const rows = measured.flatMap((performance) =>
    performance.curve.points.map(([batch, units]) => ({ ...performance, batch, units })),
  );
  return [
    chart({
      title: "Measured throughput",
      name: "throughput",
      wide: true,
      size: "tall",
      legend: measured.map((performance) => ({ name: performance.id, colour: pieceColour(ids, performance.id) })),
      note: "Points are measurements; linear interpolation between them.",
      option: (colours) => ({
        grid,
        tooltip: {
          trigger: "item",
          formatter: (point) => `${point.seriesName}\nbatch ${point.value[0]}: ${number(point.value[1], "units/s")}`,
        },
        xAxis: { ...valueAxis("Batch (sequences)", colours), type: "log", splitLine: { show: false } },
        yAxis: vertical(valueAxis("Throughput (units/s)", colours)),
        series: measured.map((performance) =>
          line(performance.id, performance.curve.points, pieceColour(ids, performance.id), { showSymbol: true }),
        ),
      }),
      table: {
        columns: [
          { name: "performance", value: (row) => row.id, text: true },
          { name: "devices", value: (row) => row.devices },
          { name: "batch", unit: "sequences", value: (row) => row.batch },
          { name: "throughput", unit: "units/s", value: (row) => row.units, show: (value) => number(value) },
        ],
        rows,
      },
    }).element,
  ];
}
