// Compare: what a first visit shows, that its figures are the API's, and that keys alone reach everything.
import assert from "node:assert/strict";

const serving = ["cloud-on-demand", "cloud-reserved", "cloud-spot", "hosted-api", "hybrid", "owned", "tpu"].map(
  (name) => `serving-70b.${name}`,
);
const three = ["hybrid", "owned", "cloud-on-demand"].map((name) => `serving-70b.${name}`);
const path = `/?view=compare&${new URLSearchParams(three.map((id) => ["scenario", id]))}`;

export const main = {
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

  async "what can't do its work is marked, and never the cheapest"({ open }) {
    const { page, visit } = await open();
    const badges = () =>
      page.$$eval("[data-card]", (cards) =>
        Object.fromEntries(
          cards.map((card) => [card.dataset.card, [...card.querySelectorAll(".badge")].map((one) => one.textContent)]),
        ),
      );
    const marked = (word) => async () =>
      Object.entries(await badges())
        .filter(([, words]) => words.includes(word))
        .map(([id]) => id);
    await visit(path);
    const [cheapest] = await marked("cheapest")();
    assert.deepEqual(await marked("infeasible")(), []);
    await page.route("**/v1/compare", async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      answer.scenarios[answer.cheapest].result.feasible = false;
      answer.cheapest = null;
      await route.fulfill({ response, json: answer });
    });
    await page.reload();
    await visit(path);
    assert.deepEqual(await marked("infeasible")(), [cheapest]);
    assert.deepEqual(await marked("cheapest")(), []);
  },

  async "CSV of every chart equals the API's figures"({ open, site }) {
    const { page, visit, csv } = await open();
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
    const [, ...drivers] = await csv("waterfall");
    const [{ bridge }] = waterfalls;
    assert.deepEqual(
      drivers.slice(1, -1).map(([driver, ...numbers]) => [driver, ...numbers.map(Number)]),
      bridge.steps.map(({ driver, amount, a, b }) => [driver, amount, a, b]),
    );
    assert.ok((await page.locator('[data-figure="waterfall"]').innerText()).includes(bridge.why.slice(1)));
    await visit(`${path}&by=cause`);
    const [, ...steps] = await csv("waterfall");
    assert.deepEqual(
      steps.slice(1, -1).map(([cause, amount]) => ({ cause, amount: Number(amount) })),
      waterfalls[0].steps,
    );
    const [, ...energy] = await csv("energy");
    assert.deepEqual(
      energy.map((row) => row[1]),
      scenarios.map(({ result }) => (result.total.energy_kwh === null ? "" : String(result.total.energy_kwh / 1000))),
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

  async "keys alone add a scenario and open a table"({ open }) {
    const { page, visit, settled } = await open();
    await visit(path);
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the content");
    await page.$eval("main > .view", (view) => (view.dataset.kept = "yes"));
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "view");
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await settled();
    assert.equal(await page.$$eval("main > [data-kept]", (views) => views.length), 1, "skipping shows nothing anew");
    const reach = async (selector) => {
      for (let i = 0; i < 60; i += 1) {
        if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
        await page.keyboard.press("Tab");
      }
      assert.fail(`no way to ${selector} by Tab`);
    };
    await reach("#add-scenario");
    await page.keyboard.type("Hosted", { delay: 90 });
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
      await visit("/?view=compare");
      assert.equal(await page.$$eval("[data-card]", (cards) => cards.length), 7);
    } finally {
      await site.stop();
    }
  },
};

export const rest = {
  async "a first visit shows a real comparison"({ open }) {
    const { page, visit } = await open();
    await visit("/?view=compare");
    assert.deepEqual(await page.$$eval("[data-card]", (cards) => cards.map((card) => card.dataset.card)), serving);
    assert.match(await page.textContent('[data-card="serving-70b.hosted-api"]'), /cheapest.*hosted/s);
    assert.match(await page.textContent('[data-card="serving-70b.tpu"]'), /estimated/);
    assert.match(await page.textContent('[aria-labelledby="warnings-title"]'), /roofline estimate/);
    assert.equal(await page.$$eval("figure .chart svg", (all) => all.length), 5);
  },

  async "a category that the dashboard never heard of is drawn and listed"({ open, site }) {
    const listed = await site.ask("GET", "/v1/categories");
    const style = { name: "water", label: "cooling water", colour: { light: "#123456", dark: "#654321" } };
    const made = { water: 250000, permits: 125000 }; // the API lists the first, and has never heard of the second
    const { page, visit, csv } = await open({ colorScheme: "light" });
    await page.route("**/v1/categories", (route) => route.fulfill({ json: [...listed, style] }));
    await page.route("**/v1/compare", async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      for (const [name, cost] of Object.entries(made))
        for (const { result } of answer.scenarios) result.by_category[name] = { cost, cash: cost };
      await route.fulfill({ response, json: answer });
    });
    await visit(path);
    const figure = page.locator('[data-figure="cost-by-category"]');
    const legend = await figure.locator(".legend li").allTextContents();
    assert.deepEqual(legend.slice(-2), ["cooling water", "permits"]);
    await figure.locator("summary").click();
    await figure.locator("tbody").waitFor();
    assert.deepEqual((await figure.locator("tbody th").allTextContents()).slice(-2), ["cooling water", "permits"]);
    for (const [name, cost] of Object.entries(made)) {
      const row = (await csv("cost-by-category")).find(([category]) => category === name);
      assert.deepEqual(row?.slice(1).map(Number), [cost, cost, cost]);
    }
    const bars = (colour) => figure.locator(`svg path[fill="${colour}"]`).count();
    const [water, permits] = [style.colour.light, "#7a858f"];
    assert.deepEqual([(await bars(water)) >= 3, (await bars(permits)) >= 3, await bars(style.colour.dark)], [true, true, 0]);
    await page.click("#theme-dark");
    await figure.locator(`svg path[fill="${style.colour.dark}"]`).first().waitFor({ state: "attached" });
    assert.match(await figure.locator(".legend .swatch").nth(-2).getAttribute("style"), new RegExp(style.colour.dark));
  },

  async "categories in the legend have the API's labels, in its order"({ open, site }) {
    const { page, visit } = await open();
    await visit(path);
    const listed = await site.ask("GET", "/v1/categories");
    const { scenarios } = await site.ask("POST", "/v1/compare", { scenarios: three });
    const used = listed.filter(({ name }) => scenarios.some(({ result }) => result.by_category[name].cost));
    assert.deepEqual(
      await page.locator('[data-figure="cost-by-category"] .legend li').allTextContents(),
      used.map(({ label }) => label),
    );
  },

  async "the URL reproduces the view"({ open }) {
    const { page, visit, settled } = await open();
    await visit(path);
    await page.selectOption("#baseline", "serving-70b.owned");
    await settled();
    await page.selectOption("#against", { label: "Cloud on demand" });
    await page.click("#toggle-Break-down-by-category");
    await settled();
    const seen = await page.textContent("main");
    const again = await open();
    await again.visit(new URL(page.url()).search.replace(/^/, "/"));
    assert.equal(await again.page.textContent("main"), seen);
    assert.match(seen, /From Owned servers in colocation to Cloud on demand, cost. By category/);
    await page.goBack();
    await settled();
    assert.doesNotMatch(await page.textContent("main"), /by category of cost/);
  },
};
