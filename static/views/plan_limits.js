// Plans of certain devices, sellers or sites alone: parameters of the address, which "Use in a decision" of a document fills.
import { h } from "../dom.js";
import { go, linkTo } from "../router.js";
import { deviceName, words } from "../sources/parts.js";

// Parameters of the address and what the question calls them.
const limits = [
  { name: "device", member: "devices", text: deviceName },
  { name: "provider", member: "providers", text: (id) => id },
  { name: "region", member: "regions", text: (id) => id },
  { name: "purchase", member: "purchases", text: words },
  { name: "site", member: "sites", text: (id) => id },
];

const given = (params) => limits.filter(({ name }) => params.has(name));

// The question, limited to what the address names. Hosted models have no device: where one is named, they are left out.
export function limited(request, params) {
  const named = Object.fromEntries(given(params).map(({ name, member }) => [member, params.getAll(name)]));
  if (!Object.keys(named).length) return request;
  const include = request.include ?? (named.devices ? ["cloud", "owned", "hybrid"] : undefined);
  return { ...request, ...(include && { include }), limits: { ...request.limits, ...named } };
}

// What the plans are limited to beside the region, each with a button that takes it away.
export function limitChips(params) {
  const chip = ({ name, text }, value) =>
    h(
      "li",
      { class: "chip" },
      h("span", {}, `${name}: `),
      h("span", {}, text(value)),
      h(
        "button",
        {
          type: "button",
          class: "bare",
          "aria-label": `Any ${name}, not ${value} alone`,
          onclick: () => go({ [name]: params.getAll(name).filter((other) => other !== value) }),
        },
        "×",
      ),
    );
  const chips = given(params)
    .filter(({ name }) => name !== "region")
    .map((limit) => params.getAll(limit.name).map((value) => chip(limit, value)));
  return h("ul", { class: "chips", id: "limits", "aria-label": "Plans of these alone", hidden: !chips.length }, chips);
}

const deviceOf = ({ device }) => device?.id ?? device;

// The parameters of a start from a document of the catalogue, by its kind.
const starts = {
  offers: (offer) => ({
    device: deviceOf(offer),
    provider: offer.provider,
    region: offer.region,
    purchase: offer.purchase,
    where: "cloud",
  }),
  servers: (server) => ({ device: deviceOf(server), where: "owned" }),
  sites: (site) => ({ site: site.id, where: "owned" }),
  endpoints: (endpoint) => ({ model: endpoint.model, provider: endpoint.provider, where: "api" }),
  performances: (performance) => ({ model: performance.model, device: deviceOf(performance) }),
  devices: (device) => ({ device: device.id }),
  models: (model) => ({ model: model.id }),
};

// A link that starts plans from a document, or null where its kind is no part of a plan.
export const useInDecision = (kind, document) =>
  starts[kind]
    ? h("a", { class: "button primary", id: "use", href: linkTo("plans", starts[kind](document)) }, "Use in a decision")
    : null;
