// Parts of a page are replaced when the server's events announce a change. While the page is hidden no events are sent;
// after a break the browser sends the digests of its parts, so that only differing ones are sent.
"use strict";
(() => {
  const ASK_AGAIN_MS = 2000;
  const LATER_MS = 100;
  const PATIENCE_MS = 5000;
  const SILENT_MS = 20000; // the server gives a sign of life every five seconds
  const root = document.documentElement;
  let address = "";
  let seen = "";
  let source = null;
  let waits = ""; // part of the query: wait for a free place, while another page of this browser has this one's

  const replace = (name, html) => {
    const part = document.querySelector(`[data-part="${CSS.escape(name)}"]`);
    if (!part) return;
    if (part.dataset.stays !== undefined) { stay(part, html); return; }
    if (isSameAsShown(part, html)) return;
    const kept = [...part.querySelectorAll("[data-keeps]")].map((each) => [each.dataset.keeps, changed(each)]);
    const caret = caretIn(part);
    part.innerHTML = html;
    kept.forEach(([of, change]) => change?.(part.querySelector(`[data-keeps="${CSS.escape(of)}"]`)));
    caret?.();
  };

  // Opened details, unsent choices and unsent text are kept when their part is replaced, and a film continues.
  const changed = (holder) => {
    if (holder.matches("video")) return (updated) => updated?.replaceWith(holder);
    if (holder.matches("details")) {
      const { open } = holder;
      return (updated) => { if (updated) updated.open = open; };
    }
    const fields = [...holder.elements].filter((each) => each.name && each.type !== "hidden");
    if (holder.dataset.sent !== undefined || !fields.some(differs)) return null;
    const held = new FormData(holder);
    return (updated) => { if (updated) fill(updated, held); };
  };
  const differs = (field) => {
    if (field.options) return field.selectedIndex !== Math.max(0, [...field.options].findIndex((each) => each.defaultSelected));
    return field.checked !== field.defaultChecked || field.value !== field.defaultValue;
  };
  const fill = (form, held) => {
    [...form.elements].filter((each) => each.name && each.type !== "hidden").forEach((field) => {
      const values = held.getAll(field.name);
      if (field.type === "radio" || field.type === "checkbox") field.checked = values.includes(field.value);
      else if (values.length) [field.value] = values;
    });
    form.dispatchEvent(new Event("change", { bubbles: true }));
  };

  // Keyed elements of a part are kept in place: figures move, and a screen reader reads only the new lines of a log.
  const stay = (part, html) => {
    const updated = part.cloneNode(false);
    updated.innerHTML = html;
    settle(part, updated);
    if (part.dataset.stays) part.classList.add(part.dataset.stays);
  };
  const settle = (old, updated) => {
    const fresh = [...updated.children];
    if (!fresh.some((each) => each.dataset.key)) {
      if (old.innerHTML !== updated.innerHTML) old.innerHTML = updated.innerHTML;
      return;
    }
    const keys = new Set(fresh.map((each) => each.dataset.key));
    [...old.childNodes].filter((each) => !keys.has(each.dataset?.key)).forEach((each) => each.remove());
    const there = new Map([...old.children].map((each) => [each.dataset.key, each]));
    let place = old.firstElementChild;
    fresh.forEach((each) => {
      const same = there.get(each.dataset.key);
      if (same) {
        [...each.attributes].forEach(({ name, value }) => same.setAttribute(name, value));
        settle(same, each);
      }
      if (same && same === place) place = place.nextElementSibling;
      else old.insertBefore(same ?? each, place);
    });
  };

  // CSS variables, which attributes of a page may not set (content policy).
  const dressed = new WeakMap();
  const dress = () => document.querySelectorAll("[data-vars]").forEach((each) => {
    if (dressed.get(each) === each.dataset.vars) return;
    dressed.set(each, each.dataset.vars);
    each.style.cssText = each.dataset.vars;
  });

  // Fields that need a permission are enabled while the page lists it, and keep their contents.
  const allow = () => {
    const allowed = document.querySelector("[data-allows]")?.dataset.allows.split(" ") ?? [];
    document.querySelectorAll("[data-needs]").forEach((each) => { each.disabled = !allowed.includes(each.dataset.needs); });
  };

  // Ticked, chosen and typed values are shown before the server confirms them: a part that already shows them is kept,
  // so that later input is not lost with it.
  const isSameAsShown = (part, html) => {
    if (!part.querySelector("input, select")) return false;
    const now = document.createElement(part.tagName);
    now.innerHTML = html;
    return cloneAsShown(part).isEqualNode(cloneAsShown(now));
  };
  const cloneAsShown = (part) => {
    const copy = document.createElement("div");
    copy.append(...[...part.childNodes].map((each) => each.cloneNode(true)));
    copy.querySelectorAll("[data-sent]").forEach((each) => each.removeAttribute("data-sent"));
    const fields = part.querySelectorAll("input, option");
    copy.querySelectorAll("input, option").forEach((each, index) => asShown(each, fields[index]));
    return copy;
  };
  const asShown = (copy, field) => {
    copy.toggleAttribute("checked", Boolean(field.checked));
    copy.toggleAttribute("selected", Boolean(field.selected));
    if (field.type === "text" || field.type === "range") copy.setAttribute("value", field.value);
  };

  // In a text field the caret is kept.
  const caretIn = (part) => {
    const field = document.activeElement;
    if (!part.contains(field) || !field.matches("input[data-typed]")) return null;
    const { value, selectionStart, selectionEnd } = field;
    return () => {
      const updated = part.querySelector(`[data-focus="${CSS.escape(field.dataset.focus)}"]`);
      if (!updated) return;
      updated.value = value;
      updated.focus();
      updated.setSelectionRange(selectionStart, selectionEnd);
    };
  };

  let heard = 0;
  const show = (event) => {
    heard = performance.now();
    seen = event.lastEventId;
    waits = "";
    Object.entries(JSON.parse(event.data)).forEach(([name, html]) => replace(name, html));
    allow();
    dress();
    dispatchEvent(new CustomEvent("replaced"));
    if (root.dataset.stream === "lost") revive();
    root.dataset.stream = "open";
    showLoss("");
  };

  // A page that has lost the connection says so at once, and disables Bam until it is back.
  const showLoss = (sentence) => {
    const banner = document.querySelector("[data-gone]");
    if (banner && banner.textContent !== sentence) banner.textContent = sentence;
    document.querySelectorAll(".bam").forEach((each) => { each.inert = root.dataset.stream === "lost"; });
  };
  // A live image ends with its server, and browsers do not request it again. It is closed while the page is hidden:
  // a browser has six connections for all its pages.
  const LIVE = ".glass > img";
  let asked = 0;
  const watch = (image, how = "asked") => {
    if (document.hidden) image.removeAttribute("src");
    else image.src = `/live.mjpeg?${how}=${++asked}`;
  };
  // A dark image of this width (live_image.py) means that another page has the stream's place: wait for a free one.
  const LOST_PX = 32;
  setInterval(() => document.querySelectorAll(LIVE).forEach((image) => {
    if (image.naturalWidth === LOST_PX) watch(image, "waits");
  }), ASK_AGAIN_MS);
  const revive = () => document.querySelectorAll(LIVE).forEach((image) => watch(image));
  addEventListener("error", (event) => {
    const image = event.target;
    if (image instanceof Element && image.matches(LIVE)) setTimeout(() => { if (image.isConnected) watch(image, "waits"); }, ASK_AGAIN_MS);
  }, true);

  // A pending command may open another page. The stream is closed, as it would reconnect and ask for a second reload.
  const reload = () => {
    close();
    if (root.dataset.sending === undefined) location.reload();
    else setTimeout(reload, LATER_MS);
  };
  const open = () => {
    if (source || document.hidden) return;
    heard = performance.now();
    source = new EventSource(`${address}?seen=${seen}${waits}`);
    source.addEventListener("parts", show);
    source.addEventListener("alive", () => { heard = performance.now(); });
    source.addEventListener("reload", reload);
    source.addEventListener("displaced", yieldPlace);
    source.addEventListener("error", lost);
  };
  const close = () => { source?.close(); source = null; };
  const yieldPlace = (event) => {
    root.dataset.stream = "lost";
    waits = "&waits=1";
    close();
    showLoss(JSON.parse(event.data));
    setTimeout(ask, ASK_AGAIN_MS);
  };
  const lost = () => {
    root.dataset.stream = "lost";
    showLoss(document.querySelector("[data-gone]")?.dataset.gone ?? "");
    if (source.readyState !== EventSource.CLOSED) return; // the browser reconnects by itself
    close();
    setTimeout(ask, ASK_AGAIN_MS);
  };
  // A hanging program or a lost network does not close connections, so a stream that is silent for long is closed.
  setInterval(() => {
    if (source?.readyState !== EventSource.OPEN || performance.now() - heard < SILENT_MS) return;
    source.close();
    lost();
  }, 1000);

  // Browsers do not report why a stream was refused: a visitor who was removed sees the reason on the reloaded page.
  const ask = async () => {
    if (source) return;
    const stop = new AbortController();
    const late = setTimeout(() => stop.abort(), PATIENCE_MS);
    try {
      const answer = await fetch(`${address}?seen=${seen}${waits}`, { cache: "no-store", signal: stop.signal });
      if (answer.status === 403) { location.reload(); return; }
      if (answer.ok) { stop.abort(); open(); return; }
      if (answer.headers.get("content-type")?.startsWith("text/plain")) {
        dispatchEvent(new CustomEvent("notice", { detail: await answer.text() }));
      }
    } catch { /* the server is not there yet */ } finally { clearTimeout(late); }
    setTimeout(ask, ASK_AGAIN_MS);
  };

  // A page that holds something open (data-holds), a practice with its counts, stays connected in a hidden tab.
  document.addEventListener("visibilitychange", () => {
    revive();
    waits = "";
    if (!document.hidden) { open(); return; }
    if (document.querySelector("[data-holds]")) return;
    root.dataset.stream = "rests";
    close();
  });
  addEventListener("DOMContentLoaded", () => {
    address = document.body.dataset.stream;
    seen = document.body.dataset.seen;
    allow();
    dress();
    if (document.hidden) revive();
    open();
  });
})();
