// The page as a picture: what stands on it, in its theme, at twice its size.
import { save } from "../table.js";

const sharp = 2;
const longest = 16000; // px, that a canvas has at most
const spaces = { svg: "http://www.w3.org/2000/svg", html: "http://www.w3.org/1999/xhtml" };

const asData = async (url) => {
  const blob = await (await fetch(url)).blob();
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.readAsDataURL(blob);
  });
};

// All rules of the page, the font within them: a picture may fetch nothing.
async function rules() {
  const text = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText)).join("\n");
  const [, font] = /url\("([^"]+\.woff2)"\)/.exec(text) ?? [];
  return font ? text.replaceAll(`url("${font}")`, `url("${await asData(new URL(font, location.href))}")`) : text;
}

// A copy in which fields have what is typed and chosen.
function copyOf(element) {
  const copy = element.cloneNode(true);
  const fields = (one) => [...one.querySelectorAll("input, select")];
  fields(element).forEach((field, i) => {
    const other = fields(copy)[i];
    if (field.tagName === "INPUT") other.setAttribute("value", field.value);
    else [...other.options].forEach((option, n) => option.toggleAttribute("selected", n === field.selectedIndex));
  });
  return copy;
}

export async function savePage(element, name) {
  const [width, height] = [document.documentElement.clientWidth, element.scrollHeight];
  const root = document.createElementNS(spaces.svg, "svg");
  const { backgroundColor, fontFamily, fontSize, lineHeight, color } = getComputedStyle(document.body);
  const theme = document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  root.setAttribute("xmlns", spaces.svg);
  root.setAttribute("width", width);
  root.setAttribute("height", height);
  root.setAttribute("data-theme", theme);
  root.style.colorScheme = theme; // an attribute is a style that the page's policy refuses
  const place = document.createElementNS(spaces.svg, "foreignObject");
  place.setAttribute("width", "100%");
  place.setAttribute("height", "100%");
  const body = document.createElementNS(spaces.html, "body");
  Object.assign(body.style, { fontFamily, fontSize, lineHeight, color, margin: "0" });
  const style = document.createElementNS(spaces.html, "style");
  style.textContent = await rules();
  const main = document.createElementNS(spaces.html, "main");
  main.append(copyOf(element));
  body.append(style, main);
  place.append(body);
  root.append(place);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(root))}`;
  await image.decode();
  const scale = Math.min(sharp, longest / height);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width * scale, height * scale];
  const context = canvas.getContext("2d");
  context.fillStyle = backgroundColor === "rgba(0, 0, 0, 0)" ? getComputedStyle(document.documentElement).backgroundColor : backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  save(`${name}.png`, blob, "image/png");
}
