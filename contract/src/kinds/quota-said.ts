// The API server's words about an exceeded quota as a sentence of ours: what is requested, how much of the limit is in use.
import { gibibytes, quantity } from '../fields/quantity.ts';
import { GPU_RESOURCE } from '../names.ts';
import { type Said, said } from '../said.ts';
import { DETAILS } from './details.ts';

interface Amounts {
  requested: string;
  used: string;
  limit: string;
}

const cores = (text: string) => `${quantity(text)}`;
const gi = (text: string) => `${gibibytes(quantity(text))}`;
const asIs = (text: string) => text;

const ROWS: Readonly<Record<string, { words: (typeof DETAILS)[keyof typeof DETAILS]; amount(text: string): string }>> =
  {
    [`requests.${GPU_RESOURCE}`]: { words: DETAILS.quotaGpus, amount: asIs },
    'requests.cpu': { words: DETAILS.quotaCores, amount: cores },
    'requests.memory': { words: DETAILS.quotaMemory, amount: gi },
    'requests.storage': { words: DETAILS.quotaStorage, amount: gi },
  };

/** The sentence about the first resource that exceeds its quota; undefined if the message is about something else. */
export function quotaSaid(message: string): Said | undefined {
  const lists = /exceeded quota: [^,]+, requested: (.+), used: (.+), limited: (.+)$/.exec(message)?.slice(1);
  if (!lists) return undefined;
  const [[resource, requested], [, used], [, limit]] = lists.map(firstOf) as [Pair, Pair, Pair];
  return overQuota(resource, { requested, used, limit });
}

export function overQuota(resource: string, { requested, used, limit }: Amounts): Said {
  const row = Object.hasOwn(ROWS, resource) ? ROWS[resource] : undefined;
  if (!row) return said(DETAILS.quotaOther, { resource, requested, used, limit });
  return said(row.words, { requested: row.amount(requested), used: row.amount(used), limit: row.amount(limit) });
}

type Pair = [name: string, amount: string];

/** `requests.cpu=2,requests.memory=2Gi` → its first name and amount. */
const firstOf = (list: string): Pair => {
  const [name = '', amount = ''] = (list.split(',')[0] ?? '').split('=');
  return [name, amount];
};
