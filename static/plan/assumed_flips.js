// At which value of what is assumed another plan would be the first: each assumption by itself, from a tenth of it to ten times, the plans at
// their sizes.
import { post } from "../api.js";
import { namesOf, valuesAt } from "../decision/concepts.js";
import { number, quantity } from "../format.js";

const [least, most] = [0.1, 10];
const mostPlans = 8;
// Where the plans' scenarios have what is assumed; which of them, where there are two.
const numbers = [
  { what: "failures", pointer: "/pools/*/offer/interruptions_per_hour", of: "what is rented" },
  { what: "failures", pointer: "/pools/*/server/failures_per_hour", of: "servers" },
  { what: "replacement", pointer: "/pools/*/offer/replacement_s" },
  { what: "repair", pointer: "/pools/*/server/repair_hours" },
  { what: "restart", pointer: "/workloads/*/checkpoint/restart_s" },
  { what: "checkpoint", pointer: "/workloads/*/checkpoint/write_s" },
  { what: "server_price", pointer: "/pools/*/server/price" },
  { what: "porting", pointer: "/workloads/*/runs_on/*/porting/engineer_weeks" },
  { what: "engineer_week", pointer: "/finance/engineer_week_cost", isOne: true },
];

// "15 engineer-weeks", where all plans have the assumed value or none; else how many times what they have.
function valueText({ value, unit }, base, factor, values) {
  const isAssumed = values.every((one) => one === 0 || one === base) && Number(value) === base;
  return isAssumed ? quantity(Number((base * factor).toPrecision(3)), unit) : `${number(Number(factor.toPrecision(3)))} times that`;
}

export const flipTone = (text) => (/flips/.test(text) ? "flip bad" : "flip");

// {what: text}: of each assumption that the plans have as a number, where it flips.
export async function assumedFlips({ ranked: rows, answer }, signal) {
  const some = rows.filter(({ behind }) => !behind).slice(0, mostPlans);
  const scenarios = some.map(({ plan }) => plan.scenario);
  const asked = numbers
    .map((one) => ({
      ...one,
      assumption: answer.assumptions.find(({ what }) => what === one.what),
      values: scenarios.flatMap((scenario) => valuesAt(scenario, namesOf(one.pointer)).map((value) => value?.price ?? value)),
    }))
    .filter(({ assumption, values }) => assumption && values.some(Boolean) && values.every((value) => typeof value === "number"));
  if (some.length < 2 || !asked.length) return {};
  const base = ({ isOne, values }) => (isOne ? Math.max(...values) : 1);
  const [scenario, ...against] = scenarios;
  const inputs = asked.map((one) => ({ pointer: one.pointer, low: least * base(one), high: most * base(one) }));
  const found = await post("/v1/sensitivity", { scenario, against, inputs, output: `/total/${answer.decide_by}` }, signal);
  const said = asked.map((one) => {
    const { flips_at: at } = found.inputs.find(({ pointer }) => pointer === one.pointer);
    const of = one.of && asked.filter(({ what }) => what === one.what).length > 1 ? `of ${one.of}: ` : "";
    if (!at) return [one.what, `${of}no flip from a tenth to ten times`];
    const factor = at.value / base(one);
    const text = valueText(one.assumption, Math.max(...one.values), factor, one.values);
    const then = at.infeasible ? "the first can't do it" : some[at.cheapest]?.short;
    return [one.what, `${of}flips ${factor > 1 ? "over" : "below"} ${text}${then ? `, then ${then}` : ""}`];
  });
  return Object.fromEntries(said.map(([what]) => [what, said.filter(([one]) => one === what).map(([, text]) => text).join("; ")]));
}
