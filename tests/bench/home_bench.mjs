// How soon the start stands, and whether it moves while it fills. usage: node tests/bench/home_bench.mjs COSTCURVE ROOT [visits]
//
// Of visits with an empty cache at three widths: the first paint, the time to all answers of the stored decisions, the sum of layout shifts.
import { launch, openPage, Site } from "../ui/browser.mjs";

const [binary, root, visits = "7"] = process.argv.slice(2);
if (!root) {
  console.error("usage: node home_bench.mjs COSTCURVE ROOT [visits]");
  process.exit(2);
}
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

function watch() {
  window.shifts = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shifts += value;
  }).observe({ type: "layout-shift", buffered: true });
  new MutationObserver(() => {
    const costs = [...document.querySelectorAll(".dl tbody .cost")];
    if (costs.length && costs.every((one) => /\d/.test(one.textContent))) window.answered ??= performance.now();
  }).observe(document, { childList: true, subtree: true });
}

const [browser, site] = await Promise.all([launch(), Site.start(binary, root)]);
for (const width of [400, 1000, 1440]) {
  const seen = [];
  for (let i = 0; i < Number(visits); ++i) {
    const { page, visit, close } = await openPage(browser, site, { width });
    await page.addInitScript(watch);
    await visit("/?model=llama-3.1-8b");
    await page.waitForFunction(() => window.answered && /8 in 10/.test(document.querySelector(".bar .small").textContent), null, { timeout: 60000 });
    seen.push(
      await page.evaluate(() => ({
        paint: performance.getEntriesByName("first-contentful-paint")[0].startTime,
        answered: window.answered,
        shifts: window.shifts,
      })),
    );
    await close();
  }
  const of = (name) => median(seen.map((one) => one[name]));
  console.log(`${width} px: first paint ${of("paint").toFixed(0)} ms, all answers ${of("answered").toFixed(0)} ms, shift ${of("shifts").toFixed(3)}`);
}
await browser.close();
await site.stop();
