// How long a first visit of the dashboard takes to its first picture, and a slider to the next one.
// usage: node picture_bench.mjs COSTCURVE ROOT [visits]. The browser runs already; each visit has an empty cache of its own.
import { launch, openPage, Site } from "../ui/browser.mjs";

const [binary, root, visits = "15"] = process.argv.slice(2);
const scenarios = ["serving-70b.hybrid", "edge-site.hybrid", "mixed-fleet.cheapest"];
const moves = 40;

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const told = (values) =>
  values.length ? `median ${median(values).toFixed(0)} ms, ${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)}` : "none";

// In the page: milliseconds from navigation to the cards, to the first chart once its frame is done, to the last chart.
function watch() {
  window.seen = {};
  const note = (name, isThere) => {
    if (isThere) window.seen[name] ??= performance.now();
  };
  new MutationObserver(() => {
    const charts = [...document.querySelectorAll(".chart")].map((place) => place.querySelector("svg path"));
    note("cards", document.querySelector("[data-card]"));
    if (charts.some(Boolean)) requestAnimationFrame(() => setTimeout(() => note("first chart", true)));
    note("last chart", charts.length && charts.every(Boolean));
  }).observe(document, { childList: true, subtree: true });
}

// In the page: milliseconds from the input event to the last change of the picture, for each move of the first slider.
async function slide(moves) {
  const range = document.querySelector("input[type=range]");
  const picture = document.querySelector('[data-figure="draft-monthly"] .chart');
  const times = [];
  for (let i = 1; i <= moves; ++i) {
    const changed = new Promise((resolve) => {
      let calm = setTimeout(resolve, 3000);
      const observer = new MutationObserver(() => {
        const now = performance.now();
        clearTimeout(calm);
        calm = setTimeout(() => {
          observer.disconnect();
          resolve(now);
        }, 50);
      });
      observer.observe(picture, { childList: true, subtree: true, attributes: true });
    });
    const begun = performance.now();
    const [low, high] = [Number(range.min), Number(range.max)];
    range.value = low + (high - low) * (0.3 + (0.4 * i) / moves);
    range.dispatchEvent(new Event("input", { bubbles: true }));
    const drawn = await changed;
    if (drawn) times.push(drawn - begun);
  }
  return times;
}

const [browser, site] = await Promise.all([launch(), Site.start(binary, root)]);
const seen = {};
for (let i = 0; i <= Number(visits); ++i) {
  const { page, visit, close } = await openPage(browser, site, { width: 1000 });
  await page.addInitScript(watch);
  await visit("/");
  for (const [name, time] of Object.entries(await page.evaluate(() => window.seen))) if (i) (seen[name] ??= []).push(time);
  await close();
}
for (const [name, times] of Object.entries(seen)) console.log(`first visit to ${name}: ${told(times)}`);
for (const id of scenarios) {
  const { page, visit, close } = await openPage(browser, site, {});
  await visit(`/?view=scenario&scenario=${id}`);
  await page.waitForSelector("input[type=range]");
  console.log(`slider of ${id} to its picture: ${told(await page.evaluate(slide, moves))}`);
  await close();
}
await browser.close();
await site.stop();
