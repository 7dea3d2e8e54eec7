// Finance's other tables: plans side by side, investments against the baseline, obligations, chargeback.
import { h, swatch } from "../dom.js";
import { money, month, number, plural } from "../format.js";
import { addsUp, amounts, minus, named, none } from "./finance_money.js";
import { rate } from "./finance_periods.js";

// A plan's name with its colour; one that can't do its work is marked.
const planHead = (plan, { feasible }) =>
  h(
    "span",
    { class: "plan-head" },
    swatch(`var(--p${plan.colour})`),
    h("span", {}, plan.name, feasible ? null : h("small", { class: "second bad" }, "cannot serve")),
  );

const figuresOf = (results) => {
  const starts = new Set(results.map((result) => result.by_month[0].month));
  const some = (value) => results.some((result) => value(result));
  return [
    ["Present cost before tax", "", (result) => result.total.npv],
    [
      "Tax, discounted",
      some(({ total }) => total.npv !== total.npv_after_tax) ? "saved is negative" : "no tax rate is set",
      ({ total }) => total.npv_after_tax - total.npv,
    ],
    ["Present cost after tax", "", (result) => result.total.npv_after_tax, "total"],
    some(({ total }) => total.npv_before_financing !== null)
      ? ["Present cost before financing", "without loans, before tax", (result) => result.total.npv_before_financing ?? 0]
      : null,
    ["Equivalent annual cost", "before tax, a year", (result) => result.total.equivalent_annual_cost],
    ["Cost", "accrual", (result) => result.total.cost],
    ["Cash", "before tax", (result) => result.total.cash],
    ["Paid in the first month", starts.size === 1 ? month([...starts][0]) : "", (result) => result.by_month[0].cash],
    ["Resale at the end", "cash comes back", (result) => result.total.terminal.sale],
    ["Book value at the end", "", (result) => result.total.terminal.book],
    [
      "Obligations at the end",
      "what terms and leases still owe, at its present value then",
      (result) => result.total.terminal.obligations,
    ],
    ["Loans at the end", "the balance that is repaid", (result) => result.total.terminal.loan_balance],
    some(({ total }) => total.terminal.commitments_sold > 0)
      ? ["Commitments sold at the end", "of terms left", (result) => result.total.terminal.commitments_sold]
      : null,
    some(({ total }) => total.terminal.tax_loss > 0)
      ? ["Tax losses left at the end", "before the tax rate, worth nothing", (result) => result.total.terminal.tax_loss]
      : null,
  ].filter(Boolean);
};

export function sideBySide({ plans, results, currency }) {
  const figures = figuresOf(results);
  const { unit, show } = amounts(
    figures.flatMap(([, , value]) => results.map(value)),
    currency,
    0,
  );
  return {
    unit,
    table: {
      caption: "Plans side by side",
      sortable: false,
      mark: ([, , , kind]) => kind ?? null,
      columns: [
        {
          name: "figure",
          head: h("span", { class: "unseen" }, "figure"),
          value: ([name]) => name,
          show: (_, [name, note]) => named(name, note),
          text: true,
        },
        ...plans.map((plan, i) => ({
          name: plan.name,
          head: planHead(plan, results[i]),
          unit: currency,
          value: ([, , value]) => value(results[i]),
          show,
          text: false,
        })),
      ],
      rows: figures,
    },
  };
}

// Null where there is nothing to compare with.
export function investments({ plans, answer, baseline, currency }) {
  const rows = plans.map((plan, i) => ({ plan, ...answer.scenarios[i] })).filter((_, i) => i !== baseline);
  if (!rows.length) return null;
  const { unit, show } = amounts(
    rows.map(({ investment }) => investment?.npv_difference ?? null),
    currency,
    0,
  );
  const months = (value) => (value === null ? "never" : number(value, "", 1));
  const of =
    (value) =>
    ({ investment }) =>
      investment ? value(investment) : null;
  const or = (text) => (value, row) => (row.investment ? text(value, row) : none);
  return {
    unit,
    table: {
      caption: "Investment figures against the baseline",
      columns: [
        {
          name: "plan",
          value: ({ plan }) => plan.name,
          show: (_, { plan, investment, result }) =>
            named(
              planHead(plan, result),
              investment
                ? investment.reversed
                  ? "the baseline is the investment"
                  : "is the investment"
                : "its months are others than the baseline's",
            ),
          text: true,
        },
        {
          name: "present cost less the baseline's",
          head: `present cost less the baseline's, ${unit}`,
          unit: currency,
          value: of((one) => one.npv_difference),
          show: or((value) => show(value)),
          text: false,
        },
        {
          name: "internal rate of return",
          head: "internal rate of return a year",
          unit: "1/year",
          value: of((one) => (one.irr.length === 1 ? one.irr[0] : one.irr.join(";"))),
          show: or((_, { investment }) => investment.irr.map(rate).join(" or ") || "none"),
          text: false,
        },
        {
          name: "payback",
          head: "payback, months",
          unit: "months",
          value: of((one) => one.payback_month),
          show: or(months),
          text: false,
        },
        {
          name: "discounted payback",
          head: "discounted payback, months",
          unit: "months",
          value: of((one) => one.discounted_payback_month),
          show: or(months),
          text: false,
        },
      ],
      rows,
    },
  };
}

export function obligations({ plans, results, currency }) {
  const rows = plans.flatMap((plan, i) =>
    Object.entries(results[i].by_pool).map(([pool, figures]) => ({ plan, result: results[i], pool, ...figures })),
  );
  const { unit, show } = amounts(
    rows.flatMap((row) => [row.obligation, row.lease_liability]),
    currency,
    0,
  );
  const column = (name, member, help) => ({
    name,
    head: named(name, help),
    unit: currency,
    value: (row) => row[member],
    show,
    text: false,
  });
  return {
    unit,
    table: {
      caption: "Obligations and lease liability by pool",
      columns: [
        { name: "plan", value: ({ plan }) => plan.name, show: (_, { plan, result }) => planHead(plan, result), text: true },
        { name: "pool", value: ({ pool }) => pool, show: (_, { pool, kind }) => named(pool, kind), text: true },
        column("lease liability", "lease_liability", "at the start, present value"),
        column("cut off", "obligation", "at the end, not discounted"),
      ],
      rows,
    },
  };
}

// Sentences beside the obligations: what the resale stands on, what outlasts the horizon, and loans in the present cost.
export function cautions({ plans, results, currency }) {
  const ends = results.map(({ total }) => total.terminal);
  const atBook = plans.filter((_, i) => ends[i].sale > 0 && addsUp([ends[i].sale], ends[i].book));
  const cut = plans.flatMap((plan, i) =>
    Object.entries(results[i].by_pool)
      .filter(([, { obligation }]) => obligation > 0)
      .map(([pool, { obligation }]) => [
        h("b", {}, `${plan.name}: `),
        `terms of ${pool} outlast the horizon; ${money(obligation, currency)} are still to be paid then.`,
      ]),
  );
  const lent = plans.flatMap((plan, i) => {
    const without = results[i].total.npv_before_financing;
    if (without === null) return [];
    return [
      [
        h("b", {}, `${plan.name}: `),
        `the loan's payments are discounted too. If the discount rate has debt in it already, take the present cost before financing, ${money(without, currency)}.`,
      ],
    ];
  });
  const priced = [
    h("b", {}, "No market price for used servers. "),
    `Resale of ${atBook.map((plan) => plan.name).join(", ")} is the book value; a resale curve of the server takes its place.`,
  ];
  const list = [...(atBook.length ? [priced] : []), ...cut, ...lent];
  return list.length
    ? h(
        "ul",
        { class: "cautions" },
        list.map((parts) => h("li", {}, parts)),
      )
    : null;
}

const idle = "(idle)";
const untagged = "(untagged)";

// By which keys a plan's cost can be divided: its tags, and the workloads.
export const chargeKeys = (result) => [...Object.keys(result.by_tag), "workload"];

function chargesOf(result, key) {
  if (key !== "workload") {
    return Object.entries(result.by_tag[key]).map(([value, { cost, cash }]) => ({
      name: value,
      title: value === idle ? "Idle" : value === untagged ? "Not tagged" : value,
      note: value === idle ? "paid, and borne by nobody" : value === untagged ? `no ${key} is stated` : `${key}: ${value}`,
      cost,
      cash,
    }));
  }
  const rows = Object.entries(result.by_workload).map(([name, { kind, unit, cost, cash, cost_per_million_units: each }]) => ({
    name,
    title: name,
    note: kind,
    cost,
    cash,
    each,
    unit,
  }));
  const cash = result.total.cash - rows.reduce((sum, row) => sum + row.cash, 0);
  if (!result.unallocated_cost && addsUp([cash], 0)) return rows;
  return [...rows, { name: idle, title: "Idle", note: "paid, and borne by no workload", cost: result.unallocated_cost, cash }];
}

export function chargeback(result, key) {
  const rows = chargesOf(result, key);
  const { cost, cash } = result.total;
  const { currency } = result;
  const { unit, show } = amounts([...rows.flatMap((row) => [row.cost, row.cash]), cost], currency);
  const most = Math.max(...rows.map((row) => row.cost), 1e-9);
  const share = (row) => (cost ? row.cost / cost : null);
  const bar = (row) =>
    h("i", {
      class: `charge ${row.name === idle ? "idle" : row.name === untagged ? "untagged" : ""}`,
      "--w": `${(100 * Math.max(0, row.cost)) / most}%`,
      "aria-hidden": "true",
    });
  const columns = [
    { name: key, value: ({ name }) => name, show: (_, row) => (row.title ? named(row.title, row.note) : "All"), text: true },
    { name: "cost", head: "cost", unit: currency, value: (row) => row.cost, show, text: false },
    {
      name: "share",
      value: share,
      show: (value, row) => [row.title ? bar(row) : "", value === null ? none : rate(value)],
      text: false,
    },
    { name: "cash", head: "cash", unit: currency, value: (row) => row.cash, show, text: false },
  ];
  if (key === "workload") {
    const each = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    const word = (row) => (row.unit ? ` ${plural(row.unit)}` : "");
    columns.push({
      name: "per million units",
      head: `${currency} per million`,
      unit: currency,
      value: (row) => row.each ?? null,
      show: (value, row) =>
        value === undefined || value === null ? none : [minus(each.format(value)), h("small", { class: "second" }, word(row))],
      text: false,
    });
  }
  return {
    unit,
    adds:
      addsUp(
        rows.map((row) => row.cost),
        cost,
      ) &&
      addsUp(
        rows.map((row) => row.cash),
        cash,
      ),
    table: { caption: `Chargeback by ${key}`, columns, rows, foot: { name: "all", cost, cash }, footInCsv: true },
    title: `Chargeback by ${key}`,
  };
}
