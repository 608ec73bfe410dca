// Sends what was tapped, and shows the page as it is since.
for (const button of document.querySelectorAll("button[data-post]")) {
  button.addEventListener("click", async () => {
    const told = document.querySelector("[role=status]");
    button.disabled = true;
    told.textContent = "";
    try {
      const answer = await fetch(button.dataset.post, {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "application/json" },
        body: JSON.stringify({ sure: true }),
      });
      if (answer.ok) {
        location.reload();
        return;
      }
      const problem = await answer.json();
      told.textContent = told.dataset[problem.code] || told.dataset.failed;
    } catch {
      told.textContent = told.dataset.failed;
    }
    button.disabled = false;
  });
}
