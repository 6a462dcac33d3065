// What a task would take: units, tokens, time and money, each with how it comes about. The lines of the money add up to its total.

import type { ProcessPreviewView } from '@gantry/contract/areas/processing/processing.ts';
import { exactText } from '@gantry/ui/format/money.ts';
import { numberText } from '@gantry/ui/format/number.ts';
import Alert from '@mui/material/Alert';
import Typography from '@mui/material/Typography';
import { FactList } from '../../parts/fact-list.tsx';
import { PlainTable } from '../../parts/plain-table.tsx';
import { useSpan } from '../../parts/task/use-span.ts';
import { WithArithmetic } from '../../parts/with-arithmetic.tsx';
import { useProcessingWords } from './use-processing-words.ts';

type EstimateView = ProcessPreviewView['estimate'];

interface EstimateProps {
  preview: Pick<ProcessPreviewView, 'units' | 'estimate'>;
  /** In tokens. */
  budget: number | undefined;
}

const SECOND_MS = 1000;

export function Estimate({ preview: { units, estimate }, budget }: EstimateProps) {
  const t = useProcessingWords();
  const count = { smart_count: units.count };
  const { tokens, time } = estimate;
  const isOver = budget !== undefined && tokens !== null && tokens.input + tokens.output > budget;
  return (
    <>
      <FactList
        facts={[
          { label: t('preview.units'), value: t(units.is_exact ? 'preview.unitsExact' : 'preview.unitsAbout', count) },
          {
            label: t('preview.tokens'),
            value: tokens === null ? t('preview.noTokens') : <Tokens tokens={tokens} />,
          },
          { label: t('preview.time'), value: <Time time={time} isAsking={tokens !== null} /> },
        ]}
      />
      <Money estimate={estimate} />
      {isOver && <Alert severity="warning">{t('preview.overBudget')}</Alert>}
    </>
  );
}

function Tokens({ tokens: { input, output, arithmetic: parts } }: { tokens: NonNullable<EstimateView['tokens']> }) {
  const t = useProcessingWords();
  const number = numberText;
  return (
    <WithArithmetic
      lines={[
        t('preview.tokensInput', {
          text: number(parts.textTokens),
          instructions: number(parts.instructionTokens),
          sum: number(input),
        }),
        t('preview.tokensOutput', {
          requests: number(parts.requests ?? parts.chunks),
          each: number(parts.answerTokensEach),
          sum: number(output),
        }),
        t('preview.sampled', { sampled: number(parts.sampledUnits), factor: number(parts.scaledBy) }),
      ]}
    >
      {t('preview.tokensOf', { input: number(input), output: number(output) })}
    </WithArithmetic>
  );
}

function Time({ time, isAsking }: { time: EstimateView['time']; isAsking: boolean }) {
  const t = useProcessingWords();
  const number = numberText;
  const span = useSpan();
  const { seconds, start_seconds: start, steps, seconds_each: each, timed_requests: timed } = time;
  const basis = !isAsking
    ? t('preview.timeOfRows')
    : timed === null
      ? t('preview.timeAssumed')
      : t('preview.timeMeasured', { smart_count: timed });
  return (
    <WithArithmetic
      lines={[
        t('preview.timeSum', { start: number(start), steps: number(steps), each: number(each), sum: number(seconds) }),
        basis,
      ]}
    >
      {t('preview.about', { value: span(seconds * SECOND_MS) })}
    </WithArithmetic>
  );
}

function Money({ estimate: { lines, total, currency } }: { estimate: EstimateView }) {
  const t = useProcessingWords();
  const number = numberText;
  const span = useSpan();
  const amountText = (amount: string | null) => (amount === null ? t('preview.noPrice') : exactText(amount, currency));
  const priceText = (per: 'perHour' | 'perMillion', price: string | null) =>
    price === null ? t('preview.noPrice') : t(`preview.${per}`, { price: exactText(price, currency) });
  const rows = lines.map(({ what, quantity, price, amount }) => ({
    what: t(`preview.lines.${what}`),
    quantity: what === 'worker' ? span(quantity * SECOND_MS) : number(quantity),
    price: priceText(what === 'worker' ? 'perHour' : 'perMillion', price),
    amount: amountText(amount),
  }));
  const sum = { what: t('preview.total'), quantity: '', price: '', amount: amountText(total) };
  return (
    <>
      <PlainTable
        label={t('preview.money')}
        rows={[...rows, sum]}
        keyOf={({ what }) => what}
        columns={[
          { label: t('preview.what'), cell: ({ what }) => what },
          { label: t('preview.quantity'), cell: ({ quantity }) => quantity, isEnd: true },
          { label: t('preview.price'), cell: ({ price }) => price, isEnd: true },
          { label: t('preview.money'), cell: ({ amount }) => amount, isEnd: true },
        ]}
      />
      <Typography variant="body2" color="text.secondary">
        {t('preview.isEstimate')}
      </Typography>
    </>
  );
}
