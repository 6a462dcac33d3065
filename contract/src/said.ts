// A sentence of ours as statuses and problems carry it: in English, and beside that what it takes to say it in another language.
// Nobody reads a sentence back: `told.ts` has it from the arguments.
import { type CommonStatus, type Condition, GAP, sentence, type Words } from './define-kind.ts';

/** What fills a sentence in, by name. Of one that is a sentence itself, `name.sentence` says which, and `name.…` fills that one in. */
export type Args = Readonly<Record<string, string>>;

export interface Said {
  message: string;
  /** `sentence` is the key of its words. */
  args: Args;
}

/** As a status or a condition has it, whoever wrote it. */
export interface Stored {
  reason?: string | undefined;
  args?: Readonly<Record<string, unknown>> | undefined;
  message?: string | undefined;
}

/** A sentence, filled in; any argument may be a sentence itself. One that it has no gap for is not kept: it would change for nothing. */
export function said(words: Words, given: Readonly<Record<string, string | Said>> = {}): Said {
  const gaps = new Set([...words.en.matchAll(GAP)].map(([, name]) => name));
  const args = Object.fromEntries(
    Object.entries(given)
      .filter(([name]) => gaps.has(name.split('.')[0]))
      .flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : Object.entries(quoted(name, value)))),
  );
  return {
    message: sentence(words, 'en', args),
    args: { ...(words.key !== undefined && { sentence: words.key }), ...args },
  };
}

/** A sentence as the argument `name` of another. */
export const quoted = (name: string, { message, args }: Said): Args => ({
  [name]: message,
  ...Object.fromEntries(Object.entries(args).map(([inner, value]) => [`${name}.${inner}`, value])),
});

/** Why an object of this kind is in its phase. */
export const saidByStatus = (kind: string, { reason, reasonArgs, message = '' }: CommonStatus): Said => ({
  message,
  args: { sentence: `${kind}.${reason}`, ...reasonArgs },
});

/** Why a condition of such an object is as it is. */
export const saidByCondition = (
  kind: string,
  { reason, args, message }: Pick<Condition, 'reason' | 'args' | 'message'>,
): Said => ({
  message,
  args: { sentence: `${kind}.${reason}`, ...args },
});
