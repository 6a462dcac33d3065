// Whether the training fits into memory, and what would where it does not; how many tokens it is, how long it takes and what it costs,
// with the arithmetic; and what such a base is usually begun with.

import type { TunePreviewView } from '@gantry/contract/areas/tuning/tuning.ts';
import { exactText, rateText } from '@gantry/ui/format/money.ts';
import { numberText } from '@gantry/ui/format/number.ts';
import { bytesText } from '@gantry/ui/format/size.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useFormContext } from 'react-hook-form';
import { useSpan } from '../../parts/task/use-span.ts';
import { UsedBar } from '../../parts/used-bar.tsx';
import { FormSection } from '../../parts/workload/form-section.tsx';
import { PreviewState } from './preview-state.tsx';
import { type Preset, type TuneValues, withAdvice } from './tuning-values.ts';
import { useTunePreview } from './use-tune-preview.ts';
import { useTuningWords } from './use-tuning-words.ts';

const SECOND_MS = 1000;
const HOUR_S = 3600;
const CHANGED = { shouldDirty: true, shouldValidate: true } as const;

export function FitPanel() {
  const t = useTuningWords();
  const asked = useTunePreview();
  if (asked.state === 'denied') return null;
  return (
    <FormSection title={t('fit.title')}>
      <PreviewState asked={asked} rows={4}>
        {({ memory, estimate, preset }) => (
          <>
            <Memory memory={memory} />
            {preset && <Recommended preset={preset} />}
            <Estimate estimate={estimate} />
          </>
        )}
      </PreviewState>
    </FormSection>
  );
}

/** Sets fields of the form to what was advised. */
function useAdvice() {
  const { getValues, setValue } = useFormContext<TuneValues>();
  return (advice: Parameters<typeof withAdvice>[1]) => {
    const { parameters, ...others } = withAdvice(getValues(), advice);
    for (const [name, value] of Object.entries(others)) setValue(name as 'method', value as 'LoRA', CHANGED);
    for (const [name, value] of Object.entries(parameters))
      setValue(`parameters.${name}` as 'parameters.batch', value as number, CHANGED);
  };
}

const SEVERITIES = { true: 'success', false: 'error', null: 'info' } as const;

function Memory({ memory }: Pick<TunePreviewView, 'memory'>) {
  const t = useTuningWords();
  const take = useAdvice();
  const { device, bytes, room_bytes: room, fits, host, lines, instead, is_assumed: isAssumed } = memory;
  const sizes = { needed: bytesText(bytes), room: bytesText(room) };
  const isHostShort = host !== null && host.bytes > host.room_bytes;
  return (
    <>
      <Alert severity={SEVERITIES[`${fits}`]} role="status">
        {room === null ? t('fit.unknown', sizes) : t(`fit.${fits === false ? 'not' : 'does'}.${device}`, sizes)}
        {isHostShort && ` ${t('fit.hostShort', { needed: bytesText(host.bytes), room: bytesText(host.room_bytes) })}`}
      </Alert>
      {room !== null && <UsedBar used={bytes} total={room} label={t('fit.bar')} />}
      {instead.length > 0 && (
        <Box
          component="ul"
          aria-label={t('fit.instead')}
          sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1 }}
        >
          {instead.map(({ message, change }) => (
            <Box component="li" key={message} sx={{ display: 'flex', gap: 1, alignItems: 'center' }}>
              <Typography variant="body2" sx={{ flex: 1 }}>
                {message}
              </Typography>
              {Object.keys(change).length > 0 && (
                <Button
                  size="small"
                  variant="outlined"
                  aria-label={t('fit.take', { what: message })}
                  onClick={() => take(change)}
                >
                  {t('fit.takeShort')}
                </Button>
              )}
            </Box>
          ))}
        </Box>
      )}
      <Arithmetic summary={t('fit.lines')}>
        {[
          ...lines.map(({ message }) => message),
          t('fit.sum', sizes),
          ...(host ? [t('fit.host', { needed: bytesText(host.bytes), room: bytesText(host.room_bytes) })] : []),
          ...(isAssumed ? [t('fit.assumed')] : []),
        ]}
      </Arithmetic>
    </>
  );
}

function Recommended({ preset }: { preset: Preset }) {
  const t = useTuningWords();
  const take = useAdvice();
  const values = useFormContext<TuneValues>().watch();
  const isTaken = JSON.stringify(withAdvice(values, preset)) === JSON.stringify(withAdvice(values, {}));
  const { batch, accumulate, maxLength, learningRate, rank } = preset.parameters;
  const sizes = { batch, accumulate, maxLength, rate: `${learningRate}`, rank };
  const said =
    preset.method === 'Full' ? t('fit.presetFull', sizes) : t('fit.preset', { ...sizes, method: preset.method });
  return (
    <Box sx={{ display: 'flex', gap: 1, alignItems: 'center' }}>
      <Typography variant="body2" sx={{ flex: 1 }}>
        {said}
      </Typography>
      <Button size="small" variant="outlined" disabled={isTaken} onClick={() => take(preset)}>
        {t(isTaken ? 'fit.presetTaken' : 'fit.presetTake')}
      </Button>
    </Box>
  );
}

function Estimate({ estimate }: Pick<TunePreviewView, 'estimate'>) {
  const t = useTuningWords();
  const ui = useUiWords();
  const number = numberText;
  const span = useSpan();
  const { examples, steps, tokens, tokens_per_step: each, time, price, total, currency } = estimate;
  const unknown = t('estimate.noPrice');
  const perHour = price === null ? unknown : ui('price.perHour', { amount: rateText(price, currency) });
  const hours = number(Number((time.seconds / HOUR_S).toPrecision(4)));
  return (
    <>
      <Box component="dl" sx={{ m: 0, display: 'grid', gridTemplateColumns: 'auto 1fr', columnGap: 2, rowGap: 0.5 }}>
        <Row label={t('estimate.steps')}>{number(steps)}</Row>
        <Row label={t('estimate.tokens')}>{number(tokens)}</Row>
        <Row label={t('estimate.time')}>{t('estimate.about', { value: span(time.seconds * SECOND_MS) })}</Row>
        <Row label={t('estimate.cost')}>{total === null ? unknown : exactText(total, currency)}</Row>
      </Box>
      <Arithmetic summary={t('estimate.how')}>
        {[
          t('estimate.examples', { examples: number(examples) }),
          t('estimate.tokenSum', { steps: number(steps), each: number(each), sum: number(tokens) }),
          t('estimate.timeSum', {
            ...{ start: number(time.start_seconds), steps: number(steps), each: number(time.seconds_each) },
            sum: number(time.seconds),
          }),
          time.timed_runs === null
            ? t('estimate.byOperations', { operations: number(time.token_operations), rate: number(time.rate) })
            : t('estimate.byRuns', { smart_count: time.timed_runs, rate: number(time.rate) }),
          ...(total === null
            ? []
            : [t('estimate.moneySum', { hours, price: perHour, sum: exactText(total, currency) })]),
        ]}
      </Arithmetic>
      <Typography variant="caption" color="text.secondary">
        {t('estimate.isEstimate')}
      </Typography>
    </>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <Typography component="dt" variant="body2" color="text.secondary">
        {label}
      </Typography>
      <Typography component="dd" variant="body2" sx={{ m: 0, textAlign: 'end', fontWeight: 600 }}>
        {children}
      </Typography>
    </>
  );
}

function Arithmetic({ summary, children }: { summary: string; children: readonly string[] }) {
  return (
    <Box component="details">
      <Typography component="summary" variant="body2" sx={{ cursor: 'pointer' }}>
        {summary}
      </Typography>
      <Box component="ul" sx={{ m: 0, mt: 0.5, pl: 2.5 }}>
        {children.map((line) => (
          <Typography key={line} component="li" variant="body2" color="text.secondary">
            {line}
          </Typography>
        ))}
      </Box>
    </Box>
  );
}
