// Checks a request against its route's schemas: the first fault becomes a problem that names the field and the rule.
import type { Language } from '@gantry/contract/fields/language.ts';
import { fieldRule } from '@gantry/contract/http/field-rules.ts';
import { isProblemCode, type Problem, problem } from '@gantry/contract/http/problem.ts';
import type * as z from 'zod';

/** Returns the parsed value, or throws invalid_field; a message that is a problem's name becomes that problem. */
export function parse<S extends z.ZodType>(schema: S, value: unknown, language: Language): z.output<S> {
  const parsed = schema.safeParse(value, { error: (issue) => fieldRule(issue, language) });
  if (parsed.success) return parsed.data;
  throw faultOf(parsed.error.issues[0] as z.core.$ZodIssue);
}

function faultOf(issue: z.core.$ZodIssue): Problem {
  const at = issue.path.map(String);
  const field = [...at, ...(issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [])].join('.') || 'body';
  if (isProblemCode(issue.message)) return problem(issue.message, {}, { field });
  return problem('invalid_field', { field, rule: issue.message }, { field });
}
