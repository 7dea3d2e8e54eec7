// Decisions that no example covers, as strangers brought them (a fine-tune with a deadline, a reasoning model with cached prompts, traffic that may
// not leave its continent, an agent's bursts, prompts here and answers there), each from the home page by its fields alone, with counted actions.
import assert from "node:assert/strict";
import { patience } from "./browser.mjs";
import { says, shownOn, unreadable, wrongOnPlans } from "./shown_plans.mjs";
import { asked, atHome, decided } from "./tasks.mjs";

const whole = (page) => page.waitForSelector('.pp[data-settled="true"]:not(.dim)', { timeout: patience });

// The page of a question, once all draws are there, against the API's answer to `request`; and at 400 px.
async function holds({ page, settled }, site, request) {
  await whole(page);
  const answer = await site.ask("POST", "/v1/rank", request);
  assert.deepEqual(wrongOnPlans(await shownOn(page), answer), []);
  await page.setViewportSize({ width: 400, height: 900 });
  await settled();
  assert.deepEqual(await unreadable(page), []);
  return answer;
}
const lastOf = (bodies) => bodies.filter(({ samples }) => samples).at(-1);
const without = async (site, request, change) => {
  const { seed, ...other } = structuredClone(request);
  Object.assign(other, { samples: 0 });
  change(other.workloads[0]);
  return site.ask("POST", "/v1/rank", other);
};
const costOf = ({ plans: [first] }) => first.decisive;

export const rest = {
  async "one's own question becomes a decision that others can open"({ open, site }) {
    const { page, hand } = await atHome(open);
    await hand.pick("#model", "qwen3-32b");
    await hand.type("#rps", "40");
    await hand.click("#open-plans");
    await whole(page);
    await hand.click("#use-plans");
    await page.waitForURL(/view=decision&id=/);
    await decided(page);
    hand.done("own", 5);
    const { id, scenarios, source } = await site.ask("GET", `/v1/decisions/${new URL(page.url()).searchParams.get("id")}`);
    const other = await open({ width: 1440 });
    await other.visit(new URL(page.url()).search);
    await decided(other.page);
    const said = (one) => one.textContent("#answer");
    assert.equal(await said(other.page), await said(page));
    assert.match(source, /model=qwen3-32b/);
    await site.ask("DELETE", `/v1/decisions/${id}`);
    await Promise.all(scenarios.map((one) => site.ask("DELETE", `/v1/scenarios/${one}`)));
  },

  async "a fine-tune of 6 B tokens within ten days"({ open, site }) {
    const { page, hand } = await atHome(open);
    const bodies = asked(page, "/v1/rank");
    await hand.click("#ask-train");
    await hand.pick("#model", "llama-3.1-70b");
    await hand.type("#tokens", "6");
    await hand.type("#days", "10");
    await hand.click("#open-plans");
    hand.done("fine-tune", 5);
    await page.waitForFunction(() => /%/.test(document.querySelector(".ranked tbody tr td:last-child")?.textContent ?? ""), null, { timeout: patience });
    const request = lastOf(bodies);
    const [run] = request.workloads;
    assert.deepEqual([run.kind, run.units_per_epoch * run.epochs, run.within_days], ["training", 6e9 * run.epochs, 10]);
    const { plans } = await site.ask("POST", "/v1/rank", request);
    assert.ok(plans[0].row.days <= 10, `${plans[0].row.days}`);
    const sentence = await page.textContent("#run-answer");
    const [, day] = /on day ([\d.]+)/.exec(sentence) ?? [];
    assert.ok(says(day, plans[0].row.days) && says(/\$[\d.]+[KM]?/.exec(sentence)[0], plans[0].decisive), sentence);
  },

  async "a reasoning model whose prompts are cached: the cache is worth its money, and stands in the strip"({ open, site }) {
    const opened = await atHome(open);
    const { page, hand } = opened;
    const bodies = asked(page, "/v1/rank");
    await hand.pick("#model", "llama-3.3-70b");
    await hand.type("#input", "9500");
    await hand.type("#output", "4400");
    await hand.click("text=no prompt cache");
    await hand.type("#cached", "8000");
    await hand.click("#open-plans");
    hand.done("cached", 6);
    await whole(page);
    assert.match(await page.textContent(".f.tokens summary"), /8,000 cached/);
    const request = lastOf(bodies);
    assert.deepEqual(request.workloads[0].units_per_request, { input: 1500, cached_input: 8000, output: 4400 });
    const answer = await holds(opened, site, request);
    const uncached = await without(site, request, (work) => (work.units_per_request = { input: 9500, output: 4400 }));
    assert.ok(costOf(answer) < costOf(uncached), `${costOf(answer)}, ${costOf(uncached)}`);
  },

  async "two fifths of the traffic stay in the European Union, the rest in the United States"({ open, site }) {
    const { page, hand } = await atHome(open);
    const bodies = asked(page, "/v1/rank");
    await hand.click("#ask-fleet");
    await hand.choose("#work-1-kind", "serve");
    for (const [i, rate, region] of [[0, "12", "eu"], [1, "18", "us"]]) {
      await hand.pick(`#work-${i}-model`, "llama-3.1-8b");
      await hand.type(`#work-${i}-0`, rate);
      await hand.choose(`#work-${i}-region`, region);
    }
    await hand.click("#open-plans");
    hand.done("regions", 9);
    await page.waitForURL(/view=fleet/);
    await page.waitForFunction(() => /%/.test(document.querySelector(".ranked tbody tr td:last-child")?.textContent ?? ""), null, { timeout: patience });
    const request = lastOf(bodies);
    assert.deepEqual(request.workloads.map(({ demand, regions }) => [demand.mean_per_s, regions]), [[12, ["eu"]], [18, ["us"]]]);
    const { plans } = await site.ask("POST", "/v1/rank", request);
    const text = await page.textContent("#run-answer");
    assert.ok((text.match(/\$[\d.]+[KM]/g) ?? []).some((one) => says(one, plans[0].decisive)), text);
  },

  async "an agent's bursts, forty times its mean for six minutes of each hour"({ open, site }) {
    const opened = await atHome(open);
    const { page, hand } = opened;
    const bodies = asked(page, "/v1/rank");
    await hand.pick("#model", "llama-3.1-8b");
    await hand.type("#rps", "2");
    await hand.click("text=no bursts");
    await hand.type("#burst", "40");
    await hand.type("#burst_s", "360");
    await hand.click("#open-plans");
    await page.waitForSelector(".f.traffic.err");
    const [, factor] = /have the factor ([\d.]+)/.exec(await page.textContent(".errs")) ?? []; // forty times the rest of the hour
    assert.ok(says(factor, 40 / (0.9 + 40 * 0.1)), factor);
    await page.click(".f.traffic summary");
    await hand.type("#burst", factor);
    hand.done("bursts", 8);
    await whole(page);
    const request = lastOf(bodies);
    assert.deepEqual(request.workloads[0].demand.burst, { factor: Number(factor), seconds: 360, per_day: 24 });
    const answer = await holds(opened, site, request);
    const steady = await without(site, request, (work) => delete work.demand.burst);
    assert.ok(costOf(answer) > costOf(steady), `${costOf(answer)}, ${costOf(steady)}`);
  },

  async "prompts here, answers there: plans of two pools are named by what each does"({ open, site }) {
    const opened = await atHome(open);
    const { page, hand } = opened;
    const bodies = asked(page, "/v1/rank");
    await hand.pick("#model", "qwen3-32b");
    await hand.type("#rps", "40");
    await hand.type("#input", "7000");
    await hand.type("#first", "4000");
    await hand.type("#latency", "60");
    await hand.click("text=rented, owned or hosted");
    await hand.choose("#where", "pair");
    await hand.click("#open-plans");
    hand.done("pairs", 8);
    await whole(page);
    const request = lastOf(bodies);
    assert.deepEqual(request.include, ["pair"]);
    const answer = await holds(opened, site, request);
    assert.ok(answer.plans.length > 0);
    const names = await page.$$eval("#plans .name", (all) => all.map((one) => one.textContent));
    for (const name of names) assert.match(name, /^Prompts on .+, answers on /);
  },
};
