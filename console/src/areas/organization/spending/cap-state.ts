// How far a cap is used up, of two decimal amounts.

export interface CapState {
  /** 0 to 100. */
  readonly percent: number;
  readonly is: 'open' | 'nearly' | 'reached';
}

/** From here on somebody should know. */
const NEARLY_PERCENT = 80;
const ALL_PERCENT = 100;

/** Undefined without a cap. Only the ratio is a floating-point number: no amount is computed from it. */
export function capState(spent: string, cap: string | null): CapState | undefined {
  if (cap === null) return undefined;
  const used = Number(cap) === 0 ? ALL_PERCENT : (Number(spent) / Number(cap)) * ALL_PERCENT;
  const percent = Math.min(ALL_PERCENT, Math.max(0, used));
  return { percent, is: percent >= ALL_PERCENT ? 'reached' : percent >= NEARLY_PERCENT ? 'nearly' : 'open' };
}
