// Pointing at a column anywhere dims the others in all charts.
const all = document.body;
all.addEventListener("mouseover", event => {
  const column = event.target.closest("[data-c]")?.dataset.c;
  all.classList.toggle("dim", !!column);
  for (const element of document.querySelectorAll("[data-c]")) element.classList.toggle("lit", element.dataset.c === column);
});
