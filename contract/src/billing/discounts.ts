// What a discount can be for. Of several that apply at once the largest counts, and none are added up.

/** In this order where two are equally large: whoever has one of their own sees it named. */
export const DISCOUNT_TYPES = ['organization', 'plan', 'sku', 'code'] as const;
export type DiscountType = (typeof DISCOUNT_TYPES)[number];

/** As staff write it and people type it, after `codeOf`. */
export const DISCOUNT_CODE = /^[A-Z0-9][A-Z0-9-]{2,30}[A-Z0-9]$/;

/** Without what people add when they type or paste one. */
export const codeOf = (typed: string): string => typed.trim().toUpperCase();
