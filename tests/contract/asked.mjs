// Questions about scenarios: good bodies, and what their answers must say.
import { status } from "./good.mjs";

// Good bodies by operation. `good.scenario` are whole scenarios.
export function questionBodies(good) {
  const [a, b] = good.scenario;
  const set = { "/months": 12 };
  const as_of = "2026-01-01T00:00:00Z";
  const pointer = "/finance/discount_rate";
  return {
    post_compare: [{ scenarios: [a, b], baseline: 1, set, as_of: null }, { scenarios: [a.id, a], baseline: a.id }],
    post_break_even: [{ a, b, over: "horizon", set, as_of }, { a, b, input: "/months", low: 1, high: 24 }],
    post_solve: [{ scenario: a, input: pointer, low: 0, high: 1, output: "/total/cost", target: 1, set, as_of }],
    post_sensitivity: [{ scenario: a, against: [b], inputs: [{ pointer: "/months", change: 0.5 }, { pointer, low: 0.1, high: 0.2 }],
      output: "/total/npv", set, as_of }, { scenario: a.id }],
    post_optimize: [{ scenario: plannable(a), decide: [{ pointer: "/pools/0/purchases/0/servers", min: 0, max: 3 }], minimize: "npv",
      subject_to: { max_unserved_fraction: 1, max_carbon_kg: 1e15, max_capital: 1e15, max_rack_kw: 1e15 }, gap: 0.01, evaluations: 100,
      deadline_s: 60, set, as_of: null }],
  };
}

// The scenario with an owned pool first, so that there are servers to decide on.
function plannable(scenario) {
  const owned = scenario.pools.findIndex((pool) => pool.kind === "owned");
  const pools = [...scenario.pools];
  pools.unshift(...pools.splice(owned, 1));
  return { ...scenario, pools };
}

export async function askQuestions(contract, good) {
  const find = (id) => contract.description.operations.find((operation) => operation.id === id);
  const bodies = questionBodies(good);
  for (const id of ["post_compare", "post_break_even", "post_sensitivity", "post_optimize"]) {
    for (const body of bodies[id]) await contract.ask(find(id), find(id).path, { body }, "good", [status(200)]);
  }
  const solve = find("post_solve");
  await contract.ask(solve, solve.path, { body: bodies.post_solve[0] }, "a target out of reach", [status(422)]);
  const result = await contract.ask(find("post_evaluate"), "/v1/evaluate", { body: { scenario: good.scenario[0] } }, "", [status(200)]);
  const { total } = JSON.parse(result.body);
  const reached = { ...bodies.post_solve[0], input: "/months", low: 1, high: 240, output: "/total/cost", target: total.cost };
  delete reached.set;
  delete reached.as_of;
  await contract.ask(solve, solve.path, { body: reached }, "a target within reach", [status(200)]);
}
