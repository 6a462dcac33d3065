// An image from any registry.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { image } from '@gantry/contract/kinds/image.ts';
import { useCommand, useList } from '@gantry/ui/client/use-api.tsx';
import { FormCheckbox, FormText } from '@gantry/ui/form/fields.tsx';
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { useId } from 'react';
import type * as z from 'zod';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useImageWords } from './use-image-words.ts';

interface Values {
  displayName: string;
  source: string;
  llm: boolean;
  pullSecret?: string;
}

export function AddImageDialog({ onClose }: { onClose: () => void }) {
  const t = useImageWords();
  const ui = useUiWords();
  const language = useLanguage();
  const list = useId();
  const registries = useList(CALLS.listRegistries);
  const create = useCommand(CALLS.createImage, { isQuiet: true, invalidates: [CALLS.listImages] });
  const { form, error, submit } = useServerForm<Values>({
    defaultValues: { displayName: '', source: '', llm: false },
    resolver: rulesOf(image.api.writes.create as unknown as z.ZodType<unknown, Values>, language),
  });
  const send = submit(async (body) => {
    await create.mutateAsync({ body });
    onClose();
  });
  return (
    <FormDialog
      title={t('form.addTitle')}
      lead={t('form.addLead')}
      submitLabel={ui('actions.add')}
      isBusy={create.isPending}
      error={error}
      onSubmit={(event) => void send(event)}
      onClose={onClose}
    >
      <FormText
        control={form.control}
        name="displayName"
        label={ui('fields.name')}
        help={t('form.nameHint')}
        isRequired
        autoFocus
        autoComplete="off"
      />
      <FormText
        control={form.control}
        name="source"
        label={t('source')}
        help={t('form.sourceHint')}
        isRequired
        autoComplete="off"
      />
      <FormText
        control={form.control}
        name="pullSecret"
        label={`${t('form.pullSecret')} (${ui('fields.optional')})`}
        help={t('form.pullSecretHint')}
        isEmptyAbsent
        autoComplete="off"
        slotProps={{ htmlInput: { list } }}
      />
      <datalist id={list}>
        {registries.items.map(({ id, server, user }) => (
          <option key={id} value={id} label={`${user} · ${server}`} />
        ))}
      </datalist>
      <FormCheckbox control={form.control} name="llm" label={t('form.llm')} />
    </FormDialog>
  );
}
