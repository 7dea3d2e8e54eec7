// Ten tasks of a day's work, each from the home page in a real browser, with counted actions: a click, a typed or chosen field, a key and
// a drop are one each. The answer is the API's, and no task takes more actions than docs/dashboard.md says.
import assert from "node:assert/strict";
import { pick } from "./browser.mjs";
import { createServer } from "node:http";

// At most so many actions.
const atMost = {
  why: 3,
  flip: 1,
  propose: 5,
  import: 6,
  chances: 1,
  optimize: 2,
  watch: 6,
  csv: 2,
  share: 2,
  duplicate: 4,
  merge: 7,
};

// A user's hand on a page: does, waits until the page stands still, counts.
function handOn({ page, settled, csv }, before = 0) {
  let actions = before;
  const acting =
    (act) =>
    async (...given) => {
      await act(...given);
      actions += 1;
      await settled();
    };
  return {
    click: acting((at) => page.click(at)),
    type: acting(async (at, text) => {
      await page.fill(at, text);
      await page.locator(at).blur();
    }),
    choose: acting((at, value) => page.selectOption(at, value)),
    pick: acting((at, text) => pick(page, at, text)),
    key: acting((at, name) => page.press(at, name)),
    drop: acting((at, file) => page.setInputFiles(at, file)),
    csv: async (figure) => {
      actions += 1;
      return csv(figure);
    },
    done: (task, most = atMost[task]) => assert.ok(actions <= most, `${task}: ${actions} actions, ${most} allowed`),
  };
}

export async function atHome(open, options = {}) {
  const opened = await open({ width: 1440, ...options });
  await opened.visit("/");
  return { ...opened, hand: handOn(opened) };
}

const at = (document, pointer) => pointer.split("/").slice(1).reduce((part, name) => part?.[name], document);
const serving = "text=Serve Llama 3.1 70B, 2027 to 2029";
export const decided = (page) => page.waitForSelector('.pp[data-settled="true"]', { timeout: 60000 });
const ids = async (site, id) => (await site.ask("GET", `/v1/decisions/${id}`)).scenarios;

// What the page asks of a route, from now on.
export function asked(page, route) {
  const bodies = [];
  page.on("request", (request) => new URL(request.url()).pathname === route && bodies.push(request.postDataJSON()));
  return bodies;
}

export const rest = {
  async "why the hybrid costs less than owning all"({ open, site }) {
    const { page, hand } = await atHome(open);
    await hand.click(serving);
    await decided(page);
    await hand.click('#ranking tr[data-plan="serving-70b.owned"] .rc');
    await page.waitForFunction(() => /^Why Owned/.test(document.getElementById("why-title").textContent));
    await hand.click('#ranking tr[data-plan="serving-70b.hybrid"] .rc');
    await page.waitForFunction(() => /^Why Hybrid.* costs less than Owned/.test(document.getElementById("why-title").textContent));
    const answer = await site.ask("POST", "/v1/compare", { scenarios: ["serving-70b.owned", "serving-70b.hybrid"], baseline: 0 });
    const { steps } = answer.waterfalls[0].bridge;
    const shown = await page.$$eval(".bridge tbody tr td:last-child", (all) => all.map((one) => one.textContent));
    const [first, last] = answer.scenarios.map(({ result }) => result.decisive);
    assert.deepEqual(
      shown.map((text) => Number(text.replace("−", "-").replace(/[+,]/g, ""))),
      [first, ...steps.map((step) => step.amount), last].map((amount) => Math.round(amount / 1000)),
    );
    hand.done("why");
  },

  async "at which price of power another plan is the cheapest"({ open, site }) {
    const { page, hand } = await atHome(open);
    const bodies = asked(page, "/v1/sensitivity");
    await hand.click(serving);
    await decided(page);
    const { inputs } = await site.ask("POST", "/v1/sensitivity", bodies[0]);
    const flipOf = (pointer) => inputs.find((input) => input.pointer === pointer).flips_at;
    const text = (id) => page.textContent(`[data-concept="${id}"] .r`);
    assert.equal(flipOf("/pools/*/site/energy_price"), null);
    assert.match(await text("power-price"), /^0\.0178no flip in range0\.3568$/);
    const { value } = flipOf("/pools/*/price_per_million_units");
    assert.ok((await text("token-price")).includes(`over ${value.toFixed(2)}`), "one that changes the answer has its value");
    hand.done("flip");
  },

  async "H200 against TPU v6e"({ open, site }) {
    const { page, hand } = await atHome(open);
    const bodies = asked(page, "/v1/rank");
    await hand.pick("#model", "llama-3.1-70b");
    await hand.click("#open-plans");
    await hand.pick("#limit-device", "nvidia.h200-sxm-141gb");
    await hand.pick("#limit-device", "google.tpu-v6e");
    await page.waitForSelector("#use-plans");
    const answer = await site.ask("POST", "/v1/rank", bodies.at(-1));
    // Of each device the best plan that has no other.
    const best = (part) => answer.plans.find(({ scenario }) => scenario.pools.every((pool) => JSON.stringify(pool).includes(part))).scenario;
    await hand.click("#use-plans");
    await page.waitForURL(/view=decision&id=/);
    await decided(page);
    const id = new URL(page.url()).searchParams.get("id");
    const scenarios = await ids(site, id);
    const stored = await Promise.all(scenarios.map((one) => site.ask("GET", `/v1/scenarios/${one}`)));
    assert.deepEqual(
      stored.map((one) => one.pools[0].id).sort(),
      [best("nvidia.h200-sxm-141gb"), best("google.tpu-v6e")].map((one) => one.pools[0].id).sort(),
    );
    const { cheapest } = await site.ask("POST", "/v1/compare", { scenarios });
    assert.equal(await page.getAttribute("#ranking tr[data-plan]", "data-plan"), scenarios[cheapest]);
    hand.done("propose");
    await site.ask("DELETE", `/v1/decisions/${id}`);
    await Promise.all(scenarios.map((one) => site.ask("DELETE", `/v1/scenarios/${one}`)));
  },

  async "two price lists are imported"({ open, startSite }) {
    const site = await startSite();
    try {
      const { page, hand } = await atHome(open, { site });
      const head = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice\n";
      const list = (date, price) => ({
        name: `lambda_vms_${date}.csv`,
        mimeType: "text/csv",
        buffer: Buffer.from(
          `${head}gpu_8x_h100_sxm5,H100,8.0,208.0,1800.0,${price},us-south-1,"{'Gpus': [{'Name': 'H100', 'Count': 8}]}",\n`,
        ),
      });
      await hand.click("text=Sources");
      await hand.click("text=Import a file");
      for (const [date, price] of [
        ["2026-10-02", 20],
        ["2026-11-03", 25],
      ]) {
        await hand.drop("#file", list(date, price));
        await page.waitForSelector("text=Nothing is stored yet");
        await page.waitForFunction((day) => document.getElementById("import-date").value === day, date);
        await hand.click("#store");
        await page.waitForSelector("#summary >> text=Stored.");
      }
      const { hourly_price } = await site.ask("GET", "/v1/offers/lambda.gpu_8x_h100_sxm5.us-south-1.on-demand");
      assert.deepEqual(hourly_price.points.slice(-2), [
        ["2026-10-02", 20],
        ["2026-11-03", 25],
      ]);
      assert.match(await page.textContent('[data-figure="import-moves"]'), /\+25\.0 %/);
      hand.done("import");
    } finally {
      await site.stop();
    }
  },

  async "how likely each plan is the best"({ open, site }) {
    const { page, hand } = await atHome(open);
    const bodies = asked(page, "/v1/simulate");
    await hand.click(serving);
    await decided(page);
    const body = bodies.at(-1); // the start has asked for others' chances before
    const { scenarios } = await site.ask("POST", "/v1/simulate", body);
    const shown = await page.$$eval("#ranking tr[data-plan]", (rows) =>
      rows.map((row) => [row.dataset.plan, row.querySelector(".cb").textContent]),
    );
    for (const [plan, chance] of shown) {
      const { probability_cheapest: best } = scenarios[body.scenarios.indexOf(plan)];
      assert.ok(best < 0.01 ? /^(< 1|1) %$/.test(chance) : Math.abs(parseInt(chance, 10) - 100 * best) < 1, `${plan}: ${chance}`);
    }
    hand.done("chances");
  },

  async "how many servers are best"({ open, site }) {
    const { page, hand, csv } = await atHome(open);
    const bodies = asked(page, "/v1/optimize");
    await hand.click("text=Mixed fleet");
    await hand.click("text=Its best size");
    await page.waitForSelector('[data-figure="plans"]');
    const { decisions } = await site.ask("POST", "/v1/optimize", bodies[0]);
    const [head, first] = await csv("plans");
    const shown = Object.values(decisions).map((value, i) => [value, Number(first[1 + i])]);
    assert.ok(shown.length > 0 && shown.every(([value, text]) => value === text), `${head}: ${first}`);
    hand.done("optimize");
  },

  async "recalculated every night, and a webhook that is called"({ open, startSite }) {
    const got = [];
    const hook = createServer((request, response) => {
      got.push(request.headers);
      request.resume();
      response.end();
    }).listen(0, "127.0.0.1");
    await new Promise((ready) => hook.once("listening", ready));
    const site = await startSite({ options: ["--allow-private-webhooks"] });
    try {
      const { page, hand } = await atHome(open, { site });
      await hand.click(serving);
      await hand.click("#decision-menu");
      await hand.click("text=Tell me when this flips");
      await page.waitForSelector('[data-figure="schedules"]');
      await hand.click("nav >> text=Webhooks");
      await hand.type("#webhook-url", `http://127.0.0.1:${hook.address().port}/hook`);
      await hand.click("#add-webhook");
      await page.waitForSelector("#test-outcome >> text=got the test");
      assert.equal(got.length, 1);
      assert.equal((await page.textContent("#webhook-secret")).length, 64);
      const { cron, next_runs } = await site.ask("GET", "/v1/schedules/serve-llama-70b");
      assert.equal(cron, "0 2 * * *");
      assert.equal(next_runs.length > 0, true);
      assert.deepEqual((await site.ask("GET", "/v1/comparisons/serve-llama-70b")).scenarios.length, 7);
      hand.done("watch");
    } finally {
      await site.stop();
      hook.close();
    }
  },

  async "the CSV has the API's figures"({ open, site }) {
    const { page, hand } = await atHome(open);
    await hand.click(serving);
    const [head, ...rows] = await hand.csv("ranking");
    const scenarios = await ids(site, "serve-llama-70b");
    const answer = await site.ask("POST", "/v1/compare", { scenarios });
    const at = head.findIndex((name) => name.startsWith("Present cost"));
    assert.deepEqual(
      rows.map((row) => Number(row[at])).sort((a, b) => a - b),
      answer.scenarios.map(({ result }) => result.decisive).sort((a, b) => a - b),
    );
    hand.done("csv");
  },

  async "a changed decision is shared by its address"({ open }) {
    const { page, hand } = await atHome(open);
    await hand.click(serving);
    await decided(page);
    const before = await page.textContent("#answer");
    await hand.type("#assume-token-price", "3.5");
    await page.waitForFunction((text) => document.getElementById("answer").textContent !== text, before);
    await decided(page);
    const said = (one) => one.$$eval("#answer, #ranking tbody", (all) => all.map((part) => part.textContent));
    const other = await open({ width: 1440 });
    await other.visit(new URL(page.url()).search);
    await decided(other.page);
    assert.deepEqual(await said(other.page), await said(page));
    hand.done("share");
  },

  async "a slider becomes a scenario of its own"({ open, site }) {
    const { page, hand } = await atHome(open);
    await hand.click("text=Mixed fleet");
    await page.waitForSelector("#assume-demand-slider");
    await hand.key("#assume-demand-slider", "ArrowRight");
    await page.waitForURL(/scale=/);
    await decided(page);
    await hand.click("text=Change this plan");
    const id = new URL(page.url()).searchParams.get("scenario");
    const original = await site.ask("GET", `/v1/scenarios/${id}`);
    const pointer = "/workloads/0/demand/mean_per_s";
    await hand.click("#duplicate");
    await page.waitForURL(new RegExp(`scenario=${id}-copy`));
    const stored = await site.ask("GET", `/v1/scenarios/${id}-copy`);
    assert.ok(at(stored, pointer) > at(original, pointer), pointer);
    assert.deepEqual(await site.ask("GET", `/v1/scenarios/${id}`), original, "the original keeps its own");
    hand.done("duplicate");
    await site.ask("DELETE", `/v1/scenarios/${id}-copy`);
  },

  async "two tabs save the same scenario, and nothing is lost"({ open, site }) {
    const { revision, recorded_at, recorded_by, ...copy } = await site.ask("GET", "/v1/scenarios/waiting.next-generation");
    await site.ask("PUT", "/v1/scenarios/waiting.next-generation", { ...copy, note: "before" });
    const { page, hand } = await atHome(open);
    await hand.click("text=Buy or wait");
    await hand.click("text=Change this plan");
    const second = await open({ width: 1440 });
    await second.visit(new URL(page.url()).search);
    const other = handOn(second, 3); // the home page, this plan, and a second tab
    await hand.type('[data-field="/note"]', "of the first tab");
    await hand.click("#save");
    await page.waitForFunction(() => /No changes/.test(document.querySelector(".editor").textContent));
    await other.type('[data-field="/name"]', "Of the second tab");
    await other.click("#save");
    await other.click("dialog button.primary");
    await second.page.waitForFunction(() => /No changes/.test(document.querySelector(".editor").textContent));
    const saved = await site.ask("GET", "/v1/scenarios/waiting.next-generation");
    assert.deepEqual([saved.note, saved.name], ["of the first tab", "Of the second tab"]);
    hand.done("merge");
    other.done("merge");
    await site.ask("PUT", "/v1/scenarios/waiting.next-generation", copy);
  },
};
