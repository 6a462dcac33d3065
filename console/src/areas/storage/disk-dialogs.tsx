// The dialogs of a disk, by what is asked.
import type { DiskView } from '@gantry/contract/kinds/data-disk.ts';
import { DeleteDisksDialog } from './delete-disks-dialog.tsx';
import { GrowDialog, RenameDialog } from './edit-disk-dialogs.tsx';
import { MountDialog } from './mount-dialog.tsx';
import { UnmountDialog } from './unmount-dialog.tsx';

export type DiskQuestion =
  | { readonly what: 'mount' | 'unmount' | 'grow' | 'rename'; readonly disk: DiskView }
  | { readonly what: 'delete'; readonly disks: readonly DiskView[] };

interface DiskDialogsProps {
  question: DiskQuestion;
  onClose(): void;
  onDeleted?: () => void;
}

export function DiskDialogs({ question, onClose, onDeleted }: DiskDialogsProps) {
  switch (question.what) {
    case 'mount':
      return <MountDialog disk={question.disk} onClose={onClose} />;
    case 'unmount':
      return <UnmountDialog disk={question.disk} onClose={onClose} />;
    case 'grow':
      return <GrowDialog disk={question.disk} onClose={onClose} />;
    case 'rename':
      return <RenameDialog disk={question.disk} onClose={onClose} />;
    case 'delete':
      return (
        <DeleteDisksDialog
          disks={question.disks}
          onClose={onClose}
          onDone={() => {
            onDeleted?.();
            onClose();
          }}
        />
      );
  }
}
