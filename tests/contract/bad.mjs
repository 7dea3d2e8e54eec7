// Requests that must be refused: bodies, parameters, heads and methods; each answer a problem that is described.
import { valuesOf } from "./description.mjs";
import { documents, goodPath, status } from "./good.mjs";
import { mutants, Tried } from "./mutants.mjs";
import { questionBodies } from "./questions.mjs";
import { recalculationBodies } from "./recalculations.mjs";
import { telemetryBodies } from "./telemetry.mjs";

const refused = ["a refusal", (answer) => answer.status >= 400 && answer.status < 500];
// A batch answers a bad scenario with a line, and the rest goes on.
const refusedOrLine = ["a refusal, or a line that is one", (answer) => refused[1](answer) || (answer.status === 200 &&
  answer.headers["content-type"].startsWith("application/x-ndjson") &&
  valuesOf("application/x-ndjson", answer.body).some((value) => "errors" in value))];

// Good bodies of an operation.
function goodBodies(operation, description, good) {
  const rows = documents(description).find((row) => row.put === operation);
  if (rows) return good[rows.kind];
  if (operation.id === "post_recalculations") return recalculationBodies(good);
  const known = telemetryBodies(good)[operation.id] ?? questionBodies(good)[operation.id];
  if (known) return known;
  const set = { "/months": 12 };
  if (operation.id === "post_explain") {
    return good.scenario.slice(0, 2).map((scenario) => ({ scenario, figure: "/total/cost", depth: 3, set, as_of: null }));
  }
  return operation.id.endsWith("batch")
    ? [...good.scenario.map((scenario) => ({ scenarios: [scenario] })),
      { scenario: good.scenario[0].id, sets: [set], ledger: true }]
    : good.scenario.map((scenario) => ({ scenario, set, ledger: false, as_of: "2026-01-01T00:00:00Z" }));
}

const kTexts = [
  ["no JSON", "{\"scenario\": "], ["nothing", ""], ["a key twice", '{"a": 1, "a": 2}'], ["a number too large", '{"a": 1e999}'],
  ["no UTF-8", Buffer.from([0x22, 0xc3, 0x28, 0x22])], ["comments", "{} // more"],
  ["too deep", "[".repeat(100) + "]".repeat(100)],
];

const kTooLarge = Buffer.from(`"${"x".repeat(9 << 20)}"`);
const kTypes = ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", null];

// [why, request, expected] of every bad body of an operation.
function* badRequests(operation, description, bodies, tried) {
  for (const [why, body] of kTexts) yield [why, { body }, status(400)];
  const [body] = bodies;
  for (const type of kTypes) yield [`sent as ${type}`, { body, headers: { "Content-Type": type } }, status(415)];
  yield ["said to be gzip", { body, headers: { "Content-Encoding": "gzip" } }, status(415)];
  yield ["an expectation", { body, headers: { Expect: "the-unexpected" } }, status(417)];
  yield ["no JSON, chunked", { body: kTexts[0][1], chunked: true }, status(400)];
  yield ["too large", { body: kTooLarge }, status(413)];
  for (const body of bodies) {
    // In a document of its own id every fault is its own: none is about the path's.
    const sent = "id" in body && operation.method === "PUT" ? { ...body, id: "contract-copy" } : body;
    for (const { why, value } of mutants(description, operation.body, sent, tried)) yield [why, { body: value }, refusedOrLine];
  }
}

// `full`: each fault of a component in every operation that takes it.
export async function badBodies(contract, good, full) {
  const { description } = contract;
  const shared = full ? undefined : new Set();
  for (const operation of description.operations.filter((row) => row.body)) {
    const path = goodPath(description, operation);
    const tried = new Tried(shared);
    const requests = badRequests(operation, description, goodBodies(operation, description, good), tried);
    await contract.forEach(requests, ([why, request, expected]) => contract.ask(operation, path, request, why, [expected]));
    const { size } = tried.known;
    contract.note(`${operation.id}: bad bodies`, size > 20 ? [] : [`only ${size} are known; read its schema better`]);
  }
}

function badValues({ schema, name }) {
  if (schema.type === "integer") return ["x", "1.5", "", "1e400", schema.minimum - 1, schema.maximum + 1];
  if (schema.type === "number") return ["x", "1e400", "nan", schema.maximum * 2];
  const noTimes = ["yesterday", "2024-13-01T00:00:00Z", "2024-01-01"];
  if (schema.format === "date-time") return noTimes;
  if (name === "as_of") return [...noTimes, "2999-01-01T00:00:00Z", "@", "@x", "@999999999"]; // it must have been
  return ["x".repeat(300)];
}

export async function badParameters(contract) {
  const { description } = contract;
  await contract.forEach(description.operations, async (operation) => {
    const path = goodPath(description, operation);
    const body = operation.body ? { body: {} } : {};
    await contract.ask(operation, `${path}?no_such_parameter=1`, body, "an unknown parameter", [status(422)]);
    for (const parameter of operation.parameters.filter((row) => row.in === "query")) {
      const values = parameter.name === "after" ? ["!!", "~", "a~b~c", "-1"] : badValues(parameter);
      for (const value of values) {
        await contract.ask(operation, `${path}?${parameter.name}=${encodeURIComponent(value)}`, {}, "a bad value", [status(422)]);
      }
      await contract.ask(operation, `${path}?${parameter.name}=1&${parameter.name}=1`, {}, "a parameter twice", [status(422)]);
    }
  });
  await contract.forEach(description.operations.filter((row) => row.path.includes("{id}")), async (operation) => {
    const withId = (id) => operation.path.replace("{id}", id);
    const body = operation.body ? { body: {} } : {};
    for (const id of ["No%20Slug", "%F0%9F%98%80", "a".repeat(200)]) {
      await contract.ask(operation, withId(id), body, "an id that can't be", [operation.body ? status(404, 422) : status(404)]);
    }
    if (!operation.body) await contract.ask(operation, withId("no-such-id"), {}, "an unknown id", [status(404)]);
  });
}

export async function badHeads(contract) {
  const { description } = contract;
  await contract.forEach(description.operations, async (operation) => {
    const path = goodPath(description, operation);
    const body = operation.body ? { body: {} } : {};
    const fields = Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`X-Field-${i}`, "1"]));
    await contract.ask(operation, path, { ...body, headers: fields }, "too many fields", [status(431)]);
    await contract.ask(operation, path, { ...body, headers: { "X-Long": "x".repeat(9000) } }, "a long field", [status(431)]);
    await contract.ask(operation, `${path}?${"x".repeat(9000)}`, body, "a long path", [status(414)]);
    if (operation.role !== "none") { // a page of another site that lets its name point to this machine
      await contract.ask(operation, path, { ...body, headers: { Host: "elsewhere.example" } }, "another host", [status(403)]);
    }
  });
}

const kAllMethods = ["GET", "HEAD", "PUT", "POST", "DELETE", "PATCH", "OPTIONS"];

// A method that the path does not have is a 405 that names those it has; no operation describes it, so the check is here.
export async function wrongMethods(contract) {
  const { description, daemon } = contract;
  for (const path of new Set(description.operations.map((operation) => operation.path))) {
    const here = description.operations.filter((operation) => operation.path === path);
    const methods = here.map((operation) => operation.method);
    const allowed = methods.concat(methods.includes("GET") ? ["HEAD"] : []).sort().join();
    for (const method of kAllMethods.filter((name) => !allowed.split(",").includes(name))) {
      const body = ["PUT", "POST", "PATCH"].includes(method) ? { body: {} } : {};
      const answer = await daemon.ask(method, goodPath(description, here[0]), body);
      const faults = [];
      if (answer.status !== 405) faults.push(`it is ${answer.status}; expected 405`);
      const named = (answer.headers.allow ?? "").split(", ").sort().join();
      if (named !== allowed) faults.push(`Allow is ${named}; described are ${allowed}`);
      const check = description.validator({ $ref: "description#/$defs/problem" });
      if (method !== "HEAD" && !check(JSON.parse(answer.body))) faults.push(`no problem: ${answer.body.slice(0, 200)}`);
      contract.note(`${method} ${path}`, faults);
    }
    if (methods.includes("GET")) {
      const head = await daemon.ask("HEAD", goodPath(description, here[0]));
      contract.note(`HEAD ${path}`, head.status < 500 && head.body === "" ? [] : [`${head.status} with ${head.body.length} bytes`]);
    }
  }
}
