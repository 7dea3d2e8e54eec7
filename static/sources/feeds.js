// Feeds with their state, the ages of prices by provider, and the last price moves.
import { getAll, post } from "../api.js";
import { choice, h } from "../dom.js";
import { count, number } from "../format.js";
import { go, linkTo } from "../router.js";
import { errorState } from "../states.js";
import { inWords } from "./cron.js";
import { runsOf, turn } from "./feed_acts.js";
import { feedForm } from "./feed_form.js";
import { feedPage } from "./feed_page.js";
import { addressOf, stateOf } from "./feed_state.js";
import { formatName } from "./formats.js";
import { movesTable } from "./moves.js";
import { ago, box, day, deviceName, signed, sortable, span, stateOfAge, tag, when, words } from "./parts.js";
import { byProvider, drift, lastMoves, newestOfFeed, readPrices } from "./prices.js";

export async function feeds(params, place, context) {
  const { signal, title, said } = context;
  const asOf = params.get("as_of");
  if (params.get("add")) {
    title.textContent = "Add a feed";
    place.append(await feedForm(signal));
    return;
  }
  const [stored, prices] = await Promise.all([getAll("/v1/feeds", { as_of: asOf }, signal), readPrices(asOf, signal)]);
  const runs = await Promise.all(stored.map((feed) => runsOf(feed.id, signal)));
  const rows = stored.map((feed, i) => ({ feed, runs: runs[i], ...stateOf(feed, runs[i], newestOfFeed(feed, runs[i], prices)) }));
  const one = rows.find((row) => row.feed.id === params.get("feed"));
  if (params.get("feed")) {
    place.append(await feedPage(params.get("feed"), one, context));
    return;
  }
  const providers = byProvider(prices);
  const moves = lastMoves(prices);
  title.textContent = headline(rows, providers);
  said.textContent = second(providers, moves);
  place.append(
    h(
      "div",
      { class: "cols" },
      h("div", { class: "stack" }, feedsBox(rows), agesBox(providers)),
      h("div", { class: "stack" }, driftBox(prices, params.get("since")), moves.length ? movesBox(moves) : ""),
    ),
  );
}

function headline(rows, providers) {
  const on = rows.filter((row) => row.feed.enabled);
  const failed = rows.filter((row) => row.word === "failed");
  const stale = on.filter((row) => row.word === "stale");
  const old = providers.filter((provider) => provider.state === "stale");
  const without = providers.filter((provider) => provider.state === "undated");
  if (failed.length)
    return `${failed.length} of ${count(rows.length, "feed")} failed, ${old.length} of ${count(providers.length, "provider")} have stale prices`;
  if (stale.length) return `${stale.length} of ${count(on.length, "feed")} are stale`;
  const feedsSaid = on.length ? `${count(on.length, "feed")} fetch by themselves` : "No feed is enabled";
  const pricesSaid = old.length
    ? `prices of ${old.length} of ${count(providers.length, "provider")} are stale`
    : without.length
      ? `prices of ${count(without.length, "provider")} have no date`
      : "no price is stale";
  return `${feedsSaid}, ${pricesSaid}`;
}

function second(providers, moves) {
  const newest = providers
    .map((provider) => provider.newest)
    .filter(Boolean)
    .sort()
    .at(-1);
  const top = moves[0];
  return [
    newest ? `The newest price is of ${day(newest)}.` : "No price has a date.",
    top ? `Largest last move: ${top.seller}, ${signed(top.median)} between ${day(top.first)} and ${day(top.last)}.` : "",
  ].join(" ");
}

// How old the data is, and, where the state says another thing, what that age is called.
function ageOf(row) {
  if (row.isLive) return row.newest ? `${ago((Date.now() - Date.parse(row.newest)) / 1000)} old` : null;
  if (row.age === null) return null;
  const state = stateOfAge(row.age);
  return `${count(row.age, "day")} old${state === row.word || state === "fresh" ? "" : `, ${state}`}`;
}

// What the last run did, in two lines.
function lastRun({ last }) {
  if (!last) return "–";
  if (last.state === "failed")
    return h(
      "div",
      {},
      h("span", { class: "bad" }, `failed ${when(last.ended_at ?? last.started_at)}`),
      h("small", { class: "blk" }, last.problem),
    );
  if (last.state === "running") return h("div", {}, "running", h("small", { class: "blk" }, `since ${when(last.started_at)}`));
  const { summary } = last;
  const changed = summary?.documents?.changed ?? 0;
  const samples = summary?.samples ? count(summary.samples, "sample") : null;
  const what =
    last.state === "unchanged" ? "no new file" : (samples ?? `${count(summary?.rows ?? 0, "row")} · ${number(changed)} changed`);
  return h("div", {}, what, h("small", { class: "blk" }, when(last.ended_at)));
}

function feedsBox(rows) {
  const message = h("div", {});
  const act = (work) =>
    work().then(
      () => go({}),
      (error) => message.replaceChildren(errorState(error)),
    );
  const table = {
    caption: "Feeds",
    rows,
    columns: [
      {
        name: "Feed",
        value: ({ feed }) => feed.id,
        show: (value, { feed }) =>
          h(
            "div",
            { class: "feed-name" },
            h("a", { href: linkTo("data", { page: "feeds", feed: value }) }, value),
            h(
              "small",
              { class: "blk" },
              `${feed.format ? formatName(feed.format) : "Prometheus"} · ${feed.cron ? `${inWords(feed.cron)} ${feed.time_zone}` : "only by hand"}`,
            ),
            h("small", { class: "blk address", title: addressOf(feed) }, addressOf(feed)),
          ),
        text: true,
      },
      {
        name: "Last data",
        value: (row) => row.newest,
        show: (value, row) => [(row.isLive ? when(value) : day(value)) ?? "not dated", h("small", { class: "blk" }, ageOf(row))],
        text: true,
      },
      { name: "State", value: (row) => row.word, show: (value, row) => tag(value, row.why), text: true },
      { name: "Last run", wide: true, value: ({ last }) => last?.ended_at ?? null, show: (value, row) => lastRun(row), text: true },
      {
        name: "",
        wide: true,
        value: () => "",
        text: true,
        show: (value, row) =>
          h(
            "div",
            { class: "acts" },
            h(
              "button",
              {
                type: "button",
                class: "btn small-btn",
                id: `run-${row.feed.id}`,
                "aria-label": `Run ${row.feed.id} now`,
                onclick: () => act(() => runAndShow(row.feed.id)),
              },
              "Run",
            ),
            h(
              "button",
              {
                type: "button",
                class: "btn small-btn",
                id: `turn-${row.feed.id}`,
                "aria-label": `${row.feed.enabled ? "Disable" : "Enable"} ${row.feed.id}`,
                onclick: () => act(() => turn(row.feed)),
              },
              row.feed.enabled ? "Disable" : "Enable",
            ),
          ),
      },
    ],
  };
  const csv = { ...table, columns: table.columns.filter((column) => column.name) };
  return box(
    "Feeds",
    {
      name: "feeds",
      said: "Stale: older than 90 days, or two missed runs",
      table: csv,
      tools: h("a", { class: "btn small-btn", id: "add-feed", href: linkTo("data", { page: "feeds", add: "1" }) }, "Add a feed"),
    },
    message,
    rows.length
      ? sortable(table)
      : h("p", { class: "muted" }, "No feed yet. A feed fetches a published file by itself and stores what is new."),
    h(
      "p",
      { class: "foot" },
      "Last data: the newest dated price that its runs stored, else of its provider. Its page has all runs.",
    ),
  );
}

async function runAndShow(id) {
  const { run } = await post(`/v1/feeds/${id}/run`);
  go({ page: "feeds", feed: id, run });
}

function movesBox(moves) {
  const shown = movesTable(moves.map((move) => ({ ...move, between: span(move.first, move.last) })));
  return box(
    "Last price moves, by device",
    { name: "price-moves", said: "median and range of changed offers", table: shown.table },
    shown.element,
  );
}

const spans = [
  { value: "90", text: "3 months" },
  { value: "180", text: "6 months" },
  { value: "365", text: "a year" },
  { value: "730", text: "2 years" },
];
const spanAtFirst = "180";

// By device and purchase, over a chosen time; the largest in words.
function driftBox(prices, since) {
  const chosen = spans.find(({ value }) => value === since) ?? spans.find(({ value }) => value === spanAtFirst);
  const rows = drift(prices, Number(chosen.value));
  const shown = movesTable(
    rows.map((row) => ({ ...row, between: span(row.first, row.last) })),
    "Price drift by device and purchase",
  );
  const moved = rows.filter((row) => row.median !== 0).slice(0, 3);
  const said = moved.map(
    (row) => `${deviceName(row.device)} ${words(row.purchase)} ${signed(row.median)}, ${count(row.seen, "offer")}`,
  );
  const picker = choice(spans, chosen.value, (value) => go({ since: value === spanAtFirst ? null : value }), {
    id: "since",
    "aria-label": "Over the last",
  });
  return box(
    "Price drift, by device",
    { name: "price-drift", said: "median of offers with a price then and now", tools: picker, table: shown.table },
    h("p", { id: "drift-said" }, said.length ? `${said.join("; ")}.` : "No median price has moved."),
    rows.length ? shown.element : h("p", { class: "muted" }, "No offer has two prices in this time."),
  );
}

function agesBox(providers) {
  const table = {
    caption: "Ages of prices by provider",
    rows: providers,
    columns: [
      {
        name: "Provider",
        value: (row) => row.provider,
        show: (value) => h("a", { href: linkTo("data", { page: "catalogue", kind: "offers", provider: value }) }, value),
        text: true,
      },
      { name: "GPU offers", wide: true, value: (row) => row.offers, show: (value) => number(value) },
      { name: "Hosted models", wide: true, value: (row) => row.endpoints, show: (value) => number(value) },
      { name: "Undated", wide: true, value: (row) => row.undated, show: (value) => number(value) },
      { name: "Newest price", value: (row) => row.newest, show: (value) => day(value) ?? "not dated", text: true },
      { name: "Age", unit: "days", value: (row) => row.age, show: (value) => (value === null ? "–" : number(value)), text: false },
      { name: "State", value: (row) => row.state, show: (value) => tag(value), text: true },
    ],
  };
  return box(
    "Ages of prices, by provider",
    { name: "price-ages", said: "ageing from 30 days, stale from 90", table },
    sortable(table, { sort: "Age", descending: false, maxRows: 15 }),
  );
}
