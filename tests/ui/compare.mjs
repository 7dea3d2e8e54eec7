// Compare: what a first visit shows, that its figures are the API's, and that keys alone reach everything.
import assert from "node:assert/strict";

const serving = ["cloud-on-demand", "cloud-reserved", "cloud-spot", "hosted-api", "hybrid", "owned", "tpu"].map(
  (name) => `serving-70b.${name}`,
);
const three = ["hybrid", "owned", "cloud-on-demand"].map((name) => `serving-70b.${name}`);
const path = `/?${new URLSearchParams(three.map((id) => ["scenario", id]))}`;

export const compare = {
  async "a first visit shows a real comparison"({ open }) {
    const { page, visit } = await open();
    await visit("/");
    assert.deepEqual(await page.$$eval("[data-card]", (cards) => cards.map((card) => card.dataset.card)), serving);
    assert.match(await page.textContent('[data-card="serving-70b.hosted-api"]'), /cheapest.*measured/s);
    assert.match(await page.textContent('[data-card="serving-70b.tpu"]'), /estimated/);
    assert.match(await page.textContent('[aria-labelledby="warnings-title"]'), /roofline estimate/);
    assert.equal(await page.$$eval("figure .chart svg", (all) => all.length), 5);
  },

  async "cards say what the API says; not known is a dash"({ open, site }) {
    const { page, visit } = await open();
    await visit(path);
    const answer = await site.ask("POST", "/v1/compare", { scenarios: three });
    for (const [i, { result }] of answer.scenarios.entries()) {
      const text = await page.textContent(`[data-card="${three[i]}"]`);
      const dollars = (value) =>
        new Intl.NumberFormat("en", { style: "currency", currency: "USD", maximumFractionDigits: 0 }).format(value);
      assert.ok(text.includes(dollars(result.total.cost)), text);
      assert.ok(text.includes(dollars(result.total.npv)), text);
    }
    assert.match(await page.textContent('[data-card="serving-70b.cloud-on-demand"]'), /energy—/);
  },

  async "CSV of every chart equals the API's figures"({ open, site }) {
    const { visit, csv } = await open();
    await visit(path);
    const { scenarios, waterfalls } = await site.ask("POST", "/v1/compare", { scenarios: three });
    const [, ...categories] = await csv("cost-by-category");
    for (const [name, ...costs] of categories) {
      assert.deepEqual(
        costs.map(Number),
        scenarios.map(({ result }) => result.by_category[name].cost),
      );
    }
    const [, ...months] = await csv("cumulative-cash");
    assert.equal(months.length, 36);
    const sums = scenarios.map(({ result }) => result.by_month.reduce((sum, month) => sum + month.cash, 0));
    assert.deepEqual(months.at(-1).slice(1).map(Number), sums);
    const [, ...steps] = await csv("waterfall");
    assert.deepEqual(
      steps.slice(1, -1).map(([cause, amount]) => ({ cause, amount: Number(amount) })),
      waterfalls[0].steps,
    );
    const [, ...energy] = await csv("energy");
    assert.deepEqual(
      energy.map((row) => row[1]),
      scenarios.map(({ result }) => (result.total.energy_kwh ? String(result.total.energy_kwh / 1000) : "")),
    );
  },

  async "marks where cash breaks even"({ open, site }) {
    const { page, visit } = await open();
    await visit(path);
    const { cash } = await site.ask("POST", "/v1/break-even", { a: three[0], b: three[2] });
    assert.equal(cash.crossings.length, 1);
    const figure = page.locator('[data-figure="cumulative-cash"]');
    assert.match(await figure.textContent(), new RegExp(`from month ${cash.crossings[0].toFixed(1)} on`));
    assert.ok((await figure.locator("svg text").allTextContents()).includes(cash.crossings[0].toFixed(1)));
  },

  async "the URL reproduces the view"({ open }) {
    const { page, visit, settled } = await open();
    await visit(path);
    await page.selectOption("#baseline", "serving-70b.owned");
    await settled();
    await page.selectOption("#against", { label: "Cloud on demand" });
    await page.click("#toggle-Divided-by-category");
    await settled();
    const seen = await page.textContent("main");
    const again = await open();
    await again.visit(new URL(page.url()).search.replace(/^/, "/"));
    assert.equal(await again.page.textContent("main"), seen);
    assert.match(seen, /From Owned servers in colocation to Cloud on demand, by category/);
    await page.goBack();
    await settled();
    assert.doesNotMatch(await page.textContent("main"), /by category of cost/);
  },

  async "keys alone add a scenario and open a table"({ open }) {
    const { page, visit, settled } = await open();
    await visit(path);
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the content");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "view");
    const reach = async (selector) => {
      for (let i = 0; i < 60; i += 1) {
        if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
        await page.keyboard.press("Tab");
      }
      assert.fail(`no way to ${selector} by Tab`);
    };
    await reach("#add-scenario");
    await page.keyboard.type("Hosted", { delay: 30 });
    await page.waitForSelector('[data-card="serving-70b.hosted-api"]');
    await settled();
    assert.equal(await page.evaluate(() => document.activeElement.id), "add-scenario");
    await reach('[data-figure="cost-by-category"] summary');
    await page.keyboard.press("Enter");
    await page.waitForSelector('[data-figure="cost-by-category"] table');
    assert.equal(await page.$$eval('[data-figure="cost-by-category"] thead th', (cells) => cells.length), 5);
  },

  async "an empty store shows the examples"({ open, startSite }) {
    const site = await startSite({ empty: true });
    try {
      const { page, visit } = await open({ site });
      await visit("/");
      assert.equal(await page.$$eval("[data-card]", (cards) => cards.length), 7);
    } finally {
      await site.stop();
    }
  },
};
