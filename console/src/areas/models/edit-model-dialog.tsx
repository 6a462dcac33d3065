// The facts of a model that people write: its name, licence, languages, tags and card. Facts read from its files cannot be changed.

import type { ModelDetailView } from '@gantry/contract/areas/models/models.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { FormText } from '@gantry/ui/form/fields.tsx';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { wordsIn } from '../../parts/words-in.ts';
import { useModelWords } from './use-model-words.ts';

interface Values {
  name: string;
  license: string;
  language: string;
  tags: string;
  card: string;
}

export function EditModelDialog({ model, onClose }: { model: ModelDetailView; onClose(): void }) {
  const t = useModelWords();
  const ui = useUiWords();
  const { id, name } = model;
  const edit = useCommand(CALLS.editModel, {
    isQuiet: true,
    invalidates: [CALLS.getModel, CALLS.listModelSpace],
    onSuccess: onClose,
  });
  const { form, error, submit } = useServerForm<Values>({
    defaultValues: {
      name,
      license: model.license ?? '',
      language: model.language.join(', '),
      tags: model.tags.join(', '),
      card: model.card,
    },
    // A word of a list is at fault: `tags.0`.
    fieldOf: (field) => FIELDS.find((each) => field === each || field.startsWith(`${each}.`)),
  });
  const { control } = form;
  const send = submit(({ license, language, tags, ...typed }) =>
    edit.mutateAsync({
      params: { id },
      body: { ...typed, license: license.trim() || null, language: wordsIn(language), tags: wordsIn(tags) },
    }),
  );
  return (
    <FormDialog
      title={t('edit.title', { name })}
      submitLabel={ui('actions.save')}
      isBusy={edit.isPending}
      error={error}
      onSubmit={(event) => void send(event)}
      onClose={onClose}
    >
      <FormText control={control} name="name" label={ui('fields.name')} isRequired autoComplete="off" />
      <FormText control={control} name="license" label={t('fields.license')} autoComplete="off" />
      <FormText control={control} name="language" label={t('fields.languages')} help={t('edit.words')} />
      <FormText control={control} name="tags" label={t('fields.tags')} help={t('edit.words')} />
      <FormText control={control} name="card" label={t('edit.card')} help={t('edit.cardHint')} multiline minRows={8} />
    </FormDialog>
  );
}

const FIELDS = ['name', 'license', 'language', 'tags', 'card'] as const;
