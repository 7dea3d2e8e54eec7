// Drives a running daemon from its own description: every operation with good and bad requests. Fails on a status, a type or a
// header that is not described, on a body that breaks its schema, on a bad request that is taken, and on an operation that
// never succeeded.
//
// usage: node tests/contract/contract.mjs COSTCURVE ROOT [--good | --full]    (the built binary, the repository's root)
//        A component of the description is in the bodies of many operations: each of its faults is sent to one of them, and some to
//        every one. --full sends each to all; --good sends good requests alone.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { testAccess } from "./access.mjs";
import { testAutomation, testReviews, testStandings } from "./automation.mjs";
import { badBodies, badHeads, badParameters, wrongMethods } from "./bad.mjs";
import { Daemon } from "./daemon.mjs";
import { Description } from "./description.mjs";
import { goodRequests, storeAll } from "./good.mjs";
import { testQuestions } from "./questions.mjs";
import { testRecalculations } from "./recalculations.mjs";
import { samples } from "./samples.mjs";
import { testTelemetry } from "./telemetry.mjs";

// Sends requests and holds each answer to the description; counts what passed and keeps what failed.
export class Contract {
  passed = 0;
  failures = []; // texts by the number of their request
  #sent = 0;

  constructor(daemon, description) {
    this.daemon = daemon;
    this.description = description;
  }

  // `expect`: a predicate on the answer with its name, beside what the description says.
  async ask(operation, path, options = {}, what = "", expect = []) {
    const number = ++this.#sent;
    const answer = await this.#askAgain(operation, path, options);
    const faults = this.description.faults(operation, answer);
    for (const [name, holds] of expect) {
      if (!holds(answer)) faults.push(`${what}: expected ${name}; it is ${answer.status} ${answer.body.slice(0, 300)}`);
    }
    if (answer.status < 400) ++operation.successes;
    this.note(`${operation.method} ${path}${what ? `, ${what}` : ""}`, faults, number);
    if (answer.status === 200 && answer.body.length > 2) await this.#askForCsv(operation, path, options);
    return answer;
  }

  // Other requests may hold all seats; then the answer is a 503 to be tried again.
  async #askAgain(operation, path, options) {
    for (let tries = 0; ; ++tries) {
      const answer = await this.daemon.ask(operation.method, path, options);
      if (tries === 5 || answer.status !== 503 || !answer.body.includes("/problems/saturated")) return answer;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }

  // Of an operation with a table, the same again as CSV, once.
  async #askForCsv(operation, path, options) {
    if (operation.csvAsked || !operation.responses[200]?.content["text/csv"]) return;
    operation.csvAsked = true;
    const headers = { ...options.headers, Accept: "text/csv" };
    delete headers["Idempotency-Key"];
    const answer = await this.daemon.ask(operation.method, path, { ...options, headers });
    const faults = this.description.faults(operation, answer);
    if (!answer.headers["content-type"]?.startsWith("text/csv")) faults.push(`it is ${answer.headers["content-type"]}, not CSV`);
    const [header, ...rows] = answer.body.split("\r\n");
    if (!/^[^,]+(,[^,]+)*$/.test(header) || rows.at(-1) !== "") faults.push(`no table: ${answer.body.slice(0, 300)}`);
    this.note(`${operation.method} ${path}, as CSV`, faults);
  }

  note(what, faults, number = this.#sent) {
    if (faults.length === 0) ++this.passed;
    for (const fault of faults) this.failures.push({ number, text: `${what}: ${fault}` });
  }

  // Sends for each item, some at once; the requests must not depend on one another. The order of failures is that of the items.
  async forEach(items, send) {
    const left = items[Symbol.iterator]();
    const worker = async () => {
      for (let item = left.next(); !item.done; item = left.next()) await send(item.value);
    };
    await Promise.all(Array.from({ length: kAtOnce }, worker));
  }
}

const kAtOnce = 4; // requests under way: the daemon works while this side makes the next

async function main(binary, root, extent) {
  const folder = mkdtempSync(join(tmpdir(), "costcurve-contract-feeds-"));
  const daemon = await Daemon.start(binary, ["--rate-limit", "0", "--feed-directory", folder]);
  let contract;
  try {
    const served = await daemon.ask("GET", "/openapi.json");
    const description = new Description(served.body);
    contract = new Contract(daemon, description);
    contract.note("schemas compile in strict mode", []);
    const good = samples(root);
    await storeAll(contract, good);
    await goodRequests(contract, good);
    await testTelemetry(contract, good);
    await testAutomation(contract);
    await testQuestions(contract, good);
    await testRecalculations(contract, good);
    await testStandings(contract);
    await testReviews(contract, folder); // which recalculates
    if (extent !== "--good") await sendBadRequests(contract, binary, good, extent === "--full");
    for (const operation of description.operations) {
      contract.note(`${operation.method} ${operation.path}`, operation.successes > 0 ? [] : ["it never succeeded"]);
      if (operation.responses[200]?.content["text/csv"] && !operation.csvAsked) {
        contract.note(`${operation.method} ${operation.path}`, ["no CSV of it was asked for"]);
      }
      const unseen = Object.keys(operation.responses).filter((status) => !operation.seen.has(status));
      console.log(`${operation.id}: ${[...operation.seen].sort().join(" ")}  (not met: ${unseen.join(" ") || "none"})`);
    }
  } catch (error) {
    contract?.note("the test", [error.stack]);
    if (!contract) throw error;
  } finally {
    const status = await daemon.stop();
    rmSync(folder, { recursive: true });
    contract?.note("the daemon", status === 0 ? [] : [`ended with ${status}`]);
  }
  const failures = contract.failures.sort((a, b) => a.number - b.number);
  for (const { text } of failures.slice(0, 100)) console.error(`FAILED ${text}`);
  console.log(`${contract.passed} passed, ${contract.failures.length} failed`);
  return contract.failures.length === 0 && contract.passed > 0;
}

async function sendBadRequests(contract, binary, good, full) {
  await badBodies(contract, good, full);
  await badParameters(contract);
  await badHeads(contract);
  await wrongMethods(contract);
  await testAccess(contract, binary, good);
}

const [binary, root, extent, ...more] = process.argv.slice(2);
if (!root || ![undefined, "--good", "--full"].includes(extent) || more.length > 0) {
  console.error("usage: node tests/contract/contract.mjs COSTCURVE ROOT [--good | --full]");
  process.exit(2);
}
process.exit((await main(binary, root, extent)) ? 0 : 1);
