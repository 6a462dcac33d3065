// The browser draws the document's first words before the program arrives: a fast network would deliver it earlier, and its
// evaluation would hold back the first paint. A tab in the background draws nothing, and must not wait for it.
let isStarted = false;
const start = () => {
  if (isStarted) return;
  isStarted = true;
  // If it cannot be loaded, the document says so.
  void import('./main.tsx');
};
requestAnimationFrame(() => setTimeout(start));
setTimeout(start, 200);
