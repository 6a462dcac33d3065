// A version of a model: one of those that are ready, or typed where none is known.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import { useFormContext, useWatch } from 'react-hook-form';
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
  const { data } = useCall(CALLS.getModel, { params: { id: model } }, { enabled: model !== '' });
  const names = (data?.versions ?? []).filter(({ state }) => state === 'ready').map(({ name: each }) => each);
  const field = { name, label: t('form.version'), help: t('form.versionHint'), isRequired } as const;
  if (names.length === 0) return <Field.Text {...field} autoComplete="off" />;
  const all = chosen === '' || names.includes(chosen) ? names : [...names, chosen];
  return <Field.Select {...field} options={all.map((each) => ({ value: each, label: each }))} />;
}
