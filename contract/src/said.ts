// Our sentences as statuses and problems carry them: in English, with the arguments from which `localized.ts` builds other languages.
// Nobody parses a sentence.
import { type CommonStatus, type Condition, GAP, sentence, type Words } from './define-kind.ts';

/**
 * A sentence's arguments, by name. For an argument that is itself a sentence, `name.sentence` holds its key, and `name.…` its
 * arguments.
 */
export type Args = Readonly<Record<string, string>>;

export interface Said {
  message: string;
  /** `sentence` is the key of its words. */
  args: Args;
}

/** A sentence as stored in a status or a condition. */
export interface Stored {
  reason?: string | undefined;
  args?: Readonly<Record<string, unknown>> | undefined;
  message?: string | undefined;
}

/** A sentence, filled in; an argument may itself be a sentence. Arguments without a gap are dropped: they would cause needless changes. */
export function said(words: Words, values: Readonly<Record<string, string | Said>> = {}): Said {
  const gaps = new Set([...words.en.matchAll(GAP)].map(([, name]) => name));
  const args = Object.fromEntries(
    Object.entries(values)
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

/** Why a condition of such an object has its status. */
export const saidByCondition = (
  kind: string,
  { reason, args, message }: Pick<Condition, 'reason' | 'args' | 'message'>,
): Said => ({
  message,
  args: { sentence: `${kind}.${reason}`, ...args },
});
