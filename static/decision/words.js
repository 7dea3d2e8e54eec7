// The words of a decision: figures that rank, sentences by fixed rules, and the meaning of every term.
import { fromTo, isMoney, missing, money, month, number, percent, quantity, sharesOf, shortMoney, unitOf } from "../format.js";

const capital = (text) => text[0].toUpperCase() + text.slice(1);

// What a decision is made by: its name, how it is said of one plan, and its unit.
export const figures = {
  npv: { name: "Present cost", of: "costs", money: true },
  npv_after_tax: { name: "Present cost after tax", of: "costs after tax", money: true },
  cost: { name: "Cost", of: "costs", money: true },
  cash: { name: "Cash", of: "pays", money: true },
  energy_kwh: { name: "Energy", of: "takes", unit: "kWh" },
  carbon_kg: { name: "Carbon", of: "emits", unit: "kg CO₂e" },
};

// A value of the figure that decides, in its unit.
export const amount = (value, { decide_by: by, currency }, brief = false) =>
  figures[by].money ? (brief ? shortMoney(value, currency) : money(value, currency)) : number(value, figures[by].unit, 0);

export const sure = 0.9; // of the draws: a plan that can serve in fewer is not chosen without a word

// What the second plan does of a driver that is not money alone, before its figure.
const verbs = {
  work: "its devices do",
  throughput: "a busy device does",
  "price of a device-hour": "its device-hour costs",
  "energy of a device-hour": "its device-hour takes",
  "carbon of a device-hour": "its device-hour emits",
  "energy of devices": "its devices take",
  "carbon of devices": "its devices emit",
  "energy of hosted models": "its hosted models take",
  "carbon of hosted models": "its hosted models emit",
  devices: "its devices cost",
  "price of the work": "the work alone costs",
  "idle device-hours": "idle device-hours cost",
  "other categories": "all else costs",
  tax: "tax is",
};

// The figures of a step, in its own unit.
const unitIn = ({ unit }, currency) => unitOf(unit, currency);
export const stepText = (step, currency) => fromTo(step.a, step.b, unitIn(step, currency), { brief: true });

// One step of a bridge as a clause about the second plan.
export function clause(step, currency) {
  const { driver, a, b } = step;
  const unit = unitIn(step, currency);
  const show = (value) => quantity(value, unit, { brief: true });
  if (driver === "utilization") return `its devices are busy ${percent(b)} of the hours paid against ${percent(a)}`;
  if (b === 0 && isMoney(unit)) return `${driver === "idle device-hours" ? "no" : "nothing for"} ${driver} against ${show(a)}`;
  const verb = verbs[driver] ?? (isMoney(unit) ? `${driver} costs` : `${driver} is`);
  if (!a) return `${verb} ${show(b)}`;
  const [one, other] = fromTo(b, a, unit, { brief: true }).split(" → ");
  return isMoney(unit) || !unit.startsWith(`${currency}/`)
    ? `${verb} ${one} against ${other}`
    : `${verb} ${quantity(b, currency)} against ${quantity(a, currency)}`; // the driver says of what
}

const whole = (fraction) => (fraction > 0.995 ? "the whole" : `${percent(fraction)} of the`);
const sumOf = (steps) => steps.reduce((total, { amount }) => total + amount, 0);
const little = 0.5; // of the gap: two large steps whose sum is less cancel, and the reason is another

// The steps that move something, the largest first, without those that cancel each other; and these, by pairs.
export function netted(steps) {
  const rest = steps.filter(({ amount }) => amount !== 0).sort((one, other) => Math.abs(other.amount) - Math.abs(one.amount));
  const gap = Math.abs(sumOf(rest));
  const pairs = [];
  const cancel = ([one, other]) => one.amount * other.amount < 0 && Math.abs(one.amount + other.amount) < little * gap;
  while (rest.length > 2 && cancel(rest)) pairs.push(rest.splice(0, 2));
  return { rest, pairs };
}

// Why two plans differ, by the largest drivers; `show` says an amount of the figure. What cancels is said as its net.
export function because(steps, name, currency, show) {
  const { rest: bySize, pairs } = netted(steps);
  if (!bySize.length) return "No driver differs.";
  const gap = sumOf(steps);
  // Two, and more where these together go the other way than the difference.
  let most = 2;
  while (most < Math.min(4, bySize.length) && sumOf(bySize.slice(0, most)) * gap <= 0) ++most;
  const said = bySize.slice(0, most);
  const net = sumOf(said);
  const change = (amount) => `${show(Math.abs(amount))} ${amount > 0 ? "more" : "less"}`;
  const isOneWay = said.every(({ amount }) => Math.sign(amount) === Math.sign(gap)) && Math.abs(net) <= Math.abs(gap);
  const withAmount = (step) => `${clause(step, currency)} (${change(step.amount)})`;
  const cancelled = pairs.map((pair) => ` ${capital(pair.map(withAmount).join(" and "))} cancel: ${change(sumOf(pair))}.`).join("");
  if (isOneWay)
    return `${name}: ${said.map((step) => clause(step, currency)).join("; ")}: ${whole(net / gap)} difference.${cancelled}`;
  const each = said.map(withAmount).join("; ");
  const rest = gap - net;
  const isAll = Math.abs(rest) < 0.005 * Math.abs(gap);
  const others = isAll ? "" : `, and all else ${change(rest)}: ${change(gap)} in all`;
  const together = said.length > 1 ? ` Together ${change(net)}${others}.` : "";
  return `${name}: ${each}.${together}${cancelled}`;
}

// The chance of a plan to be the best: each sized anew in each draw where the API can, else as they are.
export const bestChance = ({ scenarios, uncertainty }, i) => scenarios[i][uncertainty ? "probability_best" : "probability_cheapest"];
// The same of all, as texts that add up to 100 % with that of none.
export const bestChances = (chances) =>
  sharesOf([
    ...chances.scenarios.map((_, i) => bestChance(chances, i)),
    (chances.uncertainty ?? chances).probability_none ?? 0,
  ]).slice(0, chances.scenarios.length);

// "January 2027 to December 2029"; an end that no calendar has, of an address written by hand, isn't named: the API refuses it.
export function period({ start, months }) {
  const [year, first] = start.split("-").map(Number);
  const last = new Date(Date.UTC(year, first - 1 + months - 1, 1));
  if (months === 1 || Number.isNaN(last.getTime())) return month(start);
  return `${month(start)} to ${month(last.toISOString().slice(0, 7))}`;
}
export function lasting(months) {
  const words = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
  const years = months / 12;
  if (!Number.isInteger(years) || years > 10) return months === 1 ? "one month" : `${months} months`;
  return years === 1 ? "a year" : `${words[years]} years`;
}

// What a scenario lacks to be feasible, in words.
export function lack(because) {
  return because
    .map(({ code, workload, site, value, limit }) =>
      code === "unserved"
        ? `leaves ${percent(value)} of ${workload} undone${limit ? `, ${percent(limit)} is allowed` : ""}`
        : code === "availability"
        ? `loses ${percent(value)} of ${workload} to outages, ${percent(limit)} is allowed`
        : `takes more power than ${site || "its site"} has`,
    )
    .join("; ");
}
// What may be in a ranking: it does its work, and outages of which nothing is stated take little of it.
export const mayRank = ({ feasible, warnings }) => feasible && warnings.every(({ code }) => code !== "outages");
export const lacked = (result) => lack(result.infeasible_because) || "loses above 0.1 % to outages: add spare replicas, or state the availability";
export const undone = (result) => {
  const demanded = Object.values(result.by_workload).filter((workload) => workload.units_demanded > 0);
  return demanded.length ? Math.max(...demanded.map((workload) => workload.units_unserved / workload.units_demanded)) : null;
};

const evidences = ["measured", "interpolated", "extrapolated", "estimated", "assumed"];
// The weakest evidence of a result's workloads; "hosted" where only hosted models serve.
export function weakest(result) {
  const all = Object.values(result.by_workload).map((workload) => workload.evidence);
  const known = all.filter(Boolean).sort((a, b) => evidences.indexOf(b) - evidences.indexOf(a));
  if (known.length) return known[0];
  return Object.values(result.by_pool).every((pool) => pool.kind === "api") ? "hosted" : missing;
}
export const dots = { measured: 3, hosted: 3, interpolated: 2, extrapolated: 1, estimated: 1, assumed: 0 };
