// The languages the product speaks.
import type { Words } from '../define-kind.ts';

export const LANGUAGES = ['en', 'zh', 'ja'] as const satisfies readonly (keyof Words)[];
export type Language = (typeof LANGUAGES)[number];
