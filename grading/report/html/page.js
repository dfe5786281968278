"use strict";
// Steps through the data of the page. All of it is put in as text, never as
// markup. Without this script the table below the figure shows the same.
(() => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const last = data.steps.length; // which has its number, where some are left out
  const number = (n) => (n ? data.steps[n - 1].number : 0);
  const marks = data.marks.map((m) => ({ ...m, at: data.steps.findIndex((s) => s.number === m.step) + 1 }));
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const mostObjects = 8; // that are shown at once: those touched last
  const mostRecords = 40; // of the source that are drawn one by one
  let now = 0;

  function make(tag, className, ...children) {
    const e = document.createElement(tag);
    if (className) e.className = className;
    e.append(...children);
    return e;
  }

  const sign = (kind) => make("span", "sign " + kind);
  const phaseClass = (phase) => (phase === "crash" || phase === "replay" ? phase : "");
  function phaseSign(phase) {
    const s = sign("");
    if (!phaseClass(phase)) return "";
    s.dataset.phase = phase;
    return s;
  }

  // The phases, from the first step of each to its last.
  const phases = [];
  data.steps.forEach((step, i) => {
    const open = phases[phases.length - 1];
    if (open && open.name === step.phase) open.to = i + 1;
    else phases.push({ name: step.phase, from: i + 1, to: i + 1 });
  });

  function drawMarks() {
    $("marks").classList.toggle("bare", !phases.some((p) => p.name));
    const percent = (n) => (100 * n) / last + "%";
    for (const p of phases.filter((p) => p.name)) {
      const span = make("div", "span " + phaseClass(p.name), p.name);
      span.style.left = percent(Math.max(p.from - 0.5, 0));
      span.style.right = percent(Math.max(last - p.to - 0.5, 0));
      $("phases").append(span);
      jump(p.from, "", phaseSign(p.name), p.name + ": " + range(p));
    }
    for (const m of marks.filter((m) => m.at)) {
      const s = sign(m.kind);
      s.style.left = percent(m.at);
      $("marks").append(s);
      jump(m.at, "bad", sign(m.kind), "step " + m.step + ": " + m.short);
    }
  }

  const range = (p) => (p.from === p.to ? "step " + number(p.from) : "steps " + number(p.from) + " to " + number(p.to));

  function jump(to, className, ...words) {
    const b = make("button", className, ...words);
    b.type = "button";
    b.addEventListener("click", () => show(to));
    $("jumps").append(b);
  }

  // How things stand after step n: the last step of each object, 0 before it is
  // there, -1 where that is left out.
  function stand(n) {
    const at = data.objects.map(() => 0);
    for (let i = 1; i <= n; i++) {
      if (data.steps[i - 1].hidden) at.fill(-1); // who knows
      at[data.steps[i - 1].object] = i;
    }
    return at;
  }

  function caption(n) {
    const parts = [];
    const step = data.steps[n - 1];
    const line = (className, ...text) => parts.push(make("span", className, ...text), " ");
    if (!step) {
      line("where", "Step 0 of " + data.count);
      line("what", "Before the first step.");
    } else {
      const where = "Step " + step.number + " of " + data.count + (step.at ? ", source " + step.at : "");
      line("where", where + (step.phase ? ", " : "."), phaseSign(step.phase), step.phase ? step.phase + "." : "");
      line("what", step.object >= 0 ? data.objects[step.object] + ": " + step.action : step.action);
      if (step.line) line("where", "at " + step.line);
      if (step.hidden) line("where", "(" + step.hidden + " steps before it are left out)");
      if (step.note) line("note", "(" + step.note + ")");
      if (step.state) line("hush", step.state);
      for (const m of marks.filter((m) => m.at === n)) line("mark", sign(m.kind), m.words + ".");
    }
    $("scene").className = step ? phaseClass(step.phase) : "";
    $("caption").replaceChildren(...parts);
  }

  function chip(text, className) {
    const c = make("li", "chip " + (className || ""), text);
    c.dataset.record = text;
    return c;
  }

  function drawSource(n) {
    if (!data.total) return;
    let read = 0;
    for (let i = 1; i <= n; i++) if (data.steps[i - 1].read >= 0) read = data.steps[i - 1].read;
    const list = make("ul", "chips");
    if (data.total <= mostRecords) {
      for (let i = 0; i < data.total; i++) {
        if (i === read) list.append(cursor());
        list.append(chip(data.source[i] || String(i + 1), i < read ? "" : "left"));
      }
      if (read === data.total) list.append(cursor());
    }
    const words = make("li", "none", read + " of " + data.total + " read");
    list.append(words);
    $("source").replaceChildren(laneBox("h3", "source", list));
  }

  function cursor() {
    const c = make("li", "cursor");
    c.setAttribute("aria-hidden", "true");
    return c;
  }

  function laneBox(heading, name, content) {
    const lane = make("div", "lane", make(heading, "", name), content);
    lane.dataset.lane = name;
    return lane;
  }

  function drawLane(name, groups) {
    if (!groups || groups.length === 0) return laneBox("h4", name, make("p", "chips none", groups ? "empty" : "-"));
    const list = make("ul", "chips");
    for (const g of groups) {
      const chips = g.items.map((item) => chip(item));
      if (!g.name) list.append(...chips);
      else list.append(make("li", "group", make("span", "", g.name), make("ul", "chips", ...chips)));
    }
    return laneBox("h4", name, list);
  }

  function drawObjects(n) {
    const at = stand(n);
    const shown = data.objects.map((_, i) => i);
    if (shown.length > mostObjects) {
      shown.sort((a, b) => at[b] - at[a]).splice(mostObjects);
      shown.sort((a, b) => a - b);
    }
    $("objects").replaceChildren(...shown.map((i) => drawObject(i, at[i], n)));
  }

  function drawObject(i, at, n) {
    const step = data.steps[at - 1];
    const title = make("h3", "", data.objects[i]);
    title.append(make("span", step ? "did" : "", step ? " " + step.action : at < 0 ? ", last step left out" : ", not there yet"));
    const lanes = make("div", "lanes", ...data.lanes.map((name, k) => drawLane(name, step && step.lanes && step.lanes[k])));
    return make("div", "object" + (step ? "" : " absent") + (at && at === n ? " now" : ""), title, lanes);
  }

  // Where each record was drawn, by its text, and in which lane.
  function places() {
    return [...document.querySelectorAll("#figure .chip:not(.left)")].map((e) => ({
      e, text: e.dataset.record, box: e.getBoundingClientRect(),
      lane: e.closest(".lane").dataset.lane, object: e.closest(".object"),
      key: (e.closest(".object") ? [...$("objects").children].indexOf(e.closest(".object")) : "") + "/" + e.closest(".lane").dataset.lane,
    }));
  }

  // Records that are new in a lane come from where one of the same name went
  // away or, if none did, from the source.
  function move(before, after, back) {
    const gone = before.slice();
    const fresh = after.filter((a) => {
      const same = gone.findIndex((b) => b.key === a.key && b.text === a.text);
      if (same >= 0) gone.splice(same, 1);
      return same < 0 && a.object;
    });
    const source = before.filter((b) => !b.object).concat(after.filter((a) => !a.object));
    for (const a of fresh) {
      a.e.classList.add("moved");
      const from = gone.find((b) => b.object && b.text === a.text) || source.find((b) => b.text === a.text || b.text.startsWith(a.text + "="));
      if (!from || still.matches || !a.e.animate || back === undefined) continue;
      const x = from.box.left - a.box.left, y = from.box.top - a.box.top;
      a.e.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: 320, easing: "ease-in-out" });
    }
  }

  function show(n) {
    n = Math.min(Math.max(n, 0), last);
    const before = places();
    const by = n - now;
    now = n;
    $("at").value = n;
    $("at").setAttribute("aria-valuetext", number(n) + " of " + data.count);
    for (const id of ["first", "back"]) $(id).setAttribute("aria-disabled", n === 0);
    for (const id of ["forward", "last"]) $(id).setAttribute("aria-disabled", n === last);
    caption(n);
    drawSource(n);
    drawObjects(n);
    if (by) move(before, places(), Math.abs(by) === 1 ? by < 0 : undefined);
    for (const row of document.querySelectorAll("tr[aria-current]")) row.removeAttribute("aria-current");
    const row = $("step-" + number(n));
    if (row) row.setAttribute("aria-current", "step");
  }

  function key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest && event.target.closest(".wide")) return; // which scrolls by these
    const inside = $("figure").contains(event.target);
    const to = { ArrowLeft: now - 1, ArrowRight: now + 1 }[event.key] ??
      (inside ? { ArrowDown: now - 1, ArrowUp: now + 1, Home: 0, End: last }[event.key] : undefined);
    if (to === undefined) return;
    event.preventDefault();
    show(to);
  }

  $("first").addEventListener("click", () => show(0));
  $("back").addEventListener("click", () => show(now - 1));
  $("forward").addEventListener("click", () => show(now + 1));
  $("last").addEventListener("click", () => show(last));
  $("at").addEventListener("input", () => show(Number($("at").value)));
  document.addEventListener("keydown", key);
  drawMarks();
  $("figure").hidden = false;
  show(0);
})();
