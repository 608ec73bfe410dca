// The few words that modules say by themselves, in the page's language.
export const words = JSON.parse(document.getElementById("words")?.textContent ?? "{}");
export const csrf = document.documentElement.dataset.csrf ?? "";
