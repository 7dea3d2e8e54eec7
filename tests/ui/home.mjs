// The start: a question as a sentence, its proposals, the decisions by how they stand; and the pages of runs, fleets and sizes.
import assert from "node:assert/strict";
import { patience, pick } from "./browser.mjs";

const proposed = (page) =>
  page.$$eval(".proposed tbody tr:not(.sep)", (rows) =>
    rows.map((row) => ({ name: row.querySelector("b").textContent, cost: Number(row.cells[1].textContent.replace(/,/g, "")) })),
  );
// What the page asks of rank, from now on; the answers are the API's.
function asked(page) {
  const bodies = [];
  page.on("request", (request) => /\/v1\/rank$/.test(request.url()) && bodies.push(request.postDataJSON()));
  return bodies;
}
const rowsAre = (page, n) =>
  page.waitForFunction((count) => document.querySelectorAll(".proposed tbody tr:not(.sep)").length === count, n, {
    timeout: patience,
  });
const drawn = (page, kind = ".ranked") =>
  page.waitForFunction((table) => /%/.test(document.querySelector(`.proposed${table} tbody tr td:last-child`)?.textContent ?? ""), kind, {
    timeout: patience,
  });
const thousands = (value) => Math.round(value / 1000);

export const main = {
  async "each change of the sentence has its plans, without a button, and the address is the question"({ open, site }) {
    const { page, visit, wrong } = await open({ width: 1440 });
    const bodies = asked(page);
    await visit("/");
    assert.match(await page.textContent(".proposal-rows"), /Choose a model/);
    await pick(page, "#model", "llama-3.1-70b");
    await rowsAre(page, 6);
    await page.fill("#rps", "40");
    await page.waitForURL(/model=llama-3.1-70b&rps=40/);
    await page.waitForFunction(
      (before) => performance.getEntriesByType("resource").filter(({ name }) => /v1\/rank$/.test(name)).length > before,
      1,
      { timeout: patience },
    );
    await page.waitForFunction(() => !document.querySelector(".proposal-rows.stale"));
    const body = bodies.findLast(({ samples }) => samples === 0);
    assert.deepEqual([body.samples, body.workloads[0].model, body.workloads[0].demand.mean_per_s], [0, "llama-3.1-70b", 40]);
    const { plans, considered } = await site.ask("POST", "/v1/rank", body);
    assert.deepEqual(
      (await proposed(page)).map(({ cost }) => cost),
      plans.map(({ decisive }) => thousands(decisive)),
    );
    assert.ok((await page.textContent(".bar .small")).includes(`of ${considered} ways`));
    const behind = plans.filter(({ why }) => why.startsWith("behind")).map(({ why }) => why.split("; ")[0]);
    assert.deepEqual(await page.$$eval(".proposed .who .warn", (all) => all.map((one) => one.textContent)), behind);
    await drawn(page, "");
    const ranged = await site.ask("POST", "/v1/rank", bodies.at(-1));
    assert.deepEqual([bodies.at(-1).samples, bodies.at(-1).workloads], [400, body.workloads], "ranges are of the same question");
    const shares = await page.$$eval(".proposed tbody tr:not(.sep) td:last-child", (all) => all.map((one) => parseInt(one.textContent.replace("< 1", "0"))));
    ranged.plans.forEach(({ probability_best: best }, i) => assert.ok(Math.abs(100 * best - shares[i]) <= 1, `${100 * best}, ${shares}`));
    await page.fill("#rps", "many");
    assert.match(await page.textContent(".issues"), /Traffic: "many" is not a number/);
    assert.equal((await proposed(page)).length, 6, "the last answer stays");
    await page.press("#rps", "Escape");
    assert.deepEqual([await page.inputValue("#rps"), await page.textContent(".issues")], ["40", ""]);
    assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, "/?model=llama-3.1-70b&rps=40");
    await page.click("#open-plans");
    await page.waitForURL(/view=plans&rps=40&model=llama-3.1-70b/);
    wrong.splice(0, wrong.length, ...wrong.filter((line) => !/422/.test(line)));
  },

  async "what is assumed becomes a field, and is assumed again"({ open }) {
    const { page, visit } = await open({ width: 1440 });
    const bodies = asked(page);
    await visit("/?model=llama-3.1-8b");
    await rowsAre(page, 6);
    await page.click("button.assumed:text('1 spare')");
    await page.fill("#spares", "0");
    await page.waitForURL(/spares=0/);
    await page.waitForFunction(() => /8 in 10|found in/.test(document.querySelector(".bar .small").textContent));
    await page.waitForTimeout(400);
    assert.equal(bodies.at(-1).spares, 0);
    await page.click('[aria-label="As assumed: 1 spare"]');
    await page.waitForFunction(() => !location.search.includes("spares"));
    assert.ok(await page.isVisible("button.assumed:text('1 spare')"));
    await page.click("button.assumed:text('requests of one size')");
    await page.fill("#input_p95", "2000");
    await page.waitForURL(/input_p95=2000/);
    await page.waitForTimeout(400);
    assert.deepEqual(bodies.at(-1).workloads[0].token_mix, { mean: { input: 500, output: 300 }, p95: { input: 2000 } });
  },

  async "a picker finds by words of a name, by keys alone, and remembers what was used last"({ open }) {
    const { page, visit } = await open({ width: 400 });
    await visit("/");
    const field = page.locator("#model");
    await field.focus();
    await page.keyboard.press("ArrowDown");
    await page.waitForSelector(".found [role=option]");
    assert.equal(await field.getAttribute("aria-expanded"), "true");
    const groups = await page.$$eval(".found [role=group]", (all) =>
      all.map((one) => document.getElementById(one.getAttribute("aria-labelledby")).textContent),
    );
    assert.deepEqual(groups, ["Weights are published"]);
    await page.keyboard.type("70b llama 3.3");
    const [first] = await page.$$eval(".found [role=option]", (all) => all.map((one) => one.textContent));
    assert.match(first, /^Llama 3\.3 70B.*70\.6 B parameters/);
    const active = await field.getAttribute("aria-activedescendant");
    assert.equal(await page.getAttribute(`#${active}`, "aria-selected"), "true");
    const { left, right } = await page.$eval(".found", (one) => one.getBoundingClientRect());
    assert.ok(left >= 0 && right <= 400, `${left} to ${right}`);
    await page.keyboard.press("Escape");
    assert.ok(!(await page.$(".found")));
    await page.keyboard.type("zzz");
    assert.match(await page.textContent(".found"), /None has all of these words/);
    await page.keyboard.press("Tab");
    assert.equal(await field.inputValue(), "", "what was typed and not taken is not kept");
    await pick(page, "#model", "llama-3.3-70b");
    assert.equal(await field.inputValue(), "Llama 3.3 70B");
    assert.match(page.url(), /model=llama-3.3-70b/);
    await visit("/");
    await field.click();
    assert.match(await page.textContent(".found [role=group]"), /^Used last.*Llama 3\.3 70B/);
  },

  async "decisions that need a look come first: one that flipped since the last visit says what it was"({ open, startSite }) {
    const site = await startSite();
    try {
      const { page, visit } = await open({ site, width: 1440 });
      await page.goto(`${site.daemon.url}/static/icon.svg`);
      await page.evaluate(() => localStorage.setItem("seen", new Date().toISOString()));
      const [a, b] = ["batch-or-live.batch-api", "batch-or-live.batch-gpus"];
      const { scenarios, cheapest } = await site.ask("POST", "/v1/compare", { scenarios: [a, b] });
      const id = [a, b][cheapest];
      const { revision, recorded_at, recorded_by, ...document } = await site.ask("GET", `/v1/scenarios/${id}`);
      const dear = { ...document, extra_costs: [{ name: "a fee", per_month: 100000 }] };
      await site.ask("PUT", `/v1/scenarios/${id}`, dear);
      await visit("/");
      await page.waitForFunction(() => /answer flipped/.test(document.querySelector(".dl tbody")?.textContent ?? ""), null, {
        timeout: patience,
      });
      const [first] = await page.$$eval(".dl tbody tr", (rows) => rows.map((row) => row.textContent));
      assert.match(first, /^Summaries as a batch/);
      assert.ok(first.includes(`was ${scenarios[cheapest].name}`), first);
      await page.click("button:text('Need a look')");
      assert.ok((await page.$$(".dl tbody tr")).length < 8);
      await page.click("button:text('All')");
      await page.fill("#filter-decisions", "llama serve");
      assert.deepEqual(await page.$$eval(".dl tbody th a", (all) => all.map((one) => one.textContent)), [
        "Serve Llama 3.1 70B, 2027 to 2029",
      ]);
    } finally {
      await site.stop();
    }
  },

  async "a decision's chance on the start is the one on its page: the same draws"({ open }) {
    const { page, visit } = await open({ width: 1440 });
    const bodies = [];
    page.on("request", (request) => /\/v1\/simulate$/.test(request.url()) && bodies.push(request.postDataJSON()));
    await visit("/");
    const row = page.locator(".dl tbody tr", { hasText: "Object detection in a plant" });
    await page.waitForFunction(
      () =>
        [...document.querySelectorAll(".dl tbody tr")].every(
          (one) => /%|–/.test(one.cells[3].textContent) && one.cells[3].textContent !== "–",
        ),
      null,
      { timeout: patience },
    );
    const chance = await row.locator("td").nth(2).textContent();
    const asked = bodies.find(({ scenarios }) => scenarios.includes("edge-site.edge-owned"));
    bodies.length = 0;
    await visit("/?view=decision&id=detect-at-the-edge");
    await page.waitForSelector('.pp[data-settled="true"]', { timeout: patience });
    const drawn = bodies.find(({ scenarios }) => scenarios.includes("edge-site.edge-owned"));
    const draws = ({ inputs, samples, seed, scenarios, sized_anew: anew }) => ({ inputs, samples, seed, scenarios, anew });
    assert.deepEqual(draws(asked), draws(drawn));
    assert.ok((await page.textContent("main")).includes(chance), chance);
  },

  async "a cell of the table by size can be read on each of the eight colours at its deepest, in light and dark"({ open }) {
    const { page, visit } = await open();
    await visit("/");
    const contrasts = (theme) =>
      page.evaluate((scheme) => {
        document.documentElement.dataset.theme = scheme;
        const row = document.createElement("tr");
        for (let n = 1; n <= 8; ++n) {
          const cell = row.insertCell();
          cell.style.setProperty("--k", `var(--p${n})`);
          cell.style.setProperty("--depth", "80%");
        }
        const table = document.createElement("table");
        table.className = "heat";
        table.append(row);
        document.querySelector("main").append(table);
        // WCAG 2.1, relative luminance.
        const light = (colour) => {
          const parts = colour.match(/[\d.]+/g).slice(0, 3);
          const [r, g, b] = parts
            .map((part) => Number(part) / (colour.startsWith("rgb") ? 255 : 1))
            .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        return [...row.cells].map((cell) => {
          const { color, backgroundColor } = getComputedStyle(cell);
          const [dim, bright] = [light(color), light(backgroundColor)].sort((a, b) => a - b);
          return (bright + 0.05) / (dim + 0.05);
        });
      }, theme);
    for (const theme of ["light", "dark"]) {
      const found = await contrasts(theme);
      assert.equal(found.length, 8);
      assert.ok(Math.min(...found) >= 4.5 && Math.max(...found) < 12, `${theme}: ${found.map((one) => one.toFixed(2))}`);
    }
  },

  async "an empty store leads to prices, and a key that may only read is named"({ open, startSite }) {
    const site = await startSite({ options: ["--require-keys"], keys: ["viewer"], empty: true });
    try {
      const { page, settled } = await open({ site, width: 400 });
      await page.goto(site.daemon.url);
      await page.fill("dialog input", site.daemon.keys.viewer);
      await page.keyboard.press("Enter");
      await page.waitForSelector(".empty-store");
      await settled();
      assert.match(await page.textContent(".empty-store"), /No prices yet.*deploy\/catalog\/store.*0 are known/s);
      await page.waitForSelector("text=needs the role editor");
      await page.click("text=Import a price list");
      await page.waitForURL(/view=data&page=imports/);
    } finally {
      await site.stop();
    }
  },
};

export const rest = {
  async "an empty store: a model waits for prices, and the first offer leads to the first decision"({ open, site: filled, startSite }) {
    const site = await startSite({ empty: true });
    try {
      const copy = async (kind, id, without) => {
        const { [without]: gone, ...document } = await filled.ask("GET", `/v1/${kind}/${id}`);
        return site.ask("PUT", `/v1/${kind}/${id}`, document);
      };
      await copy("models", "llama-3.1-8b");
      const { page } = await open({ site, width: 1440 });
      await page.goto(`${site.daemon.url}/?model=llama-3.1-8b`);
      await page.waitForSelector("text=Waits for prices: 0 offers.");
      await copy("devices", "nvidia.h100-sxm5-80gb", "power");
      const offer = { provider: "ours", sku: "h100", device: "nvidia.h100-sxm5-80gb", devices: 1, purchase: "on_demand", hourly_price: 2.5 };
      await site.ask("PUT", "/v1/offers/ours.h100", { id: "ours.h100", ...offer, source: "a quote" });
      await page.fill("#rps", "3");
      await page.waitForSelector(".proposed tbody tr", { timeout: patience });
      await page.click("#open-plans");
      await page.waitForURL(/view=plans/);
      await page.click("#use-plans");
      await page.waitForURL(/view=decision&id=/, { timeout: patience });
      const { items } = await site.ask("GET", "/v1/decisions");
      assert.equal(items.length, 1);
      await page.goto(site.daemon.url);
      await page.waitForFunction(() => /up to date/.test(document.querySelector(".dl tbody")?.textContent ?? ""), null, { timeout: patience });
      assert.match(await page.textContent(".dl tbody tr"), /llama-3\.1-8b at 3 requests.*1 plan/);
    } finally {
      await site.stop();
    }
  },

  async "a run of training: its days, its chance to be in time and its useful hours are the API's"({ open, site }) {
    const { page, visit, csv } = await open({ width: 1440 });
    const bodies = asked(page);
    await visit("/?ask=train&model=llama-3.1-70b");
    await rowsAre(page, 6);
    await page.click("#open-plans");
    await page.waitForURL(/view=train&model=llama-3.1-70b/);
    await drawn(page);
    const { plans } = await site.ask("POST", "/v1/rank", bodies.at(-1));
    const [head, ...rows] = await csv("plans");
    const at = (name) => head.findIndex((one) => one.startsWith(name));
    assert.equal(rows.length, plans.length);
    for (const [i, { decisive, row, probability_best: best }] of plans.entries()) {
      const shown = ["cost", "Days (", "In time", "Useful", "An epoch", "Chance"].map((name) => Number(rows[i][at(name)]));
      assert.deepEqual(shown, [decisive, row.days, row.probability_in_time, row.goodput, row.cost_per_epoch, best]);
    }
    assert.match(await page.textContent("#run-answer"), /ends a run on day [\d.]+ for \$/);
    assert.equal(await page.$$eval(".ends li", (all) => all.length), plans.length);
    await page.fill("#days", "1");
    await page.waitForURL(/days=1/);
    await page.waitForFunction(
      () => /No plan holds|ends a run on day 0/.test(document.querySelector(".run-answer .answer")?.textContent ?? ""),
      null,
      { timeout: patience },
    );
  },

  async "a fleet has a row for each workload, and is decided as one"({ open, site }) {
    const { page, visit } = await open({ width: 1440 });
    const bodies = asked(page);
    await visit("/?ask=fleet");
    await pick(page, "#work-0-model", "llama-3.1-8b");
    await pick(page, "#work-1-model", "llama-3.1-8b");
    await rowsAre(page, 6);
    await page.fill("#work-0-0", "12");
    await page.waitForURL(/work=serve,llama-3.1-8b,12,500,300|work=serve%2Cllama-3.1-8b%2C12/);
    await page.click("#open-plans");
    await page.waitForURL(/view=fleet/);
    await drawn(page);
    assert.deepEqual(
      bodies.at(-1).workloads.map(({ kind, model }) => [kind, model]),
      [
        ["inference", "llama-3.1-8b"],
        ["training", "llama-3.1-8b"],
      ],
    );
    await page.click("#use-plans");
    await page.waitForURL(/view=decision&id=/);
    const id = new URL(page.url()).searchParams.get("id");
    const { scenarios, name } = await site.ask("GET", `/v1/decisions/${id}`);
    assert.match(name, /^One fleet for 2 workloads/);
    assert.equal(scenarios.length, 5);
    await site.ask("DELETE", `/v1/decisions/${id}`);
    await Promise.all(scenarios.map((one) => site.ask("DELETE", `/v1/scenarios/${one}`)));
  },

  async "requests by size: the table has each size on the devices that the API's mix gives it"({ open, site }) {
    const { page, visit } = await open({ width: 1000 });
    const bodies = asked(page);
    const sizes = [
      [200, 29, 12],
      [783, 28, 7],
      [1486, 27, 12],
      [2805, 28, 12],
      [6136, 28, 7],
      [60, 300, 30],
      [200, 800, 20],
    ];
    await visit(
      `/?view=mix&model=llama-3.1-70b&rps=100&months=12&start=2026-12&${sizes.map((one) => `size=${one.join(",")}`).join("&")}`,
    );
    await page.waitForSelector(".heat", { timeout: patience });
    const { plans, mix } = await site.ask("POST", "/v1/rank", bodies[0]);
    assert.equal(mix.outcome, "listed");
    const plan = plans.find(({ scenario }) => scenario.workloads.length > 1);
    const cells = await page.$$eval(".heat tbody td:not(.none)", (all) => all.map((one) => one.title));
    const shares = cells.flatMap((text) =>
      [...text.matchAll(/([\d.]+) % of the requests on (\w+)/g)].map(([, share, device]) => [Number(share), device]),
    );
    const byDevice = (name) => shares.filter(([, device]) => device === name).reduce((sum, [share]) => sum + share, 0);
    const all = plan.scenario.workloads.reduce((sum, { demand }) => sum + demand.mean_per_s, 0);
    for (const { demand, runs_on: entries } of plan.scenario.workloads) {
      const device = entries[0].pool.includes("mi300x") ? "MI300X" : "B200";
      assert.ok(Math.abs(byDevice(device) - (100 * demand.mean_per_s) / all) < 0.3, `${device}: ${byDevice(device)}`);
    }
    assert.equal((await page.$$(".pools tbody tr")).length, plan.scenario.workloads.length);
    assert.match(await page.textContent("main"), /No division that was tried costs less; no bound is known/);
  },
};
