// The newest prices of the catalogue: of offers and hosted models, with their days; by provider, and how they moved.
import { getAll } from "../api.js";
import { stateOfAge } from "./parts.js";

const most = 20000; // documents of a kind
const undated = "1970-01-01"; // where an import puts a price that had no day

const today = () => new Date().toISOString().slice(0, 10);
export const daysSince = (date) => (date ? Math.round((Date.parse(today()) - Date.parse(date)) / 86400000) : null);

// Points of a price over date, up to today.
const pointsOf = (price, curves) => {
  const curve = typeof price === "string" ? curves.get(price) : price;
  return curve?.axis === "date" ? curve.points.filter(([date]) => date !== undated && date <= today()) : [];
};
const pricesOf = (endpoint) => {
  const price = endpoint.price_per_million_units;
  return price && typeof price === "object" && !price.points ? Object.values(price) : [price];
};

// All offers and endpoints: {kind, id, provider, device, purchase, points, newest, recorded}.
export async function readPrices(asOf, signal) {
  const [offers, endpoints, stored] = await Promise.all(
    ["offers", "endpoints", "curves"].map((kind) => getAll(`/v1/${kind}`, { as_of: asOf }, signal, most)),
  );
  const curves = new Map(stored.map((curve) => [curve.id, curve]));
  const row = (kind, one, points) => ({
    kind,
    id: one.id,
    provider: one.provider ?? "not known",
    device: one.device?.id ?? one.device ?? null,
    purchase: one.purchase ?? null,
    points,
    newest: points.reduce((last, [date]) => (date > last ? date : last), "") || null,
    recorded: one.recorded_at,
  });
  return [
    ...offers.map((offer) => row("offer", offer, pointsOf(offer.hourly_price, curves))),
    ...endpoints.map((one) =>
      row(
        "endpoint",
        one,
        pricesOf(one).flatMap((price) => pointsOf(price, curves)),
      ),
    ),
  ];
}

const newestOf = (rows) => rows.reduce((last, row) => (row.newest && (!last || row.newest > last) ? row.newest : last), null);

// A row a provider: how many prices, how many without a day, the newest day, its age and state.
export function byProvider(rows) {
  const groups = new Map();
  for (const row of rows) groups.set(row.provider, [...(groups.get(row.provider) ?? []), row]);
  return [...groups].map(([provider, members]) => {
    const newest = newestOf(members);
    const age = daysSince(newest);
    const count = (test) => members.filter(test).length;
    return {
      provider,
      offers: count((row) => row.kind === "offer"),
      endpoints: count((row) => row.kind === "endpoint"),
      undated: count((row) => row.newest === null),
      newest,
      age,
      state: stateOfAge(age),
    };
  });
}

const median = (sorted) => (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.ceil((sorted.length - 1) / 2)]) / 2;

// The last move of offers by device, seller and purchase: of those with two prices or more, where one differs from that before.
export function lastMoves(rows) {
  const groups = new Map();
  for (const row of rows) {
    if (row.kind !== "offer" || row.points.length < 2 || !row.device) continue;
    const key = [row.device, row.provider, row.purchase].join("\n");
    groups.set(key, [...(groups.get(key) ?? []), row.points.slice(-2)]);
  }
  const moves = [...groups].map(([key, pairs]) => {
    const [device, seller, purchase] = key.split("\n");
    const fractions = pairs
      .filter(([a, b]) => a[1] > 0 && a[1] !== b[1])
      .map(([a, b]) => b[1] / a[1] - 1)
      .sort((a, b) => a - b);
    const dates = pairs.flatMap(([a, b]) => [a[0], b[0]]).sort();
    return {
      device,
      seller,
      purchase,
      changed: fractions.length,
      seen: pairs.length,
      fractions,
      first: dates[0],
      last: dates.at(-1),
    };
  });
  return moves
    .filter((move) => move.changed)
    .map((move) => ({ ...move, median: median(move.fractions), low: move.fractions[0], high: move.fractions.at(-1) }))
    .sort((a, b) => Math.abs(b.median) - Math.abs(a.median));
}

const dayBefore = (days) => new Date(Date.parse(today()) - days * 86400000).toISOString().slice(0, 10);

// The two points of a price between which it drifted over the last days: what held at their beginning, or the first after it, and the
// newest; null where no price was seen in these days, or none before the newest.
function ends(points, from) {
  const sorted = [...points].sort(([a], [b]) => (a < b ? -1 : 1));
  const last = sorted.at(-1);
  const first = sorted.findLast(([date]) => date <= from) ?? sorted[0];
  return last && last[0] > from && first[0] < last[0] && first[1] > 0 ? [first, last] : null;
}

// How offers' prices drifted in the last `days` by device and purchase, all sellers together; offers without two prices are not compared.
export function drift(rows, days) {
  const from = dayBefore(days);
  const groups = new Map();
  for (const { kind, device, purchase, points } of rows) {
    const pair = kind === "offer" && device ? ends(points, from) : null;
    if (!pair) continue;
    const key = `${device}\n${purchase}`;
    groups.set(key, [...(groups.get(key) ?? []), pair]);
  }
  return [...groups]
    .map(([key, pairs]) => {
      const [device, purchase] = key.split("\n");
      const fractions = pairs.map(([a, b]) => b[1] / a[1] - 1).sort((a, b) => a - b);
      const dates = pairs.flatMap(([a, b]) => [a[0], b[0]]).sort();
      return {
        device,
        purchase,
        changed: fractions.filter((one) => one !== 0).length,
        seen: pairs.length,
        median: median(fractions),
        low: fractions[0],
        high: fractions.at(-1),
        first: dates[0],
        last: dates.at(-1),
      };
    })
    .sort((a, b) => b.seen - a.seen || Math.abs(b.median) - Math.abs(a.median));
}

// The newest day among prices that a feed's landed runs stored, else among those of its provider.
export function newestOfFeed(feed, runs, rows) {
  const landed = runs.filter((run) => run.state === "landed" && !run.dry_run);
  const mine = rows.filter((row) => landed.some((run) => row.recorded >= run.started_at && row.recorded <= run.ended_at));
  return newestOf(mine) ?? (feed.provider ? newestOf(rows.filter((row) => row.provider === feed.provider)) : null);
}
