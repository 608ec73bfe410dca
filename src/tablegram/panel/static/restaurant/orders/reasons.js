// Own words mean "something else", and "something else" asks for own words.
document.addEventListener("input", (event) => {
  const own = event.target.closest("[data-own-words]");
  if (own?.value.trim()) own.form.querySelector('[name="why"][value="other"]').checked = true;
});
document.addEventListener("change", (event) => {
  if (event.target.matches('[name="why"][value="other"]')) event.target.form.querySelector("[data-own-words]").focus();
});
// One of the small forms is open at a time.
document.addEventListener("toggle", (event) => {
  const opened = event.target;
  if (!opened.matches?.("details.act") || !opened.open) return;
  opened.parentElement.querySelectorAll("details.act[open]").forEach((one) => one !== opened && (one.open = false));
}, true);
