// Data: the catalogue with search, one document with its curves and prices, imports, telemetry, plan against actual.
import { get } from "../api.js";
import { choice, h, labelled, toggle } from "../dom.js";
import { missing, money, number, time } from "../format.js";
import { heading } from "../parts.js";
import { go, link, linkTo } from "../router.js";
import { empty } from "../states.js";
import { section } from "./result.js";
import { documentPage } from "./document.js";
import { imports } from "./imports.js";
import { actual, telemetry } from "./telemetry.js";

const pages = { catalogue, imports, telemetry, actual };

export async function data(params, place, context) {
  const page = pages[params.get("page")] ? params.get("page") : "catalogue";
  place.append(
    heading("Data"),
    toggle(
      "Page",
      [
        { value: "catalogue", text: "Catalogue" },
        { value: "imports", text: "Import" },
        { value: "telemetry", text: "Telemetry" },
        { value: "actual", text: "Plan and actual" },
      ],
      page,
      (value) => go({ page: value, id: null }),
    ),
  );
  await pages[page](params, place, context);
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
// The price that holds now: of a curve over dates, its last point.
const priceNow = (price) => (typeof price === "number" ? price : (price?.points?.at(-1)?.[1] ?? null));

const text = (name, of = (row) => row[name]) => ({ name: name.replaceAll("_", " "), of, text: true });
const figure = (
  name,
  unit,
  of = (row) => row[name],
  show = (value) => (value === null || value === undefined ? null : number(value)),
) => ({ name: name.replaceAll("_", " "), unit, of: (row) => of(row) ?? null, show, text: false });

// What a list of each kind shows beside the id.
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
    figure(
      "price",
      "an instance-hour",
      (row) => priceNow(row.hourly_price),
      (value, row) => (value === null ? null : money(value, row.currency ?? "USD")),
    ),
    figure(
      "price a device",
      "an hour",
      (row) => (priceNow(row.hourly_price) === null ? null : priceNow(row.hourly_price) / row.devices),
      (value, row) => (value === null ? null : money(value, row.currency ?? "USD")),
    ),
  ],
  servers: [
    text("device", (row) => named(row.device)),
    figure("devices"),
    figure(
      "price",
      "a server",
      (row) => row.price,
      (value, row) => money(value, row.currency ?? "USD"),
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
  curves: [text("kind"), text("axis"), figure("points", "", (row) => row.points.length), text("interpolation")],
};

async function catalogue(params, place, { signal }) {
  const kind = kinds[params.get("kind")] ? params.get("kind") : "devices";
  if (params.get("id")) {
    place.append(await documentPage(kind, params.get("id"), params.get("as_of"), signal));
    return;
  }
  const filters = kind === "offers" ? ["provider", "region", "device", "purchase", "max_hourly_price"] : [];
  const question = Object.fromEntries(["q", ...filters].map((name) => [name, params.get(name)]));
  const { items, next } = await get(`/v1/${kind}`, { ...question, as_of: params.get("as_of"), limit: 1000 }, signal);
  const field = (name, label, attributes = {}) =>
    labelled(
      label,
      h("input", {
        id: name,
        value: params.get(name) ?? "",
        ...attributes,
        onchange: (event) => go({ [name]: event.target.value }),
      }),
    );
  place.append(
    h(
      "form",
      { class: "controls", role: "search", onsubmit: (event) => event.preventDefault() },
      labelled(
        "What",
        choice(
          Object.keys(kinds).map((value) => ({ value, text: value })),
          kind,
          (value) =>
            go({
              kind: value,
              q: null,
              ...Object.fromEntries(["provider", "region", "device", "purchase", "max_hourly_price"].map((name) => [name, null])),
            }),
          { id: "kind" },
        ),
      ),
      field("q", "Search", { type: "search", placeholder: "id, name or note" }),
      ...filters.map((name) =>
        name === "purchase"
          ? labelled(
              "Purchase",
              choice(
                [
                  { value: "", text: "any" },
                  ...["on_demand", "spot", "reserved", "committed", "dedicated"].map((value) => ({
                    value,
                    text: value.replace("_", " "),
                  })),
                ],
                params.get(name) ?? "",
                (value) => go({ purchase: value }),
                { id: "purchase" },
              ),
            )
          : field(
              name,
              { max_hourly_price: "Price at most" }[name] ?? name.replace(/^./, (first) => first.toUpperCase()),
              name === "max_hourly_price" ? { inputmode: "decimal" } : {},
            ),
      ),
      h("a", { class: "button", href: linkTo("scenario", { kind, new: "1" }) }, "New"),
    ),
    items.length
      ? section(
          `${items.length}${next ? " and more" : ""} ${kind}`,
          {
            caption: kind,
            rows: items,
            columns: [
              {
                name: "id",
                of: (row) => row.id,
                show: (value) => h("a", { href: link({ id: value, kind, page: null }) }, value),
                text: true,
              },
              ...kinds[kind],
              { name: "revision", of: (row) => row.revision },
              { name: "recorded", of: (row) => row.recorded_at, show: time, text: true },
            ],
          },
          kind,
          null,
          100,
        )
      : empty(
          "Nothing found",
          params.get("q") ? `No ${kind} fit.` : `The store has no ${kind}${params.get("as_of") ? " as of then" : ""}.`,
          h("a", { class: "button", href: link({ page: "imports", q: null }) }, "Import a published file"),
        ),
  );
}
