// As much of a page's elements as modules need that build some: children, attributes, listeners. Draws nothing.
class Element {
  constructor(tag) {
    Object.assign(this, { tag, children: [], attributes: {}, listeners: {}, hidden: false, style: { setProperty() {} } });
  }
  append(...children) {
    this.children.push(...children);
  }
  replaceChildren(...children) {
    this.children = children;
  }
  setAttribute(name, value) {
    this.attributes[name] = value;
  }
  removeAttribute(name) {
    delete this.attributes[name];
  }
  addEventListener(name, listener) {
    this.listeners[name] = listener;
  }
  click() {
    this.listeners.click({ currentTarget: this });
  }
  set textContent(text) {
    this.children = [text];
  }
  get textContent() {
    return this.children.map((child) => child.textContent ?? String(child)).join("");
  }
}

export const document = { createElement: (tag) => new Element(tag) };

// Those of a tag below an element, in their order.
export function elementsOf(element, tag) {
  const below = (element.children ?? []).flatMap((child) => elementsOf(child, tag));
  return element.tag === tag ? [element, ...below] : below;
}
