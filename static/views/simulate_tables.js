// The figures of a simulation in tables: of each scenario, and of each against the baseline.
import { percent, quantity } from "../format.js";
import { section } from "../table.js";
import { capital, figureWords } from "../terms.js";

// Each scenario against the baseline, sample by sample.
export function differences(answer, scenarios, output, basis) {
  const rows = scenarios.filter((scenario) => scenario.difference);
  if (!rows.length) return null;
  const figure = (name, member) => ({
    name,
    unit: rows[0].difference.unit,
    value: (row) => row.difference[member],
    show: (value) => quantity(value, rows[0].difference.unit),
  });
  return section(
    `Difference to ${scenarios[answer.baseline].name}`,
    {
      caption: "Difference to the baseline",
      rows,
      columns: [
        { name: "scenario", value: (row) => row.name, text: true },
        figure("mean", "mean"),
        figure("standard error", "standard_error"),
        figure("5 %", "p5"),
        figure("50 %", "p50"),
        figure("95 %", "p95"),
      ],
    },
    "simulated-difference",
    `${capital(figureWords(output))} less that of ${scenarios[answer.baseline].name} in the same sample, where both do the same work. ${basis}`,
  );
}

export function summary(scenarios, unit) {
  const figure = (name, member) => ({
    name,
    unit,
    value: (row) => row.figure[member],
    show: (value) => quantity(value, unit),
  });
  return section(
    "Summary statistics",
    {
      caption: "Summary statistics",
      rows: scenarios,
      columns: [
        { name: "scenario", value: (row) => row.name, text: true },
        figure("mean", "mean"),
        figure("standard error", "standard_error"),
        figure("5 %", "p5"),
        figure("50 %", "p50"),
        figure("95 %", "p95"),
        figure("mean of the worst 5 %", "cvar_95"),
        ...(scenarios[0].probability_below ?? []).map(({ amount }, i) => ({
          name: `does its work at or below ${quantity(amount, unit)}`,
          value: (row) => row.probability_below[i].probability,
          show: percent,
        })),
      ],
    },
    "simulation",
  );
}

// How much of each scenario's variance is each input's: inputs down, as there may be many.
export function spreads(scenarios, varied, context) {
  const known = scenarios.filter((scenario) => scenario.figure.variance_by_input);
  if (!known.length) return null;
  return section(
    "Variance by input",
    {
      caption: "Variance by input",
      rows: varied,
      columns: [
        { name: "input", value: ({ pointer }) => pointer, show: (pointer) => context.words(pointer), text: true },
        ...known.map(({ name, figure }) => ({
          name,
          value: ({ pointer }) => figure.variance_by_input[pointer] ?? null,
          text: false,
          show: (value) => (value === null ? null : percent(value)),
        })),
      ],
    },
    "simulated-variance",
    "The share of each scenario's variance that goes with an input.",
  );
}
