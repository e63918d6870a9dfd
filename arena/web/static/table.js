/* The keys of a table, and the time that is left for a decision. Without it the page works by its buttons. */
"use strict";
(() => {
  const WAIT = 900; /* milliseconds for a second digit */
  let typed = "", timer = 0, shown = null, until = 0;

  const all = (selector) => [...document.querySelectorAll(`.sitting ${selector}`)];

  function press(found) {
    typed = "";
    if (!found) return;
    const amount = found.form && found.form.querySelector("input[type=number]");
    if (amount && document.activeElement !== amount) {
      amount.focus();
      amount.select();
    } else {
      found.click();
      if (found.matches("summary") && found.parentElement.open) found.parentElement.querySelector("button")?.focus();
    }
  }

  function digit(key) {
    clearTimeout(timer);
    typed += key;
    const count = all("button[data-key]").length;
    const number = typed;
    const take = () => press(all(`button[data-key="${Number(number)}"]`)[0]);
    if (Number(typed) * 10 <= count) timer = setTimeout(take, WAIT);
    else take();
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.matches("input, textarea, select")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (/^[0-9]$/.test(event.key)) digit(event.key);
    else if (event.key === "Enter" && typed) {
      clearTimeout(timer);
      event.preventDefault();
      press(all(`button[data-key="${Number(typed)}"]`)[0]);
    } else if (/^[a-z?]$/.test(event.key)) {
      const name = CSS.escape(event.key);
      const found = all(`[data-key="${name}"], [data-letter="${name}"]`)[0];
      if (found) {
        event.preventDefault();
        press(found);
      }
    }
  });

  /* The second click of a double click would take an action of the next decision. */
  document.addEventListener("click", (event) => {
    if (event.detail > 1 && event.target.closest(".choices button")) event.preventDefault();
  }, true);

  setInterval(() => {
    const clock = all(".clock")[0];
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
    clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")} left`;
    clock.classList.toggle("short", left < 30);
  }, 500);
})();
