// The amount missing for something that costs more than there is.
import { type Micros, micros, moneyText, parseMoney, ZERO } from '@gantry/contract/fields/money.ts';
import { ApiProblem } from '@gantry/ui/client/api-problem.ts';

const RECHARGE_PATH = '/manage/billing/recharge';

const textOf = (missing: Micros): string | undefined => (missing > ZERO ? moneyText(missing) : undefined);

/** Exact; undefined where there is enough. */
export const missingOf = ({ needed, available }: { needed: string; available: string }): string | undefined =>
  textOf(micros(parseMoney(needed) - parseMoney(available)));

/** The amount missing according to a refusal; undefined if the refusal was about anything else. */
export function missingIn(error: unknown): string | undefined {
  if (!(error instanceof ApiProblem) || error.error !== 'not_enough_credit') return undefined;
  const { wanted = '', available = '' } = error.args;
  return missingOf({ needed: `${wanted}`, available: `${available}` });
}

/** The page on which it is paid: it asks for as much. */
export const rechargePath = (missing: string | undefined): string =>
  missing === undefined ? RECHARGE_PATH : `${RECHARGE_PATH}?missing=${missing}`;
