// To the step before and after, or the round before and after, by keys. Links do it without.
for (const [way, rel] of [["step-before", "prev"], ["step-next", "next"]]) {
  window.keyways.on(way, () => {
    const link = document.querySelector(`a[rel="${rel}"]`);
    link?.click();
    return Boolean(link);
  });
}
