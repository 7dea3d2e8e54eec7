// What people type into a field of a number: understood, or refused in words at the field.
import { notANumber, typedNumber } from "./format.js";

// What is wrong with what was typed into a field of a number, in words; "" where nothing is. An empty field is not wrong.
export function problemOf(text, { min = -Infinity, max = Infinity, isWhole = false } = {}) {
  const value = typedNumber(text);
  if (value === null) return "";
  if (Number.isNaN(value)) return notANumber(text);
  if (isWhole && !Number.isInteger(value)) return "A whole number.";
  return value < min ? `${min} or more.` : value > max ? `${max} or less.` : "";
}

// Takes what was typed: `taken` gets the number, or null of an empty field; what is wrong is said at the field, and not taken.
export function takeNumber(input, taken, limits) {
  const problem = problemOf(input.value, limits);
  input.setCustomValidity(problem);
  if (problem) {
    input.setAttribute("aria-invalid", "true");
    input.reportValidity();
  } else {
    input.removeAttribute("aria-invalid");
    taken(typedNumber(input.value));
  }
}
