// The rules of a form that has more of them than the body which is made of it: all are told at once.
import type { Language } from '@gantry/contract/fields/language.ts';
import { fieldRule } from '@gantry/contract/http/field-rules.ts';
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import type { FieldValues, Resolver } from 'react-hook-form';
import * as z from 'zod';
import type { FormRules } from './use-saved-edit.tsx';

type Lacks = (path: (string | number)[], message: string) => void;

/** `own` tells what the form lacks; of a field that breaks a rule of both, that sentence is shown. */
export function formRules<Values extends FieldValues>(
  { rules, bodyOf }: Pick<FormRules<Values>, 'rules' | 'bodyOf'>,
  language: Language,
  own: (values: Values, lacks: Lacks) => void,
): Resolver<Values> {
  const schema = z.custom<Values>().superRefine((values, context) => {
    own(values, (path, message) => context.addIssue({ code: 'custom', path, message }));
    const { error } = rules.safeParse(bodyOf(values), { error: (issue) => fieldRule(issue, language) });
    for (const { path, message } of error?.issues ?? []) context.addIssue({ code: 'custom', path: [...path], message });
  });
  return rulesOf<Values>(schema, language);
}
