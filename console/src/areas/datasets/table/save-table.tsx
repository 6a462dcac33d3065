// The whole table, or what was rejected, as a file. Parquet comes as it is stored: in parts, each by itself.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import ExpandMore from '@mui/icons-material/ExpandMore';
import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useId, useState } from 'react';
import { chunksOf } from '../../../parts/files/save-download.ts';
import { useSaving } from '../../../parts/files/use-saving.ts';
import { useDatasetWords } from '../use-dataset-words.ts';
import type { TableOf } from './of-table.tsx';

interface SaveTableProps {
  name: string;
  of: TableOf;
  content: 'data' | 'rejected';
  /** How many parts its Parquet has. */
  parts?: number;
}

interface Choice {
  readonly format: 'jsonl' | 'csv' | 'parquet';
  /** From 0; absent where there is one alone. */
  readonly part?: number;
}

export function SaveTable({ name, of: { id, version }, content, parts = 0 }: SaveTableProps) {
  const t = useDatasetWords();
  const api = useApi();
  const { isSaving, save } = useSaving();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const menu = useId();
  const params = { id, version: `${version}` };
  const choices: readonly Choice[] = [
    ...[{ format: 'jsonl' }, { format: 'csv' }],
    ...(parts === 1
      ? [{ format: 'parquet' }]
      : Array.from({ length: parts }, (_, part) => ({ format: 'parquet', part }))),
  ] as Choice[];
  const pick = ({ format, part }: Choice) => {
    setAnchor(null);
    const end = [
      `${version}`,
      ...(content === 'data' ? [] : [content]),
      ...(part === undefined ? [] : [`${part + 1}`]),
    ];
    void save({ name: `${name}-${end.join('-')}.${format}`, size: undefined }, () =>
      chunksOf(api, CALLS.downloadDatasetTable, {
        params,
        query: { format, of: content, ...(part !== undefined && { part }) },
      }),
    );
  };
  return (
    <>
      <Button
        loading={isSaving}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        {...(anchor && { 'aria-controls': menu })}
        endIcon={<ExpandMore />}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      >
        {t('table.save')}
      </Button>
      <Menu id={menu} anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {choices.map((choice) => (
          <MenuItem key={`${choice.format} ${choice.part}`} onClick={() => pick(choice)}>
            {choice.part === undefined
              ? t(`formats.${choice.format}`)
              : t('table.part', { format: t(`formats.${choice.format}`), part: choice.part + 1, parts })}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
