// Shows issues at the fields of a form, and opens the sections around them.

// Opens the collapsed sections around a pointer; returns the closest element.
export function reveal(root, pointer) {
  for (let fold = true; fold;) {
    fold = [...root.querySelectorAll("details[data-fold]")].find(
      (item) => !item.open && (pointer === item.dataset.fold || pointer.startsWith(`${item.dataset.fold}/`)),
    );
    fold?.unfold();
  }
  const near = [...root.querySelectorAll("[data-pointer]")].filter(
    (item) => pointer === item.dataset.pointer || pointer.startsWith(`${item.dataset.pointer}/`),
  );
  return near.sort((a, b) => b.dataset.pointer.length - a.dataset.pointer.length)[0] ?? null;
}

// Shows each issue at its field; returns the issues without a field.
export function showIssues(root, list) {
  for (const place of root.querySelectorAll(".issue")) place.textContent = "";
  for (const control of root.querySelectorAll("[aria-invalid]")) control.removeAttribute("aria-invalid");
  return list.filter(({ pointer, message }) => {
    const place = reveal(root, pointer);
    const note = place && [...place.children].findLast((child) => child.classList.contains("issue"));
    if (!note) return true;
    note.textContent = [note.textContent, message].filter(Boolean).join("; ");
    const control = place.querySelector("[data-field]") ?? place.querySelector("input, select, textarea");
    control?.setAttribute("aria-invalid", "true");
    control?.setAttribute("aria-errormessage", note.id);
    return false;
  });
}
