// The subjects of a discount. Of several that apply at once the largest counts, and none are added up.

/** In this order where two are equally large: whoever has one of their own sees it named. */
export const DISCOUNT_TYPES = ['organization', 'plan', 'sku', 'code'] as const;
export type DiscountType = (typeof DISCOUNT_TYPES)[number];

/** A text code (`fields/codes.ts`). The hyphen is of older ones, which can still be redeemed and ended. */
export const DISCOUNT_CODE = /^[0-9A-Za-z-]{4,32}$/;
