// The first rows of what would be made, or the first texts that a model would read; and its first requests. All of it is text.
import type { ProcessPreviewView } from '@gantry/contract/areas/processing/processing.ts';
import { MONO } from '@gantry/ui/theme/theme.ts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { cellText } from '../../parts/cell-text.ts';
import { PlainTable } from '../../parts/plain-table.tsx';
import { useProcessingWords } from './use-processing-words.ts';

/** Characters of a cell, so that its row can be seen with its neighbours. */
const MOST_SHOWN = 300;

interface NumberedRow {
  readonly cells: readonly unknown[];
  readonly at: number;
}

export function PreviewRows({ preview }: { preview: ProcessPreviewView }) {
  const t = useProcessingWords();
  const { columns, rows, estimate, prompts } = preview;
  const title = t(estimate.tokens === null ? 'preview.rowsMade' : 'preview.rowsModel');
  return (
    <>
      <Typography variant="h3">{title}</Typography>
      {rows.length === 0 ? (
        <Typography color="text.secondary">{t('preview.noRows')}</Typography>
      ) : (
        <Box sx={{ maxHeight: '28rem', overflow: 'auto' }}>
          <PlainTable
            label={title}
            rows={rows.map((cells, at) => ({ cells, at }))}
            keyOf={({ at }) => at}
            columns={columns.map(({ name }, column) => ({
              label: name,
              cell: ({ cells }: NumberedRow) => <Cell value={cells[column]} />,
            }))}
          />
        </Box>
      )}
      {prompts.length > 0 && <Prompts prompts={prompts} />}
    </>
  );
}

function Cell({ value }: { value: unknown }) {
  if (value === null) return <em>null</em>;
  const text = cellText(value);
  return (
    <Box sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', maxWidth: '28rem', verticalAlign: 'top' }}>
      {text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text}
    </Box>
  );
}

function Prompts({ prompts }: Pick<ProcessPreviewView, 'prompts'>) {
  const t = useProcessingWords();
  return (
    <Box component="details">
      <Typography component="summary" variant="body2" sx={{ cursor: 'pointer' }}>
        {t('preview.prompts')}
      </Typography>
      {prompts.map(({ label, body, input_tokens: tokens }) => (
        <Box key={label} sx={{ mt: 1 }}>
          <Typography variant="caption">{t('preview.promptTokens', { label, tokens })}</Typography>
          <Box
            component="pre"
            sx={{
              font: `13px/20px ${MONO}`,
              whiteSpace: 'pre-wrap',
              overflowWrap: 'anywhere',
              m: 0,
              p: 1,
              bgcolor: 'action.hover',
            }}
          >
            {body}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
