// Client-side rules are the contract's own schemas. Their messages are problem codes; the sentences load with the first form.
import type { Language } from '@gantry/contract/fields/language.ts';
import { fieldRule } from '@gantry/contract/http/field-rules.ts';
import { isProblemCode, problemSentence } from '@gantry/contract/http/problem.ts';
import { zodResolver } from '@hookform/resolvers/zod';
import type { FieldValues, Resolver } from 'react-hook-form';
import type * as z from 'zod';

/** The sentence that the server would send. */
export const ruleSentence = (message: string, language: Language): string =>
  isProblemCode(message) ? problemSentence(message, language, {}) : message;

/** Checks a form by a schema of the contract, in the person's language. */
export function rulesOf<Values extends FieldValues>(
  schema: z.ZodType<unknown, Values>,
  language: Language,
): Resolver<Values> {
  const check = zodResolver(
    schema as never,
    {
      error: (issue: z.core.$ZodRawIssue) => fieldRule(issue, language),
    } as never,
  ) as unknown as Resolver<Values>;
  return async (values, context, options) => {
    const checked = await check(values, context, options);
    translate(checked.errors as FieldErrorTree, language);
    // The values as they were typed: the server parses them itself.
    return Object.keys(checked.errors).length === 0 ? { values, errors: {} } : checked;
  };
}

interface FieldErrorTree {
  message?: unknown;
  ref?: unknown;
  [field: string]: unknown;
}

function translate(errors: FieldErrorTree, language: Language): void {
  for (const [name, error] of Object.entries(errors)) {
    if (name === 'ref' || typeof error !== 'object' || error === null) continue;
    const tree = error as FieldErrorTree;
    if (typeof tree.message === 'string') tree.message = ruleSentence(tree.message, language);
    else translate(tree, language);
  }
}
