// Requests that succeed: the catalogue and the examples stored, read back, listed, evaluated; and every parameter used.
import { valuesOf } from "./description.mjs";

const succeeds = ["a success", (answer) => answer.status >= 200 && answer.status < 400];
export const status = (...allowed) => [allowed.join(" or "), (answer) => allowed.includes(answer.status)];

// {kind, all, one, put, …} by kind, found in the description: what has a PUT on …/{id}.
export function documents(description) {
  const found = [];
  for (const put of description.operations.filter((operation) => operation.method === "PUT")) {
    const all = put.path.replace("/{id}", "");
    const at = (method, path) => description.operations.find((other) => other.method === method && other.path === path);
    found.push({ kind: put.body.$ref.split("/").pop(), all, put, list: at("GET", all), get: at("GET", put.path),
      remove: at("DELETE", put.path), revisions: at("GET", `${put.path}/revisions`) });
  }
  return found;
}

// Stores everything; documents that refer to others wait for them.
export async function storeAll(contract, good) {
  let waiting = documents(contract.description).flatMap((rows) => (good[rows.kind] ?? []).map((document) => ({ rows, document })));
  for (let before = Infinity; waiting.length > 0 && waiting.length < before;) {
    before = waiting.length;
    const later = [];
    await contract.forEach(waiting, async ({ rows, document }) => {
      const answer = await contract.ask(rows.put, `${rows.all}/${document.id}`, { body: document }, "storing it");
      if (answer.status >= 400) later.push({ rows, document, answer });
    });
    waiting = later;
  }
  for (const { rows, document, answer } of waiting) {
    contract.note(`storing ${rows.kind} ${document.id}`, [`${answer.status} ${answer.body.slice(0, 300)}`]);
  }
}

// GETs that answer nothing without some of their parameters: telemetry.mjs has them.
const kOfAScenario = new Set(["get_forecast", "get_drift", "get_tenant_costs"]);

export async function goodRequests(contract, good) {
  for (const rows of documents(contract.description)) await useDocuments(contract, rows, good[rows.kind] ?? []);
  const removeDevice = contract.description.operations.find((operation) => operation.method === "DELETE" &&
    operation.path.startsWith("/v1/devices/"));
  await contract.ask(removeDevice, `/v1/devices/${good.offer[0].device}`, {}, "which is in use", [status(409)]);
  for (const operation of contract.description.operations) {
    if (kOfAScenario.has(operation.id)) continue;
    if (operation.method === "GET" && !operation.path.includes("{")) {
      await contract.ask(operation, operation.path, {}, "plainly", [succeeds]);
    }
    await useParameters(contract, operation, good);
  }
  await evaluateAll(contract, good);
  await importFiles(contract);
}

// A published file, twice, for show and with events; and what is wrong with another.
async function importFiles(contract) {
  const operation = contract.description.operations.find((row) => row.id === "post_imports");
  const path = `${operation.path}?format=hourly_prices&id=contract-tariff`;
  const body = "42.5\n".repeat(8760);
  const headers = { "Content-Type": "application/octet-stream" };
  const counted = (what) => [what, (answer) => JSON.parse(answer.body).documents[what] === 1];
  await contract.ask(operation, `${path}&dry_run=true&keep_stored=true&name=prices.csv&changes=1`, { body, headers }, "for show", [status(200), counted("added")]);
  await contract.ask(operation, path, { body, headers }, "a file", [status(200), counted("added")]);
  await contract.ask(operation, path, { body, headers }, "the file again", [status(200), counted("unchanged")]);
  await contract.ask(operation, path, { body: "no number\n", headers }, "another file", [status(422)]);
  await contract.ask(operation, path, { body: "", headers }, "nothing", [status(400)]);
}

async function useDocuments(contract, rows, all) {
  if (all.length === 0) return contract.note(rows.kind, ["no good document of this kind is known"]);
  const path = `${rows.all}/${all[0].id}`;
  const read = await contract.ask(rows.get, path, {}, "", [succeeds]);
  const tag = read.headers.etag;
  await contract.ask(rows.get, path, { headers: { "If-None-Match": tag } }, "which is known", [status(304)]);
  await contract.ask(rows.put, path, { body: JSON.parse(read.body) }, "as it was read", [status(200)]);
  await contract.ask(rows.put, path, { body: all[0], headers: { "If-Match": tag } }, "where it is the same", [status(200)]);
  await contract.ask(rows.put, path, { body: all[0], headers: { "If-Match": '"999999"' } }, "a stale tag", [status(412)]);
  await contract.ask(rows.put, path, { body: all[0], headers: { "If-None-Match": "*" } }, "where it is new", [status(412)]);
  await contract.ask(rows.put, path, { body: all[0], headers: { "If-Match": "no tag" } }, "no tag", [status(400)]);
  const changed = { ...all[0], note: "changed by the contract test" };
  const again = await contract.ask(rows.put, path, { body: changed }, "changed", [status(200)]);
  const last = JSON.parse((await contract.daemon.ask("GET", "/v1/audit?limit=1")).body).items[0].sequence;
  await contract.ask(rows.put, path, { body: changed, headers: { "If-Match": tag } }, "a lost race", [status(412)]);
  await contract.ask(rows.put, path, { body: all[0] }, "as before", [status(200)]);
  for (const asOf of [JSON.parse(again.body).recorded_at, `@${last}`]) {
    await contract.ask(rows.get, `${path}?as_of=${asOf}`, {}, "as it was", [
      status(200), ["what it was", (answer) => JSON.parse(answer.body).note === changed.note]]);
  }
  await contract.ask(rows.revisions, path + "/revisions", {}, "", [status(200)]);
  await pages(contract, rows.revisions, path + "/revisions", (item) => item.revision, 3);
  await pages(contract, rows.list, rows.all, (item) => item.id, all.length);
  const copy = `${rows.all}/contract-copy`;
  await contract.ask(rows.put, copy, { body: { ...all[0], id: "contract-copy" } }, "a copy", [status(201)]);
  await contract.ask(rows.remove, copy, { headers: { "If-Match": '"999999"' } }, "a stale tag", [status(412)]);
  await contract.ask(rows.remove, copy, { headers: { "If-Match": "no tag" } }, "no tag", [status(400)]);
  await contract.ask(rows.remove, copy, {}, "the copy", [status(204)]);
  await contract.ask(rows.remove, copy, {}, "which is gone", [status(404)]);
  await contract.ask(rows.get, copy, {}, "which is gone", [status(404)]);
  await contract.ask(rows.revisions, copy + "/revisions", {}, "of what is gone", [status(200)]);
}

// Follows the cursors with a small page, and sees every item once.
async function pages(contract, operation, path, name, atLeast) {
  const seen = new Set();
  let next = "";
  for (let page = 0; page < 1000; ++page) {
    const answer = await contract.ask(operation, `${path}?limit=2${next && `&after=${encodeURIComponent(next)}`}`, {}, "a page",
      [status(200)]);
    if (answer.status !== 200) return;
    const { items, next: cursor } = JSON.parse(answer.body);
    for (const item of items) {
      contract.note(`${path}, page ${page}`, seen.has(name(item)) ? [`${name(item)} twice`] : []);
      seen.add(name(item));
    }
    if (cursor === null) break;
    next = cursor;
  }
  contract.note(`${path}, all pages`, seen.size >= atLeast ? [] : [`${seen.size} items; ${atLeast} are stored`]);
}

// A good value of a parameter, by its schema.
function goodValues({ schema, name }) {
  if (schema.type === "integer" || schema.type === "number") return [schema.minimum ?? 1, schema.maximum ?? 2];
  if (schema.type === "boolean") return ["true", "false"];
  if (name === "as_of" || schema.format === "date-time") return [new Date().toISOString()];
  if (schema.format === "date") return ["2026-11-01"];
  if (schema.pattern?.startsWith("^(")) return schema.pattern.slice(2, -2).split("|").slice(0, 1);
  return name === "after" ? [] : ["a"]; // cursors come from answers; pages() has them
}

// A path of the operation that is there.
export function goodPath(description, operation, good) {
  if (!operation.path.includes("{")) return operation.path;
  if (operation.path.includes("{run}")) return operation.path.replace("{run}", "1");
  if (operation.path.includes("{job}")) return operation.path.replace("{job}", "1");
  const rows = documents(description).find((row) => operation.path.startsWith(`${row.all}/`));
  return operation.path.replace("{id}", good?.[rows?.kind]?.[0]?.id ?? "contract-copy")
    .replace("{number}", "latest");
}

async function useParameters(contract, operation, good) {
  if (operation.method !== "GET" || operation.path.includes("{number}")) return; // results come later
  for (const parameter of operation.parameters.filter((row) => row.in === "query")) {
    for (const value of goodValues(parameter)) {
      const path = `${goodPath(contract.description, operation, good)}?${parameter.name}=${encodeURIComponent(value)}`;
      await contract.ask(operation, path, {}, `${parameter.name} used`, [status(200)]);
    }
  }
}

async function evaluateAll(contract, good) {
  const one = contract.description.operations.find((operation) => operation.id === "post_evaluate");
  const many = contract.description.operations.find((operation) => operation.id === "post_evaluate_batch");
  await contract.forEach(good.scenario, async (scenario) => {
    await contract.ask(one, one.path, { body: { scenario, ledger: true } }, `inline ${scenario.id}`, [status(200)]);
    await contract.ask(one, one.path, { body: { scenario: scenario.id, set: { "/months": 12 }, scale: { "/finance/discount_rate": 1.1 }, as_of: null } },
      `stored ${scenario.id}`, [status(200)]);
  });
  const why = contract.description.operations.find((operation) => operation.id === "post_explain");
  await contract.forEach(good.scenario, async ({ id, workloads, pools }) => {
    const figures = ["/total/npv_after_tax", "/total/carbon_kg_at_least", `/by_pool/${pools[0].id}/cash`, "/by_month/0/cost",
      `/by_workload/${workloads[0].id}/levelized_cost_per_million_units`];
    for (const figure of figures) {
      await contract.ask(why, why.path, { body: { scenario: id, figure } }, `${figure} of ${id}`, [status(200)]);
      await contract.ask(why, why.path, { body: { scenario: id, figure, depth: 5 } }, `months of ${figure} of ${id}`, [status(200)]);
    }
  });
  const now = new Date().toISOString();
  await contract.ask(one, one.path, { body: { scenario: good.scenario[0].id, as_of: now } }, "as of now", [status(200)]);
  const key = { "Idempotency-Key": "contract" };
  await contract.ask(one, one.path, { body: { scenario: good.scenario[0] }, headers: key }, "under a key", [status(200)]);
  await contract.ask(one, one.path, { body: { scenario: good.scenario[1] }, headers: key }, "another question under it", [status(200)]);
  const lines = (count) => [`${count} lines`, (answer) => valuesOf("application/x-ndjson", answer.body).length === count];
  const ids = good.scenario.map((scenario) => scenario.id);
  await contract.ask(many, many.path, { body: { scenarios: ids } }, "stored ones", [status(200), lines(ids.length)]);
  const second = ["an error in the second line", (answer) => "errors" in JSON.parse(answer.body.split("\n")[1])];
  const scenarios = [good.scenario[0], "no-such-scenario", good.scenario[1]];
  const body = { scenarios, ledger: true };
  await contract.ask(many, many.path, { body }, "one of them not there", [status(200), lines(3), second]);
  const sets = [{}, { "/months": 6 }, { "/monhts": 6 }];
  await contract.ask(many, many.path, { body: { scenario: good.scenario[0], sets } }, "variants", [status(200), lines(3)]);
}
