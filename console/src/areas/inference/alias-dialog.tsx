// A new alias, or a changed one: its name, its deployments and their weights.

import { COMPLETION_ROUTES, type ModelAliasView } from '@gantry/contract/areas/inference/completions.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { FormNumber, FormSelect, FormText } from '@gantry/ui/form/fields.tsx';
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { useFieldArray } from 'react-hook-form';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { FormRows } from '../../parts/workload/form-rows.tsx';
import { useModelCallsWords } from './use-model-calls-words.ts';

const MOST_TARGETS = 20;
const MOST_WEIGHT = 1000;

interface Typed {
  name: string;
  targets: { deployment: string; weight: number }[];
}

interface AliasDialogProps {
  /** Undefined: a new one. */
  alias: ModelAliasView | undefined;
  deployments: readonly { id: string; name: string }[];
  addressOf(name: string): string;
  onClose(): void;
}

export function AliasDialog({ alias, deployments, addressOf, onClose }: AliasDialogProps) {
  const t = useModelCallsWords();
  const ui = useUiWords();
  const language = useLanguage();
  const { form, error, submit } = useServerForm<Typed>({
    defaultValues: {
      name: alias?.name ?? '',
      targets: alias?.targets.map((target) => ({ ...target })) ?? [{ deployment: deployments[0]?.id ?? '', weight: 1 }],
    },
    resolver: rulesOf(COMPLETION_ROUTES.createModelAlias.body, language) as never,
  });
  const done = { isQuiet: true, invalidates: [CALLS.listModelAliases], onSuccess: onClose } as const;
  const create = useCommand(CALLS.createModelAlias, done);
  const edit = useCommand(CALLS.editModelAlias, done);
  const { control } = form;
  const rows = useFieldArray({ control, name: 'targets' });
  const name = form.watch('name');
  const named = deployments.map((one) => ({ value: one.id, label: one.name }));
  // One that is gone stays chosen until somebody chooses another.
  const lost = (alias?.targets ?? []).filter(({ deployment }) => !deployments.some(({ id }) => id === deployment));
  const options = [...named, ...lost.map(({ deployment }) => ({ value: deployment, label: deployment }))];
  return (
    <FormDialog
      title={alias ? t('aliases.editTitle', { name: alias.name }) : t('aliases.create')}
      lead={t('aliases.weightHelp')}
      submitLabel={alias ? ui('actions.save') : ui('actions.create')}
      isBusy={create.isPending || edit.isPending}
      error={error}
      onSubmit={submit((body) =>
        alias ? edit.mutateAsync({ params: { id: alias.id }, body }) : create.mutateAsync({ body }),
      )}
      onClose={onClose}
    >
      <FormText
        control={control}
        name="name"
        label={t('aliases.name')}
        help={t('aliases.nameHelp', { address: addressOf(name || '…') })}
        autoComplete="off"
        isRequired
      />
      <FormRows
        title={t('aliases.targets')}
        rows={rows}
        add={t('aliases.add')}
        most={MOST_TARGETS}
        blank={{ deployment: '', weight: 1 }}
        cells={(at) => (
          <>
            <FormSelect
              control={control}
              name={`targets.${at}.deployment`}
              label={t('aliases.target')}
              options={options}
              isRequired
            />
            <FormNumber
              control={control}
              name={`targets.${at}.weight`}
              label={t('aliases.weight')}
              range={[0, MOST_WEIGHT]}
              isRequired
            />
          </>
        )}
      />
    </FormDialog>
  );
}
