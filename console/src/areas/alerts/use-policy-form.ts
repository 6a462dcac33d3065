// The form's rules are the contract's own for the body that is made of it; what the server says goes to the same fields.
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { type ServerForm, useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import { type FieldErrors, get, set } from 'react-hook-form';
import * as z from 'zod';
import type { FormRules } from '../../parts/use-saved-edit.tsx';
import { faultsIn, fieldOf, ownFaults } from './policy-faults.ts';
import type { PolicyValues } from './policy-values.ts';
import { useAlertWords } from './use-alert-words.ts';

export function usePolicyForm({ first, rules, bodyOf }: FormRules<PolicyValues>): ServerForm<PolicyValues> {
  const t = useAlertWords();
  const language = useLanguage();
  const schema = z.preprocess((values: PolicyValues) => bodyOf(values), rules);
  const check = rulesOf(schema as unknown as z.ZodType<unknown, PolicyValues>, language);
  return useServerForm<PolicyValues>({
    defaultValues: structuredClone(first) as never,
    resolver: async (values, context, options) => {
      const checked = await check(values, context, options);
      const faults = [
        ...faultsIn(checked.errors, values),
        ...ownFaults(values, { language, twice: t('form.labelTwice') }),
      ];
      if (faults.length === 0) return checked;
      const errors: FieldErrors<PolicyValues> = {};
      for (const { field, message } of faults)
        if (get(errors, field) === undefined) set(errors, field, { type: 'rule', message });
      return { values: {}, errors };
    },
    fieldOf,
  });
}
