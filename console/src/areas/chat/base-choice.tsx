// A knowledge base that answers are found in. Where the organisation has none, nothing is offered.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useList } from '@gantry/ui/client/use-api.tsx';
import { useMay } from '@gantry/ui/session/permission.tsx';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useChatWords } from './use-chat-words.ts';

const BASES = { query: { type: 'rag' } } as const;
const MOST = 1000;

interface BaseChoiceProps {
  base: string;
  isBusy: boolean;
  onChoose: (id: string) => void;
}

export function BaseChoice({ base, isBusy, onChoose }: BaseChoiceProps) {
  const t = useChatWords();
  const mayList = useMay()('listDatasets');
  const { items } = useList(CALLS.listDatasets, BASES, { size: MOST, enabled: mayList });
  // Neither before they are there nor where there are none.
  if (items[0] === undefined) return null;
  return (
    <TextField
      select
      size="small"
      label={t('base.label')}
      value={base}
      disabled={isBusy}
      slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
      onChange={({ target }) => onChoose(target.value)}
      sx={{ minWidth: '12rem' }}
    >
      <MenuItem value="">{t('base.absent')}</MenuItem>
      {items.map(({ id, name }) => (
        <MenuItem key={id} value={id}>
          {name}
        </MenuItem>
      ))}
    </TextField>
  );
}
