// Telemetry: samples, hourly aggregates, calibrations and variances. bad.mjs makes invalid bodies of the valid ones here.

const status = (...allowed) => [allowed.join(" or "), (answer) => allowed.includes(answer.status)];
const kLines = { "Content-Type": "application/x-ndjson" };
const kText = { "Content-Type": "text/plain; version=0.0.4" };
const kMinute = 60_000;
const kDay = 24 * 60 * kMinute;

// Good bodies of the calibrations and variances, by operation.
export function telemetryBodies(good) {
  const from = new Date(Date.now() - 2 * kDay).toISOString();
  const calibration = { device: "contract-gpu", from, to: new Date().toISOString(), curves: ["power"], dry_run: true };
  const scenario = good.scenario[0];
  const variance = { scenario, set: { "/months": 12 }, scale: { "/finance/discount_rate": 1.1 }, as_of: null, pool: scenario.pools[0].id, from: scenario.start, to: scenario.start,
    actual: { cost: 10, device_hours: 5, units: 7, energy_kwh: 3, utilization_fraction: 0.5, telemetry: { device: "contract-gpu" },
      bill: { provider: "p" } } };
  return {
    post_calibrations: [calibration, { ...calibration, id_prefix: "contract", time_zone: "UTC", tolerance_s: 20 },
      { sources: ["n1/0"], from, to: calibration.to, curves: ["power"], id_prefix: "contract" }],
    post_variances: [variance],
    post_actuals: [{ scenario, from: scenario.start, to: scenario.start, set: { "/months": 12 }, scale: { "/finance/discount_rate": 1.1 }, as_of: null,
      pools: [{ pool: scenario.pools[0].id, provider: "p", account: "1", region: "eu", sku: "x", purchase: "spot", device: "h100",
        commitment: "ri-1", resources: ["i-1"], tags: { team: "blue" } }],
      bill: { provider: "p" }, categories: ["usage", "tax"], tag_keys: ["team"] }],
    post_forecast: [{ scenario, month: scenario.start, through: `${scenario.start}-03`, history_days: 14, interval: 0.9, as_of: null,
      set: { "/months": 12 }, scale: { "/finance/discount_rate": 1.1 }, bill: { provider: "p" }, categories: ["usage"],
      pools: [{ pool: scenario.pools[0].id, provider: "p", account: "1", region: "eu", sku: "x", purchase: "spot", device: "h100",
        commitment: "ri-1", resources: ["i-1"], tags: { team: "blue" } }] }],
    post_drift: [{ scenario, pool: scenario.pools[0].id, telemetry: { device: "contract-gpu", sources: ["n1/0"] }, bill: { provider: "p",
      region: "eu", sku: "x", purchase: "spot", device: "h100" }, until: new Date().toISOString(), threshold_fraction: 0.2,
      reference_days: 7, as_of: null, set: { "/months": 12 }, scale: { "/finance/discount_rate": 1.1 } }],
    post_tenant_costs: [{ scenario, from: scenario.start, to: scenario.start, cost: 100, device_hours: 50, output_weight: 3, as_of: null,
      set: { "/months": 12 }, scale: { "/finance/discount_rate": 1.1 }, bill: { provider: "p" },
      usage: [{ team: "blue", user: "ann", model: "m", input_tokens: 10, output_tokens: 5, cached_input_tokens: 1, device_hours: 2,
        prefill_s: 1, decode_s: 2 }] },
    { scenario, from: scenario.start, to: scenario.start, metrics: { begin: "", end: 'vllm:prompt_tokens_total{model_name="m"} 3',
      labels: { team: "namespace", user: "user", model: "model_name" } } }],
  };
}

// Two days of a device, every two minutes, of all that curves are made of.
function lines() {
  const now = Date.now();
  let text = "";
  for (let i = 0; i < 1440; ++i) {
    const utilization = (i % 11) / 10;
    text += JSON.stringify({ time: new Date(now - 2 * kDay + i * 2 * kMinute).toISOString(), source: "n1/0", device: "contract-gpu",
      utilization, power_w: 100 + 400 * utilization + i % 7, units_per_s: 50 * (1 + i % 4), batch: 8 * (1 + i % 4),
      energy_j: 1000 * i }) + "\n";
  }
  return text;
}

export async function testTelemetry(contract, good) {
  const find = (id) => contract.description.operations.find((operation) => operation.id === id);
  const [post, get, calibrate, vary, actuals] =
    ["post_telemetry", "get_telemetry", "post_calibrations", "post_variances", "post_actuals"].map(find);
  const text = lines();
  const all = 1440 * 5;
  const counted = (name, count) => [`${count} ${name}`, (answer) => JSON.parse(answer.body)[name] === count];
  await contract.ask(post, post.path, { body: text, headers: kLines }, "lines", [status(200), counted("accepted", all)]);
  await contract.ask(post, post.path, { body: text, headers: kLines }, "again", [status(200), counted("duplicates", all)]);
  const metric = 'DCGM_FI_DEV_POWER_USAGE{gpu="0",UUID="GPU-1",modelName="NVIDIA H100 80GB HBM3",Hostname="n2"} 300.5\n';
  await contract.ask(post, post.path, { body: metric, headers: kText }, "Prometheus", [status(200), counted("accepted", 1)]);
  await contract.ask(post, post.path, { body: text.split("\n")[0], headers: { "Content-Type": "application/json" } }, "as JSON",
    [status(415)]);
  await contract.ask(post, post.path, { body: "", headers: kLines }, "nothing", [status(400)]);
  await contract.ask(post, post.path, { body: "no telemetry\n", headers: kText }, "no telemetry", [status(422)]);
  const page = await contract.ask(get, `${get.path}?limit=3&metric=power_w`, {}, "a page", [status(200)]);
  const next = JSON.parse(page.body).next;
  await contract.ask(get, `${get.path}?limit=3&metric=power_w&after=${next}`, {}, "the next", [status(200)]);

  const bodies = telemetryBodies(good);
  const whats = (wanted) => [wanted.join(), (answer) => wanted.join() ===
    JSON.parse(answer.body).curves?.map((curve) => curve.what).join()];
  const three = { ...bodies.post_calibrations[0], curves: ["power", "throughput", "utilization"], dry_run: false };
  await contract.ask(calibrate, calibrate.path, { body: three }, "three curves", [status(200), whats(["added", "added", "added"])]);
  await contract.ask(calibrate, calibrate.path, { body: three }, "again", [status(200),
    whats(["unchanged", "unchanged", "unchanged"])]);
  const thin = { ...three, device: "no-such-device" };
  await contract.ask(calibrate, calibrate.path, { body: thin }, "of nothing", [status(422)]);
  for (const body of bodies.post_calibrations) await contract.ask(calibrate, calibrate.path, { body }, "good", [status(200)]);
  for (const body of bodies.post_variances) await contract.ask(vary, vary.path, { body }, "good", [status(200)]);
  for (const body of bodies.post_actuals) await contract.ask(actuals, actuals.path, { body }, "good", [status(200)]);
  await testRuns(contract, find, bodies);
}

// Of the scenario of a body, and of the same by its id.
async function testRuns(contract, find, bodies) {
  const { id: _, ...scenario } = bodies.post_forecast[0].scenario;
  for (const id of ["post_forecast", "post_drift", "post_tenant_costs"]) {
    for (const body of bodies[id]) await contract.ask(find(id), find(id).path, { body }, "good", [status(200)]);
  }
  await contract.ask(find("put_scenarios_id"), "/v1/scenarios/contract-runs", { body: scenario }, "of GET", [status(201)]);
  const month = scenario.start;
  const now = new Date().toISOString();
  const queries = { get_forecast: `month=${month}&through=${month}-03&interval=0.9&history_days=14&as_of=${now}`,
    get_drift: `pool=${scenario.pools[0].id}&device=contract-gpu&source=n1/0&bill=true&until=${now}&threshold_fraction=0.2&reference_days=7&as_of=${now}`,
    get_tenant_costs: `from=${month}&to=${month}&as_of=${now}` };
  for (const [id, query] of Object.entries(queries)) {
    const get = find(id);
    await contract.ask(get, `${get.path}?scenario=contract-runs&${query}`, {}, "of a stored one", [status(200)]);
    await contract.ask(get, `${get.path}?scenario=contract-runs&${query}&format=csv`, {}, "as CSV", [status(200)]);
    await contract.ask(get, `${get.path}?scenario=none&${query}`, {}, "of none", [status(422)]);
  }
}
