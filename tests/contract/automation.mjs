// Schedules, webhooks and watched comparisons: valid documents, events and deliveries. The webhook's host cannot exist (RFC 6761), so
// nothing leaves the machine.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { status } from "./good.mjs";

// `scenarios` are the ids of stored ones.
export function automationDocuments(scenarios) {
  const secret = "a secret of the contract test";
  return {
    webhook: [{ id: "contract-hook", url: "https://nobody.invalid/hook", secret },
      { id: "contract-off", url: "https://example.org/hook", secret, events: ["ping"], enabled: false, note: "off" }],
    schedule: [{ id: "contract-nightly", cron: "30 2 * * mon-fri", time_zone: "Europe/Berlin", scenarios: [scenarios[0]],
      webhook: "contract-hook" }, { id: "contract-hourly", cron: "@hourly", scenarios: "all", enabled: false }],
    comparison: [{ id: "contract-rent", name: "two", scenarios: scenarios.slice(0, 2), objective: "npv", threshold_fraction: 0.05, budget: 1e6 },
      { id: "contract-all", scenarios }],
    feed: [{ id: "contract-feed", format: "skypilot", provider: "lambda", from: { url: "https://nobody.invalid/vms.csv" }, cron: "@daily",
      enabled: false, header: { name: "X-Key", secret } },
      { id: "contract-lists", format: "litellm_prices", from: { directory: "lists", pattern: "*.json" }, price_moved_fraction: 0.1 },
      { id: "contract-prometheus", from: { prometheus: "https://nobody.invalid", queries: ["up"], step_s: 30 } }],
  };
}

export async function testAutomation(contract) {
  const find = (id) => contract.description.operations.find((operation) => operation.id === id);
  const [test, events, deliveries, put] = ["post_webhooks_id_test", "get_events", "get_deliveries", "put_schedules_id"].map(find);
  for (let i = 0; i < 3; ++i) await contract.ask(test, "/v1/webhooks/contract-hook/test", {}, "a ping", [status(202)]);
  await contract.ask(test, "/v1/webhooks/contract-off/test", {}, "one that is off", [status(409)]);
  const count = (wanted) => [`${wanted} items`, (answer) => JSON.parse(answer.body).items.length === wanted];
  const page = await contract.ask(events, "/v1/events?kind=ping&limit=2", {}, "the first two", [status(200), count(2)]);
  const { next } = JSON.parse(page.body);
  await contract.ask(events, `/v1/events?kind=ping&limit=2&after=${next}`, {}, "the third", [status(200), count(1)]);
  const sent = await contract.ask(deliveries, "/v1/deliveries?webhook=contract-hook", {}, "all", [status(200), count(3)]);
  const [{ id }] = JSON.parse(sent.body).items;
  await contract.ask(find("post_deliveries_id_retry"), `/v1/deliveries/${id}/retry`, {}, "not delivered", [status(202)]);
  await contract.ask(find("post_deliveries_id_retry"), "/v1/deliveries/no-such/retry", {}, "none such", [status(404)]);
  const fetched = await contract.ask(find("post_feeds_id_run"), "/v1/feeds/contract-lists/run?dry_run=true", {}, "a dry run", [status(202)]);
  const { run } = JSON.parse(fetched.body);
  await contract.ask(find("get_feeds_id_runs"), "/v1/feeds/contract-lists/runs?limit=1", {}, "its run", [status(200),
    ["that run", (answer) => JSON.parse(answer.body).items[0].run === run]]);
  await contract.ask(find("post_feeds_id_run"), "/v1/feeds/no-such/run", {}, "none such", [status(404)]);
  for (const verb of ["accept", "reject", "undo"]) {
    const review = find(`post_feeds_id_runs_run_${verb}`);
    await contract.ask(review, `/v1/feeds/contract-lists/runs/${run}/${verb}`, {}, "it holds nothing", [status(409)]);
    await contract.ask(review, `/v1/feeds/no-such/runs/${run}/${verb}`, {}, "none such", [status(404)]);
  }
  for (const [why, cron] of [["no cron", "61 * * * *"], ["a day that never comes", "0 0 30 2 *"]]) {
    await contract.ask(put, "/v1/schedules/contract-copy", { body: { cron } }, why, [status(422), ["its pointer", (answer) =>
      JSON.parse(answer.body).errors.every((error) => error.pointer === "/cron")]]);
  }
}

// A list that lands, and two of ten times its price: one is rejected, one accepted and then undone. By a feed, and by imports.
export async function testReviews(contract, folder) {
  const find = (id) => contract.description.operations.find((operation) => operation.id === id);
  const { daemon } = contract;
  const list = (price) => "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice\r\n" +
    `gpu_1x_h100_sxm5,H100-SXM,1.0,26.0,225.0,${price},us-east-1,,\r\n`;
  const reviewed = async (id, runs, run) => {
    await run(2);
    const review = (verb, number, state) => contract.ask(find(`post_${id}_run_${verb}`), `${runs}/${number}/${verb}`, {}, verb, [
      status(200), [state, (answer) => JSON.parse(answer.body).state === state]]);
    await review("reject", await run(20), "failed");
    const number = await run(21);
    await review("accept", number, "landed");
    await review("undo", number, "undone");
    return number;
  };
  await daemon.ask("PUT", "/v1/feeds/contract-reviews", { body: { format: "skypilot", provider: "lambda",
    from: { directory: ".", pattern: "*.csv" } } });
  await reviewed("feeds_id_runs", "/v1/feeds/contract-reviews/runs", async (price) => {
    writeFileSync(join(folder, "list.csv"), list(price));
    await daemon.ask("POST", "/v1/feeds/contract-reviews/run");
    for (;;) {
      const answer = await daemon.ask("GET", "/v1/feeds/contract-reviews/runs?limit=1");
      const [last] = JSON.parse(answer.body).items;
      if (last.state !== "running") return last.run;
    }
  });
  const number = await reviewed("imports", "/v1/imports", async (price) => {
    const answer = await daemon.ask("POST", "/v1/imports?format=skypilot&provider=contract&date=2026-10-20", { body: list(price),
      headers: { "Content-Type": "application/octet-stream" } });
    return JSON.parse(answer.body).run;
  });
  await contract.ask(find("get_imports_run"), `/v1/imports/${number}`, {}, "undone", [status(200)]);
}

// Once a recalculation is done.
export async function testStandings(contract) {
  const standings = contract.description.operations.find((operation) => operation.id === "get_comparisons_id_standings");
  const first = await contract.ask(standings, "/v1/comparisons/contract-rent/standings?limit=1", {}, "the newest", [status(200),
    ["one of the two", (answer) => JSON.parse(answer.body).items[0].scenarios.length === 2]]);
  const { next } = JSON.parse(first.body);
  if (next) await contract.ask(standings, `/v1/comparisons/contract-rent/standings?after=${next}`, {}, "the others", [status(200)]);
  await contract.ask(standings, "/v1/comparisons/no-such/standings", {}, "none such", [status(404)]);
}
