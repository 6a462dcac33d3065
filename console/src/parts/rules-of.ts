// The parts of the contract's rule for passwords, so that one sees which of them is broken.

const RULES = {
  length: /^.{8,16}$/s,
  letter: /[A-Za-z]/,
  digit: /[0-9]/,
  plain: /^[!-~]+$/,
} as const;

export type PasswordRule = keyof typeof RULES;

export const passwordRules = (password: string): readonly { rule: PasswordRule; isMet: boolean }[] =>
  (Object.keys(RULES) as PasswordRule[]).map((rule) => ({ rule, isMet: RULES[rule].test(password) }));
