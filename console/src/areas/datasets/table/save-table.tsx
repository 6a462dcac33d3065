// The whole table, or what was rejected, as a file.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import Button from '@mui/material/Button';
import { chunksOf } from '../../../parts/files/save-download.ts';
import { useSaving } from '../../../parts/files/use-saving.ts';
import { useDatasetWords } from '../use-dataset-words.ts';
import type { TableOf } from './of-table.tsx';

const FORMATS = ['jsonl', 'csv'] as const;

interface SaveTableProps {
  name: string;
  of: TableOf;
  content: 'data' | 'rejected';
}

export function SaveTable({ name, of: { id, version }, content }: SaveTableProps) {
  const t = useDatasetWords();
  const api = useApi();
  const { isSaving, save } = useSaving();
  const params = { id, version: `${version}` };
  return FORMATS.map((format) => (
    <Button
      key={format}
      loading={isSaving}
      onClick={() =>
        void save(
          { name: `${name}-${version}${content === 'data' ? '' : `-${content}`}.${format}`, size: undefined },
          () => chunksOf(api, CALLS.downloadDatasetTable, { params, query: { format, of: content } }),
        )
      }
    >
      {t('table.saveAs', { format: t(`formats.${format}`) })}
    </Button>
  ));
}
