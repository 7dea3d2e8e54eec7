// Jobs: a run is followed to its end; schedules, watched comparisons, events and webhooks are listed, or said to be missing.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { patience } from "./browser.mjs";

const offers = async (site, path) => (await site.daemon.ask("GET", path)).status === 200;

// Puts the page's time forward, so that its tables ask again, until `is` holds in it. Not before each has set its next time: an answer may
// have come that the page has not looked at yet, and time put forward then is lost.
async function askedUntil(page, is, given) {
  for (let i = 0; i < 1000; i += 1) {
    await page.waitForSelector("main:has([data-refreshed]):not(:has([data-refreshed]:not([data-waits])))");
    if (await page.evaluate(is, given)) return;
    await page.clock.fastForward(3000);
  }
  assert.fail(`not seen: ${is}`);
}

export const main = {
  async "a recalculation is begun, followed and listed"({ open, site }) {
    const { page, visit } = await open();
    await visit("/?view=jobs");
    await page.click("#recalculate-all");
    const isDone = () => /done: (\d+) of \1 scenarios/.test(document.getElementById("live")?.textContent);
    await page.waitForFunction(isDone, null, { timeout: patience });
    const { items } = await site.ask("GET", "/v1/recalculations");
    await page.waitForSelector('[data-figure="runs"]');
    assert.ok((await page.textContent("#live")).includes(`${items[0].evaluated} evaluated`));
    assert.match(page.url(), new RegExp(`run=${items[0].id}`));
  },

  async "a schedule is made in words, tells its next runs in its zone, and is deleted after a question"({ open, site }) {
    const { page, visit } = await open();
    await visit("/?view=jobs&page=schedules");
    assert.match(await page.textContent("main"), /No schedules yet/);
    for (const [words, cron] of [
      ["every night at 2", "0 2 * * *"],
      ["the 1st of the month", "0 6 1 * *"],
      ["15 4 * * mon", "15 4 * * mon"],
      ["every Monday at 6", "0 6 * * 1"],
    ]) {
      await page.fill("#schedule-when", words);
      assert.ok((await page.textContent("#schedule-when-said")).startsWith(`${cron} · `), words);
    }
    await page.fill("#schedule-when", "61 2 * * *");
    assert.match(await page.textContent("#schedule-when-said"), /Not understood/);
    await page.fill("#schedule-when", "every Monday at 6");
    await page.fill("#schedule-when-zone", "Europe/Berlin");
    const said = await page.textContent("#schedule-when-said");
    await page.click("#save-schedule");
    await page.waitForSelector('[data-figure="schedules"]');
    const { cron, next_runs } = await site.ask("GET", "/v1/schedules/nightly");
    assert.equal(cron, "0 6 * * 1");
    const shown = await page.$$eval('[data-figure="schedules"] td li', (all) => all.map((one) => one.textContent));
    assert.equal(shown.length, 3);
    assert.match(shown[0], new RegExp(`^Mon, ${Number(next_runs[0].slice(8, 10))} .*06:00 (CET|CEST|GMT)`));
    assert.ok(said.includes(shown[0]), "what was said before is what the daemon says");
    await page.click("#delete-nightly");
    await page.click("[data-do=confirm]");
    await page.waitForSelector("text=No schedules yet");
    assert.equal((await site.daemon.ask("GET", "/v1/schedules/nightly")).status, 404);
  },

  async "a test of a webhook is followed, a delivery is sent again, events come in by themselves"({ open, startSite }) {
    let answer = 500;
    const hook = createServer((request, response) => {
      request.resume();
      response.statusCode = answer;
      response.end();
    }).listen(0, "127.0.0.1");
    await new Promise((ready) => hook.once("listening", ready));
    const site = await startSite({ options: ["--allow-private-webhooks", "--webhook-retry-s", "600"] });
    try {
      const url = `http://127.0.0.1:${hook.address().port}/hook`;
      await site.ask("PUT", "/v1/webhooks/hook", { url, secret: "0123456789abcdef0123456789abcdef" });
      const { page, visit } = await open({ site, clock: true });
      await visit("/?view=jobs&page=webhooks");
      await page.click("#test-hook");
      await page.waitForSelector("#test-outcome >> text=did not take the test");
      await askedUntil(page, () => Boolean(document.querySelector("[id^=retry-]")));
      answer = 200;
      await page.click("[id^=retry-]");
      await askedUntil(page, () => /delivered/.test(document.querySelector('[data-figure="deliveries"]')?.textContent));
      await page.click("#test-hook");
      await page.waitForSelector("#test-outcome >> text=got the test");
      await page.click("#delete-hook");
      await page.click("[data-do=confirm]");
      await page.waitForSelector("text=No webhooks yet");
      await visit("/?view=jobs&page=events");
      const rows = () => page.$$eval('[data-figure="events"] tbody tr', (all) => all.length);
      const before = await rows();
      await site.ask("POST", "/v1/recalculations", { scenarios: "all" });
      await askedUntil(page, (n) => document.querySelectorAll('[data-figure="events"] tbody tr').length > n, before);
      assert.match(await page.textContent('[data-figure="events"] tbody tr'), /\d\d:\d\d [A-Z+\d:]+.*recalculation done/);
    } finally {
      await site.stop();
      hook.close();
    }
  },
};

export const rest = {
  async "a table tells when it was last asked, with the zone, and rests while the tab is hidden"({ open, site }) {
    const { page, visit } = await open({ clock: true });
    const asked = [];
    page.on("request", (request) => request.url().includes("/v1/events?") && asked.push(request.url()));
    await visit("/?view=jobs&page=events");
    const stamp = () => page.textContent("[data-refreshed]");
    const first = await stamp();
    assert.match(first, /^Asked again every 3 s\. Last asked \d+ \w{3} \d{4}, \d\d:\d\d:\d\d [A-Z][A-Z+\d:]*\.$/);
    await page.clock.fastForward(3000);
    await page.waitForFunction((text) => document.querySelector("[data-refreshed]").textContent !== text, first);
    const hide = (hidden) =>
      page.evaluate((value) => {
        Object.defineProperty(document, "hidden", { value, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, hidden);
    await hide(true);
    assert.match(await stamp(), /^Paused while the tab is hidden\./);
    const before = asked.length;
    await site.ask("POST", "/v1/recalculations", { scenarios: "changed" });
    await page.clock.fastForward(3500);
    assert.equal(asked.length, before);
    await hide(false);
    await page.waitForFunction(() => /^Asked again/.test(document.querySelector("[data-refreshed]").textContent));
    assert.ok(asked.length > before, "it is asked at once when the tab is seen again");
  },

  async "webhooks, events and what was watched"({ open, site }) {
    const { page, visit } = await open();
    for (const [name, path] of [
      ["webhooks", "/v1/webhooks"],
      ["events", "/v1/events"],
      ["comparisons", "/v1/comparisons"],
    ]) {
      await visit(`/?view=jobs&page=${name}`);
      assert.match(
        await page.textContent("main"),
        (await offers(site, path)) ? /No (webhooks|comparisons) yet|Events|No events yet/ : /not available/,
      );
    }
    if (!(await offers(site, "/v1/comparisons"))) return;
    await site.ask("PUT", "/v1/comparisons/serving", {
      scenarios: ["serving-70b.owned", "serving-70b.hosted-api"],
      budget: 1,
    });
    await visit("/?view=jobs");
    await page.click("#recalculate-all");
    await page.waitForFunction(() => /done: /.test(document.getElementById("live")?.textContent));
    await visit("/?view=jobs&page=comparisons");
    assert.match(await page.textContent("main"), /serving-70b\.hosted-api/);
    await visit("/?view=jobs&page=events");
    assert.match(await page.textContent("main"), /recalculation done/);
    assert.match(await page.textContent("main"), /serving-70b\.hosted-api at .+, budget /);
  },
};
