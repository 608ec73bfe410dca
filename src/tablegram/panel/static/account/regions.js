// Names of countries, which every browser knows in the page's language.
const names = new Intl.DisplayNames([document.documentElement.lang], { type: "region" });
for (const element of document.querySelectorAll("[data-region]")) {
  element.textContent = names.of(element.dataset.region) ?? element.dataset.region;
}
