// The form's rules are the contract's own for the body that is made of it; what the server says goes to the same fields.
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { type ServerForm, useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import type { Path } from 'react-hook-form';
import * as z from 'zod';
import { splitCommand } from '../../parts/workload/split-command.ts';
import { bodyOf, changeOf, type InstanceValues } from './form-values.ts';
import { useInstanceWords } from './use-instance-words.ts';

/** `before` is what the one that is edited is like; absent for a new one. */
export function useInstanceForm(first: InstanceValues, before?: InstanceValues): ServerForm<InstanceValues> {
  const t = useInstanceWords();
  const language = useLanguage();
  const schema = z.preprocess(
    (values: InstanceValues, context) => {
      if (values.command.trim() !== '' && !splitCommand(values.command)) {
        context.addIssue({ code: 'custom', path: ['command'], message: t('form.commandRule') });
      }
      return before ? changeOf(before, values) : bodyOf(values);
    },
    before ? gpuInstance.api.writes.change : gpuInstance.api.writes.create,
  );
  return useServerForm<InstanceValues>({
    defaultValues: first,
    resolver: rulesOf(schema as unknown as z.ZodType<unknown, InstanceValues>, language),
    fieldOf,
  });
}

/** `spec.gpu.count` and `gpu.count` are one field; a word of the command is the command's. */
const fieldOf = (field: string): Path<InstanceValues> =>
  field.replace(/^spec\./, '').replace(/^command\..*/, 'command') as Path<InstanceValues>;
