// What the task would be trained on: how many rows of each dataset can be used, and examples in tokens, those marked that it learns to
// write. All of it is text.

import type { TunePreviewView } from '@gantry/contract/areas/tuning/tuning.ts';
import { numberText } from '@gantry/ui/format/number.ts';
import { MONO } from '@gantry/ui/theme/theme.ts';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useFormContext, useWatch } from 'react-hook-form';
import { Marked } from '../../parts/marked.tsx';
import { PlainTable } from '../../parts/plain-table.tsx';
import { useNameOf, useReadableDatasets } from '../../parts/use-names.ts';
import { FormSection } from '../../parts/workload/form-section.tsx';
import { PreviewState } from './preview-state.tsx';
import type { TuneValues } from './tuning-values.ts';
import { useTunePreview } from './use-tune-preview.ts';
import { useTuningWords } from './use-tuning-words.ts';

type Example = TunePreviewView['examples'][number];
type Piece = Example['pieces'][number];

export function PreviewPanel() {
  const t = useTuningWords();
  const asked = useTunePreview();
  if (asked.state === 'denied') return null;
  return (
    <FormSection title={t('preview.title')} hint={t('preview.lead')}>
      <PreviewState asked={asked} rows={3}>
        {(preview) => <Preview preview={preview} />}
      </PreviewState>
    </FormSection>
  );
}

function Preview({ preview: { sets, examples, is_exact: isExact } }: { preview: TunePreviewView }) {
  const t = useTuningWords();
  const { control } = useFormContext<TuneValues>();
  const objective = useWatch({ control, name: 'objective' });
  const nameOf = useNameOf(useReadableDatasets());
  return (
    <>
      <Sets sets={sets} isExact={isExact} nameOf={nameOf} />
      <Typography variant="h3">{t('preview.examples')}</Typography>
      {examples.length === 0 ? (
        <Typography color="text.secondary">{t('preview.noExamples')}</Typography>
      ) : (
        <>
          <Typography variant="body2">
            <Marked tone="success">{t('preview.marked')}</Marked> {t('preview.markedHint')}
          </Typography>
          {examples.map((example) => (
            <OneExample
              key={`${example.dataset} ${example.row}`}
              example={example}
              name={nameOf(example.dataset)}
              isPreference={objective === 'DPO'}
            />
          ))}
        </>
      )}
    </>
  );
}

interface SetsProps extends Pick<TunePreviewView, 'sets'> {
  isExact: boolean;
  nameOf: (id: string) => string;
}

function Sets({ sets, isExact, nameOf }: SetsProps) {
  const t = useTuningWords();
  const number = numberText;
  const unusable = sets.flatMap((set) => set.unusable.map((one) => ({ ...one, set })));
  return (
    <>
      <PlainTable
        label={t('preview.sets')}
        rows={sets}
        keyOf={({ dataset, version }) => `${dataset} ${version}`}
        columns={[
          {
            label: t('fields.dataset'),
            cell: ({ dataset, version }) => `${nameOf(dataset)} · ${t('fields.version', { version })}`,
          },
          { label: t('preview.rows'), cell: ({ rows }) => number(rows), isEnd: true },
          {
            label: t('preview.usable'),
            cell: ({ usable, sampled }) => t('preview.ofSampled', { usable: number(usable), sampled: number(sampled) }),
            isEnd: true,
          },
          { label: t('preview.meanTokens'), cell: ({ mean_tokens: mean }) => numberText(mean, 0), isEnd: true },
          { label: t('preview.longest'), cell: ({ longest }) => number(longest), isEnd: true },
          { label: t('preview.tooLong'), cell: ({ too_long: cut }) => number(cut), isEnd: true },
        ]}
      />
      {!isExact && (
        <Typography variant="body2" color="text.secondary">
          {t('preview.isSampled')}
        </Typography>
      )}
      {unusable.map(({ reason, reason_label: why, rows, set }) => (
        <Alert key={`${set.dataset} ${reason}`} severity="warning">
          {t('preview.unusable', { dataset: nameOf(set.dataset), smart_count: rows, why })}
        </Alert>
      ))}
    </>
  );
}

interface OneExampleProps {
  example: Example;
  name: string;
  isPreference: boolean;
}

const SIDES = ['asked', 'better', 'worse'] as const;

function OneExample({ example, name, isPreference }: OneExampleProps) {
  const t = useTuningWords();
  const number = numberText;
  const { row, pieces, tokens, is_too_long: isTooLong, reason_label: why } = example;
  const title = t('preview.example', { dataset: name, row: number(row) });
  return (
    <Box role="group" aria-label={title}>
      <Typography variant="body2" sx={{ fontWeight: 600 }}>
        {`${title} · ${t('preview.tokens', { smart_count: tokens, count: number(tokens) })}`}
      </Typography>
      {why !== null && <Alert severity="warning">{why}</Alert>}
      {isPreference ? (
        pieces.map((piece, at) => (
          <Box key={SIDES[at]} sx={{ mt: 0.5 }}>
            <Typography variant="caption">{t(`preview.sides.${SIDES[at] ?? 'worse'}`)}</Typography>
            <Tokens pieces={[piece]} />
          </Box>
        ))
      ) : pieces.length > 0 ? (
        <Tokens pieces={pieces} />
      ) : null}
      {isTooLong && (
        <Typography variant="caption" color="text.secondary">
          {t('preview.isCut')}
        </Typography>
      )}
    </Box>
  );
}

function Tokens({ pieces }: { pieces: readonly Piece[] }) {
  return (
    <Box
      tabIndex={0}
      role="group"
      sx={{
        font: `13px/22px ${MONO}`,
        whiteSpace: 'pre-wrap',
        overflowWrap: 'anywhere',
        maxHeight: '16rem',
        overflow: 'auto',
        p: 1,
        bgcolor: 'action.hover',
        borderRadius: 1,
      }}
    >
      {pieces.map((piece, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place in the text
        <OnePiece key={at} piece={piece} />
      ))}
    </Box>
  );
}

function OnePiece({ piece: { tokens, is_trained: isTrained, is_cut: isCut } }: { piece: Piece }) {
  const text = (
    <>
      {tokens.map(([id, said], at) => (
        <Box
          // biome-ignore lint/suspicious/noArrayIndexKey: a token is its place in the text
          key={at}
          component="span"
          title={`${id}`}
          sx={{ boxShadow: 'inset -1px 0 0 var(--mui-palette-divider)' }}
        >
          {said.replaceAll('\n', '↵\n')}
        </Box>
      ))}
      {isCut && '…'}
    </>
  );
  return isTrained ? <Marked tone="success">{text}</Marked> : <span>{text}</span>;
}
