// What each plan's cost consists of, by groups of categories.
import { chart } from "../chart.js";
import { categoryAxis, moneyAxis, seriesLines } from "../axes.js";
import { costGroups } from "../categories.js";
import { money, shortMoney } from "../format.js";

export function stackPart() {
  let figure = null;
  const spec = ({ answer, order, plans }) => {
    // In the order of what is drawn, which need not be that of the figure that decides.
    const rows = order
      .map((i) => ({ plan: plans[i], result: answer.scenarios[i].result }))
      .sort((a, b) => a.result.total.cost - b.result.total.cost);
    const used = costGroups()
      .map((group, g) => ({ ...group, g, values: rows.map(({ result }) => group.cost(result.by_category)) }))
      .filter((group) => group.values.some((value) => value));
    return {
      title: "What the cost consists of",
      name: "stack",
      note: "Cost over the horizon, purchases spread over their life; not discounted.",
      legend: used.map((group) => ({ name: group.name, colour: `var(--c${group.g + 1})` })),
      option: (colours, width) => ({
        grid: { left: 8, right: 56, top: 8, bottom: 32, containLabel: true },
        tooltip: {
          trigger: "axis",
          axisPointer: { type: "shadow" },
          formatter: (points) =>
            [
              points[0].name,
              ...seriesLines(
                points.filter((point) => point.value),
                (value) => money(value, answer.currency),
              ),
            ].join("\n"),
        },
        yAxis: {
          ...categoryAxis(
            "",
            rows.map(({ plan }) => plan.name),
            colours,
          ),
          inverse: true,
          axisLabel: { color: colours.text, interval: 0, width: Math.min(170, 0.36 * width), overflow: "break", lineHeight: 13 },
        },
        xAxis: { ...moneyAxis(answer.currency, colours), splitNumber: 3 },
        series: used.map((group, n) => ({
          type: "bar",
          stack: "all",
          name: group.name,
          data: group.values,
          barMaxWidth: 14,
          itemStyle: { color: colours.costs[group.g], borderColor: colours.page, borderWidth: 0.5 },
          emphasis: { disabled: true },
          label:
            n === used.length - 1
              ? {
                  show: true,
                  position: "right",
                  color: colours.text,
                  formatter: ({ dataIndex }) => shortMoney(rows[dataIndex].result.total.cost, answer.currency),
                }
              : undefined,
        })),
      }),
      table: {
        columns: [
          { name: "plan", value: ({ plan }) => plan.name },
          ...used.map((group) => ({
            name: group.name,
            unit: answer.currency,
            value: ({ result }) => group.cost(result.by_category),
            show: (value) => money(value, answer.currency),
          })),
          {
            name: "cost",
            unit: answer.currency,
            value: ({ result }) => result.total.cost,
            show: (value) => money(value, answer.currency),
          },
        ],
        rows,
      },
    };
  };
  return {
    element: null,
    show(view) {
      if (!figure) {
        figure = chart(spec(view));
        this.element = figure.element;
        this.element.id = "stack";
      } else figure.update(spec(view));
    },
  };
}
