// The form's rules are the contract's own for the body that is made of it; what the server says goes to the same fields.
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { type ServerForm, useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import type { FieldErrors, Path } from 'react-hook-form';
import * as z from 'zod';
import type { FormRules } from '../../parts/use-saved-edit.tsx';
import type { DeploymentValues } from './deployment-values.ts';
import { useDeploymentWords } from './use-deployment-words.ts';

/** Members of the body that have another name in the form. */
const FIELDS: Readonly<Record<string, Path<DeploymentValues>>> = {
  gpu: 'gpuModel',
  'gpu.model': 'gpuModel',
  'gpu.count': 'gpuCount',
  'dataReflow.percent': 'collectPercent',
  'dataReflow.dataset': 'dataset',
};

export function useDeploymentForm({ first, rules, bodyOf }: FormRules<DeploymentValues>): ServerForm<DeploymentValues> {
  const language = useLanguage();
  const t = useDeploymentWords();
  const schema = z.preprocess((values: DeploymentValues, context) => {
    if (values.isGated && values.gate.evaluation === '')
      context.addIssue({ code: 'custom', path: ['gate', 'evaluation'], message: t('gate.chooseEvaluation') });
    return bodyOf(values);
  }, rules);
  const check = rulesOf(schema as unknown as z.ZodType<unknown, DeploymentValues>, language);
  return useServerForm<DeploymentValues>({
    defaultValues: first as never,
    resolver: async (values, context, options) => {
      const checked = await check(values, context, options);
      const { gpu, dataReflow, ...errors } = checked.errors as Record<string, object | undefined>;
      const moved = {
        ...errors,
        ...(gpu && { gpuCount: gpu }),
        ...(dataReflow && 'dataset' in dataReflow && { dataset: dataReflow.dataset }),
        ...(dataReflow &&
          !('dataset' in dataReflow) && {
            collectPercent: 'percent' in dataReflow ? dataReflow.percent : dataReflow,
          }),
      };
      return Object.keys(moved).length === 0 ? checked : { values: {}, errors: moved as FieldErrors<DeploymentValues> };
    },
    fieldOf,
  });
}

function fieldOf(field: string): Path<DeploymentValues> {
  const name = field.replace(/^spec\./, '');
  return FIELDS[name] ?? (name as Path<DeploymentValues>);
}
