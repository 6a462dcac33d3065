// Prices of tokens: SKUs that stand for a million of them. Without a price, tokens are free.

/** The tokens that a model reads, those of them that it had read before, and those that it writes. */
export const TOKEN_PARTS = ['prompt', 'cached', 'completion'] as const;
export type TokenPart = (typeof TOKEN_PARTS)[number];

/** `completion-tokens/<model>`; of the model `any`: every one without a price of its own. */
export const tokenSku = (part: TokenPart, model: string): string => `${part}-tokens/${model}`;

const MODEL = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;

/** Undefined for a SKU of something else. */
export function tokenSkuFacts(sku: string): { part: TokenPart; model: string } | undefined {
  const part = TOKEN_PARTS.find((one) => sku.startsWith(tokenSku(one, '')));
  if (!part) return undefined;
  const model = sku.slice(tokenSku(part, '').length);
  return MODEL.test(model) ? { part, model } : undefined;
}
