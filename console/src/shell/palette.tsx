// Search and commands by keyboard: one types, the arrows choose, Enter goes there.
import Search from '@mui/icons-material/Search';
import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import InputBase from '@mui/material/InputBase';
import Typography from '@mui/material/Typography';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { matchingRows, type PaletteRow, stepped } from './palette-rows.ts';
import { usePaletteRows } from './use-palette-rows.ts';
import { useShellWords } from './use-shell-words.ts';

interface PaletteProps {
  onClose(): void;
  onShortcuts(): void;
}

/** Mount it where it should open. */
export function Palette({ onClose, onShortcuts }: PaletteProps) {
  const t = useShellWords();
  const id = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const rows = matchingRows(usePaletteRows(text, onShortcuts), text);
  const chosen = rows[Math.min(at, rows.length - 1)];
  const optionId = (row: PaletteRow) => `${id}-${row.id}`;

  const run = (row: PaletteRow | undefined) => {
    if (!row) return;
    onClose();
    row.run();
  };
  const press = (event: KeyboardEvent) => {
    // An input method that is composing has the keys.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') run(chosen);
    else if (event.key === 'ArrowDown') setAt(stepped(at, 1, rows.length));
    else if (event.key === 'ArrowUp') setAt(stepped(at, -1, rows.length));
    else return;
    event.preventDefault();
  };

  return (
    <Dialog
      open
      onClose={onClose}
      fullWidth
      maxWidth="sm"
      aria-label={t('palette.title')}
      sx={{ '& .MuiDialog-container': { alignItems: 'flex-start' } }}
      slotProps={{ paper: { sx: { mt: { xs: 1, md: 10 }, mx: { xs: 1, md: 4 }, width: '100%' } } }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, px: 2, borderBottom: 1, borderColor: 'divider' }}>
        <Search color="action" />
        <InputBase
          autoFocus
          fullWidth
          value={text}
          placeholder={t('palette.input')}
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
          }}
          onKeyDown={press}
          slotProps={{
            input: {
              role: 'combobox',
              'aria-label': t('palette.input'),
              'aria-expanded': true,
              'aria-controls': id,
              'aria-autocomplete': 'list',
              ...(chosen && { 'aria-activedescendant': optionId(chosen) }),
            },
          }}
          sx={{ py: 1 }}
        />
      </Box>
      <Rows id={id} rows={rows} chosen={chosen} optionId={optionId} onRun={run} />
      {rows.length === 0 && (
        <Typography color="text.secondary" sx={{ p: 3, textAlign: 'center', overflowWrap: 'anywhere' }}>
          {t('palette.none', { text })}
        </Typography>
      )}
    </Dialog>
  );
}

interface RowsProps {
  id: string;
  rows: readonly PaletteRow[];
  chosen: PaletteRow | undefined;
  optionId(row: PaletteRow): string;
  onRun(row: PaletteRow): void;
}

function Rows({ id, rows, chosen, optionId, onRun }: RowsProps) {
  const t = useShellWords();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (chosen) list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const groups = [...new Set(rows.map(({ group }) => group))];
  return (
    <Box
      component="ul"
      id={id}
      ref={list}
      role="listbox"
      aria-label={t('palette.title')}
      sx={{ m: 0, p: rows.length > 0 ? 1 : 0, listStyle: 'none', overflowY: 'auto', maxHeight: '60vh' }}
    >
      {groups.map((group) => (
        <Box component="li" key={group} role="group" aria-label={t(`palette.${group}`)}>
          <Typography variant="caption" component="div" aria-hidden color="text.secondary" sx={{ px: 1, pt: 1 }}>
            {t(`palette.${group}`)}
          </Typography>
          {rows
            .filter((row) => row.group === group)
            .map((row) => (
              <Box
                key={row.id}
                id={optionId(row)}
                role="option"
                aria-selected={row === chosen}
                onClick={() => onRun(row)}
                sx={{
                  display: 'flex',
                  gap: 2,
                  justifyContent: 'space-between',
                  px: 1,
                  py: 0.75,
                  borderRadius: 1,
                  cursor: 'pointer',
                  bgcolor: row === chosen ? 'action.selected' : undefined,
                  '&:hover': { bgcolor: 'action.hover' },
                }}
              >
                <Typography variant="body2" noWrap>
                  {row.label}
                </Typography>
                {row.hint !== undefined && (
                  <Typography variant="body2" color="text.secondary" noWrap sx={{ flex: 'none' }}>
                    {row.hint}
                  </Typography>
                )}
              </Box>
            ))}
        </Box>
      ))}
    </Box>
  );
}
