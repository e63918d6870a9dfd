/* A table and the page where a match is chosen: cards that are chosen, amounts, keys, the focus, and the time left. Without it both work by their forms. */
"use strict";
(() => {
  let shown = null, until = 0, focused = null, typed = "", last = null;
  const root = document.querySelector("#live") || document.querySelector("#part") || document.body;
  const all = (selector) => [...root.querySelectorAll(selector)];
  const one = (selector) => root.querySelector(selector);
  const set = (element, name, on) => { if (element && element.hasAttribute(name) !== on) element.toggleAttribute(name, on); };
  const write = (element, text) => { if (element && element.textContent !== text) element.textContent = text; };
  const lamp = (button, on) => { button.classList.toggle("lamp", on); button.classList.toggle("dim", !on); set(button.querySelector("kbd"), "hidden", !on); };

  /* The buttons that use the chosen cards, the words of the amount, and the number of cards of a deck. */
  function update() {
    const rail = one("form.rail");
    const picks = rail ? [...rail.querySelectorAll(".pick :checked")] : [];
    const likes = picks.map((each) => Number(each.dataset.like)).sort((a, b) => a - b).join(" ");
    const many = Boolean(rail && rail.querySelector(".pick [type=checkbox]"));
    let first = null;
    for (const button of rail ? rail.querySelectorAll("[data-cards]") : []) {
      const fits = picks.length > 0 && button.dataset.cards === likes;
      if (many) set(button, "hidden", !fits);
      lamp(button, fits && !first);
      first = first || (fits ? button : null);
    }
    if (many) set(rail.querySelector("[data-generic]"), "hidden", true);
    const say = rail && rail.querySelector("[data-say]");
    if (say) {
      say.dataset.say = say.dataset.say || say.textContent.trim();
      const names = picks.map((each) => each.getAttribute("aria-label")).join(", ");
      const words = first && first.querySelector("span").textContent;
      write(say, !picks.length ? say.dataset.say : !first ? `${names} chosen: no action uses just that.`
        : many ? `${names} chosen.` : `${names} is chosen: press it again, or Enter, for: ${words}.`);
    }
    all(".staker [hidden]").forEach((each) => set(each, "hidden", false));
    amount(one(".staker .number"));
    deck();
  }

  function amount(number) {
    if (!number) return;
    const slide = one(".staker .slide");
    if (document.activeElement !== slide) slide.value = number.value;
    for (const button of all("[data-words]")) {
      write(button.querySelector("span"), button.dataset.words.replace("{}", number.value || "…"));
      const fits = Number(number.value) >= Number(button.dataset.least) && Number(number.value) <= Number(button.dataset.most);
      if (button.disabled === fits) button.disabled = !fits;
      set(button.querySelector("kbd"), "hidden", !button.classList.contains("lamp"));
    }
  }

  function step(by) {
    const number = one(".staker .number");
    if (!number) return false;
    number.value = Math.min(Number(number.max), Math.max(Number(number.min), Number(number.value) + by));
    amount(number);
    return true;
  }

  function deck() {
    const decks = one(".decks");
    if (!decks) return;
    let count = 0;
    for (const pick of decks.querySelectorAll(".pick input")) {
      const copies = pick.closest("li").querySelector(".copies");
      if (pick.checked) count += copies ? Math.max(1, Number(copies.value)) : 1;
    }
    write(decks.querySelector("[data-count]"), String(count));
    const fits = count >= Number(decks.dataset.least) && count <= Number(decks.dataset.most);
    decks.classList.toggle("wrong", !fits);
  }

  function about(input) {
    const place = one("[data-about-card] .say");
    if (!place || !input.dataset.about) return;
    write(place, `${input.value} `);
    place.append(Object.assign(document.createElement("small"), { textContent: input.dataset.about }));
  }

  function confirm() {
    const button = one(".rail .btn.lamp:not([hidden]):not(:disabled)");
    if (button) button.click();
    return Boolean(button);
  }

  function choose(place) {
    const input = all(".rail .hand > li")[place - 1]?.querySelector("input");
    if (!input) return;
    input.focus();
    input.click();
  }

  function press(found) {
    typed = "";
    if (!found) return;
    found.click();
    if (found.matches("summary") && found.parentElement.open) found.parentElement.querySelector("button")?.focus();
  }

  /* Digits choose cards; without cards they take actions. A digit that may be the first of two waits for the second, or for Enter. */
  function digit(key) {
    if (one(".rail .pick")) return choose(Number(key));
    const numbered = all(".rail [data-key]").filter((each) => /^\d+$/.test(each.dataset.key));
    const find = (number) => numbered.find((each) => each.dataset.key === String(number));
    const number = Number(typed + key);
    const longer = numbered.some((each) => each.dataset.key.length > String(number).length && each.dataset.key.startsWith(String(number)));
    typed = "";
    if (!longer) press(find(number));
    else {
      find(number)?.focus();
      typed = String(number);
    }
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const key = event.key, box = event.target.matches("input:not([type=radio], [type=checkbox], [type=range]), textarea, select");
    if (box) {
      if (key === "Escape") event.target.blur();
      if (key === "Enter" && event.target.matches(".number") && confirm()) event.preventDefault();
      return;
    }
    if (/^[0-9]$/.test(key) && one(".rail")) {
      event.preventDefault();
      digit(key);
    } else if (key === "Enter" && !event.target.closest("button:not([data-step]), a, summary")) {
      if (typed) press(all(`.rail [data-key="${typed}"]`)[0]);
      else if (!confirm()) return;
      event.preventDefault();
    } else if (key === "Escape") {
      all(".rail .pick :checked").forEach((each) => { each.checked = false; });
      last = null;
      update();
    } else if ((key === "+" || key === "-") && step(key === "+" ? 1 : -1)) {
      event.preventDefault();
    } else {
      typed = "";
      const found = /^[a-z?]$/.test(key) && all(`.sitting [data-key="${CSS.escape(key)}"]`)[0];
      if (found) {
        event.preventDefault();
        press(found);
      }
    }
  });

  document.addEventListener("click", (event) => {
    /* The second click of a double click would take an action of the next decision. */
    if (event.detail > 1 && event.target.closest(".rail button:not([data-step])")) event.preventDefault();
    const moved = event.target.closest("[data-step]");
    if (moved) step(Number(moved.dataset.step));
    const radio = event.target.closest(".rail .pick input[type=radio]");
    if (!radio) return;
    if (last === radio) confirm();
    last = radio;
  }, true);

  document.addEventListener("input", (event) => {
    if (event.target.matches(".staker .slide")) one(".staker .number").value = event.target.value;
    update();
  });
  document.addEventListener("change", update);
  for (const kind of ["focusin", "pointerover"]) {
    document.addEventListener(kind, (event) => {
      const input = event.target.closest?.(".decklist li")?.querySelector(".pick input");
      if (input) about(input);
    });
  }

  /* What had the focus goes with its question: the focus is then on what is asked next, which is read out. */
  document.addEventListener("focusin", (event) => { focused = event.target; });
  const observer = new MutationObserver(() => {
    observer.disconnect();
    update();
    if (last && !last.isConnected) last = null;
    if (focused && !focused.isConnected) {
      focused = null;
      typed = "";
      if (document.activeElement === document.body) one(".rail .ask")?.focus({ preventScroll: true });
    }
    watch();
  });
  const watch = () => observer.observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ["hidden", "data-words"] });
  update();
  watch();

  setInterval(() => {
    const clock = one(".time-left");
    if (!clock) {
      shown = null;
      return;
    }
    const question = `${clock.dataset.question} ${clock.dataset.left}`;
    if (question !== shown) {
      shown = question;
      until = performance.now() + 1000 * Number(clock.dataset.left);
    }
    const left = Math.max(0, Math.round((until - performance.now()) / 1000));
    write(clock, `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")} left for this move`);
    clock.classList.toggle("short", left < 30);
  }, 500);
})();
