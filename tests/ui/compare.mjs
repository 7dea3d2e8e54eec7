// Scenarios side by side, without a request: the decision between them, to which the old addresses of Compare lead.
import assert from "node:assert/strict";

const serving = ["cloud-on-demand", "cloud-reserved", "cloud-spot", "hosted-api", "hybrid", "owned", "tpu"].map(
  (name) => `serving-70b.${name}`,
);
const three = ["hybrid", "owned", "cloud-on-demand"].map((name) => `serving-70b.${name}`);
const path = `/?view=decision&${new URLSearchParams(three.map((id) => ["scenario", id]))}`;
const whole = (page) => page.waitForSelector('.pp[data-settled="true"]', { timeout: 30000 });
const plansOf = (page) => page.$$eval("#ranking tr[data-plan]", (rows) => rows.map((row) => row.dataset.plan));

// {name, total, sum} of each plan: its cost, and the sum of the parts that are drawn.
async function parts(csv) {
  const [head, ...rows] = await csv("stack");
  const at = head.findIndex((name) => name.startsWith("cost ("));
  return rows.map((row) => ({
    name: row[0],
    total: Number(row[at]),
    sum: row.reduce((all, one, i) => (i === 0 || i === at ? all : all + Number(one)), 0),
  }));
}

export const main = {
  async "an old address of Compare leads to the decision between its scenarios, with its pair"({ open }) {
    const { page, visit } = await open({ width: 1440 });
    const [b, , a] = three;
    await visit(`${path.replace("decision", "compare")}&baseline=${b}&against=${a}&by=category`);
    await page.waitForSelector("#ranking tr[data-plan]");
    const address = new URL(page.url()).searchParams;
    assert.deepEqual([address.get("view"), address.getAll("scenario"), address.get("baseline")], ["decision", three, b]);
    assert.deepEqual([address.get("a"), address.get("b"), address.get("against"), address.get("by")], [a, b, null, null]);
    assert.equal(await page.textContent(`[data-plan="${b}"] .pick`), "B");
    assert.equal(await page.textContent(`[data-plan="${a}"] .pick`), "A");
  },

  async "an old address of the map leads to the decision, whose map's cells are the API's, with its axes in the address"({ open, site }) {
    const { page, visit, csv } = await open({ width: 1440 });
    const bodies = [];
    page.on("request", (request) => /\/v1\/map$/.test(request.url()) && bodies.push(request.postDataJSON()));
    const axes = { x: "/workloads/*/demand/mean_per_s", y: "/pools/*/offer/hourly_price" };
    await visit(`${path.replace("view=decision", "view=questions&question=map")}&steps=8&${new URLSearchParams(axes)}`);
    await whole(page);
    const address = new URL(page.url()).searchParams;
    assert.deepEqual(["view", "question", "steps", "x"].map((name) => address.get(name)), ["decision", null, null, axes.x]);
    const body = bodies.at(-1);
    assert.deepEqual([body.scenarios, body.x.pointer, body.y.pointer], [three, axes.x, axes.y]);
    const [answer, rows] = [await site.ask("POST", "/v1/map", body), (await csv("map")).slice(1)];
    const { scenarios } = await site.ask("POST", "/v1/compare", { scenarios: three });
    assert.deepEqual(
      rows.map((row) => row[2]),
      answer.cheapest.flat().map((one) => (one === null ? "no plan can serve" : scenarios[one].result.name)),
    );
    assert.deepEqual(rows.slice(0, 24).map((row) => Number(row[0])), answer.x.values);
    await page.locator("#map").scrollIntoViewIfNeeded();
    const box = await page.locator("#map .chart").boundingBox();
    await page.mouse.click(box.x + box.width - 60, box.y + 60);
    await page.waitForURL(/scale=.*mean_per_s.*scale=.*hourly_price/);
    await page.waitForFunction(() => Number(document.getElementById("assume-demand").value) > 45); // there, and more than 30 requests/s
  },

  async "what can't do its work is marked, and never the cheapest"({ open }) {
    const { page, visit } = await open({ width: 1440 });
    const marked = (name) => page.$$eval(`#ranking tr.${name}`, (rows) => rows.map((row) => row.dataset.plan));
    await visit(path);
    const [cheapest] = await marked("first");
    assert.deepEqual(await marked("no"), []);
    await page.route("**/v1/compare", async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      if (answer.scenarios.length === three.length) {
        answer.scenarios[answer.cheapest].result.feasible = false;
        answer.cheapest = null;
      }
      await route.fulfill({ response, json: answer });
    });
    await page.reload();
    await visit(path);
    assert.deepEqual(await marked("no"), [cheapest]);
    assert.deepEqual(await marked("first"), []);
  },

  async "energy, carbon, remarks and the parts of the cost are the API's"({ open, site }) {
    const { page, visit, csv } = await open({ width: 1440 });
    await visit(path);
    await whole(page);
    const { scenarios } = await site.ask("POST", "/v1/compare", { scenarios: three });
    const of = (name) => scenarios.find(({ result }) => result.name === name).result;
    const [head, ...rows] = await csv("ranking");
    for (const [start, member] of [["Energy (", "energy_kwh"], ["Energy at least", "energy_kwh_at_least"], ["CO₂e (", "carbon_kg"]]) {
      const at = head.findIndex((name) => name.startsWith(start));
      for (const row of rows) assert.equal(row[at], String(of(row[0]).total[member] ?? ""), `${row[0]}: ${start}`);
    }
    for (const { name, total, sum } of await parts(csv)) {
      assert.equal(total, of(name).total.cost);
      assert.ok(Math.abs(sum - total) < 1e-6 * total, `${name}: ${sum}, ${total}`);
    }
    const remarks = scenarios.flatMap(({ result }) => result.warnings.map(({ message }) => message));
    const shown = await page.textContent("#remarks");
    assert.ok(remarks.length > 0 && remarks.every((text) => shown.includes(text)), shown);
  },

  async "keys alone add a scenario and open a table"({ open }) {
    const { page, visit, settled } = await open({ width: 1440 });
    await visit(path);
    await whole(page); // the table is made anew when chances come
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the content");
    await page.$eval("main > .view", (view) => (view.dataset.kept = "yes"));
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "view");
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await settled();
    assert.equal(await page.$$eval("main > [data-kept]", (views) => views.length), 1, "skipping shows nothing anew");
    const reach = async (selector) => {
      for (let i = 0; i < 80; i += 1) {
        if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
        await page.keyboard.press("Tab");
      }
      assert.fail(`no way to ${selector} by Tab`);
    };
    await reach("#add-scenario");
    await page.keyboard.type("Hosted", { delay: 90 });
    await page.keyboard.press("Enter");
    await page.waitForSelector('#ranking [data-plan="serving-70b.hosted-api"]');
    await whole(page);
    await reach("#cash summary");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#cash table");
    assert.equal(await page.$$eval("#cash thead th", (cells) => cells.length), 5);
  },

  async "an empty store shows the examples"({ open, startSite }) {
    const site = await startSite({ empty: true });
    try {
      const { page, visit } = await open({ site, width: 1440 });
      await visit("/?view=compare");
      await page.waitForSelector("#ranking tr[data-plan]");
      assert.equal((await plansOf(page)).length, 7);
      await whole(page);
    } finally {
      await site.stop();
    }
  },
};

export const rest = {
  async "a first visit shows a real comparison"({ open }) {
    const { page, visit } = await open({ width: 1440 });
    await visit("/?view=decision");
    await whole(page);
    assert.deepEqual((await plansOf(page)).sort(), serving);
    assert.match(await page.textContent('#ranking [data-plan="serving-70b.hosted-api"]'), /hosted/);
    assert.match(await page.textContent('#ranking [data-plan="serving-70b.tpu"]'), /estimated/);
    assert.match(await page.textContent('[aria-labelledby="warnings-title"]'), /roofline estimate/);
  },

  async "a category that the dashboard never heard of is in the parts of the cost"({ open, site }) {
    const made = { water: 250000, permits: 125000 };
    const { scenarios } = await site.ask("POST", "/v1/compare", { scenarios: three });
    const { page, visit, csv } = await open({ width: 1440 });
    await page.route("**/v1/compare", async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      for (const [name, cost] of Object.entries(made))
        for (const { result } of answer.scenarios) result.by_category[name] = { cost, cash: cost };
      await route.fulfill({ response, json: answer });
    });
    await visit(path);
    await whole(page);
    for (const { name, sum } of await parts(csv)) {
      const { cost } = scenarios.find(({ result }) => result.name === name).result.total;
      assert.ok(Math.abs(sum - cost - 375000) < 1e-6 * cost, `${name}: ${sum}, ${cost}`);
    }
  },

  async "unlike work of one unit is said by the million units, and has no winner"({ open, site }) {
    const scenarios = ["serving-70b.owned", "compare.less"];
    const stored = await site.ask("GET", "/v1/scenarios/serving-70b.owned");
    const { revision, recorded_at, recorded_by, ...other } = stored;
    other.workloads = [{ ...other.workloads[0], demand: { ...other.workloads[0].demand, mean_per_s: 7 } }, ...other.workloads.slice(1)];
    await site.ask("PUT", "/v1/scenarios/compare.less", { ...other, id: "compare.less", name: "Less of it" });
    try {
      const { by_unit: each } = await site.ask("POST", "/v1/compare", { scenarios });
      const { page, visit } = await open({ width: 1440 });
      await visit(`/?view=decision&${new URLSearchParams(scenarios.map((id) => ["scenario", id]))}`);
      const text = await page.textContent("#answer");
      assert.match(text, /don't do the same work/);
      for (const value of each.levelized_cost_per_million_units) assert.ok(text.includes(`$${value.toFixed(2)}`), `${text}: ${value}`);
    } finally {
      await site.ask("DELETE", "/v1/scenarios/compare.less");
    }
  },
};
