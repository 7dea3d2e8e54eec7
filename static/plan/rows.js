// The plans of a ranking as the page shows them: names, figures, standing, marks.
import { count, date, money, percent } from "../format.js";
import { daysSince } from "../sources/prices.js";
import { namesOf } from "./names.js";

const old = 30; // days, from which a price is marked

const sum = (list, of) => list.reduce((total, one) => total + of(one), 0);
const ofDevices = (result) => Object.values(result?.by_pool ?? {}).filter((pool) => pool.kind !== "api");

// Tokens that a device does in a second at work; null where hosted models serve a part, as that is not known apart.
export function rateOf(result) {
  const pools = ofDevices(result);
  const isWhole = pools.length > 0 && pools.length === Object.keys(result.by_pool).length;
  return isWhole ? Object.values(result.by_workload)[0].units_served / sum(pools, (pool) => pool.busy_device_hours) / 3600 : null;
}

// What an hour of a device costs, used or not.
export function hourOf(result) {
  const pools = ofDevices(result);
  return pools.length ? sum(pools, (pool) => pool.cost) / sum(pools, (pool) => pool.available_device_hours) : null;
}

// Why a plan that costs less than the first stands behind it, in the API's words.
const behindBecause = (plan) => /^behind, as ([^;]+)/.exec(plan.why ?? "")?.[1] ?? "less is known of it";

// What is remarked of a plan: {icon, tone, text}. Amber could change the order.
const remarks = {
  latency_unknown: { icon: "clock", tone: "warn", text: "Nobody states its latency: whether it keeps the promise is not known" },
  context_unknown: { icon: "clock", tone: "warn", text: "How long a request it takes is not known" },
  power_assumed: { icon: "power", text: "Its power is assumed, of the default shape" },
  without_hosts: { icon: "power", text: "What its hosts draw is not known" },
  undated_price: { icon: "clock", tone: "warn", text: "A price of it is of no day" },
  failures_unknown: { icon: "alert", text: "How often its hosts fail is not stated" },
  market_level: { icon: "alert", tone: "warn", text: "A level of the market: nobody sells at it" },
};
function marksOf(plan, currency) {
  const pools = plan.scenario.pools;
  const marks = [];
  const spot = pools.find((pool) => pool.offer?.purchase === "spot");
  if (spot) marks.push({ icon: "alert", tone: "warn", text: "Spot may be taken away at any time" });
  if (plan.oldest_price && daysSince(plan.oldest_price) > old)
    marks.push({ icon: "clock", tone: "warn", text: `A price of it is ${count(daysSince(plan.oldest_price), "day")} old` });
  for (const code of plan.row.warnings)
    if (code !== "stale_price") marks.push(remarks[code] ?? { icon: "alert", text: code.replaceAll("_", " ") });
  const weeks = sum(plan.scenario.workloads, (work) => sum(work.runs_on ?? [], (run) => run.porting?.engineer_weeks ?? 0));
  const week = plan.scenario.finance?.engineer_week_cost;
  if (weeks)
    marks.push({
      icon: "wrench",
      text: `Porting takes ${count(weeks, "engineer-week")}${week ? `, ${money(weeks * week, currency)} in the cost` : ""}`,
    });
  const bound = pools.filter((pool) => /reserved|committed/.test(pool.offer?.purchase ?? ""));
  if (bound.length) marks.push({ icon: "lock", text: "Bound: owed whatever is used, to the end of its term" });
  if (pools.some((pool) => pool.kind === "owned")) marks.push({ icon: "lock", text: "Servers are paid when they are bought" });
  return marks.filter((mark, i) => marks.findIndex((other) => other.text === mark.text) === i);
}

const trifle = 1e-5; // of the cost: knowing a rate that saves less decides nothing
export const worthKnowing = ({ would_decide: all = [], plans }) => all.filter(({ value }) => value > trifle * Math.abs(plans[0].decisive));

const peaksOf = (plan) => plan.replicas.filter((one) => one.at_peak).map((one) => one.at_peak);
const most = (values) =>
  values.some((value) => value !== null && value !== undefined)
    ? Math.max(...values.filter((value) => value !== null && value !== undefined))
    : null;

// `colourOf(key)` is the number of a plan's colour; `results` are of the same plans, or null until they are there.
export function rowsOf(answer, { colourOf, modelName, results = null }) {
  const names = namesOf(answer.plans, modelName);
  const first = answer.plans[0];
  return answer.plans.map((plan, i) => {
    const peaks = peaksOf(plan);
    const behind = i > 0 && plan.decisive < first.decisive ? behindBecause(plan) : null;
    return {
      ...names[i],
      plan,
      at: i, // in the answer, whatever the order of the rows
      i,
      key: plan.name,
      rank: plan.rank,
      colour: colourOf(plan.name),
      cost: plan.decisive,
      low: plan.row.low ?? null,
      high: plan.row.high ?? null,
      holds: plan.row.probability_feasible ?? null,
      chance: plan.probability_best ?? null,
      isFirst: i === 0,
      isLevel: Boolean(plan.tied),
      behind,
      evidence: plan.evidence ?? "hosted",
      day: plan.oldest_price,
      million: plan.row.cost_per_million_output ?? null,
      precision: [...new Set(plan.replicas.map((one) => one.precision).filter(Boolean))].join(", "),
      use: most(peaks.map((peak) => peak.utilization)),
      first: most(peaks.map((peak) => peak.ttft_s)),
      gap: most(peaks.map((peak) => peak.itl_s)),
      marks: marksOf(plan, plan.scenario.currency),
      result: results?.[i] ?? null,
    };
  });
}

// The price at which a plan would be the first, in words; null where none is known, or the plan costs less as it is.
export function winsAt({ plan, behind, isReordered }) {
  if (!plan.wins_at || behind || isReordered || plan.rank === 1) return null;
  const { pointer, value, currency } = plan.wins_at;
  if (pointer.endsWith("discount_fraction")) return value > 0 && value < 1 ? `${percent(value)} off its price` : null;
  if (!(value > 0)) return null;
  return `${money(value, currency)} ${pointer.endsWith("hourly_price") ? "an instance-hour" : "a server"}`;
}

export const dayText = (day) => (day ? date(day) : "not dated");
