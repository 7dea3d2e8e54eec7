// A decision of chosen plans: their scenarios are stored under its id, so that no other decision changes them.
import { numbersOf } from "../colours.js";
import { freeId, keepDecision } from "../decision/menu.js";
import { period } from "../decision/words.js";
import { count, number } from "../format.js";
import { create, scenarioId } from "../plan/keep.js";
import { namesOf } from "../plan/names.js";
import { forget } from "../store.js";

// The name of a decision: with the traffic or the size of the run, so that no two are alike.
export function decisionName(request) {
  const { workloads, limits } = request;
  const [first] = workloads;
  const { model: what } = first;
  const when = period(request);
  if (workloads.length > 1)
    return `One fleet for ${count(workloads.length, "workload")}: ${workloads.map(({ id, model }) => `${id} ${model}`).join(", ")}, ${when}`;
  if (first.kind === "training")
    return `Train ${what} on ${number((first.units_per_epoch * first.epochs) / 1e9)} B tokens within ${count(first.within_days, "day")}, ${when}`;
  if (first.kind === "batch") return `Answer ${number(first.requests_per_month)} requests a month with ${what}, ${when}`;
  const where = limits?.sites ? ` at ${limits.sites.join(", ")}` : "";
  const sizes = first.token_mix?.length ? ` of ${count(first.token_mix.length, "size")}` : "";
  return `Serve ${what}${where} at ${number(first.demand.mean_per_s)} requests/s${sizes}, ${when}`;
}

// `plans` are those of a ranking, the first of them the baseline. Shows the decision.
export async function keepPlans({ name, question, plans, budget }, signal) {
  const id = await freeId(name);
  const names = namesOf(plans);
  const scenarios = [];
  for (const [i, plan] of plans.entries()) {
    scenarios.push(await create({ ...plan.scenario, name: names[i].title }, scenarioId(id, plan.name), signal));
  }
  forget();
  const colours = Object.fromEntries(numbersOf(scenarios, {}));
  await keepDecision({ id, name, question, scenarios, baseline: scenarios[0], colours, ...(budget && { budget }) });
}
