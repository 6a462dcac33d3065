// Pages of lists on the wire.
import * as z from 'zod';

export const MOST_PER_PAGE = 1000;
const MOST_PAGES = 1_000_000;

/** The query of a list: `page` counts from 1; `size` is at most 1000. */
export const pageQuery = (size = 10) => ({
  page: z.coerce.number().int().min(1).max(MOST_PAGES).default(1),
  size: z.coerce.number().int().min(1).max(MOST_PER_PAGE).default(size),
});
