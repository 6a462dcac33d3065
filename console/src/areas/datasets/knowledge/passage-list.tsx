// Passages with where they stand in their documents; each leads to its row in the table.
import type { KnowledgePassage } from '@gantry/contract/areas/inference/model-calls.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import type { TableOf } from '../table/of-table.tsx';
import { useDatasetWords } from '../use-dataset-words.ts';
import { sourcePath } from './source-path.ts';

const SHOWN_LETTERS = 400;

interface PassageListProps {
  of: TableOf;
  /** What the base was made of, where that is there. */
  source: TableOf | undefined;
  label: string;
  passages: readonly KnowledgePassage[];
}

export const PassageList = ({ of, source, label, passages }: PassageListProps) => (
  <Box component="ol" aria-label={label} sx={{ display: 'grid', gap: 1.5, m: 0, p: 0, listStyle: 'none' }}>
    {passages.map((passage, at) => (
      <Paper key={passage.chunk} component="li" variant="outlined" sx={{ p: 2, minWidth: 0 }}>
        <Passage of={of} source={source} passage={passage} number={at + 1} />
      </Paper>
    ))}
  </Box>
);

interface CitationProps {
  of: TableOf;
  source: TableOf | undefined;
  passage: Pick<KnowledgePassage, 'chunk' | 'citation'>;
}

function Passage({ passage, number, ...of }: CitationProps & { passage: KnowledgePassage; number: number }) {
  const t = useDatasetWords();
  const [isWhole, setWhole] = useState(false);
  const { text, is_cut: isCut, vector, words } = passage;
  const isLong = text.length > SHOWN_LETTERS;
  const shown = isLong && !isWhole ? `${text.slice(0, SHOWN_LETTERS)}…` : text;
  return (
    <>
      <Typography variant="subtitle2" component="p">
        [{number}] <CitationLinks {...of} passage={passage} />
      </Typography>
      <Typography variant="caption" color="text.secondary" component="p">
        {vector && t('ask.byMeaning', { rank: vector.rank, score: vector.score.toFixed(2) })}
        {vector && words && ' · '}
        {words && t('ask.byWords', { rank: words.rank })}
      </Typography>
      <Typography sx={{ mt: 1, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{shown}</Typography>
      {isCut && (
        <Typography variant="caption" component="p">
          {t('ask.isCut')}
        </Typography>
      )}
      {isLong && (
        <Button size="small" onClick={() => setWhole(!isWhole)}>
          {t(isWhole ? 'table.showLess' : 'table.showAll')}
        </Button>
      )}
    </>
  );
}

/** Open its row, and what it was taken from. */
export function CitationLinks({ of: { id, version }, source, passage }: CitationProps) {
  const t = useDatasetWords();
  const text = useCitationText()(passage);
  const path = source && sourcePath(source, passage.citation);
  return (
    <>
      <Link component={RouterLink} to={`/data/space/${id}/rows?version=${version}&row=${passage.chunk + 1}`}>
        {text}
      </Link>
      {path !== undefined && (
        <>
          {' · '}
          <Link component={RouterLink} to={path} aria-label={`${t('ask.source')}: ${text}`}>
            {t('ask.source')}
          </Link>
        </>
      )}
    </>
  );
}

/** Such as: rules.pdf, page 3, paragraphs 2–4. */
function useCitationText(): (passage: CitationProps['passage']) => string {
  const t = useDatasetWords();
  return ({ chunk, citation: { file: named, page, paragraph_first: first, paragraph_last: last, row } }) => {
    const file = named ?? t('ask.chunk', { chunk: chunk + 1 });
    if (row !== null) return t('ask.at.row', { file, row });
    const paragraphs = first === null || last === null || first === last ? `${first ?? ''}` : `${first}–${last}`;
    if (page !== null && paragraphs !== '') return t('ask.at.paragraphs', { file, page, paragraphs });
    return page === null ? file : t('ask.at.page', { file, page });
  };
}
