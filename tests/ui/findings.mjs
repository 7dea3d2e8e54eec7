// What a review of the first dashboard found, done again as it was described; README.md says which finding each case is of.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const colours = (page) => page.$$eval(".chips .swatch", (all) => all.map((one) => one.style.getPropertyValue("--colour")));

export const findings = {
  async "every case that README.md names is there"({ root }) {
    const folder = join(root, "tests/ui");
    const texts = Object.fromEntries(
      readdirSync(folder)
        .filter((name) => name.endsWith(".mjs"))
        .map((name) => [name.replace(".mjs", ""), readFileSync(join(folder, name), "utf8")]),
    );
    const rows = readFileSync(join(folder, "README.md"), "utf8").match(/^\| [AB]\d.*$/gm);
    assert.equal(rows.length, 26);
    for (const row of rows) {
      for (const named of row.split(" | ")[1].split(/; (?=[a-z]+: )/)) {
        const [, room, title] = /^([a-z]+): (.*?)\s*$/.exec(named);
        assert.ok(texts[room].includes(`async "${title}"`), named);
      }
    }
  },

  async "what a break-even search did not look at is not called always"({ open }) {
    const { page, visit } = await open();
    const pair = "scenario=serving-70b.owned&scenario=serving-70b.cloud-on-demand&input=/pools/0/site/energy_price";
    await visit(`/?view=questions&question=break-even&${pair}&low=0.02&high=0.2`);
    const text = await page.textContent('[data-figure="input"] figcaption');
    assert.match(text, /is always cheaper from 0\.02 USD\/kWh to 0\.2 USD\/kWh\./);
    assert.match(text, /Searched from 0\.02 USD\/kWh to 0\.2 USD\/kWh/);
  },

  async "scenarios keep their colours when others are stored and deleted, and differ in a group"({ open, site }) {
    const { page, visit } = await open();
    const at = "/?view=questions&question=sensitivity";
    await visit(at);
    const before = await colours(page);
    assert.equal(new Set(before).size, 7);
    const { revision, recorded_at, recorded_by, ...copy } = await site.ask("GET", "/v1/scenarios/serving-70b.owned");
    const others = ["aaa.first", "many.second", "zzz.third"];
    for (const id of others) {
      await site.ask("PUT", `/v1/scenarios/${id}`, { ...copy, id });
      await visit(at);
      assert.deepEqual(await colours(page), before, `after ${id} is stored`);
    }
    await site.ask("DELETE", "/v1/scenarios/many.second");
    await visit(at);
    assert.deepEqual(await colours(page), before);
    for (const id of others.filter((one) => one !== "many.second")) await site.ask("DELETE", `/v1/scenarios/${id}`);
  },

  async "another page of the palette is of the same scenarios"({ open, site }) {
    const { page, visit, settled } = await open();
    const jump = async (name) => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type(name);
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => !document.getElementById("palette"));
      await settled();
    };
    await visit("/?view=compare&scenario=edge-site.hybrid&scenario=edge-site.cloud-spot");
    await jump("Map of the cheapest");
    assert.match(page.url(), /question=map&scenario=edge-site.hybrid&scenario=edge-site.cloud-spot/);
    await visit("/?view=result&scenario=edge-site.hybrid");
    await jump("Sensitivity");
    const names = await page.$$eval(".chip", (all) => all.length);
    assert.equal(names, 4, "one scenario is asked about against those of its group");
    assert.equal(await page.inputValue("#scenario"), "edge-site.hybrid");
    await visit("/?view=decision&id=detect-at-the-edge");
    const { scenarios } = await site.ask("GET", "/v1/decisions/detect-at-the-edge");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("detect-at-the-edge");
    await page.waitForSelector("#palette-list >> text=decision, detect-at-the-edge"); // the stored ones are read
    await page.fill("#palette-field", "Break-even");
    await page.keyboard.press("Enter");
    await page.waitForURL(/question=break-even/);
    await settled();
    assert.deepEqual(new URL(page.url()).searchParams.getAll("scenario"), scenarios);
  },

  async "the tornado tells each input's own change, leaves out what has no effect, and has no patterns"({ open, site }) {
    const { page, visit, csv } = await open();
    await visit("/?view=questions&question=sensitivity&decisions=1&scenario=serving-70b.owned&scenario=serving-70b.hybrid");
    const [head, ...rows] = await csv("tornado");
    const [up, elasticity] = ["change up", "elasticity"].map((name) => head.indexOf(name));
    const servers = rows.find(([pointer]) => pointer === "/pools/0/purchases/1/servers");
    assert.equal(Number(servers[up]), 1, "one server more is twice as many");
    assert.ok(rows.every((row) => Number(row[elasticity]) !== 0));
    const { without_effect: left } = await site.ask("POST", "/v1/sensitivity", { scenario: "serving-70b.owned", decisions: true });
    assert.ok((await page.textContent('[data-figure="tornado"]')).includes(`${left} inputs have no effect`));
    assert.equal(await page.$$eval('[data-figure="tornado"] svg pattern', (all) => all.length), 0);
  },

  async "a blank draft has no red, and names what it lacks once something is typed"({ open }) {
    const { page, visit } = await open();
    const issues = () => page.$$eval(".issue", (all) => all.map((one) => one.textContent).filter(Boolean));
    await visit("/?view=scenario&new=1");
    await page.waitForTimeout(400);
    assert.deepEqual(await issues(), []);
    await page.fill('[data-field="/name"]', "Mine");
    await page.waitForFunction(() => /workloads has 0 entries/.test(document.querySelector(".editor").textContent));
  },

  async "a draft whose devices are idle is warned of, with its utilization"({ open, site }) {
    const { page, visit } = await open();
    const { revision, recorded_at, recorded_by, ...copy } = await site.ask("GET", "/v1/scenarios/serving-70b.owned");
    const demand = { ...copy.workloads[0].demand, mean_per_s: 0.03 };
    await site.ask("PUT", "/v1/scenarios/idle.one", { ...copy, id: "idle.one", workloads: [{ ...copy.workloads[0], demand }] });
    await visit("/?view=scenario&scenario=idle.one");
    await page.waitForSelector("#draft-warnings li");
    assert.match(await page.textContent("#draft-warnings"), /pool owned is busy 0\.\d+ % of the device-hours that are paid/);
    assert.match(await page.textContent(".preview"), /owned is used0\.0 %/);
    await site.ask("DELETE", "/v1/scenarios/idle.one");
  },

  async "prices by date have dates at their axis"({ open }) {
    const { page, visit } = await open();
    await visit("/?view=data&kind=offers&id=gcp.tpu-v6e-8.us-central1.spot");
    const labels = await page.$$eval(".chart svg text", (all) => all.map((one) => one.textContent));
    assert.ok(
      labels.some((text) => /(Apr|May) 2026/.test(text)),
      labels.join(),
    );
  },

  async "a what-if is typed too, beyond its slider; servers go to none; devices of a server are no slider"({ open, site }) {
    const { page, visit } = await open();
    await visit("/?view=scenario&scenario=serving-70b.owned");
    await page.waitForSelector(".sliders input");
    const pointers = await page.$$eval(".sliders [data-set]", (all) => all.map((one) => one.dataset.set));
    assert.ok(!pointers.some((pointer) => pointer.endsWith("/devices")), pointers.join());
    assert.equal(await page.getAttribute('[data-set="/pools/0/purchases/1/servers"]', "min"), "0");
    const set = { "/pools/0/server/price": 900000 };
    await page.fill('[aria-label="pool owned › server › price, typed"]', "900,000");
    await page.keyboard.press("Enter");
    const { total } = await site.ask("POST", "/v1/evaluate", { scenario: "serving-70b.owned", set });
    const shown = new Intl.NumberFormat("en", { style: "currency", currency: "USD", maximumFractionDigits: 0 }).format(total.cost);
    await page.waitForFunction((text) => document.getElementById("draft-cost").textContent === text, shown);
    const place = await page.$eval("#draft-cost", (one) => one.getBoundingClientRect().top);
    assert.ok(place > 0, "the figure is seen while one types");
  },

  async "what the end settles is no fall of a line, but a mark of its own"({ open, site }) {
    const { page, visit, csv } = await open();
    await visit("/?view=compare&scenario=serving-70b.owned&scenario=serving-70b.cloud-on-demand");
    assert.match(await page.textContent('[data-figure="cumulative-cash"]'), /Diamonds: with what the end settles/);
    const result = await site.ask("POST", "/v1/evaluate", { scenario: "serving-70b.owned" });
    const drawn = await page.evaluate(
      async (one) => (await import("/static/views/compare_charts.js")).untilEnd(one, "cash"),
      result,
    );
    assert.ok(
      drawn.line.every((value, i) => i === 0 || value >= drawn.line[i - 1]),
      "nothing is paid back before the end",
    );
    assert.ok(Math.abs(drawn.end - result.total.cash) < 1e-6 * result.total.cash);
    assert.ok(Math.abs(drawn.line.at(-1) - result.total.terminal.sale - drawn.end) < 1e-6 * drawn.end);
    assert.equal(Number((await csv("cumulative-cash")).at(-1)[1]), drawn.end, "the table has what the API has");
  },

  async "months that are still to come are called so in plan and actual"({ open }) {
    const { page, visit } = await open();
    await visit("/?view=data&page=actual&scenario=serving-70b.owned&from=2199-01");
    assert.match(await page.textContent("[role=note]"), /Jan 2199 is still to come/);
  },

  async "a second scenario of the same name is remarked before it is saved"({ open }) {
    const { page, visit } = await open();
    await visit("/?view=scenario&scenario=serving-70b.owned");
    const note = () => page.textContent(".editor [role=status]");
    await page.fill(".editor .controls input", "serving-70b.owned-two");
    assert.match(await note(), /give the new one another name too/);
    await page.fill('[data-field="/name"]', "Owned, two");
    await page.waitForFunction(() => document.querySelector(".editor [role=status]").textContent === "Unsaved changes");
    await page.click("#discard");
  },

  async "how likely a cost stays below a budget is the API's"({ open, site }) {
    const { page, visit, csv } = await open();
    const bodies = [];
    page.on("request", (request) => /simulate$/.test(request.url()) && bodies.push(request.postDataJSON()));
    await visit(
      "/?view=questions&question=simulate&samples=500&budget=1500000&scenario=serving-70b.owned&scenario=serving-70b.cloud-spot",
    );
    const [head, ...rows] = await csv("simulation");
    const at = head.findIndex((name) => name.startsWith("does its work at or below"));
    const answer = await site.ask("POST", "/v1/simulate", bodies.at(-1));
    assert.deepEqual(
      rows.map((row) => Number(row[at])),
      answer.scenarios.map((one) => one.probability_below[0].probability),
    );
  },

  async "who leaves the sign-in learns what is asked for"({ open, startSite }) {
    const site = await startSite({ options: ["--require-keys"], keys: ["viewer"] });
    try {
      const { page } = await open({ site });
      await page.goto(`${site.daemon.url}/?view=jobs`);
      await page.waitForSelector("dialog input");
      await page.keyboard.press("Escape");
      assert.match(await page.textContent("main [role=alert]"), /Not signed in.*asks for an API key/s);
      await page.click("button >> text=Try again");
      await page.waitForSelector("dialog input");
    } finally {
      await site.stop();
    }
  },

  async "what is wrong is said in words: an address, a scenario that is gone, a daemon that is gone"({ open }) {
    const { page, visit, wrong } = await open();
    await visit("/?view=compare&set=garbage");
    assert.match(
      await page.textContent("[role=alert]"),
      /The address can't be read.*set=garbage; a change is set=\/pointer=value/s,
    );
    await visit("/?view=result&scenario=gone.away");
    assert.match(await page.textContent("main [role=alert]"), /The store has no gone\.away/);
    await visit("/");
    await page.route("**/static/views/compare.js", (route) => route.abort());
    await page.keyboard.press("Control+k");
    await page.keyboard.type("Compare scenarios");
    await page.keyboard.press("Enter");
    await page.waitForSelector("main [role=alert]");
    assert.match(await page.textContent("main [role=alert]"), /No connection.*Is costcurve serve running/s);
    wrong.splice(0, wrong.length, ...wrong.filter((line) => !/compare\.js|ERR_FAILED/.test(line)));
  },
};
