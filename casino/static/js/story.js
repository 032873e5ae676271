// Left and right: to the step before and after, or the round before and after. Links do it without.
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest("input, textarea, select, [contenteditable]")) return;
  const way = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  const link = way && document.querySelector(`a[rel="${way}"]`);
  if (link) {
    event.preventDefault();
    link.click();
  }
});
