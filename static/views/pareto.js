// Cost against interactivity: what a million tokens costs on each chip, by how fast one user gets his. From stored performances with
// throughput and latency by batch, and the least price of the device on demand.
import { getAll } from "../api.js";
import { grid, line, valueAxis, vertical } from "../axes.js";
import { chart } from "../chart.js";
import { h, labelled } from "../dom.js";
import { money, number } from "../format.js";
import { heading } from "../parts.js";
import { picker } from "../pickers/picker.js";
import { go } from "../router.js";
import { empty } from "../states.js";

// The value of a number or curve at a batch; null outside of its points.
function valueAt(rate, batch) {
  if (typeof rate === "number") return rate;
  const points = rate?.points ?? [];
  const next = points.findIndex(([x]) => x >= batch);
  if (next < 0) return null;
  const [x, y] = points[next];
  if (x === batch) return y;
  if (next === 0) return null;
  const [x0, y0] = points[next - 1];
  return y0 + ((y - y0) * (batch - x0)) / (x - x0);
}
const batches = (rate) => (typeof rate === "object" && rate.axis === "batch" ? rate.points.map(([x]) => x) : []);

// The newest price of an offer by device-hour.
const priceOf = ({ hourly_price: price, devices }) => (typeof price === "number" ? price : price.points.at(-1)[1]) / devices;

// The cheapest offer on demand of each device, in one currency.
function cheapest(offers, currency) {
  const best = new Map();
  for (const offer of offers) {
    if (offer.purchase !== "on_demand" || (offer.currency ?? "USD") !== currency || typeof offer.hourly_price === "string")
      continue;
    const price = priceOf(offer);
    if (!best.has(offer.device) || price < best.get(offer.device).price) best.set(offer.device, { offer, price });
  }
  return best;
}

// [{performance, offer, price, points: [{batch, speed, cost}]}] of a model; those without a price have none.
function linesOf(performances, curves, prices) {
  const read = (rate) => (typeof rate === "string" ? curves.get(rate) : rate);
  return performances.flatMap((performance) => {
    const [rate, latency] = [read(performance.units_per_s), read(performance.itl_s)];
    const price = prices.get(performance.device);
    const stated = [...new Set([...batches(rate), ...batches(latency)])].sort((a, b) => a - b);
    const points = (stated.length ? stated : [1])
      .map((batch) => ({ batch: stated.length ? batch : null, rate: valueAt(rate, batch), latency: valueAt(latency, batch) }))
      .filter((point) => point.rate > 0 && point.latency > 0)
      .map((point) => ({
        ...point,
        speed: 1 / point.latency,
        cost: price ? (price.price * performance.devices * 1e6) / (point.rate * 3600) : null,
      }));
    return points.length ? [{ performance, ...price, points }] : [];
  });
}

export async function pareto(params, place, { signal }) {
  const asOf = params.get("as_of");
  const [performances, curves, offers] = await Promise.all(
    ["performances", "curves", "offers"].map((path) => getAll(`/v1/${path}`, { as_of: asOf }, signal)),
  );
  const usable = performances.filter((one) => one.model && one.itl_s !== undefined && one.itl_s !== null);
  const models = [...new Set(usable.map((one) => one.model))].sort();
  if (!models.length) {
    place.append(
      heading("Cost against interactivity"),
      empty("No performance has throughput and latency", "Import a benchmark that measures both; deploy/run stores some."),
    );
    return;
  }
  const model = models.includes(params.get("model"))
    ? params.get("model")
    : models.includes("llama-3.1-70b")
      ? "llama-3.1-70b"
      : models[0];
  const currency = "USD";
  const byId = new Map(curves.map((curve) => [curve.id, curve]));
  const lines = linesOf(
    usable.filter((one) => one.model === model),
    byId,
    cheapest(offers, currency),
  );
  const priced = lines.filter((one) => one.price);
  const unpriced = lines.filter((one) => !one.price);
  const short = ({ performance }) =>
    `${performance.devices}× ${performance.device.replace(/^[^.]*\./, "")}${performance.precision ? ` ${performance.precision}` : ""}`;
  const name = (one) =>
    lines.filter((other) => short(other) === short(one)).length > 1 ? `${short(one)} (${one.performance.id})` : short(one);
  const rows = priced.flatMap((one) => one.points.map((point) => ({ ...point, line: one })));
  place.append(
    heading(
      "Cost against interactivity",
      "Down and to the right is better. A point is a batch size; latency is the time between two tokens, as the source measured it.",
    ),
    h(
      "div",
      { class: "controls" },
      labelled(
        "Model",
        picker("model", models.map((id) => ({ value: id, text: id })), model, (value) => go({ model: value }), { id: "pareto-model" }),
      ),
    ),
    chart({
      title: `Cost of a million tokens of ${model} by tokens a second of one user`,
      name: "pareto",
      size: "tall",
      wide: true,
      legend: priced.map((one, i) => ({ name: name(one), colour: `var(--p${(i % 8) + 1})` })),
      note: [
        `Cost: the least price on demand of the device (${priced
          .map((one) => `${money(one.price, currency)} ${one.offer.id}`)
          .filter((text, i, all) => all.indexOf(text) === i)
          .join(
            "; ",
          )}) by its throughput, all hours busy. Sources count tokens in their own way, some those of the answer alone: compare lines of one source. `,
        unpriced.length ? `Without a price on demand: ${unpriced.map(name).join(", ")}.` : "",
      ],
      option: (colours) => ({
        grid: { ...grid, right: 32 },
        tooltip: {
          trigger: "item",
          formatter: ({ seriesName, data }) =>
            `${seriesName}\n${number(data[0])} tokens/s a user\n${money(data[1], currency)} per million tokens${data[2] === null ? "" : `\nbatch ${data[2]}`}`,
        },
        xAxis: { ...valueAxis("Interactivity (tokens/s of one user)", colours), min: 0 },
        yAxis: { ...vertical(valueAxis(`Cost (${currency} per million tokens)`, colours)), type: "log", min: "dataMin" },
        series: priced.map((one, i) => ({
          ...line(
            name(one),
            one.points.map((point) => [point.speed, point.cost, point.batch]).sort((a, b) => a[0] - b[0]),
            colours.plans[i % 8],
          ),
          showSymbol: true,
          symbolSize: 6,
        })),
      }),
      table: {
        columns: [
          { name: "devices", value: (row) => name(row.line), text: true },
          { name: "batch", value: (row) => row.batch },
          { name: "interactivity", unit: "tokens/s of one user", value: (row) => row.speed, show: (value) => number(value) },
          { name: "throughput", unit: "tokens/s of all devices", value: (row) => row.rate, show: (value) => number(value) },
          {
            name: "cost",
            unit: `${currency} per million tokens`,
            value: (row) => row.cost,
            show: (value) => money(value, currency),
          },
          { name: "basis", value: (row) => row.line.performance.basis, text: true },
          { name: "performance", value: (row) => row.line.performance.id, text: true },
          { name: "offer", value: (row) => row.line.offer.id, text: true },
        ],
        rows,
      },
    }).element,
  );
}
