// The state of a feed, from its document, its runs and the age of its data.
import { nextRuns } from "./cron.js";
import { daysSince } from "./prices.js";
import { stateOfAge } from "./parts.js";

// Where a feed's file is, in short.
export function addressOf({ from }) {
  if (from?.url) return from.url;
  if (from?.prometheus) return from.prometheus;
  return from?.directory !== undefined ? `${from.directory}/${from.pattern ?? "*"}` : "no address";
}

// {word, why, lastRun, newest, age}: failed before disabled before the age of the data.
export function stateOf(feed, runs, newest) {
  const real = runs.filter((run) => !run.dry_run);
  const last = real[0] ?? null;
  const good = real.find((run) => run.state === "landed" || run.state === "unchanged") ?? null;
  const isLive = Boolean(feed.from?.prometheus);
  const age = isLive ? null : daysSince(newest);
  const known = { last, newest: isLive ? (good?.ended_at ?? null) : newest, age, isLive, good };
  const missed =
    feed.enabled && feed.cron && good
      ? nextRuns(feed.cron, feed.time_zone, 2, Date.parse(good.ended_at)).filter((tick) => tick < Date.now())
      : [];
  if (last?.state === "running") return { ...known, word: "running", why: "it goes on" };
  if (last?.state === "failed") return { ...known, word: "failed", why: last.problem };
  if (last?.state === "held") return { ...known, word: "held", why: last.problem };
  if (!feed.enabled) return { ...known, word: "disabled", why: "its schedule does not run it" };
  if (!last) return { ...known, word: "never run", why: "it has not been fetched yet" };
  if (missed.length > 1) return { ...known, word: "stale", why: "two runs were missed" };
  if (isLive) return { ...known, word: "fresh", why: "both last runs came in" };
  return { ...known, word: stateOfAge(age), why: age === null ? "its prices have no day" : `its newest price is ${age} days old` };
}
