// Pages of lists on the wire.
import * as z from 'zod';

export const MOST_PER_PAGE = 1000;
const MOST_PAGES = 1_000_000;

/** The query of a list: `page` counts from 1; `size` is at most 1000. */
export const pageQuery = (size = 10) => ({
  page: z.coerce.number().int().min(1).max(MOST_PAGES).default(1),
  size: z.coerce.number().int().min(1).max(MOST_PER_PAGE).default(size),
});

/** The query of a list whose pages neither repeat nor miss a row while others insert: it goes on behind a row, not at a number. */
export const cursorQuery = (size = 10) => ({
  ...pageQuery(size),
  cursor: z
    .string()
    .regex(/^[\x21-\x7e]{1,300}$/, 'cursor_rule')
    .optional()
    .meta({
      description:
        'The `paginated.extra.cursor` of the page before, in the same order: this page begins behind its last row, whatever was inserted meanwhile, and `page` is only repeated in the answer. A last page may have none.',
    }),
});
