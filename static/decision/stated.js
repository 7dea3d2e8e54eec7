// The plans of a decision as rows of a ranking: those that can do the work first, by the figure that decides; the rest below, not ranked.
import { h } from "../dom.js";
import { date, fixed, inThousands, number, percent, plural, sign } from "../format.js";
import { metered, pricesOf, utilizationOf } from "../parts.js";
import { sharedColumns, unknown } from "../plan/shared_columns.js";
import { deviceShort } from "../plan/names.js";
import { capital, glossary } from "../terms.js";
import { amount, bestChance, bestChances, figures, lacked, mayRank, period, undone, weakest } from "./words.js";

const perMillion = ({ by_workload: all }) => Object.values(all)[0]?.cost_per_million_units ?? null;

// Of which a line under the plan's name consists: what its pools are.
function made(plan) {
  const pools = plan.resolved.pools.map((pool) => {
    if (pool.kind === "api") return pool.endpoint?.model ?? pool.model ?? "hosted model";
    const part = pool.offer ?? pool.server;
    const device = `${part?.devices ?? ""}${part?.device ? `× ${deviceShort(part.device)}` : ""}`;
    if (pool.kind === "cloud")
      return [device, pool.offer?.provider, pool.offer?.purchase?.replace("_", " ")].filter(Boolean).join(", ");
    return `${(pool.purchases ?? []).reduce((sum, one) => sum + one.servers, 0)} servers of ${device}`;
  });
  return pools.join(" + ");
}

// What is remarked of a plan, by the code of the warning: the icon of the same remark of a plan of the catalogue.
const icons = { stale_price: "clock", undated_price: "clock", latency_unknown: "clock", power_assumed: "power", without_hosts: "power" };
const isAmber = /price|latency|outages|market/;
const marksOf = ({ warnings }) =>
  warnings.map(({ code, message }) => ({ icon: icons[code] ?? "alert", tone: isAmber.test(code) ? "warn" : undefined, text: capital(message) }));

// The rows of all plans, in the order of the answer. In which share of draws one holds: in none where it can't serve as stated.
export function rowsOf({ answer, plans, order, chances, level, stale }) {
  let rank = 0;
  return order.map((at, i) => {
    const { result } = answer.scenarios[at];
    const plan = plans[at];
    const able = mayRank(result);
    const drawn = stale.has("chances") && !chances ? null : chances?.scenarios[at];
    const { p10: low = null, p90: high = null, mean = null } = drawn?.outputs[`/total/${answer.decide_by}`] ?? {};
    const isRanked = answer.comparable && able && result.decisive !== null;
    return {
      at,
      i,
      key: plan.reference,
      rank: isRanked ? ++rank : null,
      name: plan.name,
      title: plan.name,
      short: plan.name,
      line: made(plan),
      plan: { scenario: { ...plan.resolved, months: result.months, currency: answer.currency } },
      colour: plan.colour,
      cost: result.decisive,
      low,
      high,
      mean,
      holds: able ? (drawn?.probability_feasible ?? null) : drawn ? 0 : null,
      chance: chances ? bestChance(chances, at) : null,
      isFirst: answer.cheapest === at,
      isLevel: !stale.has("level") && Boolean(level?.includes(at)),
      cannot: !able,
      behind: able ? null : lacked(result),
      evidence: weakest(result),
      day: result.provenance.oldest_price,
      million: perMillion(result),
      marks: marksOf(result),
      result,
    };
  });
}

const signed = (text, value) => (value > 0 ? `+${text}` : text);
function toBaseline({ answer, baseline }) {
  const base = answer.scenarios[baseline].result.decisive;
  return ({ at, cost }) => (at === baseline || base === null || cost === null || !answer.comparable ? null : cost - base);
}
const carbonText = (value, result) => {
  if (value !== null) return number(value / 1000, "", value < 10000 ? 1 : 0);
  const { value: known, text } = metered(result, "carbon_kg");
  return known === null && result.total.carbon_kg_at_least > 0 ? text.replace(/ t CO2e.*/, "") : unknown(glossary["Not known"]);
};

const unitName = ({ unit = "unit" } = {}) => plural(unit[0].toUpperCase() + unit.slice(1));
function columnsOf(view) {
  const { answer, rows, plans, baseline, chances } = view;
  const work = Object.values(answer.scenarios[0].result.by_workload)[0];
  const texts = chances ? bestChances(chances) : [];
  const all = sharedColumns({
    ...view,
    currency: answer.currency,
    million: unitName(work),
    chances: rows.map(({ at }) => texts[at]),
  });
  const difference = toBaseline(view);
  const base = answer.scenarios[baseline].result.decisive;
  const isThousand = inThousands(rows.map(({ cost }) => cost));
  const figure = (value) => fixed(value / (isThousand ? 1000 : 1), isThousand ? 0 : 2);
  return [
    all.cost,
    all.range,
    {
      name: "To baseline",
      class: "num c-base",
      head: all.cost.head,
      title: `${all.cost.name} less that of the baseline, ${plans[baseline].name}`,
      value: difference,
      cell: (row) => {
        if (row.cannot) return h("span", { class: "bad", title: row.behind }, row.result.feasible ? "loses too much" : "can't serve");
        if (row.at === baseline) return "baseline";
        const value = difference(row);
        return value === null ? "–" : [signed(figure(value), value), h("small", {}, percent(value / Math.abs(base), { signed: true }))];
      },
    },
    all.fails,
    {
      name: "Utilization",
      class: "num cu",
      head: "of hours",
      title: glossary.Utilization,
      value: ({ result }) => utilizationOf(result),
      cell: ({ result }) => {
        const value = utilizationOf(result);
        return value === null ? h("abbr", { title: "Paid by the unit of work: no device-hours of your own" }, "by token") : percent(value);
      },
    },
    all.million,
    {
      name: "CO₂e",
      class: "num cr",
      head: "tonnes",
      title: glossary["CO₂e"],
      value: ({ result }) => result.total.carbon_kg,
      cell: ({ result }) => carbonText(result.total.carbon_kg, result),
    },
    all.evidence,
    all.best,
  ];
}

// The API's figures in its units.
function csvColumns(view) {
  const { answer } = view;
  const by = figures[answer.decide_by];
  const own = by.money ? answer.currency : by.unit;
  const total = (member) => ({ result }) => result.total[member];
  return [
    { name: "plan", value: (row) => row.name },
    { name: by.name, unit: own, value: (row) => row.cost },
    { name: "p10", unit: own, value: (row) => row.low },
    { name: "p90", unit: own, value: (row) => row.high },
    { name: "Expected", unit: own, value: (row) => row.mean },
    { name: "To baseline", unit: own, value: toBaseline(view) },
    { name: unitName(Object.values(answer.scenarios[0].result.by_workload)[0]), unit: `${answer.currency} per million`, value: (row) => row.million },
    { name: "Undone", unit: "fraction of work", value: ({ result }) => undone(result) },
    { name: "Utilization", unit: "fraction of hours", value: ({ result }) => utilizationOf(result) },
    { name: "CO₂e", unit: "kg", value: total("carbon_kg") },
    { name: "Energy", unit: "kWh", value: total("energy_kwh") },
    { name: "Energy at least", unit: "kWh", value: total("energy_kwh_at_least") },
    { name: "CO₂e at least", unit: "kg", value: total("carbon_kg_at_least") },
    { name: "Oldest price", value: (row) => row.day },
    { name: "Prices", value: ({ result }) => pricesOf(result) },
    { name: "Evidence", value: (row) => row.evidence },
    { name: "Can serve", unit: "probability", value: (row) => view.chances?.scenarios[row.at].probability_feasible ?? null },
    { name: "Be best", unit: "probability", value: (row) => row.chance },
  ];
}

const line = (term, text) => (text === null || text === undefined || text === "" ? "" : [h("dt", {}, term), h("dd", {}, text)]);
const negligible = 0.0005; // a share that is 0.0 % when it is written
function detailOf(row, { plans, answer }) {
  const { result } = row;
  const left = undone(result);
  return h(
    "dl",
    { class: "facts-of-plan" },
    line("Made of", made(plans[row.at])),
    line("Can't be ranked", row.cannot ? row.behind : null),
    line("Expected", row.mean === null ? null : amount(row.mean, answer)),
    line("Undone", left === null ? null : left >= negligible ? percent(left) : "none"),
    line("Energy", metered(result, "energy_kwh").text),
    line("CO₂e", metered(result, "carbon_kg").text),
    line("Remarks", row.marks.length ? h("ul", {}, row.marks.map((one) => h("li", {}, one.text))) : null),
    line("Prices", pricesOf(result)),
    line("Oldest price", row.day ? date(row.day) : "not dated"),
  );
}

function drawnOf({ chances }) {
  if (!chances) return [];
  const best = chances.uncertainty
    ? "chance to be best: as of a ranking of these plans, each sized anew in each draw of its demand, rates and prices"
    : "chance to be best: of those that can serve in a draw, as they are";
  return [[null, `${number(chances.samples)} draws of the assumptions, within the ranges below; ${best}`]];
}

export const stated = {
  id: "ranking",
  columns: columnsOf,
  csv: csvColumns,
  detail: detailOf,
  lead: ({ rows }) => `${rows.filter(({ cannot }) => !cannot).length} of ${rows.length} can serve as stated · ${period(rows[0].result)}`,
  legend: drawnOf,
};
