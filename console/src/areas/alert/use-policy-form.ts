// The form's rules are the contract's own for the body that is made of it; what the server says goes to the same fields.
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { type ServerForm, useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import type { FieldErrors, Path } from 'react-hook-form';
import * as z from 'zod';
import type { PolicyValues } from './policy-values.ts';

/** Members of the body, and the field of the form that is to blame for each. */
const FIELDS: Readonly<Record<string, Path<PolicyValues>>> = {
  objects: 'names',
  rules: 'value',
  begins: 'met',
  channels: 'mailTo',
  convergence: 'repeatMinutes',
};

export function usePolicyForm(
  first: PolicyValues,
  rules: z.ZodType,
  bodyOf: (values: PolicyValues) => object,
): ServerForm<PolicyValues> {
  const language = useLanguage();
  const schema = z.preprocess((values: PolicyValues) => bodyOf(values), rules);
  const check = rulesOf(schema as unknown as z.ZodType<unknown, PolicyValues>, language);
  return useServerForm<PolicyValues>({
    defaultValues: first as never,
    resolver: async (values, context, options) => {
      const checked = await check(values, context, options);
      const errors = Object.entries(checked.errors as Record<string, object>);
      if (errors.length === 0) return checked;
      const moved = errors.map(([field, error]) => [fieldOf(field), field in FIELDS ? innermost(error) : error]);
      return { values: {}, errors: Object.fromEntries(moved) as FieldErrors<PolicyValues> };
    },
    fieldOf,
  });
}

function fieldOf(field: string): Path<PolicyValues> {
  const name = field.replace(/^spec\./, '').split('.')[0] ?? field;
  return FIELDS[name] ?? (name as Path<PolicyValues>);
}

/** An error of a member deep inside, as one of the field that stands for all of it. */
function innermost(error: object): object {
  if ('message' in error) return error;
  const inner = Object.values(error).find((one) => typeof one === 'object' && one !== null);
  return inner ? innermost(inner as object) : error;
}
