// The conformance suite of the Model Context Protocol against the daemon. Its packages are apart from those of package.json, as they
// need Node.js 20; without it, or without a network, the test is skipped by name, and resources_test.mjs stands in.
//
// usage: node tests/mcp/conformance_test.mjs COSTCURVE ROOT BUILD    (BUILD: where the packages are installed)
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Daemon } from "../contract/daemon.mjs";

const kPassed = ["server-initialize", "ping", "tools-list", "resources-list", "prompts-list", "dns-rebinding-protection"];

function skip(reason) {
  console.log(`skipped: ${reason}`);
  process.exit(77);
}

// The suite's program, installed where it is not yet.
function installed(sources, folder) {
  const lock = readFileSync(join(sources, "package-lock.json"), "utf8");
  const mark = join(folder, "installed.json");
  if (!existsSync(mark) || readFileSync(mark, "utf8") !== lock) {
    mkdirSync(folder, { recursive: true });
    for (const name of ["package.json", "package-lock.json"]) copyFileSync(join(sources, name), join(folder, name));
    const done = spawnSync("npm", ["ci", "--no-progress", "--ignore-scripts", "--loglevel=error", "--fetch-retries=1",
      "--fetch-retry-mintimeout=1000", "--fetch-timeout=20000"], { cwd: folder, encoding: "utf8" });
    if (done.status !== 0) skip("@modelcontextprotocol/conformance can't be installed (npm ci); is there a network?");
    writeFileSync(mark, lock);
  }
  return join(folder, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
}

if (process.argv.length < 5) {
  console.error("usage: node tests/mcp/conformance_test.mjs COSTCURVE ROOT BUILD");
  process.exit(2);
}
const [binary, root, build] = process.argv.slice(2).map((path) => resolve(path));
const [major] = process.versions.node.split(".").map(Number);
if (major < 20) skip(`@modelcontextprotocol/conformance needs Node.js 20, this is ${process.versions.node}`);
const sources = join(root, "tests/mcp/conformance");
const suite = installed(sources, join(build, "conformance"));
const daemon = await Daemon.start(binary, ["--rate-limit", "0"]);
try {
  execFileSync(join(root, "deploy/catalog/store"), [binary, "--database", daemon.database], { stdio: ["ignore", "ignore", "inherit"] });
  const done = spawnSync(process.execPath, [suite, "server", "--url", `${daemon.url}/mcp`, "--expected-failures",
    join(sources, "expected_failures.yml")], { cwd: join(build, "conformance"), encoding: "utf8", timeout: 120000, maxBuffer: 1 << 26 });
  const summary = done.stdout.slice(done.stdout.indexOf("=== SUMMARY ==="));
  assert.equal(done.status, 0, summary + done.stderr.slice(-2000));
  for (const name of kPassed) assert.match(summary, new RegExp(`✓ ${name}: \\d+ passed, 0 failed`));
  console.log(`passed: ${kPassed.join(", ")}`);
} finally {
  await daemon.stop();
}
