// A disk is renamed, and made larger; nothing else of it changes.

import { MOST_DISK_GI } from '@gantry/contract/fields/size.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { DiskView } from '@gantry/contract/kinds/data-disk.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { FormNumber, FormText } from '@gantry/ui/form/fields.tsx';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { gibibytesText } from '@gantry/ui/format/size.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { useWatch } from 'react-hook-form';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { DiskPrice } from './disk-price.tsx';
import { useStorageWords } from './use-storage-words.ts';

interface EditDialogProps {
  disk: DiskView;
  onClose: () => void;
}

export function RenameDialog({ disk, onClose }: EditDialogProps) {
  const t = useStorageWords();
  const ui = useUiWords();
  const { form, error, submit } = useServerForm({ defaultValues: { displayName: disk.name } });
  const update = useUpdate(t('rename.done'), onClose);
  return (
    <FormDialog
      title={t('rename.title', { name: disk.name })}
      submitLabel={ui('actions.rename')}
      isBusy={update.isPending}
      error={error}
      onSubmit={submit((body) =>
        update.mutateAsync({ params: { id: disk.id }, query: { generation: disk.generation }, body }),
      )}
      onClose={onClose}
    >
      <FormText
        control={form.control}
        name="displayName"
        label={t('rename.name')}
        help={t('create.nameHelp')}
        isRequired
        autoFocus
        autoComplete="off"
      />
    </FormDialog>
  );
}

export function GrowDialog({ disk, onClose }: EditDialogProps) {
  const t = useStorageWords();
  const { form, error, submit } = useServerForm({ defaultValues: { sizeGi: disk.spec.sizeGi } });
  const update = useUpdate(t('grow.done'), onClose);
  const sizeGi = useWatch({ control: form.control, name: 'sizeGi' });
  return (
    <FormDialog
      title={t('grow.title', { name: disk.name })}
      submitLabel={t('actions.grow')}
      isBusy={update.isPending}
      isDisabled={!(sizeGi > disk.spec.sizeGi)}
      error={error}
      onSubmit={submit((body) =>
        update.mutateAsync({ params: { id: disk.id }, query: { generation: disk.generation }, body }),
      )}
      onClose={onClose}
    >
      <FormNumber
        control={form.control}
        name="sizeGi"
        label={t('grow.size')}
        help={t('grow.help', { size: gibibytesText(disk.spec.sizeGi) })}
        isRequired
        autoFocus
        range={[disk.spec.sizeGi, MOST_DISK_GI]}
        unit="GiB"
      />
      <DiskPrice sizeGi={sizeGi} access={disk.access} />
    </FormDialog>
  );
}

const useUpdate = (success: string, onSuccess: () => void) =>
  useCommand(CALLS.updateDisk, {
    success,
    isQuiet: true,
    invalidates: [CALLS.listDisks, CALLS.getDisk],
    onSuccess,
  });
