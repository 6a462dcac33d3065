// Rows as they read best: questions with their answers, conversations, prompts with their variables, documents page by page. All of it is
// text, whatever it says.

import type { DatasetRowsView } from '@gantry/contract/areas/datasets/tables.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { numberText } from '@gantry/ui/format/number.ts';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import { cellText } from '../../../parts/cell-text.ts';
import { useDatasetWords } from '../use-dataset-words.ts';
import { rowPath } from './cell-table.tsx';
import type { TableOf } from './of-table.tsx';
import { type OwnView, partsOf, piecesOf, turnsIn } from './own-view.ts';
import { type Paragraphs, type Place, placeOf } from './paragraphs.ts';

interface OwnRowsProps {
  view: OwnView;
  label: string;
  answer: Pick<DatasetRowsView, 'columns' | 'rows' | 'cut'>;
  numbers: readonly number[];
  of: TableOf;
  /** The row of the address. */
  marked?: number | undefined;
  /** Those that are marked in a document. */
  paragraphs?: Paragraphs | undefined;
}

export function OwnRows({
  view,
  label,
  answer: { columns, rows, cut },
  numbers,
  of,
  marked,
  paragraphs,
}: OwnRowsProps) {
  const t = useDatasetWords();
  const countText = numberText;
  const cuts = new Set(cut.map(([row, column]) => `${row} ${column}`));
  return (
    <Box component="ol" aria-label={label} sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1.5 }}>
      {rows.map((row, at) => {
        const number = numbers[at] ?? at;
        const cells = columns.map(({ name }, column) => ({
          ...{ of, name, value: row[column], isCut: cuts.has(`${at} ${column}`), row: number },
        }));
        return (
          <Paper
            key={number}
            component="li"
            variant="outlined"
            {...(number === marked && { 'aria-current': 'true' as const })}
            sx={{ p: 2, minWidth: 0, ...(number === marked && { borderColor: 'primary.main' }) }}
          >
            <Link component={RouterLink} to={rowPath(of, number)} variant="body2">
              {t('table.rowNumber', { row: countText(number + 1) })}
            </Link>
            <Row view={view} cells={cells} paragraphs={paragraphs} />
          </Paper>
        );
      })}
    </Box>
  );
}

interface CellOf {
  readonly of: TableOf;
  readonly row: number;
  readonly name: string;
  readonly value: unknown;
  /** The server has sent its beginning alone. */
  readonly isCut: boolean;
}

interface RowProps {
  view: OwnView;
  cells: readonly CellOf[];
  paragraphs: Paragraphs | undefined;
}

function Row({ view, cells, paragraphs }: RowProps) {
  const t = useDatasetWords();
  const cellOf = (name: string) => cells.find((cell) => cell.name === name);
  const others = (...shown: readonly string[]) => <Others cells={cells.filter(({ name }) => !shown.includes(name))} />;
  switch (view.kind) {
    case 'qa':
      return (
        <>
          <Labelled label={t('table.question')} cell={cellOf(view.question)} />
          <Labelled label={t('table.reply')} cell={cellOf(view.answer)} />
          {others(view.question, view.answer)}
        </>
      );
    case 'turns':
      return (
        <>
          <Turns cell={cellOf(view.turns)} />
          {others(view.turns)}
        </>
      );
    case 'prompt':
      return (
        <>
          <LongText cell={cellOf(view.text)} hasVariables />
          {others(view.text)}
        </>
      );
    case 'document':
      return (
        <>
          {others(view.text)}
          <Parts
            cell={cellOf(view.text)}
            // Numbers go on from page to page, except in files that have pages of their own.
            paragraphs={cellOf('kind')?.value === 'pdf' || cellOf('page')?.value === 1 ? paragraphs : undefined}
            isByLine={cellOf('kind')?.value === 'docx'}
          />
        </>
      );
  }
}

const TEXT = { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } as const;

function Labelled({ label, cell }: { label: string; cell: CellOf | undefined }) {
  return (
    <Box sx={{ mt: 1 }}>
      <Typography variant="caption" color="text.secondary" component="div">
        {label}
      </Typography>
      <LongText cell={cell} />
    </Box>
  );
}

/** Turns that were cut are no JSON any more: then they are read whole. */
function Turns({ cell }: { cell: CellOf | undefined }) {
  const whole = useWhole(cell, cell?.isCut ?? false);
  if (whole.isLoading) return <LoadingRows rows={2} />;
  if (whole.error) return <ErrorState error={whole.error} onRetry={whole.again} />;
  const turns = turnsIn(whole.value);
  if (!turns) return <LongText cell={cell} />;
  return turns.map(({ role, text }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: turns have no other name than their place
    <Box key={at} sx={{ mt: 1 }}>
      <Typography variant="caption" color="text.secondary" component="div">
        {role}
      </Typography>
      <Box sx={TEXT}>{text}</Box>
    </Box>
  ));
}

/** Characters that are shown before somebody asks for all. */
const MOST_SHOWN = 400;

function LongText({ cell, hasVariables = false }: { cell: CellOf | undefined; hasVariables?: boolean }) {
  const t = useDatasetWords();
  const [isAll, setAll] = useState(false);
  const whole = useWhole(cell, isAll && (cell?.isCut ?? false));
  const text = textOf(whole.value);
  const isLong = text.length > MOST_SHOWN || (cell?.isCut ?? false);
  const shown = isAll || !isLong ? text : `${text.slice(0, MOST_SHOWN)}…`;
  return (
    <>
      <Box sx={TEXT}>
        {hasVariables
          ? piecesOf(shown).map((piece, at) =>
              piece.isVariable ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name than their place
                <Variable key={at} name={piece.text} />
              ) : (
                piece.text
              ),
            )
          : shown}
      </Box>
      {isAll && <CutAnyway whole={whole} />}
      {whole.error && <ErrorState error={whole.error} onRetry={whole.again} />}
      {isLong && (
        <Button size="small" loading={whole.isLoading} aria-expanded={isAll} onClick={() => setAll((now) => !now)}>
          {t(isAll ? 'table.showLess' : 'table.showAll')}
        </Button>
      )}
    </>
  );
}

/** Even a whole cell has an end. */
function CutAnyway({ whole: { value, length } }: { whole: Pick<ReturnType<typeof useWhole>, 'value' | 'length'> }) {
  const t = useDatasetWords();
  const countText = numberText;
  if (length === null) return null;
  return (
    <Typography variant="body2" color="text.secondary" role="note">
      {t('table.firstOf', { shown: countText([...textOf(value)].length), length: countText(length) })}
    </Typography>
  );
}

const Variable = ({ name }: { name: string }) => (
  <Box component="mark" sx={{ bgcolor: 'action.selected', color: 'inherit', borderRadius: 0.5, px: 0.25 }}>
    {name}
  </Box>
);

/** Characters of a document that are shown at once. */
const PART = 4000;

interface PartsProps {
  cell: CellOf | undefined;
  paragraphs: Paragraphs | undefined;
  isByLine: boolean;
}

/** A document's text, a screen of it at a time; first the one with what is marked. */
function Parts({ cell, paragraphs, isByLine }: PartsProps) {
  const t = useDatasetWords();
  const [chosen, setAt] = useState<number>();
  const whole = useWhole(cell, cell?.isCut ?? false);
  if (whole.isLoading) return <LoadingRows />;
  if (whole.error) return <ErrorState error={whole.error} onRetry={whole.again} />;
  const text = textOf(whole.value);
  const place = paragraphs && placeOf(text, paragraphs, isByLine);
  const parts = partsOf(text, PART);
  const ends = endsOf(parts);
  const at = chosen ?? (place ? ends.findIndex((end) => end > place.from) : 0);
  return (
    <>
      <Box sx={{ ...TEXT, mt: 1, maxWidth: '48rem' }}>
        <Marked text={parts[at] ?? ''} begin={ends[at - 1] ?? 0} place={place} />
      </Box>
      <CutAnyway whole={whole} />
      {parts.length > 1 && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', mt: 1 }}>
          <Typography variant="body2" role="status">
            {t('table.textPart', { part: at + 1, parts: parts.length })}
          </Typography>
          <Button size="small" disabled={at === 0} onClick={() => setAt(at - 1)}>
            {t('table.partBefore')}
          </Button>
          <Button size="small" disabled={at === parts.length - 1} onClick={() => setAt(at + 1)}>
            {t('table.partNext')}
          </Button>
        </Box>
      )}
    </>
  );
}

function endsOf(parts: readonly string[]): readonly number[] {
  const ends: number[] = [];
  for (const part of parts) ends.push((ends.at(-1) ?? 0) + part.length);
  return ends;
}

/** `begin`: where the text begins in the one that has `place`. */
function Marked({ text, begin, place }: { text: string; begin: number; place: Place | undefined }) {
  if (!place) return text;
  const [from, to] = [Math.max(0, place.from - begin), Math.max(0, place.to - begin)];
  return (
    <>
      {text.slice(0, from)}
      {from < text.length && to > 0 && (
        <Box component="mark" ref={bringIntoView} sx={{ bgcolor: 'action.selected', color: 'inherit' }}>
          {text.slice(from, to)}
        </Box>
      )}
      {text.slice(Math.max(from, to))}
    </>
  );
}

const bringIntoView = (element: HTMLElement | null): void => element?.scrollIntoView?.({ block: 'center' });

/** Columns that the view has no place for. */
function Others({ cells }: { cells: readonly CellOf[] }) {
  if (cells.length === 0) return null;
  return (
    <Box
      component="dl"
      sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 3, rowGap: 0.5, m: 0, mt: 1, color: 'text.secondary' }}
    >
      {cells.map(({ name, value }) => (
        <Box key={name} sx={{ display: 'flex', gap: 0.75, minWidth: 0, typography: 'body2' }}>
          <dt>{name}:</dt>
          <Box component="dd" sx={{ m: 0, ...TEXT }}>
            {shortOf(textOf(value))}
          </Box>
        </Box>
      ))}
    </Box>
  );
}

const MOST_OTHERS = 200;
const shortOf = (text: string): string => (text.length > MOST_OTHERS ? `${text.slice(0, MOST_OTHERS)}…` : text);
const textOf = (value: unknown): string => (value === null ? '–' : cellText(value));

/** The cell as the page has it, or read whole. */
function useWhole(cell: CellOf | undefined, isAsked: boolean) {
  const { of, row, name, value } = cell ?? { of: { id: '', version: 0 }, row: 0, name: '', value: null };
  const { data, error, isLoading, refetch } = useCall(
    CALLS.getDatasetCell,
    { params: { id: of.id, version: `${of.version}` }, query: { row, column: name } },
    { enabled: isAsked },
  );
  const known = isAsked ? data : undefined;
  return {
    ...{ value: known ? known.value : value, length: known?.length ?? null },
    ...{ error, isLoading, again: () => void refetch() },
  };
}
