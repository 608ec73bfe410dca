// Paper: the page as it is, without what is only for screens.
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-print]")) window.print();
});
