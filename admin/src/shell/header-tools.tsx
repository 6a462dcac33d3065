// What the head of every page offers, beside the person's own menu.
export function HeaderTools() {
  return null;
}
