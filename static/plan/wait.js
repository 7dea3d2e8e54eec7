// To buy or to wait: what the first plan that buys servers comes to where they are bought later, the rest of it serving until then, and how
// far prices would have to fall for that to cost the same.
import { post } from "../api.js";
import { percent } from "../format.js";
import { brief } from "./cards.js";

const year = 12; // months
const bought = ({ pools }) => pools.filter(({ purchases }) => purchases?.length);
// Once: what is bought in stages would change with the price as well.
const buysOnce = ({ plan: { scenario } }) => bought(scenario).length === 1 && bought(scenario)[0].purchases.length === 1;
const after = (months) => (one) => ({ ...one, month: (one.month ?? 0) + months });
const later = (scenario, months) => ({
  ...scenario,
  pools: scenario.pools.map((pool) => (pool.purchases ? { ...pool, purchases: pool.purchases.map(after(months)) } : pool)),
});
const words = { [year]: "in a year", [2 * year]: "in two years" };

// {what, value} in words; null where no plan buys, or nothing serves until it does.
export async function waitLine({ rows, answer }, signal) {
  const row = rows.find((one) => buysOnce(one) && !one.behind);
  if (!row) return null;
  const { scenario } = row.plan;
  const months = [year, 2 * year].filter((month) => month < scenario.months);
  const results = await Promise.all(months.map((month) => post("/v1/evaluate", { scenario: later(scenario, month) }, signal)));
  const costs = results.map(({ feasible, decisive }) => (feasible ? decisive : null));
  if (typeof costs[0] !== "number") return null;
  const said = months.map((month, i) => (costs[i] === null ? null : `${words[month]} ${brief(costs[i], answer)}`)).filter(Boolean);
  const pool = scenario.pools.indexOf(bought(scenario)[0]);
  const fall = { input: `/pools/${pool}/server/price_change_rate`, low: -0.9, high: 0.5, output: `/total/${answer.decide_by}`, target: row.cost };
  const { value } = await post("/v1/solve", { scenario: later(scenario, year), ...fall }, signal).catch(() => ({ value: null }));
  const now = scenario.pools[pool].server?.price_change_rate ?? 0;
  const level =
    value === null ? "" : `. A year's wait costs the same where its servers' price changes by ${percent(value, { signed: true })} a year (taken: ${percent(now, { signed: true })})`;
  return { what: `${row.title}, bought later`, value: `now ${brief(row.cost, answer)}, ${said.join(", ")}${level}`, isFlip: costs[0] < row.cost };
}
