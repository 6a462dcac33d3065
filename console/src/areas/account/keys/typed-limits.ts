// A token's limits as a form has them, as the API takes them, and in words.

import type { TokenLimits } from '@gantry/contract/areas/identity/token-limits.ts';
import { numberText } from '@gantry/ui/format/number.ts';
import type { AccountWords } from '../use-account-words.ts';

/** Empty fields are no limit. */
export interface TypedLimits {
  /** One per line. */
  models: string;
  requests_per_minute?: number | undefined;
  tokens_per_minute?: number | undefined;
  tokens_per_day?: number | undefined;
  tokens_per_month?: number | undefined;
  money_per_day?: string | undefined;
  money_per_month?: string | undefined;
}

export const NO_LIMITS_TYPED: TypedLimits = { models: '' };

const NAMES = [
  'models',
  'requests_per_minute',
  'tokens_per_minute',
  'tokens_per_day',
  'tokens_per_month',
  'money_per_day',
  'money_per_month',
] as const satisfies readonly (keyof TokenLimits)[];

/** Null where nothing is limited. */
export function limitsOf(typed: TypedLimits): TokenLimits | null {
  const models = typed.models.split(/[\s,]+/).filter((name) => name !== '');
  const limits: TokenLimits = {
    models: models.length > 0 ? models : null,
    requests_per_minute: typed.requests_per_minute ?? null,
    tokens_per_minute: typed.tokens_per_minute ?? null,
    tokens_per_day: typed.tokens_per_day ?? null,
    tokens_per_month: typed.tokens_per_month ?? null,
    money_per_day: typed.money_per_day ?? null,
    money_per_month: typed.money_per_month ?? null,
  };
  return NAMES.some((name) => limits[name] !== null) ? limits : null;
}

export const limitTexts = (limits: TokenLimits | null, t: AccountWords): string[] =>
  NAMES.flatMap((name) => {
    const value = limits?.[name];
    if (value === null || value === undefined) return [];
    const text = Array.isArray(value) ? value.join(', ') : typeof value === 'number' ? numberText(value) : value;
    return [t(`tokens.limitOf.${name}`, { value: text })];
  });
