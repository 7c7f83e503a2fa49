// <rea-toggle session="ID" src="http://127.0.0.1:8931"></rea-toggle>: the switch of one conversation.
//
// Green: the tools reach the model. Grey: they don't. Red border: the host does not answer. A click flips.
//   session  the conversation
//   src      where the host is; if left out, where this file came from
//   label    the word on it; "rea" if left out
//   token    the host's bearer token, if it asks for one
//   managed  then it asks nothing by itself; call show(status) and fail(text)
// After a flip it sends the event "rea-toggle-change" with the host's status as detail.

const EVERY = 2000; // ms between two looks at the host
const PATIENCE = 5000; // ms after which the host does not answer

const styles = new CSSStyleSheet();
styles.replaceSync(`
  :host { display: inline-block; font: 500 12px/1 system-ui, sans-serif; color-scheme: light dark }
  :host([hidden]) { display: none }
  button {
    --ink: light-dark(#57606a, #9da5ae); --dot: light-dark(#8c959f, #6e7681);
    --fill: light-dark(#f3f4f6, #22272e); --line: light-dark(#d0d7de, #3b434c);
    font: inherit; color: var(--ink); background: var(--fill); border: 1px solid var(--line); border-radius: 999px;
    box-sizing: border-box; height: 24px; min-width: 62px; padding: 0 10px 0 8px; margin: 0; cursor: pointer;
    display: inline-flex; align-items: center; justify-content: center; gap: 6px; white-space: nowrap;
    transition: background-color .15s, border-color .15s, color .15s;
  }
  button[aria-pressed=true] {
    --ink: light-dark(#116329, #7ee2a0); --dot: light-dark(#1a7f37, #3fb950);
    --fill: light-dark(#e6f7ea, #14281c); --line: light-dark(#9fd8ae, #2b5a3b);
  }
  button.silent { border-color: light-dark(#cf222e, #f85149); box-shadow: 0 0 0 1px light-dark(#cf222e, #f85149) }
  button:hover { filter: brightness(.97) }
  button:focus-visible { outline: 2px solid light-dark(#0969da, #58a6ff); outline-offset: 2px }
  button[aria-busy=true] { opacity: .6; cursor: progress }
  .dot { width: 7px; height: 7px; border-radius: 50%; background: var(--dot); flex: none }
  .word { opacity: .85; font-weight: 400 }
  @media (forced-colors: active) {
    .dot { background: ButtonText } button[aria-pressed=true] .dot { background: Highlight }
    button.silent { border: 2px dashed Mark }
  }
  @media (prefers-reduced-motion: reduce) { button { transition: none } }
`);

/** How much is kept out, in words. The figure is an estimate for the o200k vocabulary: bytes / 4.6. */
export function keptOut(status) {
  if (status.schemaBytes == null) return "";
  const tokens = Math.round(status.schemaBytes / 4.6).toLocaleString("en");
  return `${tokens} estimated o200k tokens of schema kept out of each request`;
}

export function toolCount(status) {
  return `${status.tools.toLocaleString("en")} ${status.tools === 1 ? "tool" : "tools"}`;
}

/** Asks the host; fails with a text for people. */
export async function ask(base, path, token, options = {}) {
  const headers = { ...options.headers };
  if (options.body) headers["content-type"] = "application/json";
  if (token) headers.authorization = `Bearer ${token}`;
  let response;
  try {
    const signal = AbortSignal.timeout(PATIENCE);
    response = await fetch(new URL(path, base), { ...options, headers, signal, cache: "no-store", credentials: "omit" });
  } catch {
    throw new Error("The host does not answer.");
  }
  if (response.status === 304) return null;
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) {
    const said = answer.error?.message ?? `The host answered with status ${response.status}.`;
    throw Object.assign(new Error(said), { status: response.status });
  }
  return Object.assign(answer, { tag: response.headers.get("etag") });
}

export class ReaToggle extends HTMLElement {
  static observedAttributes = ["session", "src", "label", "token", "managed"];
  #button = document.createElement("button");
  #name = document.createElement("span");
  #word = document.createElement("span");
  #status = null;
  #fault = "";
  #busy = false;
  #turn = 0;
  #timer;

  constructor() {
    super();
    const dot = document.createElement("span");
    dot.className = "dot";
    this.#word.className = "word";
    this.#button.type = "button";
    this.#button.append(dot, this.#name, this.#word);
    this.#button.addEventListener("click", () => this.flip());
    const root = this.attachShadow({ mode: "open", delegatesFocus: true });
    root.adoptedStyleSheets = [styles];
    root.append(this.#button);
  }

  connectedCallback() {
    this.#draw();
    this.#watch();
  }

  disconnectedCallback() {
    clearTimeout(this.#timer);
  }

  attributeChangedCallback(name, before, now) {
    if (before === now) return;
    if (name === "session" || name === "src") this.#status = null;
    this.#draw();
    if (this.isConnected && name !== "label") this.#watch();
  }

  /** Shows a status that somebody else asked for. */
  show(status) {
    if (this.#busy) return;
    this.#status = status;
    this.#fault = "";
    this.#draw();
  }

  /** Shows that the host does not answer. */
  fail(text) {
    this.#fault = text;
    this.#draw();
  }

  async flip() {
    const session = this.getAttribute("session");
    if (this.#busy || !session) return;
    this.#busy = true;
    this.#turn += 1;
    this.#draw();
    // What is seen decides what is wanted: of two clicks in two windows the second does not undo the first.
    const wanted = this.#status && !this.#status.enabled;
    const body = JSON.stringify(wanted === null ? { session } : { session, enabled: wanted });
    try {
      const status = await this.#ask("rea-toggle/state", { method: "POST", body });
      this.#status = status;
      this.#fault = "";
      this.dispatchEvent(new CustomEvent("rea-toggle-change", { detail: status, bubbles: true, composed: true }));
    } catch (error) {
      this.#fault = error.message;
    }
    this.#busy = false;
    this.#draw();
  }

  #ask(path, options) {
    const base = new URL("/", this.getAttribute("src") || import.meta.url);
    return ask(base, path, this.getAttribute("token"), options);
  }

  async #watch() {
    clearTimeout(this.#timer);
    const session = this.getAttribute("session");
    if (this.hasAttribute("managed") || !this.isConnected || !session) return;
    const turn = ++this.#turn;
    if (!document.hidden) {
      let status, fault;
      try {
        status = await this.#ask(`rea-toggle/state?session=${encodeURIComponent(session)}`);
      } catch (error) {
        fault = error.message;
      }
      // A click, or another attribute, was quicker.
      if (turn !== this.#turn) {
        if (this.isConnected) this.#timer = setTimeout(() => this.#watch(), EVERY);
        return;
      }
      if (fault) this.fail(fault);
      else this.show(status);
    }
    this.#timer = setTimeout(() => this.#watch(), EVERY);
  }

  #draw() {
    const label = this.getAttribute("label") || "rea";
    const status = this.#status;
    const button = this.#button;
    const on = Boolean(status?.enabled);
    this.#name.textContent = label;
    this.#word.textContent = status ? (on ? "on" : "off") : "…";
    button.setAttribute("aria-pressed", String(on));
    button.setAttribute("aria-busy", String(this.#busy));
    button.classList.toggle("silent", Boolean(this.#fault));
    const session = this.getAttribute("session") || "";
    button.setAttribute("aria-label", `${label} tools in conversation ${session}${this.#fault ? ". " + this.#fault : ""}`);
    button.title = this.#fault || (status ? words(status) : "");
  }
}

function words(status) {
  if (status.tools === 0) return "No such server is connected.";
  if (status.enabled) return `${toolCount(status)} reach the model. Click to keep them out.`;
  const kept = keptOut(status);
  return `${toolCount(status)} kept out of reach${kept && `: ${kept}`}. Click to let them in.`;
}

if (!customElements.get("rea-toggle")) customElements.define("rea-toggle", ReaToggle);
