// Where react-admin labels the span around a row's checkbox, the label goes to the input: there a screen reader looks for it.

/** For a ref: goes on as rows come and go. */
export function labelCheckboxes(root: HTMLElement | null): (() => void) | undefined {
  if (!root) return undefined;
  const move = () => {
    for (const span of root.querySelectorAll('.select-item[aria-label]')) {
      span.querySelector('input')?.setAttribute('aria-label', span.getAttribute('aria-label') ?? '');
      span.removeAttribute('aria-label');
    }
  };
  move();
  const seen = new MutationObserver(move);
  seen.observe(root, { childList: true, subtree: true });
  return () => seen.disconnect();
}
