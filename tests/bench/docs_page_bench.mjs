// How long the API page takes to open. usage: node tests/bench/docs_page_bench.mjs COSTCURVE ROOT
//
// The median of five visits each: the page alone, and at the address of the largest operation. "shown" is when the list of
// operations or the operation stands, "idle" when the last task of more than 50 ms ends, "blocked" the sum of such tasks; "cpu" is
// what the page's thread used, which other work on the machine does not stretch.
import { launch, openPage, Site } from "../ui/browser.mjs";

const [binary, root] = process.argv.slice(2);
if (!root) {
  console.error("usage: node docs_page_bench.mjs COSTCURVE ROOT");
  process.exit(2);
}
const kQuietMs = 1000; // without a long task: it is idle

// Runs in the page before its own scripts.
function watch() {
  window.tasks = [];
  new PerformanceObserver((list) => window.tasks.push(...list.getEntries())).observe({ type: "longtask", buffered: true });
  const look = () => {
    const tree = document.querySelector("rapi-doc")?.shadowRoot;
    if (tree?.querySelector(location.hash ? "api-response" : ".nav-bar-path")) window.shown = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  window.idleSince = () => Math.max(window.shown ?? Infinity, ...window.tasks.map((task) => task.startTime + task.duration));
}

const [browser, site] = await Promise.all([launch(), Site.start(binary, root, { empty: true })]);

async function visit(hash) {
  const { page, close } = await openPage(browser, site, { width: 1400 });
  await page.addInitScript(watch);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.goto(`${site.daemon.url}/docs${hash}`, { timeout: 0 });
  await page.waitForFunction((quiet) => performance.now() - window.idleSince() > quiet, kQuietMs, { timeout: 0, polling: 100 });
  const { metrics } = await devtools.send("Performance.getMetrics");
  const metric = (name) => metrics.find((one) => one.name === name).value;
  const taken = {
    shown: await page.evaluate(() => window.shown),
    idle: await page.evaluate(() => window.idleSince()),
    blocked: await page.evaluate(() => window.tasks.reduce((sum, task) => sum + task.duration, 0)),
    cpu: 1000 * metric("TaskDuration"),
    heap: metric("JSHeapUsedSize") / 2 ** 20,
  };
  await close();
  return taken;
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)].toFixed(0);
for (const hash of ["", "#put-/v1/scenarios/-id-"]) {
  const visits = [];
  for (let i = 0; i < 5; ++i) visits.push(await visit(hash));
  const of = (name) => median(visits.map((one) => one[name]));
  const times = ["shown", "idle", "blocked", "cpu"].map((name) => `${name} ${of(name)} ms`);
  console.log(`/docs${hash}: ${times.join(", ")}, heap ${of("heap")} MiB`);
}
await browser.close();
await site.stop();
