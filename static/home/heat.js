// Which size of request runs on which devices: a table of prompt by answer, its pools, and how near the division is to the least cost.
import { h } from "../dom.js";
import { count, latency, money, number, percent, share } from "../format.js";
import { namesOf } from "../plan/names.js";
import { groupsOf, ofWorkload } from "./division.js";
import { glossary } from "../terms.js";
import { moved } from "./move.js";

const edges = { input: [128, 512, 2048, 8192, 32768, 131072], output: [64, 256, 1024, 4096, 16384] }; // tokens, a power of two or four apart
const size = (tokens) => (tokens >= 1024 ? `${number(tokens / 1024)}k` : String(tokens));
const binOf = (tokens, of) => {
  const found = of.findIndex((edge) => tokens <= edge);
  return found < 0 ? of.length : found;
};
const label = (bin, of) => (bin < of.length ? `to ${size(of[bin])}` : `over ${size(of.at(-1))}`);
// {rows, columns: bins that have requests, at(row, column): {share, groups: by their share of it}}.
function cellsOf(groups) {
  const cells = new Map();
  const bins = { input: new Set(), output: new Set() };
  for (const group of groups)
    for (const bucket of group.buckets) {
      const [row, column] = [binOf(bucket.input, edges.input), binOf(bucket.output, edges.output)];
      bins.input.add(row);
      bins.output.add(column);
      const name = `${row},${column}`;
      const cell = cells.get(name) ?? { share: 0, groups: new Map() };
      cell.share += bucket.share;
      cell.groups.set(group, (cell.groups.get(group) ?? 0) + bucket.share);
      cells.set(name, cell);
    }
  const ordered = (set) => [...set].sort((a, b) => a - b);
  return { rows: ordered(bins.input), columns: ordered(bins.output), at: (row, column) => cells.get(`${row},${column}`) ?? null };
}

// Arrows move between the cells of a table; one of them is a stop of Tab.
function walk(event) {
  const { key, target } = event;
  const steps = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
  const cell = target.closest("td");
  if (!steps[key] || !cell) return;
  const [down, right] = steps[key];
  for (let row = cell.parentElement.rowIndex + down, at = cell.cellIndex + right; ; row += down, at += right) {
    const next = cell.closest("table").rows[row]?.cells[at];
    if (!next || next.tagName !== "TD") return;
    const button = next.querySelector("button");
    if (!button) continue;
    event.preventDefault();
    for (const one of cell.closest("table").querySelectorAll("button")) one.tabIndex = -1;
    button.tabIndex = 0;
    button.focus();
    return;
  }
}

// Of one workload. `choose({name, said, isOf})` offers other types for the requests of a cell: what it is called, and which buckets are of it.
function heatTable(all, workload, title, choose) {
  const groups = ofWorkload(all, workload);
  const { rows, columns, at } = cellsOf(groups);
  const most = Math.max(...rows.flatMap((row) => columns.map((column) => at(row, column)?.share ?? 0)));
  let isFirst = true;
  const cell = (row, column) => {
    const found = at(row, column);
    if (!found) return h("td", { class: "none" }, "–");
    const parts = [...found.groups].sort(([, a], [, b]) => b - a);
    const [[first]] = parts;
    const said = parts.map(([group, part]) => `${percent(part)} of the requests on ${group.device}`).join(", ");
    const name = `${title ? `${title}: ` : ""}prompts ${label(row, edges.input)} with answers ${label(column, edges.output)}`;
    const isOf = ({ of, isRun, input, output }) => of === workload && !isRun && binOf(input, edges.input) === row && binOf(output, edges.output) === column;
    const stop = isFirst ? "0" : "-1";
    isFirst = false;
    return h(
      "td",
      { "--k": first.colour, "--depth": `${Math.round(20 + (60 * found.share) / most)}%`, title: said },
      h(
        "button",
        { type: "button", tabindex: stop, onclick: () => choose({ name, said, isOf }) },
        h("span", { class: "letter" }, parts.map(([group]) => group.letter).join(" ")),
        h("span", {}, number(100 * found.share, "", 0)),
        h("span", { class: "unseen" }, ` % of the requests, ${name}: ${said}. Move them`),
      ),
    );
  };
  return h(
    "table",
    { class: "heat", onkeydown: walk },
    h("caption", {}, title),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, h("span", { class: "unseen" }, "Prompt")),
        columns.map((one) => h("th", { scope: "col" }, label(one, edges.output))),
      ),
    ),
    h(
      "tbody",
      {},
      rows.map((row) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, label(row, edges.input)),
          columns.map((column) => cell(row, column)),
        ),
      ),
    ),
  );
}

// What it costs to have the requests of a cell on each other type; `take(plan)` shows the division with them there.
function moveOffer({ name, said, isOf }, { plan, groups, request, take, signal }) {
  const { currency } = plan.scenario;
  let before = Promise.resolve(); // one after the other
  const line = (to) => {
    const cost = h("span", { class: "small" }, "computing…");
    const button = h("button", { type: "button", class: "btn", disabled: true }, `Move to ${to.device}`);
    async function look() {
      const found = await moved({ plan, groups, request, to, isMoved: isOf }, signal);
      if (found.reason) return cost.replaceChildren(`not possible: ${found.reason}`);
      const { more } = found;
      const tone = more > 0 ? "bad" : "good";
      cost.replaceChildren(
        h("b", { class: tone }, money(more, currency, { signed: true })),
        ` (${percent(more / plan.decisive, { signed: true })}), sized anew`,
      );
      button.disabled = false;
      button.addEventListener("click", () => take(found.plan));
    }
    before = before.then(look).catch((error) => error.name !== "AbortError" && cost.replaceChildren(error.message));
    return h("li", { "--k": to.colour }, button, cost);
  };
  // A type that has all of these already is no other.
  const others = groups.filter((to) => groups.some((group) => group !== to && group.buckets.some(isOf)));
  return h(
    "div",
    { class: "move-offer", role: "group", "aria-label": "Move requests" },
    h("p", { id: "move-name", tabindex: "-1" }, h("b", {}, `${name[0].toUpperCase()}${name.slice(1)}`), `: ${said}`),
    h("ul", {}, others.map(line)),
  );
}

const worst = (values) => (values.length ? Math.max(...values) : null);
function poolFacts(plan, { ids }) {
  const mine = ({ workload }) => ids.includes(workload);
  const costs = plan.workloads.filter(mine).map(({ cost }) => cost);
  const peaks = plan.replicas.filter(mine).map((one) => one.at_peak).filter(Boolean);
  const most = (name) => worst(peaks.map((peak) => peak[name]).filter((one) => typeof one === "number"));
  return {
    cost: costs.some((one) => one === null) ? null : costs.reduce((sum, one) => sum + one, 0),
    used: most("utilization"),
    first: most("ttft_s"),
    between: most("itl_s"),
  };
}

function poolTable(plan, groups, isOne) {
  const { currency } = plan.scenario;
  // A pool is named as a plan of it alone is.
  const nameOf = ({ pool, burst, ids }) => {
    const workloads = plan.scenario.workloads.filter(({ id }) => ids.includes(id));
    return namesOf([{ ...plan, scenario: { ...plan.scenario, workloads, pools: [pool, burst].filter(Boolean) } }])[0];
  };
  const work = ({ buckets }) => [...new Set(buckets.map(({ of }) => of))].join(", ");
  const heads = [
    ["", "Cost"],
    ["of requests", "Share"],
    ["at the peak", "Used"],
    ["95th percentile", "First, between"],
  ];
  const line = (group) => {
    const words = nameOf(group);
    const { cost, used, first, between } = poolFacts(plan, group);
    const figures = [
      cost === null ? "–" : money(cost, currency),
      group.share ? share(group.share) : "–",
      used === null ? "–" : share(used),
      first === null ? "–" : `${latency(first)}, ${latency(between)}`,
    ];
    return h(
      "tr",
      { "--k": group.colour },
      h(
        "th",
        { scope: "row" },
        h(
          "span",
          { class: "who" },
          h("span", { class: "n" }, group.letter),
          h("i", { class: "sw" }),
          h("b", {}, words.name),
          h("small", {}, isOne ? words.line : `${words.line} · ${work(group)}`),
        ),
      ),
      figures.map((value, i) => h("td", { class: "num", "data-head": [...heads[i]].reverse().join(" ") }, value)),
    );
  };
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "group", "aria-label": "Pools" },
    h(
      "table",
      { class: "proposed pools" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, "Pool"),
          heads.map(([above, text]) => h("th", { scope: "col", class: "num" }, h("small", {}, above), text)),
        ),
      ),
      h("tbody", {}, groups.map(line)),
    ),
  );
}

const outcomes = {
  no_cheaper: "No division costs less than one type of devices for all.",
  no_way: "There is no division: some size of request, or some workload, has no way of its own.",
};

function withoutMix(mix, workloads) {
  const without = (mix?.buckets ?? []).filter(({ ways }) => !ways);
  const said = (one) => {
    const bucket = (workloads.find(({ id }) => id === one.workload) ?? workloads[0]).token_mix?.[one.bucket];
    const what = bucket ? `${number(bucket.input)} in and ${number(bucket.output)} out` : `size ${one.bucket + 1}`;
    return `${workloads.length > 1 ? `${one.workload}, ` : ""}${what}: ${one.reason.replaceAll("_", " ")}`;
  };
  return h(
    "section",
    { class: "panel", "aria-label": "By size of request" },
    h("h2", {}, workloads.length > 1 ? "Which work runs where" : "Which size runs where"),
    h("p", {}, outcomes[mix?.outcome] ?? "A division is further down the ranking than the plans shown."),
    without.length
      ? h(
          "ul",
          {},
          without.map((one) => h("li", {}, said(one))),
        )
      : "",
  );
}

// The runs of training, which are in one place each.
const runsText = (groups) =>
  groups.flatMap(({ device, buckets }) => buckets.filter(({ isRun }) => isRun).map(({ of }) => `${of} on ${device}`)).join(", ");

function heatPart(plan, groups, workloads, actions) {
  const offer = h("div", { "aria-live": "polite" });
  const { found } = actions;
  const { currency } = plan.scenario;
  const tables = workloads.filter(({ kind }) => kind !== "training");
  const isOne = workloads.length === 1;
  const runs = runsText(groups);
  const isMoved = plan !== found;
  const choose = (cell) => {
    actions.leave?.abort();
    actions.leave = new AbortController();
    offer.replaceChildren(moveOffer(cell, { ...actions, plan, groups, signal: AbortSignal.any([actions.signal, actions.leave.signal]) }));
    document.getElementById("move-name")?.focus({ preventScroll: true });
  };
  const back = h("button", { type: "button", class: "btn", onclick: () => actions.take(null) }, "As found");
  return h(
    "section",
    { class: "panel", "aria-labelledby": "heat-title" },
    h(
      "div",
      { class: "bar" },
      h("h2", { id: "heat-title" }, isOne ? "Which size runs where" : "Which work runs where"),
      h("span", { class: "small" }, `plan ${plan.rank}, ${count(groups.length, "pool")}`),
      isMoved ? h("div", { class: "tools" }, back) : "",
    ),
    isMoved
      ? h(
          "p",
          { class: "note calm", role: "status" },
          `Moved by hand: ${money(plan.decisive, currency)}, `,
          `${money(plan.decisive - found.decisive, currency, { signed: true })} to the division that was found. `,
          "It is kept with the chosen plans.",
        )
      : "",
    h("p", { class: "small" }, "Rows: tokens of the prompt. Columns: of the answer. Number: % of the requests. Click one to move it: the cost is shown first."),
    h(
      "div",
      { class: "scroll heats", tabindex: "0", role: "group", "aria-label": "Requests by size" },
      tables.map(({ id }) => heatTable(groups, id, isOne ? "" : id, choose)),
    ),
    runs ? h("p", { class: "small" }, `Training: ${runs}.`) : "",
    offer,
    h(
      "p",
      { class: "foot" },
      groups.map((group) => h("span", { class: "heat-key", "--k": group.colour }, h("b", {}, group.letter), ` ${group.device} `)),
      " deeper: more requests",
    ),
  );
}

// The parts of the answer about a division: its tables and pools, or why there is none. `actions` {found: the plan as the API has it, request,
// take(plan): shows another division, signal}; `plan` is that which is shown.
export function sizesPart({ mix }, { workloads }, plan, actions) {
  if (!plan) return [withoutMix(mix, workloads)];
  const groups = groupsOf(plan, workloads);
  return [
    heatPart(plan, groups, workloads, actions),
    h(
      "section",
      { class: "panel", "aria-labelledby": "pools-title" },
      h("div", { class: "bar" }, h("h2", { id: "pools-title" }, "Pools")),
      poolTable(plan, groups, workloads.length === 1),
      h("p", { class: "foot" }, "A request's size must be known when it comes: the length of an answer is estimated."),
    ),
  ];
}

// How near the division is to the least cost.
export function proofPart({ mix, unit: currency }, found) {
  const { gap_fraction: gap = null, on_one_device: alone } = mix;
  const facts = [
    gap === null ? null : `No division of these offers costs less than ${percent(gap)} below what the search found.`,
    typeof alone === "number"
      ? `The same groups all on one of its devices cost ${money(alone, currency)}: dividing saves ${percent(1 - found.decisive / alone)}.`
      : null,
  ];
  return h(
    "section",
    { class: "panel", "aria-labelledby": "proof-title" },
    h(
      "div",
      { class: "bar" },
      h("h2", { id: "proof-title" }, "How near to the least cost?"),
      gap === null ? "" : h("div", { class: "tools" }, h("span", { class: "tag good", title: glossary["Proven within"] }, `proven within ${percent(gap)}`)),
    ),
    [...facts.filter(Boolean), gap === null ? "No division that was tried costs less; no bound is known." : null].map((text) => text && h("p", { class: "because" }, text)),
  );
}
