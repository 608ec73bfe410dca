// The forms of a venue: the browser's own zone, more spans of a day, one day's times for the whole week, more days.
const own = document.querySelector("[data-own-zone]");
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
// The first page was made before the server knew the zone.
if (own && [...own.options].some((one) => one.value === zone)) own.value = zone;

for (const tools of document.querySelectorAll(".day-tools, [data-add-row]")) tools.hidden = false;

function emptied(element) {
  const copy = element.cloneNode(true);
  copy.querySelectorAll("input").forEach((input) => (input.value = ""));
  return copy;
}

document.addEventListener("click", (event) => {
  const adder = event.target.closest("[data-add-span]");
  if (adder) {
    const spans = adder.closest(".day").querySelector(".spans");
    const fresh = emptied(spans.lastElementChild);
    spans.append(fresh);
    fresh.querySelector("input").focus();
    return;
  }
  if (event.target.closest("[data-copy-day]")) {
    copyToWeek(event.target.closest(".day"));
    return;
  }
  if (event.target.closest("[data-add-row]")) {
    const rows = document.querySelector("[data-rows]");
    const fresh = emptied(rows.lastElementChild);
    rows.append(fresh);
    fresh.querySelector("input").focus();
  }
});

function copyToWeek(source) {
  const from = [...source.querySelectorAll(".span")];
  for (const day of document.querySelectorAll(".day")) {
    if (day === source) continue;
    const spans = day.querySelector(".spans");
    while (spans.children.length < from.length) spans.append(emptied(spans.lastElementChild));
    [...spans.children].forEach((span, place) => {
      const given = from[place]?.querySelectorAll("input");
      span.querySelectorAll("input").forEach((input, side) => (input.value = given?.[side].value ?? ""));
    });
  }
}
