// Sensitivity: a tornado chart of an output as each input varies, and the values at which another scenario becomes the cheapest.
import { post } from "../api.js";
import { categoryAxis, cut, grid, valueAxis } from "../axes.js";
import { chart } from "../chart.js";
import { inTheme } from "../colours.js";
import { choice, h, labelled } from "../dom.js";
import { number, percent, quantity, short, shortMoney } from "../format.js";
import { go } from "../router.js";
import { capital, figureWords } from "../terms.js";
import { outputChoice } from "./question_parts.js";

// What was really changed, as a fraction of the base.
const changeText = ({ change }) => (change === null ? "" : ` (${change > 0 ? "+" : ""}${percent(change)})`);

const colours = { low: { light: "#8793c2", dark: "#6878b8" }, high: { light: "#35426f", dark: "#b3bef0" } }; // no scenario's

export async function sensitivity(params, place, context) {
  const output = params.get("output") ?? "";
  const change = Number(params.get("change") ?? 0.2);
  const decisions = params.get("decisions") === "1";
  const answer = await post(
    "/v1/sensitivity",
    {
      scenario: context.scenario(context.first),
      against: context.references.slice(1).map(context.scenario),
      ...(output && { output }),
      ...(change !== 0.2 && { change }),
      ...(decisions && { decisions }),
      ...context.rest,
    },
    context.signal,
  );
  const { inputs } = answer;
  place.append(
    h(
      "div",
      { class: "controls wide" },
      outputChoice(context, output),
      labelled(
        "Change each input by",
        choice(
          [0.1, 0.2, 0.5].map((value) => ({ value: String(value), text: `± ${percent(value)}` })),
          String(change),
          (value) => go({ change: value === "0.2" ? null : value }),
          { id: "change" },
        ),
      ),
      labelled(
        "Inputs",
        choice(
          [
            { value: "", text: "without decisions" },
            { value: "1", text: "with servers, instances and months" },
          ],
          decisions ? "1" : "",
          (value) => go({ decisions: value || null }),
          { id: "decisions" },
        ),
      ),
    ),
    tornado({ ...answer, inputs }, context, answer.output),
  );
}

function tornado(answer, context, output) {
  const rows = answer.inputs.filter((input) => input.low.output !== null && input.high.output !== null);
  const unranked = answer.inputs.length - rows.length;
  const top = rows.slice(0, 15);
  const words = (input) => context.words(input.pointer);
  const show = (value) => quantity(value, answer.unit);
  const tick = (value) => (/^[A-Z]{3}$/.test(answer.unit) ? shortMoney(value, answer.unit) : short(value));
  const names = context.references.map(context.name);
  const flips = top.filter((input) => input.flips_at);
  const [min, max] = [
    Math.min(...top.flatMap((row) => [row.low.output, row.high.output])),
    Math.max(...top.flatMap((row) => [row.low.output, row.high.output])),
  ];
  const side = (which) => ({
    type: "bar",
    name: which,
    stack: "swing",
    barMaxWidth: 18,
    itemStyle: { color: inTheme(colours[which]) },
    data: top.map((input) => input[which].output - answer.base),
  });
  return chart({
    title: "Sensitivity",
    name: "tornado",
    size: "tall",
    wide: true,
    legend: [
      { name: "input lower", colour: colours.low },
      { name: "input higher", colour: colours.high },
    ],
    note: [
      `${capital(figureWords(output))} of ${names[0]} is ${show(answer.base)}; one input varies at a time.`,
      flips.length
        ? ` The cheapest changes: ${flips
            .slice(0, 4)
            .map(
              (input) =>
                `${words(input)} at ${quantity(input.flips_at.value, input.unit)} ` +
                `(then ${names[input.flips_at.cheapest] ?? "none"}` +
                `${input.flips_at.infeasible ? ", as the cheapest can't do its work" : ""})`,
            )
            .join("; ")}.`
        : " No single input changes which one is the cheapest within its range.",
      " Whole inputs move by whole steps: the table has each one's change.",
      answer.without_effect ? ` ${number(answer.without_effect)} inputs have no effect.` : "",
      unranked ? ` ${number(unranked)} inputs break a rule at an end.` : "",
    ],
    option: (theme, width) => ({
      grid: { ...grid, top: 8 },
      tooltip: {
        trigger: "axis",
        axisPointer: { type: "shadow" },
        formatter: (points) => {
          const input = top[points[0].dataIndex];
          return [
            words(input),
            `${quantity(input.low.input, input.unit)}${changeText(input.low)} → ${show(input.low.output)}`,
            `${quantity(input.base, input.unit)} → ${show(answer.base)}`,
            `${quantity(input.high.input, input.unit)}${changeText(input.high)} → ${show(input.high.output)}`,
          ].join("\n");
        },
      },
      xAxis: {
        ...valueAxis(`${capital(figureWords(output))} (${answer.unit})`, theme, (value) => tick(value + answer.base)),
        min: min - answer.base,
        max: max - answer.base,
      },
      yAxis: {
        ...categoryAxis(
          "",
          top.map((input) => cut(words(input), width < 560 ? 22 : 60)),
          theme,
        ),
        inverse: true,
      },
      series: [side("low"), side("high")],
    }),
    table: {
      columns: [
        { name: "input", value: (row) => row.pointer, show: (value, row) => words(row), text: true },
        { name: "unit", value: (row) => row.unit, text: true },
        { name: "from", value: (row) => row.low.input, show: (value) => number(value) },
        { name: "base", value: (row) => row.base, show: (value) => number(value) },
        { name: "to", value: (row) => row.high.input, show: (value) => number(value) },
        { name: "change down", value: (row) => row.low.change, show: (value) => (value === null ? null : percent(value)) },
        { name: "change up", value: (row) => row.high.change, show: (value) => (value === null ? null : percent(value)) },
        { name: "output at low", unit: answer.unit, value: (row) => row.low.output, show },
        { name: "output at high", unit: answer.unit, value: (row) => row.high.output, show },
        { name: "elasticity", value: (row) => row.elasticity, show: (value) => number(value, "", 3) },
        {
          name: "cheapest changes at",
          value: (row) => row.flips_at?.value ?? null,
          show: (value, row) => (value === null ? null : quantity(value, row.unit)),
        },
      ],
      rows,
    },
  }).element;
}
