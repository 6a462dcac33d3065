// Saves one file on the person's machine.
import type { Call } from '@gantry/contract/http/call.ts';
import type { AnyInput } from '@gantry/ui/client/api.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import Download from '@mui/icons-material/Download';
import IconButton from '@mui/material/IconButton';
import { chunksOf } from './save-download.ts';
import { useFilesWords } from './use-files-words.ts';
import { useSaving } from './use-saving.ts';

export function DownloadButton({
  call,
  input,
  path,
  size,
}: {
  call: Call;
  input: AnyInput;
  path: string;
  size: number;
}) {
  const t = useFilesWords();
  const api = useApi();
  const { isSaving, save } = useSaving();
  const label = t('download', { path });
  const name = path.split('/').at(-1) ?? path;
  return (
    <IconButton
      size="small"
      aria-label={label}
      title={label}
      loading={isSaving}
      onClick={() => void save({ name, size }, () => chunksOf(api, call, input))}
    >
      <Download fontSize="small" />
    </IconButton>
  );
}
