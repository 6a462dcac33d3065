// A version of a model: one of those that are ready, or typed where none is known.
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import { useFormContext, useWatch } from 'react-hook-form';
import { useVersionNames } from '../../parts/use-model-options.ts';
import type { DeploymentValues } from './deployment-values.ts';
import { useDeploymentWords } from './use-deployment-words.ts';

const Field = fieldsOf<DeploymentValues>();

interface VersionFieldProps {
  name: 'version' | `adapters.${number}.version` | 'gate.notWorseThan.version';
  model: string;
  isRequired?: boolean;
}

export function VersionField({ name, model, isRequired = false }: VersionFieldProps) {
  const t = useDeploymentWords();
  const { control } = useFormContext<DeploymentValues>();
  const chosen = useWatch({ control, name });
  const names = useVersionNames(model, chosen);
  const field = { name, label: t('form.version'), help: t('form.versionHint'), isRequired } as const;
  if (names.length === 0) return <Field.Text {...field} autoComplete="off" />;
  return <Field.Select {...field} options={names.map((each) => ({ value: each, label: each }))} />;
}
