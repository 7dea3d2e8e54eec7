// Fields of numbers take what people type, or say why not.
import assert from "node:assert/strict";

export const rest = {
  async "numbers as people type them"({ open }) {
    const { page, visit } = await open();
    await visit("/?view=glossary");
    const typed = {
      "": null,
      "2,5": 2.5,
      "0,125": 0.125,
      "2.5": 2.5,
      "1,000": 1000,
      "1,234,567.8": 1234567.8,
      "1 000": 1000,
      "1.000,5": 1000.5,
      "1.234.567": 1234567,
      "−3": -3,
      "1e3": 1000,
      "12,34,5": "no number",
      "1.5.2": "no number",
      "2,5 USD": "no number",
      many: "no number",
    };
    const read = await page.evaluate(async (texts) => {
      const { typedNumber } = await import("/static/format.js");
      return texts.map((text) => typedNumber(text)).map((value) => (Number.isNaN(value) ? "no number" : value));
    }, Object.keys(typed));
    assert.deepEqual(read, Object.values(typed));
  },
};
