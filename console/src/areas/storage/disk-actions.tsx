// A disk's commands: mounting and editing have dialogs, deleting says what is lost.
import type { DiskView } from '@gantry/contract/kinds/data-disk.ts';
import { bytesText } from '@gantry/ui/format/size.ts';
import { useState } from 'react';
import { ActionButtons, type Extra } from '../../parts/action-buttons.tsx';
import { GrowDialog, RenameDialog } from './edit-disk-dialogs.tsx';
import { MountDialog } from './mount-dialog.tsx';
import { UnmountDialog } from './unmount-dialog.tsx';
import { useStorageWords } from './use-storage-words.ts';

interface DiskActionsProps {
  disk: DiskView;
  size?: 'small' | 'medium';
  /** After a command was accepted. */
  onDone?: (action: string) => void;
}

/** Each changes the disk, or whoever has it, by a call of its own. */
const DIALOGS = {
  mount: { node: 'mountDisk', Dialog: MountDialog },
  unmount: { node: 'unmountDisk', Dialog: UnmountDialog },
  grow: { node: 'updateDisk', Dialog: GrowDialog },
  rename: { node: 'updateDisk', Dialog: RenameDialog },
} as const;

export function DiskActions({ disk, size = 'small', onDone }: DiskActionsProps) {
  const t = useStorageWords();
  const [open, setOpen] = useState<keyof typeof DIALOGS>();
  const { id, name, used_bytes: used, mounted_by } = disk;
  const isEditable = disk.actions.some(({ action }) => action === 'edit');
  const extra = (dialog: keyof typeof DIALOGS): Extra => ({
    label: t(`actions.${dialog}`),
    node: DIALOGS[dialog].node,
    isDisabled: !isEditable,
    onPick: () => setOpen(dialog),
  });
  const Dialog = open && DIALOGS[open].Dialog;
  return (
    <>
      <ActionButtons
        kind="dataDisk"
        target={disk}
        size={size}
        extras={[...(mounted_by.length > 0 ? [extra('unmount')] : []), extra('mount'), extra('grow'), extra('rename')]}
        without={['edit']}
        questions={() => ({
          release: {
            title: t('delete.title', { name }),
            lost: [
              t('delete.lost', { id, name, used: used === null ? '' : t('delete.used', { used: bytesText(used) }) }),
            ],
            typed: id,
            more: { confirm: id },
          },
        })}
        {...(onDone && { onDone })}
      />
      {Dialog && <Dialog disk={disk} onClose={() => setOpen(undefined)} />}
    </>
  );
}
