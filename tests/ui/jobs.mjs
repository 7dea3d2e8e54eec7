// Jobs: a run is followed to its end; schedules, watched comparisons, events and webhooks are listed, or said to be missing.
import assert from "node:assert/strict";

const offers = async (site, path) => (await site.daemon.ask("GET", path)).status === 200;

export const jobs = {
  async "a recalculation is begun, followed and listed"({ open, site }) {
    const { page, visit } = await open();
    await visit("/?view=jobs");
    await page.click("#recalculate-all");
    await page.waitForFunction(() => /done: (\d+) of \1 scenarios/.test(document.getElementById("live")?.textContent));
    const { items } = await site.ask("GET", "/v1/recalculations");
    await page.waitForSelector('[data-figure="runs"]');
    assert.ok((await page.textContent("#live")).includes(`${items[0].evaluated} evaluated`));
    assert.match(page.url(), new RegExp(`run=${items[0].id}`));
  },

  async "schedules tell their next runs"({ open, site }) {
    const { page, visit } = await open();
    await visit("/?view=jobs&page=schedules");
    if (!(await offers(site, "/v1/schedules"))) {
      assert.match(await page.textContent("main"), /not available/);
      return;
    }
    assert.match(await page.textContent("main"), /No schedules yet/);
    await page.click("text=New schedule");
    await page.fill(".editor input[required]", "nightly");
    await page.fill('[data-field="/cron"]', "61 2 * * *");
    await page.click("#save");
    await page.waitForFunction(() => /minute is/.test(document.querySelector('[data-pointer="/cron"] .issue')?.textContent));
    await page.fill('[data-field="/cron"]', "30 2 * * *");
    await page.click("#save");
    await page.waitForFunction(() => /Revision 1/.test(document.querySelector("main").textContent));
    await visit("/?view=jobs&page=schedules");
    const { next_runs } = await site.ask("GET", "/v1/schedules/nightly");
    assert.equal(await page.$$eval('[data-figure="schedules"] td li', (all) => all.length), Math.min(3, next_runs.length));
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
