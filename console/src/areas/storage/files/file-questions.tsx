// The file browser's dialogs, by question.
import type { FileEntry } from '@gantry/contract/areas/instances/files.ts';
import { DeleteEntriesDialog } from './delete-entries-dialog.tsx';
import { NewFolderDialog, RenameEntryDialog } from './file-dialogs.tsx';
import { joined } from './file-path.ts';
import { PreviewDialog } from './preview-dialog.tsx';
import { TransferDialog } from './transfer-dialog.tsx';

export type FileQuestion =
  | { readonly what: 'newFolder' }
  | { readonly what: 'preview' | 'rename'; readonly entry: FileEntry }
  | { readonly what: 'delete' | 'move' | 'copy'; readonly entries: readonly FileEntry[] };

interface FileQuestionsProps {
  disk: string;
  folder: string;
  question: FileQuestion;
  onDownload: (entry: FileEntry) => void;
  onClose: () => void;
}

export function FileQuestions({ disk, folder, question, onDownload, onClose }: FileQuestionsProps) {
  const place = { disk, folder, onClose };
  switch (question.what) {
    case 'newFolder':
      return <NewFolderDialog {...place} />;
    case 'rename':
      return <RenameEntryDialog {...place} entry={question.entry} />;
    case 'move':
    case 'copy':
      return <TransferDialog {...place} how={question.what} entries={question.entries} />;
    case 'delete':
      return <DeleteEntriesDialog {...place} entries={question.entries} />;
    case 'preview':
      return (
        <PreviewDialog
          disk={disk}
          path={joined(folder, question.entry.name)}
          entry={question.entry}
          onDownload={() => onDownload(question.entry)}
          onClose={onClose}
        />
      );
  }
}
