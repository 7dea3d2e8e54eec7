// Sources: feeds and ages of prices, the catalogue with search, one document with its curves and prices, imports, telemetry, plan against actual.
import { get } from "../api.js";
import { dayOfClasses } from "../document_facts.js";
import { choice, h, labelled } from "../dom.js";
import { columnDigits, fixed, fixedMoney, missing, money, number } from "../format.js";
import { icon } from "../icons.js";
import { takeNumber } from "../number_field.js";
import { readable, unreadable } from "../parts.js";
import { go, link, linkTo } from "../router.js";
import { when } from "../sources/parts.js";
import { empty } from "../states.js";
import { section } from "../table.js";
import { feeds } from "../sources/feeds.js";
import { documentPage } from "./document.js";
import { imports } from "./imports.js";
import { actual, telemetry } from "./telemetry.js";

const pages = {
  feeds: { title: "Feeds and prices", show: feeds },
  catalogue: { title: "Catalogue", show: catalogue },
  imports: { title: "Import", show: imports, heading: "Import a file" },
  actual: { title: "Plan and actual", show: actual },
  telemetry: { title: "Telemetry", show: telemetry },
};
const inTabs = ["feeds", "catalogue", "actual", "telemetry"];

// A link to something of the catalogue, as other pages have it, names no page.
const defaultPage = (params) => (["kind", "id", "q"].some((name) => params.get(name)) ? "catalogue" : "feeds");

export async function data(params, place, context) {
  const named = params.get("page") ?? "";
  const page = Object.hasOwn(pages, named) ? named : defaultPage(params);
  const title = h("h1", {}, pages[page].heading ?? "Sources");
  const said = h("p", {}, "");
  place.append(
    h(
      "div",
      { class: "title" },
      h("div", {}, title, said),
      h(
        "div",
        { class: "end" },
        h(
          "nav",
          { class: "seg", "aria-label": "Sources" },
          inTabs.map((name) =>
            h("a", { href: linkTo("data", { page: name }), "aria-current": name === page ? "page" : null }, pages[name].title),
          ),
          h("a", { href: linkTo("jobs", { page: "events" }) }, "Events and runs"),
        ),
        page === "imports"
          ? null
          : h("a", { class: "btn", href: linkTo("data", { page: "imports" }) }, icon("plus"), "Import a file"),
      ),
    ),
  );
  await pages[page].show(params, place, { ...context, title, said });
}

const rate = (value, show) =>
  typeof value === "number"
    ? show(value)
    : value === undefined || value === null
      ? missing
      : typeof value === "string"
        ? `curve ${value}`
        : `curve of ${value.points?.length ?? 0} points`;
const named = (value) => (typeof value === "object" ? (value?.id ?? "inline") : (value ?? null));
// The current price: of a curve over dates, its last point.
const priceNow = (price) => (typeof price === "number" ? price : (price?.points?.at(-1)?.[1] ?? null));

// Of a price by class, its own or that of its kin; of one number or curve, that.
const kin = { cached_input: "input", cache_write: "input", reasoning: "output" };
const priceOfClass = (price, name) => priceNow(price?.input || price?.output ? (price[name] ?? price[kin[name]] ?? null) : price);

const text = (name, value = (row) => row[name]) => ({ name: name.replaceAll("_", " "), value, text: true });
const figure = (
  name,
  unit,
  value = (row) => row[name],
  show = (value) => (value === null || value === undefined ? null : number(value)),
) => ({ name: name.replaceAll("_", " "), unit, value: (row) => value(row) ?? null, show, text: false });

const price = (name, unit, value) => ({
  ...figure(name, unit, value),
  showAll: (values) => {
    const digits = columnDigits(values);
    return (one, row) => (one === null ? null : row.currency ? fixedMoney(one, row.currency, digits) : fixed(one, digits));
  },
});

// Columns of each kind's list, after the id.
const kinds = {
  devices: [
    text("kind"),
    text("vendor"),
    figure("memory", "GiB", (row) => row.memory_gib),
    figure("bandwidth", "GB/s", (row) => row.memory_bandwidth_gb_per_s),
    figure("idle", "W", (row) => row.idle_w),
    figure("full load", "W", (row) => row.tdp_w),
    text("released"),
  ],
  offers: [
    text("provider"),
    text("region"),
    text("sku"),
    text("device", (row) => named(row.device)),
    figure("devices", "", (row) => row.devices),
    text("purchase"),
    price("price", "per instance-hour", (row) => priceNow(row.hourly_price)),
    price("price per device", "per hour", (row) =>
      priceNow(row.hourly_price) === null ? null : priceNow(row.hourly_price) / row.devices,
    ),
  ],
  servers: [
    text("device", (row) => named(row.device)),
    figure("devices"),
    figure(
      "price",
      "per server",
      (row) => row.price,
      (value, row) => (row.currency ? money(value, row.currency) : number(value)),
    ),
    figure("life", "months", (row) => row.life_months),
    figure("host at full load", "W", (row) => row.host_max_w),
  ],
  sites: [
    text("time_zone"),
    { ...text("energy_price", (row) => rate(row.energy_price, (value) => `${value} ${row.currency ?? ""}/kWh`)) },
    { ...text("pue", (row) => rate(row.pue, number)) },
    { ...text("carbon", (row) => rate(row.carbon_g_per_kwh, (value) => `${number(value)} g/kWh`)) },
  ],
  performances: [
    text("device", (row) => named(row.device)),
    figure("devices"),
    text("rate", (row) => (row.estimate ? "estimate" : rate(row.units_per_s, (value) => `${number(value)} units/s`))),
    text("precision"),
    text("framework"),
    text("basis"),
  ],
  models: [
    text("name"),
    figure("parameters", "billions", (row) => row.parameters / 1e9),
    figure("active", "billions", (row) => row.active_parameters / 1e9),
    figure("cache", "B/token", (row) => row.kv_bytes_per_token),
    figure("context", "tokens", (row) => row.context_tokens),
    text("released"),
    text("licence"),
  ],
  measurements: [
    text("model"),
    text("device"),
    figure("devices", "", (row) => row.devices ?? 1),
    text("precision"),
    text("framework"),
    text("publisher"),
    figure("points", "", (row) => Object.values(row.points)[0].length),
    text("date"),
  ],
  endpoints: [
    text("provider"),
    text("model"),
    text("region"),
    ...["input", "cached_input", "output"].map((name) =>
      price(name.replace("_", " "), "per million", (row) => priceOfClass(row.price_per_million_units, name)),
    ),
    figure("batch", "of the price", (row) => row.batch_price_fraction ?? 1),
    text("prices", (row) => dayOfClasses(row.price_per_million_units).replace("prices of ", "")),
    text("source", (row) => row.source ?? "unknown"),
  ],
  aliases: [text("names", (row) => row.names.join(", ")), text("device"), figure("devices", "", (row) => row.devices)],
  curves: [text("kind"), text("axis"), figure("points", "", (row) => row.points.length), text("interpolation")],
};

const filtersOf = {
  offers: ["provider", "region", "device", "purchase", "max_hourly_price"],
  measurements: ["model", "device", "measurement_kind", "precision", "publisher"],
};
const choicesOf = {
  purchase: ["on_demand", "spot", "reserved", "committed", "dedicated", "block"],
  measurement_kind: ["serving", "static_batch", "disaggregated", "offline", "server", "interactive", "prefill", "training"],
  precision: ["bf16", "fp16", "fp8", "int8", "fp4", "int4"],
};
const labelOf = (name) =>
  ({ max_hourly_price: "Maximum price", measurement_kind: "How measured" })[name] ??
  name.replace(/^./, (first) => first.toUpperCase());

async function catalogue(params, place, { signal }) {
  const kind = Object.hasOwn(kinds, params.get("kind") ?? "") ? params.get("kind") : "devices";
  if (params.get("id")) {
    place.append(await documentPage(kind, params.get("id"), params.get("as_of"), signal));
    return;
  }
  const filters = filtersOf[kind] ?? [];
  const query = Object.fromEntries(["q", ...filters].map((name) => [name, params.get(name)]));
  const { items: found, next } = await get(`/v1/${kind}`, { ...query, as_of: params.get("as_of"), limit: 1000 }, signal);
  const items = readable(found);
  const field = (name, label, attributes = {}) =>
    labelled(
      label,
      h("input", {
        id: name,
        value: params.get(name) ?? "",
        onchange: (event) => go({ [name]: event.target.value }),
        ...attributes,
      }),
    );
  place.append(
    h(
      "form",
      { class: "controls", role: "search", onsubmit: (event) => event.preventDefault() },
      labelled(
        "Kind",
        choice(
          Object.keys(kinds).map((value) => ({ value, text: value })),
          kind,
          (value) =>
            go({
              kind: value,
              q: null,
              ...Object.fromEntries(Object.values(filtersOf).flatMap((names) => names.map((name) => [name, null]))),
            }),
          { id: "kind" },
        ),
      ),
      field("q", "Search", { type: "search", placeholder: "id, name or note" }),
      ...filters.map((name) =>
        choicesOf[name]
          ? labelled(
              labelOf(name),
              choice(
                [
                  { value: "", text: "any" },
                  ...choicesOf[name].map((value) => ({ value, text: value.replace("_", " ") })),
                ],
                params.get(name) ?? "",
                (value) => go({ [name]: value }),
                { id: name },
              ),
            )
          : field(
              name,
              labelOf(name),
              name === "max_hourly_price"
                ? { inputmode: "decimal", onchange: ({ target }) => takeNumber(target, (value) => go({ [name]: value }), { min: 0 }) }
                : {},
            ),
      ),
      h("a", { class: "button", href: linkTo("scenario", { kind, new: "1" }) }, "New"),
    ),
    unreadable(kind, found) ?? "",
    items.length
      ? section(
          `${items.length}${next ? " and more" : ""} ${kind}`,
          {
            caption: kind,
            rows: items,
            columns: [
              {
                name: "id",
                value: (row) => row.id,
                show: (value) => h("a", { href: link({ id: value, kind, page: null }) }, value),
                text: true,
              },
              ...kinds[kind],
              { name: "revision", value: (row) => row.revision },
              { name: "recorded", value: (row) => row.recorded_at, show: (value) => when(value), text: true },
            ],
          },
          kind,
          null,
          100,
        )
      : empty(
          "Nothing found",
          params.get("q") ? `No ${kind} match.` : `The store has no ${kind}${params.get("as_of") ? " as of then" : ""}.`,
          h("a", { class: "button", href: link({ page: "imports", q: null }) }, "Import a published file"),
        ),
  );
}
