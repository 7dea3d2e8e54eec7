// With API keys on: a key is asked for, kept in the tab alone, and a role that may not write is told so.
import assert from "node:assert/strict";

export const main = {
  async "signing in keeps the key out of the URL and of lasting storage"({ open, startSite }) {
    const site = await startSite({ options: ["--require-keys"], keys: ["viewer"] });
    try {
      const key = site.daemon.keys.viewer;
      const { page, settled } = await open({ site });
      await page.goto(site.daemon.url);
      const field = page.locator("dialog input");
      await field.waitFor();
      await field.fill("cc_wrong");
      await page.keyboard.press("Enter");
      await page.waitForSelector("text=unknown or revoked");
      await field.fill(key);
      await page.keyboard.press("Enter");
      await page.waitForSelector("#stored-title");
      await settled();
      const kept = await page.evaluate(async () =>
        JSON.stringify([
          location.href,
          document.cookie,
          { ...localStorage },
          await indexedDB.databases(),
          history.state,
          document.documentElement.outerHTML,
        ]),
      );
      assert.ok(!kept.includes(key));
      assert.ok(await page.evaluate((secret) => Object.values(sessionStorage).includes(secret), key));
      await page.goto(`${site.daemon.url}/?view=jobs`);
      await settled();
      await page.click("#recalculate-all");
      await page.waitForSelector('[role="alert"]');
      await page.click("#sign-out");
      await page.waitForSelector("dialog input");
      assert.equal(await page.evaluate(() => Object.keys(sessionStorage).length), 0);
    } finally {
      await site.stop();
    }
  },
};
