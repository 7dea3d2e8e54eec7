// The columns of the plans that the catalogue offers.
import { h } from "../dom.js";
import { latency, percent } from "../format.js";
import { glossary } from "../terms.js";
import { chanceTexts } from "./answer.js";
import { replicaLinks } from "./detail.js";
import { dash, sharedColumns } from "./shared_columns.js";

export function columnsOf(view) {
  const { cost, range, fails, million, evidence, best } = sharedColumns({
    ...view,
    currency: view.rows[0].plan.scenario.currency,
    chances: chanceTexts(view),
  });
  const isDrawn = view.rows.some((row) => row.low !== null);
  return [
    cost,
    range,
    ...(isDrawn ? [fails] : []),
    {
      name: "Precision",
      class: "num cr",
      head: "replicas",
      title: `Replicas at work and spare; precision of the weights. Spare: ${glossary.Spare}`,
      value: (row) => row.precision,
      cell: (row) => [replicaLinks(row, view.request?.workloads ?? []) ?? "–", h("small", {}, row.precision)],
    },
    {
      name: "First · gap",
      class: "num cu",
      head: "peak use",
      title: `${glossary["Used at the peak"]}; first token and gap between tokens then, 95th percentile`,
      value: (row) => row.use,
      cell: (row) => [
        dash(row.use, percent(row.use)),
        h("small", {}, row.first === null ? "" : `${latency(row.first)} · ${latency(row.gap)}`),
      ],
    },
    million,
    evidence,
    ...(isDrawn ? [best] : []),
  ];
}
