// Elements are built here and nowhere else: by name, with text nodes. Nothing
// on this page parses HTML, so whatever a config or a log says stays text.

export type Child = Node | string | number | null | undefined | false | Child[];

type Handlers = { [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void };

export interface Props {
  class?: string | undefined;
  on?: Handlers;
  /** Custom properties; set through the CSSOM, which the content policy allows. */
  vars?: Record<`--${string}`, string | number>;
  [attribute: string]: unknown;
}

/** h makes an element. Attributes that are null, undefined or false are left out. */
export function h<K extends keyof HTMLElementTagNameMap>(name: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  const { on, vars, ...attributes } = props;
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    element.setAttribute(key, value === true ? "" : String(value));
  }
  for (const [event, handler] of Object.entries(on ?? {})) element.addEventListener(event, handler as EventListener);
  for (const [key, value] of Object.entries(vars ?? {})) element.style.setProperty(key, String(value));
  append(element, children);
  return element;
}

export function append(parent: Node, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(parent, child);
    else parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/** fill replaces what is in an element. */
export function fill(parent: Element, ...children: Child[]): void {
  parent.replaceChildren();
  append(parent, children);
}

/** prose turns words in backquotes into code, and leaves the rest text. */
export function prose(text: string): Child[] {
  return text.split(/(`[^`\n]+`)/).map((piece) =>
    piece.length > 2 && piece.startsWith("`") && piece.endsWith("`") ? h("code", {}, piece.slice(1, -1)) : piece,
  );
}

/** link makes a link of an address from outside, or plain text of anything that is not http or https. */
export function link(address: string, label: Child = address): Child {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return label;
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") return label;
  return h("a", { href: url.href, rel: "noopener noreferrer nofollow", target: "_blank" }, label);
}

export function button(label: Child, run: (event: MouseEvent) => void, props: Props = {}): HTMLButtonElement {
  return h("button", { type: "button", class: "btn", ...props, on: { click: run, ...props.on } }, label);
}

export function byId<T extends HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element #${id}`);
  return element as T;
}
