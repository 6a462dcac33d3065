// The form's rules are the contract's own for the body that is made of it; what the server says goes to the same fields.
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { type ServerForm, useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import { useCallback, useRef } from 'react';
import type { Path, Resolver } from 'react-hook-form';
import * as z from 'zod';
import type { FormRules } from '../../../parts/use-saved-edit.tsx';
import { splitCommand } from '../../../parts/workload/split-command.ts';
import { useDeployWords } from '../use-deploy-words.ts';
import { errorsAtRows, rowField } from './env-rows.ts';
import type { ProgramValues } from './program-values.ts';

export function useProgramForm<Values extends ProgramValues>({
  first,
  rules,
  bodyOf,
}: FormRules<Values>): ServerForm<Values> {
  const t = useDeployWords();
  const language = useLanguage();
  const rows = useRef(first.env);
  const schema = z.preprocess((values: Values, context) => {
    if (values.command.trim() !== '' && !splitCommand(values.command)) {
      context.addIssue({ code: 'custom', path: ['command'], message: t('form.commandRule') });
    }
    return bodyOf(values);
  }, rules);
  const check = rulesOf(schema as unknown as z.ZodType<unknown, Values>, language);
  const resolver: Resolver<Values> = async (values, context, options) => {
    rows.current = values.env;
    const checked = await check(values, context, options);
    const errors = errorsAtRows(checked.errors, values.env);
    return Object.keys(errors).length === 0 ? checked : { values: {}, errors };
  };
  /** `spec.gpu.count` and `gpu.count` are one field; a word of the command is the command's. */
  const fieldOf = useCallback(
    (field: string) =>
      rowField(field.replace(/^spec\./, ''), rows.current).replace(/^command\..*/, 'command') as Path<Values>,
    [],
  );
  return useServerForm<Values>({ defaultValues: first as never, resolver, fieldOf });
}
