// The table of plans that the catalogue offers: what its head, columns, rows and legend have.
import { period, sure } from "../decision/words.js";
import { percent } from "../format.js";
import { columnsOf } from "./columns.js";
import { csvColumns, detailOf } from "./detail.js";

export const offered = {
  id: "plans",
  columns: columnsOf,
  csv: csvColumns,
  detail: detailOf,
  lead({ rows, isDrawn }) {
    const holding = rows.filter((row) => row.holds !== null && row.holds >= sure).length;
    const { scenario } = rows[0].plan;
    const held = isDrawn ? `${holding} of ${rows.length} hold as sized in 9 of 10 draws · ` : "";
    const rate = scenario.finance?.discount_rate;
    return `${held}${period(scenario)}${rate ? `, ${percent(rate)} a year` : ""}`;
  },
  legend: () => [
    [null, "each sized anew in each draw; peak use: of full; first token, gap between tokens, p95"],
    ["clock", "latency or price to look at"],
    ["wrench", "porting"],
    ["lock", "bound"],
    ["alert", "may be missing"],
    ["power", "power assumed"],
  ],
};
