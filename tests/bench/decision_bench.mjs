// How long a decision's page takes to take up a change. usage: node tests/bench/decision_bench.mjs COSTCURVE ROOT
//
// Ten changes of demand: until the sentence, the table and the reasons stand and are painted, and until chances, map and flips stand too.
import { launch, openPage, Site } from "../ui/browser.mjs";

const [binary, root] = process.argv.slice(2);
if (!root) {
  console.error("usage: node decision_bench.mjs COSTCURVE ROOT");
  process.exit(2);
}
const [browser, site] = await Promise.all([launch(), Site.start(binary, root)]);
const { page, visit } = await openPage(browser, site, { width: 1440 });
const requests = new Map();
page.on("requestfinished", (request) => {
  const { pathname } = new URL(request.url());
  if (request.method() === "POST") requests.set(pathname, [...(requests.get(pathname) ?? []), request.timing().responseEnd]);
});
await visit("/?view=decision&id=serve-llama-70b");
await page.waitForSelector('.space[data-settled="true"]', { timeout: 120000 });
requests.clear();
const change = (value) =>
  page.evaluate(async (text) => {
    const field = document.getElementById("assume-demand");
    const begun = performance.now();
    const answered = new Promise((resolve) => document.addEventListener("answered", resolve, { once: true }));
    field.value = text;
    field.dispatchEvent(new Event("change"));
    await answered;
    const answer = performance.now() - begun;
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const painted = performance.now() - begun;
    while (document.querySelector(".space").dataset.settled !== "true") await new Promise(requestAnimationFrame);
    return { answer, painted, whole: performance.now() - begun };
  }, String(value));
const taken = [];
for (let i = 0; i < 10; ++i) taken.push(await change(20 + i));
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)].toFixed(0);
console.log(`sentence, table and why: ${median(taken.map((one) => one.answer))} ms`);
console.log(`painted: ${median(taken.map((one) => one.painted))} ms`);
console.log(`all, with chances, map and flips: ${median(taken.map((one) => one.whole))} ms`);
for (const [path, times] of requests) console.log(`  ${path}: ${median(times)} ms`);
await browser.close();
await site.stop();
