// The identity of a person, and their proofs: rules of spec section 5, as schemas whose messages are problems.
import * as z from 'zod';

/** 5 to 20 letters, digits and . - _ @; ASCII alone, so that no two look alike but are not. */
export const accountName = z
  .string({ error: 'username_required' })
  .min(1, 'username_required')
  .regex(/^[A-Za-z0-9._@-]{5,20}$/, 'username_rule');

/** 8 to 16 visible ASCII characters with at least one letter and one digit. */
export const password = z
  .string({ error: 'password_rule' })
  .regex(/^[!-~]{8,16}$/, 'password_rule')
  .regex(/[A-Za-z]/, 'password_rule')
  .regex(/[0-9]/, 'password_rule');

/** A typed password, right or wrong: only its size is limited. */
export const typedPassword = z.string().min(1).max(128);

const MOST_EMAIL = 254;

/** In lower case, so that one mailbox is one person. */
export const email = z
  .string({ error: 'email_rule' })
  .max(MOST_EMAIL, 'email_rule')
  .pipe(z.email('email_rule'))
  .pipe(z.string().regex(/^[!-~]+$/, 'email_rule'))
  .transform((text) => text.toLowerCase());

/** An international number as people write it: "+1 (415) 555-0132". In "+44 (0)20 …" the zero is not dialled, so it is refused. */
const GROUPED = /^\+[1-9][0-9]*(?:(?:[ .-]|[ .-]?\([1-9][0-9]*\)[ .-]?)[0-9]+)*$/;
const MOST_PHONE = 40;

/** E.164; what is no international number stays as it is. */
const ungrouped = (text: string): string =>
  text.length <= MOST_PHONE && GROUPED.test(text) ? `+${text.replaceAll(/[^0-9]/g, '')}` : text;

/** Somebody's number, which nobody proves: international, or digits alone as in the country. */
export const contactPhone = z
  .string()
  .overwrite(ungrouped)
  .regex(/^(\+[1-9][0-9]{6,14}|[0-9]{6,15})$/, 'contact_phone_rule')
  .meta({ description: '6 to 15 digits, or E.164, which may be written in groups: +1 415 555 0132' });

/** International form with its +, which may be written in groups; eleven digits alone are a number of mainland China. */
export const phone = z
  .string({ error: 'phone_rule' })
  .overwrite(ungrouped)
  .regex(/^(\+[1-9][0-9]{6,14}|1[3-9][0-9]{9})$/, 'phone_rule')
  .transform((text) => (text.startsWith('+') ? text : `+86${text}`));

/** Six digits, from mails, texts and authenticators. */
export const sixDigits = z.string({ error: 'code_wrong' }).regex(/^[0-9]{6}$/, 'code_wrong');

/**
 * Whether somebody with these proven addresses may be called so: a name that reads as an e-mail address or a phone number
 * would otherwise pass for its owner, and take their place at login.
 */
export function mayBeCalled(name: string, proven: { email: string | null; phone: string | null }): boolean {
  const asEmail = email.safeParse(name);
  const asPhone = phone.safeParse(name);
  return (!asEmail.success || asEmail.data === proven.email) && (!asPhone.success || asPhone.data === proven.phone);
}
