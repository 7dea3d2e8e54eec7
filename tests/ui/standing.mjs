// How decisions stood: the line of 90 days, the day on which an answer flipped, and what is computed again when prices move.
import assert from "node:assert/strict";
import { patience } from "./browser.mjs";

const day = 86400000;
const ids = ["batch-or-live.batch-api", "batch-or-live.batch-gpus"];
const dearer = ["mig-slices.whole-gpus", "mig-slices.slices"]; // of which prices rose
const iso = (time) => new Date(time).toISOString();

// A store that is `days` old, whose decision of `ids` had the other answer until `flip`, at twice the present cost: no store of a test is that
// old. All other figures are the daemon's.
async function aged(page, { days, flip }) {
  await page.route(/\/v1\/scenarios\/[^/]+\/revisions/, async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    const items = body.items.map((one) => ({ ...one, recorded_at: iso(Date.now() - days * day) }));
    await route.fulfill({ response: answer, json: { ...body, items } });
  });
  const asked = [];
  await page.route(/\/v1\/compare/, async (route) => {
    const { as_of: asOf, ...rest } = route.request().postDataJSON();
    if (!asOf) return route.continue();
    const answer = await route.fetch({ postData: JSON.stringify(rest) });
    const body = await answer.json();
    if (rest.scenarios.join() === ids.join()) {
      asked.push(asOf);
      const { cheapest, scenarios } = body;
      const { decisive } = scenarios[cheapest].result;
      if (Date.parse(asOf) < flip) scenarios.forEach(({ result }, i) => (result.decisive = i === cheapest ? 4 * decisive : 2 * decisive));
    }
    if (rest.scenarios.join() === dearer.join() && Date.parse(asOf) < flip + 9 * day) for (const { result } of body.scenarios) result.decisive /= 1.06;
    await route.fulfill({ response: answer, json: body });
  });
  return asked;
}
const rowOf = (page) => page.locator(".dl tbody tr", { hasText: "Summaries as a batch" });
const drawn = (page) =>
  page.waitForFunction(
    () => [...document.querySelectorAll(".dl tbody tr")].every((row) => row.querySelector(".spark, td.hm [title^=Known]")),
    null,
    { timeout: patience },
  );

export const main = {
  async "the day on which an answer flipped is found to the day, and is a change of colour in its line"({ open, site }) {
    const { page, visit } = await open({ width: 1440 });
    const flip = Math.floor(Date.now() / day) * day - 20 * day + day / 3;
    const asked = await aged(page, { days: 70, flip });
    await visit("/");
    await drawn(page);
    const row = rowOf(page);
    const { cheapest, scenarios } = await site.ask("POST", "/v1/compare", { scenarios: ids });
    const other = scenarios[1 - cheapest].name;
    const date = new Date(flip).toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
    const state = await row.locator(".st").textContent();
    assert.ok(state.startsWith(`answer flipped ${date}`) && state.includes(`was ${other}`), state);
    const paths = await row.locator(".spark path").evaluateAll((all) => all.map((one) => one.style.getPropertyValue("--k")));
    assert.equal(paths.length, 2);
    assert.notEqual(paths[0], paths[1]);
    const said = await row.locator(".spark").getAttribute("aria-label");
    assert.match(said, new RegExp(`^Since .*: ${other}, \\$.*; ${date} \\d{4}: ${scenarios[cheapest].name}, \\$`));
    assert.ok(asked.length <= 14, `${asked.length} questions`);
    const first = await page.$eval(".dl tbody tr", (one) => one.textContent);
    assert.match(first, /^Summaries as a batch/, "it needs a look first");
    const moved = page.locator(".dl tbody tr", { hasText: "Four small assistants" });
    const later = new Date(flip + 9 * day).toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
    assert.equal(await moved.locator(".st").textContent(), `prices moved +6.0 %on ${later}`);
    const flat = page.locator(".dl tbody tr", { hasText: "An agent with cached prompts" });
    assert.equal(await flat.locator(".spark path").count(), 1);
    assert.match(await flat.locator(".spark").getAttribute("aria-label"), /no change$/);
  },
};

export const rest = {
  async "where prices moved the figures stay, and are computed again"({ open }) {
    const { page, visit } = await open({ width: 1440, clock: true });
    let moved = [];
    let held = null;
    await page.route(/\/v1\/events/, async (route) => route.fulfill({ json: { items: moved, next: null } }));
    await visit("/");
    await page.clock.runFor(2000);
    await page.waitForFunction(() => /\$/.test(document.querySelector(".dl .cost")?.textContent ?? ""), null, { timeout: patience });
    const before = await rowOf(page).locator(".cost b").textContent();
    moved = [{ kind: "price_moved", recorded_at: iso(Date.now() + day), data: { moved: [] } }];
    const gone = new Promise((resolve) => (held = resolve));
    await page.route(/\/v1\/compare/, async (route) => {
      await gone;
      await route.continue();
    });
    await page.clock.runFor(31000);
    const isAgain = async () => /recomputing/.test(await page.textContent(".dl"));
    const until = async (wanted) => {
      for (let tries = 0; tries < 400 && (await isAgain()) !== wanted; ++tries) await page.clock.runFor(100);
      assert.equal(await isAgain(), wanted);
    };
    await until(true);
    assert.equal(await rowOf(page).locator(".cost b").textContent(), before);
    assert.match(await rowOf(page).locator(".st").textContent(), /figures of \d/);
    held();
    await until(false);
  },
};
