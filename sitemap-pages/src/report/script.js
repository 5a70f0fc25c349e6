"use strict";
(() => {
  const form = document.querySelector(".filter");
  if (!form) return;
  const groups = [...document.querySelectorAll("#findings details")].map((element) => ({
    element,
    items: [...element.querySelectorAll("li")].map((item) => [item, item.textContent.toLowerCase()]),
  }));
  const all = groups.reduce((sum, group) => sum + group.items.length, 0);
  const output = form.querySelector("output");
  const more = form.dataset.more ? `; ${form.dataset.more} more findings are only counted` : "";
  const apply = () => {
    const wanted = form.text.value.trim().toLowerCase();
    const boxes = [...form.querySelectorAll("[name=severity]")];
    const kinds = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    let total = 0;
    for (const { element, items } of groups) {
      const isWanted = kinds.has(element.className);
      let shown = 0;
      for (const [item, text] of items) {
        item.hidden = !text.includes(wanted);
        shown += item.hidden ? 0 : 1;
      }
      element.hidden = !isWanted || shown === 0;
      element.open = wanted !== "" && !element.hidden;
      total += element.hidden ? 0 : shown;
    }
    output.textContent = `${total} of ${all} examples shown${more}`;
  };
  form.hidden = false;
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  const follow = (prefix) => {
    form.text.value = prefix;
    apply();
    form.scrollIntoView();
    form.text.focus({ preventScroll: true });
  };
  for (const link of document.querySelectorAll("[data-section]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      follow(link.dataset.section);
    });
  }
  apply();
  const named = location.hash && document.getElementById(location.hash.slice(1));
  if (named && named.tagName === "DETAILS") named.open = true;
})();
