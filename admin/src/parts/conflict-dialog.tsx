// Somebody else has changed the row meanwhile: mine beside theirs, field by field, and either can be taken.
import { LANGUAGES, type Language } from '@gantry/contract/fields/language.ts';
import { LANGUAGE_NAMES } from '@gantry/ui/i18n/language.ts';
import { useAreaWords, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useId, useState, useSyncExternalStore } from 'react';
import { RecordContextProvider } from 'react-admin';
import { useTableWords } from '../table-words.ts';
import { tableOf } from '../tables.ts';
import type { words as english } from '../words/en/people.ts';
import {
  type Conflict,
  type Conflicts,
  conflicts,
  type Difference,
  differencesOf,
  mergedOf,
  type Row,
  type Side,
} from './conflicts.ts';
import { FieldValue } from './field-value.tsx';

/** One for the whole program. */
export function ConflictDialog({ of = conflicts }: { of?: Conflicts }) {
  const asked = useSyncExternalStore(of.subscribe, of.current);
  return asked ? <Question conflict={asked.conflict} onAnswer={asked.answer} /> : null;
}

function Question({ conflict, onAnswer }: { conflict: Conflict; onAnswer(merged: Row | undefined): void }) {
  const t = useAreaWords<typeof english>('people');
  const ui = useUiWords();
  const words = useTableWords(conflict.name);
  const id = useId();
  const differences = differencesOf(conflict);
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>(() =>
    Object.fromEntries(differences.flatMap(({ field, suggestion }) => (suggestion ? [[field, suggestion]] : []))),
  );
  const isChosen = differences.every(({ field }) => chosen[field] !== undefined);
  const isMine = differences.some(({ field }) => chosen[field] === 'mine');
  const all = (side: Side) => setChosen(Object.fromEntries(differences.map(({ field }) => [field, side])));
  return (
    <Dialog open onClose={() => onAnswer(undefined)} aria-labelledby={id} fullWidth maxWidth="md">
      <DialogTitle id={id}>{t('conflict.title')}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        <Typography>{t('conflict.text')}</Typography>
        <Table size="small">
          <TableHead>
            <TableRow>
              <TableCell>{t('conflict.field')}</TableCell>
              <TableCell>
                <Button size="small" onClick={() => all('mine')}>
                  {t('conflict.mine')}
                </Button>
              </TableCell>
              <TableCell>
                <Button size="small" onClick={() => all('theirs')}>
                  {t('conflict.theirs')}
                </Button>
              </TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {differences.map((difference) => (
              <TableRow key={difference.field}>
                <TableCell component="th" scope="row">
                  {words.label(difference.field)}
                </TableCell>
                {(['mine', 'theirs'] as const).map((side) => (
                  <TableCell key={side}>
                    <FormControlLabel
                      label={<Value name={conflict.name} difference={difference} side={side} />}
                      control={
                        <Radio
                          size="small"
                          name={`${id}-${difference.field}`}
                          checked={chosen[difference.field] === side}
                          onChange={() => setChosen({ ...chosen, [difference.field]: side })}
                          slotProps={{
                            input: { 'aria-label': `${words.label(difference.field)}: ${t(`conflict.${side}`)}` },
                          }}
                        />
                      }
                    />
                  </TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </DialogContent>
      <DialogActions>
        <Button onClick={() => onAnswer(undefined)}>{ui('actions.cancel')}</Button>
        <Button
          variant="contained"
          disabled={!isChosen || !isMine}
          onClick={() => onAnswer(mergedOf(conflict, chosen))}
        >
          {ui('actions.save')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Value({ name, difference, side }: { name: Conflict['name']; difference: Difference; side: Side }) {
  const value = difference[side];
  const other = difference[side === 'mine' ? 'theirs' : 'mine'];
  if (isTexts(value) || isTexts(other)) return <TextsValue texts={value} others={other} />;
  if (!(difference.field in tableOf(name).fields))
    return <span>{value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value)}</span>;
  return (
    <RecordContextProvider value={{ id: side, [difference.field]: value }}>
      <span style={{ minWidth: 0 }}>
        <FieldValue name={name} field={difference.field} isWhole />
      </span>
    </RecordContextProvider>
  );
}

const isTexts = (value: unknown): value is Readonly<Record<Language, string>> =>
  typeof value === 'object' &&
  value !== null &&
  LANGUAGES.every((each) => typeof Reflect.get(value, each) === 'string');

/** Every language that differs: what is saved is all of them. */
function TextsValue({ texts, others }: { texts: unknown; others: unknown }) {
  const own = isTexts(texts) ? texts : undefined;
  const differing = LANGUAGES.filter((each) => own?.[each] !== (isTexts(others) ? others[each] : undefined));
  if (!own) return <span>–</span>;
  return (
    <span style={{ minWidth: 0 }}>
      {differing.map((each) => (
        <span key={each} style={{ display: 'block', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {LANGUAGE_NAMES[each]}: <span lang={each}>{own[each] || '–'}</span>
        </span>
      ))}
    </span>
  );
}
