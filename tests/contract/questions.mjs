// Questions about scenarios: valid request bodies, and checks of their answers.
import { status } from "./good.mjs";

// Good bodies by operation. `good.scenario` are whole scenarios.
export function questionBodies(good) {
  const [a, b] = good.scenario;
  const owned = good.scenario.find((scenario) => scenario.pools[0].kind === "owned"); // servers to decide on
  const set = { "/months": 12 };
  const scale = { "/workloads/*/units_per_request": 1.1, "/finance/discount_rate": 1.2 };
  const as_of = "2026-01-01T00:00:00Z";
  const pointer = "/finance/discount_rate";
  return {
    post_compare: [{ scenarios: [a, b], baseline: 1, set, scale, as_of: null }, { scenarios: [a.id, a], baseline: a.id }],
    post_profile: [{ scenario: a, month: a.start, set, scale, as_of }, { scenario: owned.id }],
    post_break_even: [{ a, b, over: "horizon", set, scale, as_of }, { a, b, input: "/months", low: 1, high: 24 }],
    post_solve: [{ scenario: a, input: pointer, low: 0, high: 1, output: "/total/cost", target: 1, set, scale, as_of }],
    post_sensitivity: [{ scenario: a, against: [b], inputs: [{ pointer: "/months", change: 0.5 }, { pointer, low: 0.1, high: 0.2 }],
      output: "/total/npv", set, scale, as_of }, { scenario: a.id }],
    post_simulate: [
      { scenarios: [a, b], inputs: [
        { pointer, distribution: { kind: "uniform", low: 0, high: 0.2 }, scenario: 0 },
        { pointer: "/finance/tax_rate", distribution: { kind: "triangular", low: 0, mode: 0.1, high: 0.3 } },
        { pointer: "/finance/carbon_price_per_tonne", distribution: { kind: "discrete", values: [0, 90], weights: [1, 2] } }],
        correlations: [{ a: pointer, b: "/finance/tax_rate", rho: 0.5 }], outputs: ["/total/npv", "/total/cost"], samples: 20,
        seed: 7, sampling: "sobol", by_month: true, break_even: { a: 0, b: 1 }, deadline_s: 60, set, scale, as_of: null },
      { scenarios: [a.id], samples: 20, inputs: [
        { pointer: "/months", distribution: { kind: "normal", mean: 1, sd: 0.01, relative: true } },
        { pointer: "/finance/carbon_price_per_tonne", distribution: { kind: "lognormal", median: 90, sigma: 0.3 } },
        { pointer, distribution: { kind: "empirical", samples: [0.05, 0.08] } }] }],
    post_map: [{ scenarios: [a, b], x: { pointer, values: [0, 0.1] }, y: { pointer: "/finance/tax_rate", from: 0.1, to: 0.3,
      steps: 3, spacing: "log" }, output: "/total/npv", deadline_s: 60, set, scale, as_of }, { scenarios: [a.id],
      x: { pointer, from: 0, to: 0.1, steps: 2 }, y: { pointer: "/months", values: [1, 2] } }],
    post_rank: [{ workloads: [{ id: "chat", kind: "inference", unit: "token", model: "m", units_per_request: { input: 300, output: 100 },
      demand: { mean_per_s: 1 } }], start: "2026-01", months: 3, currency: "USD", exchange_rates: { EUR: 1.1 }, time_zone: "UTC",
      finance: { decide_by: "cost" }, discounts: { host: 0.1 }, limits: { providers: ["gcp"], regions: ["us"], purchases: ["spot"],
        kinds: ["gpu"], devices: ["nvidia.h100-sxm5-80gb"], sites: ["site.us-colo-virginia"], evidence: "assumed", max_price_age_days: 365 }, include: ["api", "hybrid"], top: 3, samples: 5, seed: 1,
      deadline_s: 60, as_of: null }],
    post_rates: [{ model: "rated", device: "rated", devices: 2, precision: "bf16", kv_precision: "fp8", framework: "vllm", input: 1000, output: 300,
      cached_input: 100, concurrency: 8, concurrencies: [1, 64], as_of: null }, { model: "rated", device: "rated", input: 1000, output: 300,
      slo: { ttft_s: 10, itl_s: 1, e2e_s: 100 } }],
    post_optimize: [{ scenario: owned, decide: [{ pointer: "/pools/0/purchases/0/servers", min: 0, max: 3 }], minimize: "npv",
      subject_to: { max_unserved_fraction: 1, max_carbon_kg: 1e15, max_capital: 1e15, max_rack_kw: 1e15 }, gap: 0.01, evaluations: 100,
      deadline_s: 60, set, scale, as_of: null },
      { scenario: owned, decide: [{ pointer: "/pools/0/purchases/0/servers", min: 0, max: 2 }], subject_to: { max_unserved_fraction: 1 },
        uncertain: { inputs: [{ pointer: "/finance/tax_rate", distribution: { kind: "uniform", low: 0, high: 0.5 } }],
          samples: 4, seed: 7, sampling: "sobol" } },
      { scenario: owned, decide: [{ pointer: "/pools/0/purchases/0/servers", min: 0, max: 2 },
        { pointer: "/pools/0/purchases/0/month", values: [0, 1] }, { pointer: "/pools/0/refresh", values: [true, false] }],
        subject_to: { max_unserved_fraction: 1 } }],
    post_mcp: [{ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }],
  };
}

export async function testQuestions(contract, good) {
  const find = (id) => contract.description.operations.find((operation) => operation.id === id);
  const bodies = questionBodies(good);
  await contract.ask(find("put_endpoints_id"), "/v1/endpoints/host.m", { body: { provider: "host", model: "m",
    price_per_million_units: { input: 1, output: 4 } } }, "a hosted model to find", [status(201)]);
  await contract.ask(find("put_models_id"), "/v1/models/rated", { body: { parameters: 8e9, active_parameters: 8e9, weight_bytes: { bf16: 16e9 },
    kv_bytes_per_token: 131072, layers: 32, context_tokens: 131072 } }, "a model to rate", [status(201)]);
  await contract.ask(find("put_devices_id"), "/v1/devices/rated", { body: { kind: "gpu", tdp_w: 700, memory_gib: 80,
    memory_bandwidth_gb_per_s: 3350, peak_flops: { bf16: 989e12 } } }, "a device to rate it on", [status(201)]);
  for (const id of ["post_rank", "post_rates", "post_compare", "post_profile", "post_break_even", "post_sensitivity", "post_simulate", "post_map", "post_optimize", "post_mcp"]) {
    for (const body of bodies[id]) await contract.ask(find(id), find(id).path, { body }, "good", [status(200)]);
  }
  await contract.ask(find("post_mcp"), "/mcp", { body: { jsonrpc: "2.0", method: "notifications/initialized" } }, "a notification",
    [status(202)]);
  await testJobs(contract, find, bodies.post_map[0]);
  const solve = find("post_solve");
  await contract.ask(solve, solve.path, { body: bodies.post_solve[0] }, "a target out of reach", [status(422)]);
  const result = await contract.ask(find("post_evaluate"), "/v1/evaluate", { body: { scenario: good.scenario[0] } }, "", [status(200)]);
  const { total } = JSON.parse(result.body);
  const reached = { ...bodies.post_solve[0], input: "/months", low: 1, high: 240, output: "/total/cost", target: total.cost };
  delete reached.set;
  delete reached.as_of;
  await contract.ask(solve, solve.path, { body: reached }, "a target within reach", [status(200)]);
}

// A question that is answered later, and one that is cancelled.
async function testJobs(contract, find, body) {
  const headers = { Prefer: "respond-async" };
  const [list, get, cancel] = ["get_jobs", "get_jobs_job", "delete_jobs_job"].map(find);
  const later = () => contract.ask(find("post_map"), "/v1/map", { body, headers }, "later", [status(202),
    ["applied", (answer) => answer.headers["preference-applied"] === "respond-async"]]);
  const place = (await later()).headers.location;
  const read = () => contract.ask(get, place, {}, "", [status(200)]);
  let job = JSON.parse((await read()).body);
  while (["queued", "running"].includes(job.state)) job = JSON.parse((await read()).body);
  contract.note("the job", job.state === "done" && job.result ? [] : [JSON.stringify(job).slice(0, 300)]);
  await contract.ask(list, list.path, {}, "newest first", [status(200), ["it", (answer) => JSON.parse(answer.body).items[0].id === job.id]]);
  await contract.ask(cancel, place, {}, "which is done", [status(409)]);
  for (const id of ["2000000", "x", "0"]) await contract.ask(get, `/v1/jobs/${id}`, {}, "none such", [status(404)]);
  // Some may end before they are cancelled: that is a 409 and no fault.
  for (let i = 0; i < 20 && cancel.successes === 0; ++i) {
    await contract.ask(cancel, (await later()).headers.location, {}, "at once", [status(200, 409)]);
  }
}
