/** As wide as header, page and footer are at most. */
export const WIDTH = { maxWidth: 1200, mx: 'auto', px: { xs: 2, md: 3 } } as const;
