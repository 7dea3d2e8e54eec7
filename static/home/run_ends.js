// How well the rate of a run is known, its interval and the measured runs behind it; and when a run ends over that interval: a bar a plan, with
// the mean, what one run in ten passes, and the deadline across all.
import { post } from "../api.js";
import { h } from "../dom.js";
import { number, percent, share } from "../format.js";
import { deviceShort } from "../plan/names.js";
import { rateAxis, rateBox, rateHead, rounded, runLine, runsOf } from "../plan/rate_card.js";

const assumedSequence = 4096; // tokens of a sample, as a ranking takes it
const gangOf = ({ plan }) => plan.replicas.find(({ devices }) => Number.isInteger(devices)) ?? null;

function questionOf(row, [workload], asOf, devices) {
  const { device, precision } = gangOf(row);
  const { model, method, sequence = assumedSequence } = workload;
  return { model, device, devices, precision, sequence, ...(method && { method }), ...(asOf && { as_of: asOf }) };
}

// Each rate is asked for once: of a plan's gang, or of one with so many devices.
export function rateBook() {
  const known = new Map();
  return (row, { workloads, as_of: asOf }, signal, devices = gangOf(row)?.devices) => {
    if (!gangOf(row)) return Promise.resolve(null);
    const question = questionOf(row, workloads, asOf, devices);
    const key = JSON.stringify(question);
    const asked = known.get(key) ?? post("/v1/rates", question, signal);
    known.set(key, asked);
    asked.catch(() => known.delete(key));
    return asked;
  };
}

// A scenario with another rate of its run.
const atRate = ({ workloads, ...rest }, factor) => ({
  ...rest,
  workloads: workloads.map(({ runs_on: entries, ...work }) => ({
    ...work,
    runs_on: entries.map(({ performance, ...entry }) => ({
      ...entry,
      performance: { ...performance, units_per_s: performance.units_per_s * factor },
    })),
  })),
});
const endOf = ({ by_workload: all }) => Object.values(all)[0].days ?? null;

// {early, late} in days and the results, by the key of each plan: where its rate is the 90th and the 10th percentile, interruptions at their
// mean.
export async function endsOf(rows, request, rateOf, signal) {
  const rates = await Promise.all(rows.map((row) => rateOf(row, request, signal).catch(() => null)));
  const known = rows.map((row, i) => ({ row, rate: rates[i] })).filter(({ rate }) => rate?.low > 0);
  const scenarios = known.flatMap(({ row, rate }) =>
    [rate.high, rate.low].map((value) => atRate(row.plan.scenario, value / rate.tokens_per_s)),
  );
  const all = await Promise.all(
    scenarios.map((scenario) => post("/v1/evaluate", { scenario }, signal).catch(() => null)), // null: it never ends at that rate
  );
  const ends = known.map(({ row }, i) => [row.key, all.slice(2 * i, 2 * i + 2)]);
  const whole = ends.filter(([, results]) => results.every((one) => one && endOf(one) !== null));
  return new Map(whole.map(([key, results]) => [key, { early: endOf(results[0]), late: endOf(results[1]), results }]));
}

async function measuredRuns(rate, signal) {
  const { ids, runs } = await runsOf(rate, signal);
  return runs
    .map((run, i) => run && { run, ...rate.from.find(({ measurement }) => measurement === ids[i]) })
    .filter(Boolean)
    .map((one) => ({ ...one, rate: one.run.points.tokens_per_s ? one.run.points.tokens_per_s[one.point] / one.run.devices : null }));
}
const nameOf = ({ model, devices, device }) => `${model} on ${number(devices)} × ${deviceShort(device)}`;

export function runRatePart(rateOf) {
  const element = rateBox();
  let shown = null;
  return {
    element,
    async show({ pair: [row], request }, signal) {
      const rate = await rateOf(row, request, signal);
      element.hidden = !rate;
      if (!rate || rate === shown) return;
      const runs = await measuredRuns(rate, signal);
      if (signal.aborted) return;
      shown = rate;
      const { devices, mfu } = rate;
      element.replaceChildren(
        rateHead(rate.evidence),
        h(
          "p",
          { class: "because" },
          h("b", {}, `${rounded(rate.tokens_per_s_device)} tokens/s a device`),
          ` on ${number(devices)} ${deviceShort(rate.device)} in ${rate.precision}, ${percent(mfu)} of the peak; `,
          `8 in 10: ${rounded(rate.low / devices)} to ${rounded(rate.high / devices)}.`,
        ),
        rateAxis({
          rate: rate.tokens_per_s_device,
          low: rate.low / devices,
          high: rate.high / devices,
          measured: runs.map((one) => one.rate),
          unit: "tokens/s a device",
        }),
        runs.length
          ? h("ul", { class: "rows from" }, runs.map((one, i) => runLine({ ...one, i, text: nameOf(one.run) })))
          : h("p", { class: "small" }, "No measured run is near: the rate is estimated from the device's data."),
        runs.some(({ rate: one }) => one !== null)
          ? h("p", { class: "small" }, "Tokens/s a device, as each run was: other models, precisions and devices count less.")
          : "",
      );
    },
  };
}

const steps = [1, 2, 2.5, 5, 10];
// Round values from 0 to above the largest, at most five.
function ticksTo(most) {
  if (!(most > 0)) return [0, 1];
  const size = 10 ** Math.floor(Math.log10(most / 4));
  const step = steps.map((one) => one * size).find((one) => one * 4 >= most) ?? 10 * size;
  return Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, i) => i * step);
}

const part = (value, most) => `${((100 * value) / most).toFixed(2)}%`;

// `ends` has {early, late} of a plan's key, as far as they are known.
export function runEnds(rows, deadline, ends = new Map()) {
  const lastOf = ({ key, plan: { row } }) => Math.max(row.days_p90 ?? 0, row.days ?? 0, ends.get(key)?.late ?? 0);
  const ticks = ticksTo(Math.max(1.15 * deadline, ...rows.map(lastOf)));
  const end = ticks.at(-1);
  // [what stands beside the bar, and all that is known of it]
  const said = ({ days, days_p90: late, probability_in_time: inTime }, range) => {
    if (days === null) return ["not known", "not known"];
    const time = inTime === null ? [] : [`in time in ${share(inTime)}`];
    const day = `day ${number(days, "", 1)}`;
    const over = range ? [`${number(range.early, "", 1)} to ${number(range.late, "", 1)} over the rate's 8 in 10`] : [];
    return [[day, ...time].join(" · "), [day, ...over, ...(late === null ? [] : [`1 run in 10 over ${number(late, "", 1)}`]), ...time].join(", ")];
  };
  const line = ({ key, colour, title, plan: { row } }) => {
    const { days, days_p90: late } = row;
    const { early, late: slow } = ends.get(key) ?? { early: days, late: days };
    const bar = (name, from, to) => h("i", { class: name, "--from": part(from, end), "--wide": part(Math.max(0, to - from), end) });
    const [short, whole] = said(row, ends.get(key));
    return h(
      "li",
      { "--k": `var(--p${colour})`, title: whole },
      h("span", { class: "name" }, h("i", { class: "sw" }), title),
      h(
        "span",
        { class: "track", role: "img", "aria-label": whole },
        days === null ? "" : [bar("mean", 0, early), bar("late", early, slow), h("i", { class: "tick", "--from": part(days, end) })],
        late === null ? "" : h("i", { class: "tick tenth", "--from": part(late, end) }),
      ),
      h("span", { class: "small" }, short),
    );
  };
  return h(
    "section",
    { class: "panel ends", "aria-labelledby": "ends-title", "--deadline": part(deadline, end) },
    h("div", { class: "bar" }, h("h2", { id: "ends-title" }, "When a run ends"), h("span", { class: "small" }, "Days from its start, interruptions counted")),
    h("p", { class: "deadline" }, h("span", {}, h("b", {}, `${number(deadline)} days`))),
    h("ul", {}, rows.map(line)),
    h(
      "p",
      { class: "axis", "aria-hidden": "true" },
      h(
        "span",
        {},
        ticks.map((tick) => h("i", { "--at": part(tick, end) }, number(tick))),
      ),
    ),
    h(
      "p",
      { class: "foot key" },
      h("span", {}, h("i", { class: "ends-range" }), ends.size ? "over the rate's 8 in 10" : "to the mean"),
      h("span", {}, h("i", { class: "ends-tick" }), "as stated"),
      h("span", {}, h("i", { class: "ends-tick tenth" }), "1 run in 10 passes"),
    ),
  );
}
