// Cost and cash of a plan by year or month: the table with its sums, and the charts.
import { categoryAxis, dateAxis, grid, line, moneyAxis, seriesLines, vertical } from "../axes.js";
import { categoriesOf } from "../categories.js";
import { h } from "../dom.js";
import { count, money, month, percent } from "../format.js";
import { addsUp, amounts, named } from "./finance_money.js";

export const measures = { cash: { name: "Cash before tax", short: "Cash" }, cost: { name: "Cost, accrual", short: "Cost" } };

const notes = {
  cash: {
    hardware: "bought; sales deducted",
    commitment: "paid in advance",
    lease: "as due",
    financing: "loans paid out, repaid, interest",
    facility: "space, or own building",
  },
  cost: {
    hardware: "spread over its life",
    commitment: "spread over the term",
    financing: "interest",
    disposal: "book value less sale",
  },
};

// Years or months of results: [{key, label}], and the value of one of them, undefined where a plan has none.
export function periodsOf(results, by) {
  const lengths = new Map();
  const first = results[0];
  for (const result of results)
    for (const { month: text } of result.by_month) {
      const key = by === "year" ? text.slice(0, 4) : text;
      lengths.set(key, (lengths.get(key) ?? 0) + (result === first ? 1 : 0));
    }
  const label = (key) => {
    if (by !== "year") return month(key);
    const months = lengths.get(key);
    return months && months < 12 ? `${key} (${count(months, "month")})` : key;
  };
  return [...lengths.keys()].sort().map((key) => ({ key, label: label(key) }));
}
function sumIn(result, { key }, value) {
  const months = result.by_month.filter((row) => row.month.startsWith(key));
  return months.length ? months.reduce((sum, row) => sum + value(row), 0) : undefined;
}

// The rows of the table by year: categories, their sum, what the end settles, the other measure, present costs.
function rowsOf(result, periods, measure) {
  const other = measure === "cash" ? "cost" : "cash";
  const over = (value) => periods.map((period) => sumIn(result, period, value));
  const { total } = result;
  const parts = categoriesOf([result.by_category], measure).map(({ name, label }) => ({
    name: label,
    note: notes[measure][name],
    values: over((row) => row.by_category[name]?.[measure] ?? 0),
    total: result.by_category[name][measure],
  }));
  const sum = { name: measures[measure].name, values: over((row) => row[measure]), total: total[measure], kind: "total" };
  const atEnd = (name, note, amount) => ({
    name,
    note,
    values: periods.map((_, i) => (i === periods.length - 1 ? amount : 0)),
    total: amount,
    kind: "memo",
  });
  const { sale, obligations, loan_balance: loan } = total.terminal;
  const memos =
    measure === "cost"
      ? []
      : [
          sale ? atEnd("of it resale", "when the horizon ends", -sale) : null,
          obligations
            ? atEnd("of it obligations settled", "what terms and leases still owe, at its present value then", obligations)
            : null,
          loan ? atEnd("of it loans repaid", "the balance when the horizon ends", loan) : null,
        ].filter(Boolean);
  const whole = (name, note, value, kind = "") => ({ name, note, values: periods.map(() => undefined), total: value, kind });
  return [
    ...parts,
    sum,
    ...memos,
    {
      name: measures[other].name,
      note: other === "cost" ? "what each month bears; purchases spread over their life" : "what is paid, when it is paid",
      values: over((row) => row[other]),
      total: total[other],
      kind: "other",
    },
    whole("Present cost before tax", "all payments, resale included, discounted to the first day", total.npv),
    whole(
      "Tax, discounted",
      total.npv === total.npv_after_tax ? "no tax rate is set" : "saved is negative; not known by year",
      total.npv_after_tax - total.npv,
    ),
    whole("Present cost after tax", "", total.npv_after_tax, "total"),
  ];
}

export function yearTable(result, measure) {
  const periods = periodsOf([result], "year");
  const rows = rowsOf(result, periods, measure);
  const { currency } = result;
  const { unit, show } = amounts(
    rows.flatMap((row) => [...row.values, row.total]),
    currency,
  );
  const parts = rows.slice(
    0,
    rows.findIndex((row) => row.kind === "total"),
  );
  const column = (label, value) => ({
    name: label,
    head: label,
    unit: currency,
    value: (row) => value(row) ?? null,
    show: (_, row) => show(value(row)),
    text: false,
  });
  return {
    unit,
    adds:
      addsUp(
        parts.map((row) => row.total),
        result.total[measure],
      ) &&
      addsUp(
        result.by_month.map((row) => row[measure]),
        result.total[measure],
      ),
    table: {
      caption: `${measures[measure].name} by year`,
      sortable: false,
      mark: (row) => row.kind || null,
      columns: [
        {
          name: "amount",
          head: h("span", { class: "unseen" }, "amount"),
          value: (row) => row.name,
          show: (_, row) => named(row.name, row.note),
          text: true,
        },
        ...periods.map(({ label }, i) => column(label, (row) => row.values[i])),
        column(count(result.months, "month"), (row) => row.total),
      ],
      rows,
    },
  };
}

export function monthTable(result, measure) {
  const other = measure === "cash" ? "cost" : "cash";
  const { currency, total } = result;
  const parts = categoriesOf([result.by_category], measure);
  let paid = 0;
  const rows = result.by_month.map((row) => ({ ...row, paid: (paid += row.cash) }));
  const foot = {
    month: count(result.months, "month"),
    by_category: result.by_category,
    cost: total.cost,
    cash: total.cash,
    paid: total.cash,
  };
  const { unit, show } = amounts(
    rows.flatMap((row) => [row.cost, row.cash, row.paid]),
    currency,
  );
  const column = (name, value) => ({ name, head: name, unit: currency, value, show, text: false });
  return {
    unit,
    adds:
      addsUp(
        parts.map(({ name }) => result.by_category[name][measure]),
        total[measure],
      ) &&
      addsUp(
        rows.map((row) => row[measure]),
        total[measure],
      ),
    table: {
      caption: `${measures[measure].name} by month`,
      columns: [
        { name: "month", value: (row) => row.month, show: (text) => (/^\d{4}-/.test(text) ? month(text) : text), text: true },
        ...parts.map(({ name, label }) => column(label, (row) => row.by_category[name]?.[measure] ?? 0)),
        column(measures[measure].name, (row) => row[measure]),
        column(measures[other].name, (row) => row[other]),
        column("cash, summed up", (row) => row.paid),
      ],
      rows,
      foot,
      footInCsv: true,
    },
  };
}

// A tooltip of an axis: the values from the greatest to the least, with their colours.
const values = (currency) => ({
  trigger: "axis",
  formatter: (points) =>
    [
      points[0].name,
      ...seriesLines(points, (value) => money(value, currency)),
    ].join("\n"),
});

// The spec of a chart of series over periods: bars by year, steps by month. The values' last is the sum.
function specOf({ title, name, series, periods, currency, by, note }) {
  const bars = by === "year" || periods.length === 1;
  const drawn = ({ values: all }) => all.slice(0, periods.length);
  return {
    title,
    name,
    note,
    size: "small",
    legend: series.map(({ name: text, colour }) => ({ name: text, colour })),
    option: (colours, width) => {
      const labels = periods.map(({ label }) => label);
      const axis = bars ? categoryAxis("", labels, colours) : dateAxis("", labels, colours, width);
      return {
        grid: { ...grid, bottom: 8 },
        tooltip: values(currency),
        xAxis: { ...axis, boundaryGap: bars },
        yAxis: { ...vertical(moneyAxis(currency, colours, "")), name: currency, splitNumber: 3 },
        series: series.map((one) =>
          bars
            ? {
                type: "bar",
                name: one.name,
                data: drawn(one),
                barMaxWidth: 28,
                itemStyle: { color: one.pick(colours) },
                emphasis: { disabled: true },
              }
            : line(one.name, drawn(one), one.pick(colours), { step: "middle" }),
        ),
      };
    },
    table: {
      columns: [
        { name: by, value: ({ key }) => key, show: (_, { label }) => label, text: true },
        ...series.map((one) => ({
          name: one.name,
          unit: currency,
          value: ({ at }) => one.values[at],
          show: (value) => (value === null ? "–" : money(value, currency)),
        })),
      ],
      rows: periods.map((period, at) => ({ ...period, at })),
      foot: { key: "all", label: "all", at: periods.length },
      footInCsv: true,
    },
  };
}

// Each with its sum behind the last period, for the table's foot.
const over = (result, periods, measure) => [
  ...periods.map((period) => sumIn(result, period, (row) => row[measure]) ?? null),
  result.total[measure],
];

export function planSpec(plan, result, by) {
  const periods = periodsOf([result], by);
  const series = [
    { name: measures.cash.name, colour: "var(--c1)", pick: (colours) => colours.costs[0], values: over(result, periods, "cash") },
    { name: measures.cost.name, colour: "var(--c2)", pick: (colours) => colours.costs[1], values: over(result, periods, "cost") },
  ];
  return specOf({
    title: `Cost and cash by ${by}`,
    name: "finance-plan",
    series,
    periods,
    currency: result.currency,
    by,
    note: `Of ${plan.name}. Sales and what the end settles are in its last month.`,
  });
}

export function plansSpec(plans, results, measure, by) {
  const periods = periodsOf(results, by);
  const series = plans.map((plan, i) => ({
    name: plan.name,
    colour: `var(--p${plan.colour})`,
    pick: (colours) => colours.plans[plan.colour - 1],
    values: over(results[i], periods, measure),
  }));
  return specOf({
    title: `${measures[measure].short} by ${by}, all plans`,
    name: "finance-plans",
    series,
    periods,
    currency: results[0].currency,
    by,
    note: `${measures[measure].name}.`,
  });
}

export const rate = (fraction) => percent(fraction);
