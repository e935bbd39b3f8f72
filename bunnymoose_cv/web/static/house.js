// Behaviour of every page without the server: light and dark, dialogs, keys, and keeping the focus.
// It has no state of the game: a key only presses the button that declares it.
"use strict";
(() => {
  const root = document.documentElement;
  const language = document.currentScript.dataset.language;
  if (language) root.lang = language;

  // ---------- light and dark ----------

  const THEME = "bunnymoose-theme";
  const night = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => { try { return localStorage.getItem(THEME); } catch { return null; } };
  const paint = () => { root.dataset.theme = chosen() ?? (night.matches ? "dark" : "light"); };
  const turn = () => {
    const other = root.dataset.theme === "dark" ? "light" : "dark";
    try { localStorage.setItem(THEME, other); paint(); } catch { root.dataset.theme = other; }
  };
  paint();
  night.addEventListener("change", paint);
  addEventListener("storage", paint);

  // ---------- presses that need no server ----------

  const DEEDS = {
    theme: turn,
    fullscreen: () => document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen(),
  };
  addEventListener("click", (event) => {
    const pressed = event.target.closest("[data-does], [data-opens], [data-closes]");
    if (!pressed) {
      if (event.target.matches("dialog[open]") && outside(event.target, event)) event.target.close();
      return;
    }
    if (pressed.dataset.does) DEEDS[pressed.dataset.does]?.();
    if (pressed.dataset.closes !== undefined) pressed.closest("dialog")?.close();
    if (pressed.dataset.opens) open(pressed.dataset.opens);
  });
  const open = (id) => {
    const dialog = document.getElementById(id);
    if (!dialog || dialog.open) return;
    dialog.showModal();
    dialog.querySelector("[data-first]")?.focus();
  };
  const outside = (dialog, event) => {
    const box = dialog.getBoundingClientRect();
    return event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom;
  };

  // ---------- keys: each button declares its own in aria-keyshortcuts ----------

  const WRITES = "input:not([type=checkbox], [type=radio], [type=range], [type=button]), textarea, select, [contenteditable=true]";
  const PRESSED_BY_ITSELF = "button, a[href], summary, input, [role=button], [role=tab]";
  // French and Czech keyboards have signs and letters on the digit keys.
  const pressedKey = ({ key, code, shiftKey }) => !shiftKey && /^Digit\d$/.test(code) ? code.at(-1) : named(key);
  const named = (key) => key === " " ? "Space" : key.length === 1 ? key.toLowerCase() : key;
  addEventListener("keydown", (event) => {
    // A key pressed just after a dialog has closed would act on the page behind it.
    const place = event.target.checkVisibility?.() ? event.target : document.body;
    if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || place.matches(WRITES)) return;
    const key = pressedKey(event);
    if ((key === "Space" || key === "Enter") && place.matches(PRESSED_BY_ITSELF)) return;
    if (key.startsWith("Arrow") && place.matches("[type=radio], [type=range]")) return; // these keys change the choice
    const dialog = document.querySelector("dialog[open]");
    const listens = [...(dialog ?? document).querySelectorAll("[aria-keyshortcuts]")].find((each) =>
      each.getAttribute("aria-keyshortcuts").split(" ").some((one) => named(one) === key)
      && !each.disabled && !each.inert && canBeSeen(each));
    if (!listens) {
      if (!dialog) showNotice(whyIdle(key));
      return;
    }
    event.preventDefault();
    if (listens.matches(".bam") && root.dataset.closed !== undefined) { showNotice(words("onceMore")); return; }
    if (listens.matches(PRESSED_BY_ITSELF)) listens.click();
    else listens.querySelector(PRESSED_BY_ITSELF)?.focus(); // a group of buttons: the user chooses with Tab and Enter
  });

  const canBeSeen = (button) => (button.closest("details.more:not([open])") ?? button).checkVisibility();

  // A key without a button now shows the server's reason, or says that it does nothing.
  const SIGNS = { ArrowLeft: "←", ArrowRight: "→" };
  const whyIdle = (key) => {
    const reason = [...document.querySelectorAll("[data-idle]")].find((hint) => hint.dataset.idle.split(" ").includes(key));
    if (reason) return reason.textContent;
    const listed = [...document.querySelectorAll("#keys kbd")].some((shown) => named(shown.textContent) === (SIGNS[key] ?? key));
    return listed ? words("idleKey").replace("§", SIGNS[key] ?? key) : "";
  };
  const showNotice = (sentence) => dispatchEvent(new CustomEvent("notice", { detail: sentence }));
  const words = (name) => document.querySelector(".toast[data-notices]")?.dataset[name] ?? "";

  // ---------- the menu “More” closes when the user presses elsewhere ----------

  const closeMore = (except) => document.querySelectorAll("details.more[open]").forEach((menu) => {
    if (!menu.contains(except)) menu.open = false;
  });
  addEventListener("click", (event) => closeMore(event.target.closest("summary")));
  addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    const open = document.querySelector("details.more[open]");
    closeMore(null);
    open?.querySelector("summary").focus();
  });

  // A second Enter, just after the first has closed a dialog, must not trigger Bam. The close event would be too late,
  // since a queued key is handled before it.
  const AFTER_DIALOG_MS = 1000;
  let since = 0;
  const seen = (changes) => {
    if (!changes.some(({ target }) => target.matches("dialog:not([open])"))) return;
    clearTimeout(since);
    root.dataset.closed = "";
    since = setTimeout(() => { delete root.dataset.closed; }, AFTER_DIALOG_MS);
  };
  new MutationObserver(seen).observe(root, { attributeFilter: ["open"], subtree: true });

  // ---------- the navigation scrolls to the link of this page ----------

  const bring = () => document.querySelector(".top [aria-current=page]")?.scrollIntoView({ block: "nearest", inline: "center" });
  addEventListener("resize", bring);
  addEventListener("DOMContentLoaded", () => {
    const built = new MutationObserver(() => { if (document.querySelector(".top nav")) { built.disconnect(); bring(); } });
    built.observe(document.body, { childList: true, subtree: true });
  });

  // ---------- errors are shown for some seconds ----------

  const NOTICE_MS = 9000;
  addEventListener("notice", (event) => {
    const place = document.querySelector("dialog[open] [data-notices]") ?? document.querySelector(".toast[data-notices]");
    if (!place || !event.detail) return;
    const notice = document.createElement("p");
    notice.textContent = event.detail;
    place.replaceChildren(notice);
    setTimeout(() => notice.remove(), NOTICE_MS);
  });

  // ---------- the focus is kept when a part of the page is replaced ----------

  let focused = null;
  addEventListener("focusin", (event) => { focused = event.target.dataset?.focus ?? null; });
  addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
    if (focused === null || document.activeElement !== document.body) return;
    [...document.querySelectorAll("[data-focus]")].find((each) => each.dataset.focus === focused)?.focus();
  }).observe(document.body, { childList: true, subtree: true }));
})();
