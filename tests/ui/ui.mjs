// Drives the dashboard in a real browser over a real daemon.
import { createRequire } from "node:module";
import { parseArgs } from "node:util";

const usage = "usage: node ui.mjs COSTCURVE ROOT [part of a case's name] [--main | --rest] [--dark]";

// Each is a file here with two tables of cases: `main`, the main path of each page and what guards its promises, and `rest`.
const rooms = [
  "home",
  "standing",
  "mix",
  "kinds",
  "decision",
  "compare",
  "plans",
  "typed",
  "rates",
  "result",
  "scenario",
  "questions",
  "data",
  "sources",
  "jobs",
  "finance",
  "tasks",
  "strangers",
  "findings",
  "access",
  "appearance",
  "figures",
  "units",
  "api_page",
];

function end(status, text) {
  console[status === 77 ? "log" : "error"](text);
  process.exit(status);
}

function readArguments() {
  try {
    const options = { main: { type: "boolean" }, rest: { type: "boolean" }, dark: { type: "boolean" } };
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    return end(2, `${error.message}\n${usage}`);
  }
}

const { positionals, values } = readArguments();
const [binary, root, wanted = ""] = positionals;
if (!root || positionals.length > 3 || (values.main && values.rest)) end(2, usage);
try {
  for (const name of ["playwright-core", "axe-core"]) createRequire(import.meta.url).resolve(name);
} catch {
  end(77, "skipped: the tests' npm packages are not installed (deploy/packages test)");
}
const { Browser, chromiumPath, Site } = await import("./browser.mjs");
if (!chromiumPath) end(77, "skipped: Chromium is not installed (deploy/setup test)");
const { cpuSeconds } = await import("./cpu.mjs");

const cases = [];
for (const room of rooms) {
  const { main = {}, rest = {} } = await import(`./${room}.mjs`);
  const chosen = { ...(values.rest ? {} : main), ...(values.main ? {} : rest) };
  for (const [name, run] of Object.entries(chosen)) cases.push({ title: `${room}: ${name}`, run });
}

const begun = Date.now();
const site = await Site.start(binary, root);
const browser = await Browser.launch(site).catch(async (error) => {
  await site.stop();
  throw error;
});
const colorScheme = values.dark ? "dark" : "light"; // where a case chooses none

async function run(test) {
  const [start, cpu] = [Date.now(), cpuSeconds()];
  const opened = [];
  const open = async (options = {}) => {
    const isOwn = opened.length > 0 || options.clock;
    const page = await browser[isOwn ? "openOwn" : "openShared"](options.site ?? site, { colorScheme, ...options });
    opened.push(page);
    return page;
  };
  const found = [];
  try {
    await test.run({ open, site, binary, root, startSite: (options) => Site.start(binary, root, options) });
  } catch (error) {
    found.push(error.stack);
  }
  found.push(...opened.flatMap((page) => page.wrong));
  await Promise.all(opened.map((page) => page.close(found.length === 0)));
  test.ms = Date.now() - start;
  test.cpu_ms = Math.round(1000 * (cpuSeconds() - cpu));
  test.found = found;
  console.log(said(test));
}

const said = ({ title, ms, cpu_ms, found }) =>
  `${found.length ? "FAILED" : "ok    "} ${title} (${ms} ms, CPU ${cpu_ms} ms)${found.map((line) => `\n  ${line}`).join("")}`;

const mostTriedAgain = 3;
const tried = cases.filter(({ title }) => title.includes(wanted));
for (const test of tried) await run(test);
const unsteady = tried.filter(({ found }) => found.length);
if (unsteady.length <= mostTriedAgain) for (const test of unsteady) await run(test); // once more: a busy machine, or a fault that is always there
const failed = tried.filter(({ found }) => found.length);
const cpu = Math.round(cpuSeconds());
await browser.close();
await site.stop();
console.log("the slowest:");
for (const { title, ms, cpu_ms } of [...tried].sort((a, b) => b.ms - a.ms).slice(0, 10))
  console.log(`  ${ms} ms, CPU ${cpu_ms} ms: ${title}`);
console.log(`CPU ${cpu} s: this program, Chromium and the daemons`);
for (const { title } of unsteady.filter((test) => !failed.includes(test))) console.log(`UNSTEADY ${title}: failed, and passed when tried again`);
for (const test of failed) console.log(said(test)); // again: the end is what is left of a log that is cut
console.log(`${tried.length} cases in ${Math.round((Date.now() - begun) / 1000)} s, ${failed.length} failed`);
process.exit(failed.length || !tried.length ? 1 : 0);
