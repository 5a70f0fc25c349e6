"use strict";
(() => {
  const filter = document.querySelector(".filter");
  if (!filter) return;
  filter.hidden = false;
  filter.querySelector("input").addEventListener("input", (event) => {
    const wanted = event.target.value.toLowerCase();
    for (const group of document.querySelectorAll("#findings details")) {
      let shown = 0;
      for (const item of group.querySelectorAll("li")) {
        item.hidden = !item.textContent.toLowerCase().includes(wanted);
        shown += item.hidden ? 0 : 1;
      }
      group.hidden = shown === 0;
      group.open = wanted !== "" && shown > 0;
    }
  });
})();
