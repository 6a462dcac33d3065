// Another name for an image, and whether it serves language models. Its source never changes.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { type ImageView, image as kind } from '@gantry/contract/kinds/image.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { FormCheckbox, FormText } from '@gantry/ui/form/fields.tsx';
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import type * as z from 'zod';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useImageWords } from './use-image-words.ts';

interface Values {
  displayName: string;
  llm: boolean;
}

export function EditImageDialog({ image, onClose }: { image: ImageView; onClose: () => void }) {
  const t = useImageWords();
  const ui = useUiWords();
  const language = useLanguage();
  const { id, name, llm } = image;
  const update = useCommand(CALLS.updateImage, {
    isQuiet: true,
    invalidates: [CALLS.listImages, CALLS.getImage],
  });
  const { form, error, submit } = useServerForm<Values>({
    defaultValues: { displayName: name, llm },
    resolver: rulesOf(kind.api.writes.change as unknown as z.ZodType<unknown, Values>, language),
  });
  const send = submit(async (body) => {
    await update.mutateAsync({ params: { id }, body });
    onClose();
  });
  return (
    <FormDialog
      title={t('form.editTitle', { name })}
      submitLabel={ui('actions.save')}
      isBusy={update.isPending}
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
      <FormCheckbox control={form.control} name="llm" label={t('form.llm')} />
    </FormDialog>
  );
}
