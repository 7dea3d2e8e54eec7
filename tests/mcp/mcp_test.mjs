// An agent's way through the daemon, by the protocol's own client: tools and their schemas, rank, evaluate and explain, roles,
// foreign origins, and what is no request.
//
// usage: node tests/mcp/mcp_test.mjs COSTCURVE ROOT    (the built binary, the repository's root)
import assert from "node:assert/strict";
import { Daemon } from "../contract/daemon.mjs";
import { needed } from "../support/needed.mjs";
import { answer, call, connect, store } from "./clients.mjs";

const { default: Ajv } = await needed("ajv/dist/2020.js");
const { default: addFormats } = await needed("ajv-formats");

const kRank = {
  workloads: [{ id: "chat", kind: "inference", model: "llama-3.1-70b", unit: "token", units_per_request: { input: 500, output: 300 },
    demand: { mean_per_s: 5 } }],
  start: "2027-01", months: 12, top: 3,
};

async function testTools(client) {
  const { tools } = await client.listTools();
  const names = tools.map((tool) => tool.name);
  for (const name of ["rank", "rates", "evaluate", "compare", "break_even", "explain", "price_at", "list_documents", "get_document"]) {
    assert.ok(names.includes(name), name);
  }
  assert.equal(new Set(names).size, names.length);
  const ajv = new Ajv({ strict: true, strictTypes: false, strictRequired: false });
  addFormats(ajv);
  ajv.addVocabulary(["x-unit"]);
  const checks = {};
  for (const tool of tools) {
    assert.equal(tool.inputSchema.type, "object", tool.name);
    assert.ok(tool.description, tool.name);
    checks[tool.name] = ajv.compile(tool.inputSchema);
    assert.ok(JSON.stringify(tool).length < 32768, `${tool.name} is ${JSON.stringify(tool).length} bytes: too much to read`);
  }
  assert.ok(checks.rank(kRank), JSON.stringify(checks.rank.errors));
  assert.ok(!checks.rank({ ...kRank, months: "12" }));
  console.log(`${tools.length} tools, ${JSON.stringify(tools).length} bytes`);
}

// From a model's name to a figure's reasons.
async function testDecision(client, daemon) {
  const ranking = (await answer(client, "rank", kRank)).structuredContent;
  const direct = await daemon.ask("POST", "/v1/rank", { body: kRank });
  assert.deepEqual(ranking, JSON.parse(direct.body), "the same answer as the API's");
  const [best] = ranking.plans;
  const evaluated = (await answer(client, "evaluate", { scenario: best.scenario })).structuredContent;
  assert.equal(evaluated.decisive, best.decisive);
  assert.ok(evaluated.currency && evaluated.provenance, "currency and the age of prices");
  const why = (await answer(client, "explain", { scenario: best.scenario, figure: "/total/cost" })).structuredContent;
  assert.ok(Math.abs(why.value - evaluated.total.cost) <= 1e-9 * evaluated.total.cost);
}

async function testDocuments(client, daemon) {
  const list = (await answer(client, "list_documents", { kind: "offer", device: "nvidia.h100-sxm5-80gb", limit: 5 })).structuredContent;
  assert.ok(list.items.length > 0);
  const [{ id }] = list.items;
  const offer = (await answer(client, "get_document", { kind: "offer", id })).structuredContent;
  assert.equal(offer.document?.id ?? offer.id, id);
  const price = (await answer(client, "price_at", { offer: id, date: "2026-11-01" })).structuredContent;
  assert.ok(price.hourly_price > 0 && price.currency === "USD");
  const direct = await daemon.ask("GET", `/v1/offers/${id}/price?date=2026-11-01`);
  assert.deepEqual(JSON.parse(direct.body), price);
  assert.deepEqual((await answer(client, "list_documents", { kind: "alias" })).structuredContent.items, []);
  const schema = (await answer(client, "describe", { kind: "scenario" })).structuredContent;
  assert.ok(schema.properties.pools);
  const wrong = await call(client, "price_at", { offer: id, date: "2026-13-01" });
  assert.ok(wrong.isError && wrong.content[0].text.includes("/date"));
  for (const given of [{}, { kind: "nothing" }, { kind: "offer", id: "../audit" }, { kind: "offer", id: "a/price" }]) {
    assert.ok((await call(client, "get_document", given)).isError, JSON.stringify(given));
  }
  const absent = await call(client, "get_document", { kind: "offer", id: "nowhere" });
  assert.ok(absent.isError && JSON.parse(absent.content[0].text).status === 404);
  await assert.rejects(call(client, "drop_everything"), /no such tool/);
}

// A stored scenario has a picture, which the dashboard shows.
async function testPicture(client, daemon) {
  const plan = (await answer(client, "rank", { ...kRank, top: 1 })).structuredContent.plans[0].scenario;
  const stored = await answer(client, "put_document", { kind: "scenario", id: "plan", document: { ...plan, id: "plan" } });
  assert.equal(stored.structuredContent.revision ?? stored.structuredContent.document?.revision, 1);
  const { content } = await answer(client, "evaluate", { scenario: "plan" });
  const link = content.find((item) => item.type === "resource_link");
  assert.equal(link.uri, `${daemon.url}/?view=result&scenario=plan`);
  assert.equal((await fetch(link.uri)).status, 200);
}

const kPrices = "model_name,provider,price_per_1m_input_tokens,price_per_1m_output_tokens\n";

// What an import holds back is found, and decided by an editor's key alone.
async function testRuns(binary) {
  const daemon = await Daemon.start(binary, ["--require-keys", "--rate-limit", "0"], ["viewer", "editor"]);
  const posted = async (price, day) => {
    const response = await fetch(`${daemon.url}/v1/imports?format=api_prices&date=2026-01-${day}`, {
      method: "POST", headers: { Authorization: `Bearer ${daemon.keys.editor}`, "Content-Type": "text/csv" },
      body: kPrices + ["a", "b", "c", "d"].map((model, i) => `${model},acme,${model === "d" ? price : i + 1},${i + 1}\n`).join("") });
    assert.equal(response.status, 200);
    return (await response.json()).run;
  };
  try {
    const viewer = await connect(daemon, daemon.keys.viewer);
    const editor = await connect(daemon, daemon.keys.editor);
    const reviews = ["accept_import", "reject_import", "undo_import", "accept_feed_run", "reject_feed_run", "undo_feed_run"];
    const named = async (client) => (await client.listTools()).tools.map((tool) => tool.name);
    const [seen, all] = [await named(viewer), await named(editor)];
    assert.ok(reviews.every((name) => all.includes(name) && !seen.includes(name)));
    const file = { content: `${kPrices}z,acme,1,2\n`, format: "api_prices", date: "2026-01-04" };
    assert.ok(!seen.includes("import") && all.includes("import"));
    assert.equal(JSON.parse((await call(viewer, "import", { ...file, dry_run: true })).content[0].text).status, 403);
    const tried = (await answer(editor, "import", { ...file, dry_run: true })).structuredContent;
    assert.deepEqual([tried.dry_run, tried.documents.added, tried.run], [true, 1, undefined]);
    const landed = (await answer(editor, "import", file)).structuredContent;
    assert.deepEqual([landed.dry_run, landed.documents.added], [false, 1]);
    await answer(editor, "undo_import", { run: landed.run });
    for (const given of [{}, { ...file, date: "soon" }, { ...file, format: "none" }, { ...file, content: "" }, { ...file, other: 1 }]) {
      assert.ok((await call(editor, "import", given)).isError, JSON.stringify(given));
    }
    await posted(4, "05");
    const odd = await posted(400, "12");
    const { items } = (await answer(viewer, "list_import_runs", { limit: 1 })).structuredContent;
    assert.deepEqual([items[0].run, items[0].held], [odd, 1]);
    const run = (await answer(viewer, "get_import_run", { run: odd })).structuredContent;
    assert.equal(run.summary.held_documents.length, 1);
    for (const name of reviews) {
      const refused = await call(viewer, name, name.includes("feed") ? { feed: "f", run: odd } : { run: odd });
      assert.ok(refused.isError && JSON.parse(refused.content[0].text).status === 403, name);
    }
    assert.equal((await answer(editor, "accept_import", { run: odd })).structuredContent.held, 0);
    assert.equal((await answer(editor, "undo_import", { run: odd })).structuredContent.state, "undone");
    const again = await posted(4000, "19");
    assert.equal((await answer(editor, "reject_import", { run: again })).structuredContent.held, 0);
    for (const given of [{}, { run: "1" }, { run: 0 }, { run: 1.5 }, { run: 1e300 }, { run: 99 }]) {
      assert.ok((await call(editor, "undo_import", given)).isError, JSON.stringify(given));
    }
    const absent = await call(viewer, "list_feed_runs", { feed: "nowhere" });
    assert.ok(absent.isError && JSON.parse(absent.content[0].text).status === 404);
    assert.ok((await call(editor, "undo_feed_run", { feed: "../imports", run: 1 })).isError);
    await Promise.all([viewer.close(), editor.close()]);
  } finally {
    await daemon.stop();
  }
}

async function testRoles(binary) {
  const daemon = await Daemon.start(binary, ["--require-keys", "--rate-limit", "0"], ["viewer", "editor"]);
  try {
    const named = async (client) => (await client.listTools()).tools.map((tool) => tool.name);
    const viewer = await connect(daemon, daemon.keys.viewer);
    assert.ok(!(await named(viewer)).includes("put_document"));
    const device = { kind: "device", id: "d", document: { kind: "gpu", tdp_w: 700 } };
    const refused = await call(viewer, "put_document", device);
    assert.ok(refused.isError && JSON.parse(refused.content[0].text).status === 403);
    const editor = await connect(daemon, daemon.keys.editor);
    assert.ok((await named(editor)).includes("put_document"));
    await answer(editor, "put_document", device);
    await assert.rejects(connect(daemon), /401|Unauthorized/);
    await Promise.all([viewer.close(), editor.close()]);
  } finally {
    await daemon.stop();
  }
}

async function testRequests(daemon) {
  const ask = (body, headers = {}) => daemon.ask("POST", "/mcp", { body, headers });
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  assert.equal((await ask(ping)).status, 200);
  assert.equal((await ask(ping, { Origin: "http://evil.example" })).status, 403);
  assert.equal((await ask(ping, { Origin: "http://evil.example", "Sec-Fetch-Site": "cross-site" })).status, 403);
  assert.equal((await ask(ping, { Host: "evil.example" })).status >= 400, true, "DNS rebinding");
  assert.equal((await ask(ping, { "MCP-Protocol-Version": "1999-01-01" })).status, 400);
  assert.equal((await ask({ jsonrpc: "2.0", method: "notifications/initialized" })).status, 202);
  assert.equal((await daemon.ask("GET", "/mcp")).status, 405);
  for (const body of ["{", [], {}, [ping], { ...ping, jsonrpc: "1.0" }, { ...ping, id: null }, { ...ping, id: 1.5 }, { ...ping, params: [] },
    { ...ping, more: 1 }]) {
    assert.equal((await ask(body)).status, 400, JSON.stringify(body));
  }
  const unknown = JSON.parse((await ask({ ...ping, method: "resources/subscribe" })).body);
  assert.equal(unknown.error.code, -32601);
  for (const params of [{}, { name: 1 }, { name: "rank", arguments: [] }, { name: "rank" }, { name: "rank", arguments: { months: {} } }]) {
    const { error, result } = JSON.parse((await ask({ ...ping, method: "tools/call", params })).body);
    assert.ok(error || result.isError, JSON.stringify(params));
  }
  const old = JSON.parse((await ask({ ...ping, method: "initialize", params: { protocolVersion: "2024-11-05" } })).body);
  assert.equal(old.result.protocolVersion, "2025-11-25", "one that the server has");
}

if (process.argv.length < 4) {
  console.error("usage: node tests/mcp/mcp_test.mjs COSTCURVE ROOT");
  process.exit(2);
}
const [binary, root] = process.argv.slice(2);
const daemon = await Daemon.start(binary, ["--rate-limit", "0"]);
try {
  store(binary, root, daemon.database);
  const client = await connect(daemon);
  await testTools(client);
  await testDecision(client, daemon);
  await testDocuments(client, daemon);
  await testPicture(client, daemon);
  await testRequests(daemon);
  await client.close();
} finally {
  await daemon.stop();
}
await testRoles(binary);
await testRuns(binary);
console.log("passed");
