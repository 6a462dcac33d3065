// What people write about a model or a dataset: its name, licence, languages, tags and card.
import { FormText } from '@gantry/ui/form/fields.tsx';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import type { ReactNode } from 'react';
import { FormDialog } from '../form-dialog.tsx';
import { wordsIn } from '../words-in.ts';
import { useFilesWords } from './use-files-words.ts';

export interface Description {
  readonly name: string;
  readonly license: string | null;
  readonly language: string[];
  readonly tags: string[];
  readonly card: string;
}

const FIELDS = ['name', 'license', 'language', 'tags', 'card'] as const;
export const NOTHING_SAID: Description = { name: '', license: null, language: [], tags: [], card: '' };

interface DescribeDialogProps {
  title: string;
  lead?: ReactNode;
  submitLabel: string;
  /** What is said already. */
  of: Description;
  /** Fields before these. */
  children?: ReactNode;
  onSend(wish: Description): Promise<unknown>;
  onClose(): void;
}

export function DescribeDialog({ title, lead, submitLabel, of, children, onSend, onClose }: DescribeDialogProps) {
  const t = useFilesWords();
  const ui = useUiWords();
  const { form, error, submit } = useServerForm({
    defaultValues: {
      name: of.name,
      license: of.license ?? '',
      language: of.language.join(', '),
      tags: of.tags.join(', '),
      card: of.card,
    },
    // A word of a list is at fault: `tags.0`.
    fieldOf: (field) => FIELDS.find((each) => field === each || field.startsWith(`${each}.`)),
  });
  const { control, formState } = form;
  const send = submit(({ name, license, language, tags, card }) =>
    onSend({ name, card, license: license.trim() || null, language: wordsIn(language), tags: wordsIn(tags) }),
  );
  return (
    <FormDialog
      title={title}
      {...(lead !== undefined && { lead })}
      submitLabel={submitLabel}
      isBusy={formState.isSubmitting}
      error={error}
      onSubmit={(event) => void send(event)}
      onClose={onClose}
    >
      <FormText control={control} name="name" label={ui('fields.name')} isRequired autoComplete="off" />
      {children}
      <FormText control={control} name="license" label={t('license')} autoComplete="off" />
      <FormText control={control} name="language" label={t('languages')} help={t('words')} />
      <FormText control={control} name="tags" label={t('tags')} help={t('words')} />
      <FormText control={control} name="card" label={t('card')} help={t('cardHint')} multiline minRows={8} />
    </FormDialog>
  );
}
