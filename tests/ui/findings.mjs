// What a review of the first dashboard found, done again as it was described; README.md says which finding each case is of.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const colours = (page) => page.$$eval(".chips .swatch", (all) => all.map((one) => one.style.getPropertyValue("--colour")));

export const main = {
  async "the time of a view is typed as a day and a clock, in a zone that is named"({ open }) {
    const { page, visit } = await open();
    await visit("/");
    await page.click("#as-of-open");
    assert.match(await page.textContent("#as-of-help"), /Time zone: \w+/);
    await page.fill("#as-of", "tomorrow");
    await page.press("#as-of", "Enter");
    assert.match(await page.textContent(".as-of [role=alert]"), /A day, or a day and a time/);
    await page.fill("#as-of", "2020-03-01 09:30");
    await page.press("#as-of", "Enter");
    await page.waitForURL(/as_of=2020-0[23]-\d\dT/);
    await page.waitForFunction(() => /As of 1 Mar 2020/.test(document.getElementById("as-of-open").textContent));
    await page.click("#as-of-open");
    await page.click("#as-of-now");
    await page.waitForFunction(() => !location.search.includes("as_of"));
  },

  async "forms, comparisons and questions speak of figures and fields in words, with their meaning"({ open, site }) {
    const { page, visit } = await open();
    const fields = await site.ask("GET", "/v1/fields");
    const all = fields.flatMap((table) => table.fields.map((field) => field.name));
    const names = all.filter((name) => /_(s|gib|w|kg|mib)$|_per_/.test(name)); // a unit is no part of a name for people
    await visit("/?view=scenario&scenario=serving-70b.owned&at=/workloads/0/demand/mean_per_s");
    await page.waitForSelector('[data-field="/workloads/0/demand/mean_per_s"]');
    for (const _ of ["the parts", "parts of them"])
      await page.$$eval("details[data-fold]", (all) => all.forEach((one) => one.unfold()));
    const labels = await page.$$eval(".form label, .form legend, .ways-name", (all) => all.map((one) => [one.textContent, one.title]));
    for (const [text] of labels) assert.ok(!names.some((name) => text.toLowerCase() === name.replaceAll("_", " ")), text);
    assert.ok(labels.some(([text, title]) => text === "Mean demand" && /Requests a second/.test(title)));
    await visit("/?view=result&scenario=serving-70b.owned");
    const terms = await page.$$eval(".term", (all) => all.map((one) => [one.textContent, one.title]));
    for (const name of ["present cost", "undone"])
      assert.ok(terms.some(([text, title]) => text === name && title), name);
    await visit("/?view=questions&question=sensitivity&scenario=serving-70b.owned&scenario=serving-70b.cloud-on-demand");
    assert.match(await page.textContent('[data-figure="tornado"] figcaption'), /^Present cost of Owned servers/);
    await visit("/?view=glossary&q=present");
    assert.match(await page.textContent('[data-figure="terms"]'), /Present cost.*discounted to the first day/);
  },

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

  async "what is wrong is said in words: an address, a scenario that is gone, a daemon that is gone"({ open }) {
    const { page, visit, wrong } = await open();
    await visit("/?view=decision&set=garbage");
    assert.match(
      await page.textContent("[role=alert]"),
      /The address can't be read.*set=garbage; a change is set=\/pointer=value/s,
    );
    await visit("/?view=result&scenario=gone.away");
    assert.match(await page.textContent("main [role=alert]"), /The store has no gone\.away/);
    await visit("/");
    await page.route("**/static/views/telemetry.js", (route) => route.abort());
    await page.keyboard.press("Control+k");
    await page.keyboard.type("Telemetry");
    await page.keyboard.press("Enter");
    await page.waitForSelector("main [role=alert]");
    assert.match(await page.textContent("main [role=alert]"), /No connection.*Is costcurve serve running/s);
    wrong.splice(0, wrong.length, ...wrong.filter((line) => !/telemetry\.js|ERR_FAILED/.test(line)));
  },
};

export const rest = {
  async "a break-even search is widened until the cheaper changes; a stated range stays, and what is beyond it is said"({ open, site }) {
    const { page, visit, settled } = await open();
    const input = "/pools/0/site/salary_per_year";
    const pair = `scenario=serving-70b.owned&scenario=serving-70b.tpu&input=${input}`;
    const asked = [];
    page.on("request", (request) => /break-even$/.test(request.url()) && asked.push(request.postDataJSON()));
    const ends = () => page.$$eval("#low, #high", (all) => all.map((one) => Number(one.value)));
    const text = () => page.textContent('[data-figure="input"] figcaption');
    await visit(`/?view=questions&question=break-even&${pair}`);
    const searched = asked.filter((one) => one.input === input);
    const relations = await Promise.all([searched[0], searched.at(-1)].map((one) => site.ask("POST", "/v1/break-even", one)));
    assert.deepEqual([relations[0].cost.relation, relations[1].cost.relation], ["a_always_cheaper", "crosses"]);
    assert.deepEqual(await ends(), [searched.at(-1).low, searched.at(-1).high]);
    assert.match(await text(), /Cloud TPU v6e on demand is cheaper from [\d,.]+ USD\/person\/year on.*The range was widened/);
    await visit(`/?view=questions&question=break-even&${pair}&low=100000&high=200000`);
    assert.deepEqual(await ends(), [100000, 200000]);
    assert.match(await text(), /always cheaper from 100,000.*to 200,000.*Beyond this range: by cost, Cloud TPU v6e on demand is cheaper from/i);
    await page.click("#widen");
    await settled();
    assert.ok((await ends())[1] > relations[1].cost.crossings[0]);
  },

  async "a simulation's band ends before the sale, which is a mark of its own with its range"({ open, site }) {
    const { page, visit, csv } = await open();
    const bodies = [];
    page.on("request", (request) => /simulate$/.test(request.url()) && bodies.push(request.postDataJSON()));
    await visit("/?view=questions&question=simulate&samples=500&scenario=serving-70b.owned&scenario=serving-70b.cloud-spot");
    const { scenarios } = await site.ask("POST", "/v1/simulate", bodies.at(-1));
    const months = scenarios[0].by_month;
    assert.ok(months.at(-1).p50 < months.at(-2).p50, "the API's last month has the sale");
    assert.match(await page.textContent('[data-figure="fan"] figcaption'), /Diamond and bar/);
    assert.ok(!/Diamond/.test(await page.textContent('[data-figure="fan-2"] figcaption')), "nothing is sold there");
    const labels = (figure) => page.$$eval(`[data-figure="${figure}"] svg text`, (all) => all.map((one) => one.textContent));
    assert.ok((await labels("fan")).includes("end"));
    assert.ok(!(await labels("fan-2")).includes("end"));
    assert.equal(Number((await csv("fan")).at(-1)[2]), months.at(-1).p50, "the table has what the API has");
  },

  async "the table of statistics fits the page however many inputs vary"({ open }) {
    const { page, visit, csv } = await open({ width: 1600 });
    await visit("/?view=questions&question=simulate&samples=500");
    await page.waitForSelector('[data-figure="simulation"] table');
    const over = await page.$$eval(".scroll", (all) => all.map((one) => one.scrollWidth - one.clientWidth));
    assert.ok(over.every((px) => px <= 0), over.join());
    const [head, ...rows] = await csv("simulated-variance");
    assert.equal(head[0], "input");
    assert.ok(rows.length > 3 && rows.every((row) => row[0].startsWith("/")), rows.join());
  },

  async "a decision's own colours hold on the other pages"({ open, site }) {
    const { page, visit } = await open();
    const [a, b] = ["serving-70b.owned", "serving-70b.cloud-on-demand"];
    const body = { name: "Colours of its own", scenarios: [a, b], baseline: a, colours: { [a]: 8, [b]: 6 } };
    await site.ask("PUT", "/v1/decisions/colours-of-its-own", { ...body, id: "colours-of-its-own" });
    try {
      await visit("/?view=decision&id=colours-of-its-own");
      const tone = (row) => page.$eval(`[data-plan="${row}"]`, (one) => one.style.getPropertyValue("--k"));
      assert.deepEqual([await tone(a), await tone(b)], ["var(--p8)", "var(--p6)"]);
      for (const at of ["view=questions&question=sensitivity", "view=decision"]) {
        await visit(`/?${at}&scenario=${a}&scenario=${b}`);
        const all = at === "view=decision" ? [await tone(a), await tone(b)] : await colours(page);
        assert.deepEqual(all, ["var(--p8)", "var(--p6)"], at);
      }
      await visit("/?view=decision&id=serve-llama-70b");
      const { colours: stated } = await site.ask("GET", "/v1/decisions/serve-llama-70b");
      assert.equal(await tone(a), `var(--p${stated[a]})`, "a decision between more has its own");
    } finally {
      await site.ask("DELETE", "/v1/decisions/colours-of-its-own");
    }
  },

  async "a change that not all scenarios can take holds where it can, and the rest are named"({ open, site }) {
    const { page, visit, csv } = await open();
    const [a, b] = ["serving-70b.owned", "serving-70b.cloud-on-demand"];
    const pair = `scenario=${a}&scenario=${b}`;
    const set = { "/pools/0/site/energy_price": 0.5 };
    const { total } = await site.ask("POST", "/v1/evaluate", { scenario: a, set });
    await visit(`/?view=questions&question=simulate&samples=500&${pair}&set=/pools/0/site/energy_price=0.5`);
    assert.match(await page.textContent("#what-if"), /holds for Owned servers in colocation; Cloud on demand have no such number/);
    await visit(`/?view=questions&question=simulate&samples=500&${pair}&set=/pools/0/site/nothing=1`);
    assert.match(await page.textContent("#what-if"), /none of these scenarios has such a number/);
    for (const question of ["sensitivity", "simulate&samples=500", "break-even", "optimize"]) {
      await visit(`/?view=questions&question=${question}&${pair}&set=/pools/0/site/energy_price=0.5&scale=/pools/*/server/price=0.9`);
      assert.ok(!(await page.$("main [role=alert]")), question);
      assert.match(await page.textContent("#what-if"), /energy_price=0.5/);
    }
    await visit(`/?view=compare&${pair}&set=/pools/0/site/energy_price=0.5`);
    await page.waitForSelector('.pp[data-settled="true"]');
    assert.match(await page.textContent("#what-if"), /holds for Owned servers in colocation; Cloud on demand have no such number/);
    const shown = (await csv("ranking")).find(([name]) => name === "Owned servers in colocation");
    assert.equal(Number(shown[1]), (await site.ask("POST", "/v1/evaluate", { scenario: a, set })).decisive);
    await visit(`/?view=result&scenario=${a}&scale=/pools/*/server/price=0.5`);
    const cheaper = await site.ask("POST", "/v1/evaluate", { scenario: a, scale: { "/pools/*/server/price": 0.5 } });
    assert.ok((await page.textContent(".cards")).includes(`$${Math.round(cheaper.total.cost).toLocaleString("en")}`));
  },

  async "an offer and a rate are chosen by what they are and cost; those of the pool's device come first"({ open, site }) {
    const { page, visit } = await open();
    await visit("/?view=scenario&scenario=serving-70b.cloud-on-demand&at=/pools/0/offer");
    const offer = page.locator('[data-field="/pools/0/offer"]');
    const { items } = await site.ask("GET", "/v1/offers?limit=1000");
    await offer.fill("h200 spot");
    await page.waitForSelector(".found:not([hidden]) [role=option]");
    const found = await page.$$eval(".found:not([hidden]) [role=option]", (all) => all.map((one) => one.textContent));
    assert.ok(found.every((text) => /\d+× H200.*spot.*\$[\d.,]+ a device-hour/.test(text)), found.join("\n"));
    await offer.press("ArrowDown");
    await offer.press("Enter");
    const id = await offer.inputValue();
    const document = items.find((one) => one.id === id);
    assert.equal(document.device, "nvidia.h200-sxm-141gb");
    assert.match(await page.textContent(".facts-of"), /\d× H200 SXM 141GB/);
    await visit("/?view=scenario&scenario=serving-70b.cloud-on-demand&at=/workloads/0/runs_on/0/performance");
    const rate = page.locator('[data-field="/workloads/0/runs_on/0/performance"]');
    await rate.fill("llama");
    await page.waitForSelector(".found:not([hidden]) [role=option]");
    const first = await page.textContent(".found:not([hidden]) [role=option]");
    assert.ok(!/another device/.test(first), first);
    assert.match(first, /units\/s.*(measured|interpolated|estimated|assumed)/);
    await rate.press("Escape");
    assert.ok(!(await page.$(".found:not([hidden])")));
    await page.click("#discard").catch(() => {});
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
    await visit("/?view=decision&scenario=edge-site.hybrid&scenario=edge-site.cloud-spot");
    await jump("Uncertainty");
    assert.match(page.url(), /question=simulate&scenario=edge-site.hybrid&scenario=edge-site.cloud-spot/);
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
    const { page, visit } = await open({ clock: true });
    const issues = () => page.$$eval(".issue", (all) => all.map((one) => one.textContent).filter(Boolean));
    await visit("/?view=scenario&new=1");
    await page.clock.fastForward(400); // longer than typing is waited for
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
    assert.match(await page.textContent(".preview"), /utilization of owned0\.0 %/);
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

  async "what the end settles is no fall of a line, but a mark of its own"({ open, site }) {
    const { page, visit, csv } = await open();
    await visit("/?view=decision&scenario=serving-70b.owned&scenario=serving-70b.cloud-on-demand");
    await page.waitForSelector("#cash");
    assert.match(await page.textContent("#cash"), /Arrow: what the servers fetch at the end/);
    const result = await site.ask("POST", "/v1/evaluate", { scenario: "serving-70b.owned" });
    const drawn = await page.evaluate(
      async (one) => (await import("/static/views/until_end.js")).untilEnd(one, "cash"),
      result,
    );
    assert.ok(
      drawn.line.every((value, i) => i === 0 || value >= drawn.line[i - 1]),
      "nothing is paid back before the end",
    );
    assert.ok(Math.abs(drawn.end - result.total.cash) < 1e-6 * result.total.cash);
    assert.ok(Math.abs(drawn.line.at(-1) - result.total.terminal.sale - drawn.end) < 1e-6 * drawn.end);
    const [head, ...months] = await csv("cash");
    const at = head.findIndex((name) => name.startsWith("Owned"));
    const end = months.find(([name]) => name === "end, after resale");
    assert.ok(Math.abs(Number(end[at]) - drawn.end) < 1e-6 * drawn.end, "the table has what the API has");
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
};
