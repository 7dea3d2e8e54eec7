// A plan in all its facts, below its row and as columns of the CSV.
import { h } from "../dom.js";
import { columnDigits, date, fixedMoney, money, number, percent, quantity } from "../format.js";
import { priced } from "../parts.js";
import { replicaLink } from "../views/rate_question.js";
import { deviceWords } from "../document_facts.js";
import { poolReplicas } from "./names.js";
import { hourOf, rateOf, winsAt } from "./rows.js";

// What a plan's devices are, of several pools one after another.
const devicesOf = ({ plan }) =>
  plan.scenario.pools
    .map((pool) => {
      const part = pool.offer ?? pool.server;
      return part ? `${part.devices}× ${deviceWords(part.device)}` : (pool.endpoint?.model ?? "hosted model");
    })
    .join(" + ");

// The replicas of a plan's pools: devices, precision, cache, the requests that each holds at a time, the share of what the device can do
// at most, and how many are spare.
const replicaText = ({ devices, precision, kv_bits: bits, ceiling, ceiling_of: of, concurrency, spares }) =>
  [
    `${number(devices)}× ${precision}`.trim(),
    bits ? `${number(bits)}-bit cache` : null,
    concurrency ? `${number(concurrency)} requests at a time` : null,
    ceiling ? `${percent(ceiling)} of what its ${of} allows` : null,
    spares ? `${number(spares)} spare` : null,
  ]
    .filter(Boolean)
    .join(", ");

// Tokens of the mean request, of which rates are.
export const meanOf = ({ units_per_request: units, token_mix: mix }) => {
  const mean = (name) => mix.reduce((sum, bucket) => sum + bucket.share * (bucket[name] ?? 0), 0);
  return mix?.length ? { input: mean("input"), output: mean("output") } : (units ?? {});
};
// "2 + 1" of each pool, with links to its rate; null where all is hosted.
export function replicaLinks({ plan }, workloads) {
  const links = plan.replicas.map((replica) => {
    const workload = workloads.find(({ id }) => id === replica.workload);
    return replicaLink({ ...replica, model: workload?.model }, workload ? meanOf(workload) : {}, poolReplicas(plan, replica));
  });
  return links.length ? links.flatMap((one, i) => (i ? [", ", one] : [one])) : null;
}
const unitsOf = ({ plan }) =>
  plan.scenario.pools
    .map((pool) => {
      if (pool.kind === "api") return "hosted";
      if (pool.kind === "owned") return `${number(pool.purchases.reduce((sum, { servers }) => sum + servers, 0))} servers`;
      return `${pool.min_instances === pool.max_instances ? "" : "up to "}${number(pool.max_instances)} instances of ${pool.offer.sku}`;
    })
    .join(" + ");
const pricesOf = ({ plan }) => plan.prices.map((one) => `${one.pool}: ${priced(one)}`).join("; ") || null;

// Columns of the CSV, with the API's figures and units.
export function csvColumns({ answer }) {
  const { currency } = answer.plans[0].scenario;
  return [
    { name: "plan", value: (row) => `${row.rank} ${row.plan.name}` },
    { name: answer.decide_by, unit: answer.unit, value: (row) => row.cost },
    { name: "name", value: (row) => `${row.name} (${row.line})` },
    { name: "p10", unit: answer.unit, value: (row) => row.low },
    { name: "p90", unit: answer.unit, value: (row) => row.high },
    { name: "holds", unit: "probability", value: (row) => row.holds },
    { name: "probability best", unit: "probability", value: (row) => row.chance },
    { name: "level with the first", value: (row) => (row.isLevel ? "yes" : "no") },
    { name: "devices", value: devicesOf },
    { name: "size", value: unitsOf },
    { name: "replicas", value: ({ plan }) => plan.replicas.map(replicaText).join(" + ") || null },
    { name: "peak use", unit: "fraction", value: (row) => row.use },
    { name: "first token", unit: "s", value: (row) => row.first },
    { name: "between tokens", unit: "s", value: (row) => row.gap },
    { name: "output", unit: `${currency}/million tokens`, value: (row) => row.million },
    { name: "a million tokens", unit: currency, value: ({ plan }) => plan.summary["cost_per_million_units of serve"] ?? null },
    { name: "busy device", unit: "tokens/s", value: ({ result }) => result && rateOf(result) },
    { name: "device-hour", unit: currency, value: ({ result }) => result && hourOf(result) },
    { name: "evidence", value: (row) => row.evidence },
    { name: "oldest price", value: (row) => row.day },
    { name: "prices", value: pricesOf },
    { name: "why", value: ({ plan }) => plan.why },
    { name: "warnings", value: ({ plan }) => plan.row.warnings.join(", ") || null },
    { name: "would come first at", value: winsAt },
  ];
}

const line = (term, text) => (text === null || text === undefined || text === "" ? "" : [h("dt", {}, term), h("dd", {}, text)]);

export function detailOf(row, { answer }) {
  const { plan, result } = row;
  const { currency } = plan.scenario;
  const rate = result && rateOf(result);
  const hour = result && hourOf(result);
  return h(
    "dl",
    { class: "facts-of-plan" },
    line("Catalogue's name", plan.name),
    line("Devices", `${devicesOf(row)}, ${unitsOf(row)}`),
    line("Replica", plan.replicas.map(replicaText).join(" + ")),
    line("A busy device does", rate ? quantity(rate, "tokens/s", { brief: true }) : null),
    line("A device-hour costs", hour ? fixedMoney(hour, currency, columnDigits([hour])) : null),
    line("A million tokens", money(plan.summary["cost_per_million_units of serve"] ?? null, currency)),
    line("Resale at the end", plan.row.resale ? money(plan.row.resale, currency) : null),
    line(
      "Lost to outages",
      plan.row.lost_fraction ? `${number(1e6 * plan.row.lost_fraction, "", 2)} of a million requests` : null,
    ),
    line("Would be the first at", winsAt(row)),
    line(answer.plans.length > 1 ? (plan.rank > 1 ? "Against the first as stated" : "Against the next as stated") : "Why", plan.why),
    line(
      "Remarks",
      row.marks.length
        ? h(
            "ul",
            {},
            row.marks.map((one) => h("li", {}, one.text)),
          )
        : null,
    ),
    line(
      "Prices",
      plan.prices.length
        ? h(
            "ul",
            {},
            plan.prices.map((one) => h("li", {}, `${one.pool}: ${priced(one)}`)),
          )
        : null,
    ),
    line("Oldest price", row.day ? date(row.day) : "not dated"),
  );
}
