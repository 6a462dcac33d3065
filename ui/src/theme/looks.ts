// What styles of plain elements are written with.

/** A colour of the theme, such as `text-secondary`, as the browser keeps it. */
export const color = (path: string) => `var(--mui-palette-${path})`;

/** For `mask`: a symbol of 24 × 24, which takes the background's colour. */
export const symbol = (path: string, px = 24) =>
  `url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E%3Cpath d='${path}'/%3E%3C/svg%3E") center / ${px}px no-repeat`;
