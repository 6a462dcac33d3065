// Which passwords are refused although they keep the rule: those that are guessed first, because many people have them or because
// they say whose they are.
import { problem } from '@gantry/contract/http/problem.ts';
import { COMMON_PASSWORDS } from './common-passwords.ts';

/** In no password: the product, and what its first account is called. */
const OURS = ['gantry', 'administrator'];
/** A shorter part of an address is in too many words. */
const LEAST_PART = 4;

interface Owner {
  readonly name: string;
  readonly email: string | null;
}

/** Throws password_guessable. Case does not count. */
export function demandHardToGuess(password: string, { name, email }: Owner): void {
  const plain = password.toLowerCase();
  const own = [name, email?.split('@')[0] ?? ''].filter((word) => word.length >= LEAST_PART);
  const isKnown = [...OURS, ...own].some((word) => plain.includes(word.toLowerCase()));
  if (isKnown || COMMON_PASSWORDS.has(plain)) throw problem('password_guessable', {}, { field: 'password' });
}
