"use strict";
(() => {
  const form = document.querySelector(".filter");
  if (!form) return;
  const SHOWN = 100;
  const number = (value) => value.toLocaleString("en-US");
  const create = (parent, name, text) => {
    const element = parent.appendChild(document.createElement(name));
    if (text) element.textContent = text;
    return element;
  };
  // The findings of a rule by section: the start of their URLs, and the rest of those URLs that the report has.
  const read = (script) => JSON.parse(script?.textContent ?? "[]").map(([prefix, count, examples, listed, urls]) => ({
    prefix,
    lower: prefix.toLowerCase(),
    more: count - examples,
    unlisted: count - examples - listed,
    urls: listed ? urls.split("\n") : [],
    lowerUrls: listed ? urls.toLowerCase().split("\n") : [],
  }));
  const groups = [...document.querySelectorAll("#findings details")].map((element) => {
    const sections = read(element.querySelector("script"));
    const items = [...element.querySelectorAll("li")].map((item) => [item, item.textContent.toLowerCase()]);
    const found = create(element, "div");
    return { element, items, sections, found, more: sections.reduce((sum, section) => sum + section.more, 0) };
  });
  const sum = (count) => groups.reduce((total, group) => total + count(group), 0);
  const all = sum((group) => group.items.length);
  const allMore = sum((group) => group.more);
  const output = form.querySelector("output");
  // Returns how many findings that are not examples have the text in their URLs, and the first of these URLs.
  const search = (sections, wanted) => {
    let count = 0;
    const urls = [];
    for (const section of sections) {
      const isInside = section.lower.includes(wanted);
      count += isInside ? section.unlisted : 0;
      for (const [at, lower] of section.lowerUrls.entries()) {
        if (!isInside && !(section.lower + lower).includes(wanted)) continue;
        count += 1;
        if (urls.length < SHOWN) urls.push(section.prefix + section.urls[at]);
      }
    }
    return { count, urls };
  };
  const show = (found, { count, urls }, more) => {
    found.replaceChildren();
    if (count > 0) {
      create(found, "p", `${number(count)} more with the text in their URLs${urls.length < count ? `, of which ${number(urls.length)} are here` : ""}:`);
      const list = create(found, "ul");
      for (const url of urls) {
        const item = create(list, "li");
        if (!/^https?:/.test(url)) item.textContent = url;
        else Object.assign(create(item, "a", url), { href: url, rel: "noreferrer nofollow" });
      }
    }
    if (more > count) create(found, "p", `${number(more - count)} more may have the text in what is not in this file.`);
  };
  const apply = () => {
    const wanted = form.text.value.trim().toLowerCase();
    const boxes = [...form.querySelectorAll("[name=severity]")];
    const kinds = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    let [total, matching, unknown] = [0, 0, 0];
    for (const { element, items, sections, found, more } of groups) {
      const isWanted = kinds.has(element.className);
      let shown = 0;
      for (const [item, text] of items) {
        item.hidden = !text.includes(wanted);
        shown += item.hidden ? 0 : 1;
      }
      const isSearched = isWanted && wanted !== "" && more > 0;
      const result = isSearched ? search(sections, wanted) : { count: 0, urls: [] };
      show(found, result, isSearched ? more : 0);
      // A finding that the report does not have may match, so a rule with such findings is never hidden.
      element.hidden = !isWanted || (shown === 0 && more === 0);
      element.open = wanted !== "" && !element.hidden;
      if (element.hidden) continue;
      total += shown;
      matching += result.count;
      unknown += isSearched ? more - result.count : 0;
    }
    const texts = [`${number(total)} of ${number(all)} examples shown`];
    if (wanted === "" && allMore > 0) texts.push(`${number(allMore)} more findings are not shown`);
    if (matching > 0) texts.push(`${number(matching)} more findings have the text in their URLs`);
    if (unknown > 0) texts.push(`${number(unknown)} may have it in what is not in this file; write all findings with --csv to search them`);
    output.textContent = texts.join("; ");
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
