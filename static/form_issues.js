// Issues at the fields of a form: what is folded around one is opened.

// Opens what is folded around a pointer; gives the element nearest to it.
export function reveal(root, pointer) {
  for (let fold = true; fold;) {
    fold = [...root.querySelectorAll("details[data-fold]")].find(
      (one) => !one.open && (pointer === one.dataset.fold || pointer.startsWith(`${one.dataset.fold}/`)),
    );
    fold?.unfold();
  }
  const near = [...root.querySelectorAll("[data-pointer]")].filter(
    (one) => pointer === one.dataset.pointer || pointer.startsWith(`${one.dataset.pointer}/`),
  );
  return near.sort((a, b) => b.dataset.pointer.length - a.dataset.pointer.length)[0] ?? null;
}

// Puts each issue at its field; gives those that have none.
export function showIssues(root, list) {
  for (const place of root.querySelectorAll(".issue")) place.textContent = "";
  for (const control of root.querySelectorAll("[aria-invalid]")) control.removeAttribute("aria-invalid");
  return list.filter(({ pointer, message }) => {
    const place = reveal(root, pointer);
    const note = place && [...place.children].findLast((child) => child.classList.contains("issue"));
    if (!note) return true;
    note.textContent = [note.textContent, message].filter(Boolean).join("; ");
    const control = place.querySelector("input, select, textarea");
    control?.setAttribute("aria-invalid", "true");
    control?.setAttribute("aria-errormessage", note.id);
    return false;
  });
}
