// Whether there is capacity now, before submitting: with numbers, and with the size that fits.

import type { FitView, WorkloadFitView } from '@gantry/contract/areas/kinds/catalogue-views.ts';
import { gpuName } from '@gantry/contract/gpu-name.ts';
import type { Call, InputOf } from '@gantry/contract/http/call.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { useMay } from '@gantry/ui/session/permission.tsx';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useFormContext } from 'react-hook-form';
import type * as z from 'zod';
import { useSettled } from '../use-settled.ts';
import { isOfField, SETTLES_MS } from './cost-panel.tsx';
import { FormSection } from './form-section.tsx';
import { useWorkloadWords } from './use-workload-words.ts';
import type { WorkloadValues } from './workload-values.ts';

/** Free capacity changes while a person thinks. */
const AGAIN_MS = 15_000;

interface FitPanelProps<F extends FitFacts> {
  call: Call<F>;
  /** Undefined while a number is missing. */
  place: InputOf<F>['body'] | undefined;
  /** Takes a number of workers or replicas that fits. */
  onCopies?: (copies: number) => void;
}

/** A question whether something fits, as far as this panel needs it. */
interface FitFacts extends RouteFacts {
  body: z.ZodType;
  answer: { result: z.ZodType<FitView> };
}

export function FitPanel<F extends FitFacts>({ call, place, onCopies }: FitPanelProps<F>) {
  const t = useWorkloadWords();
  const may = useMay();
  const mayAsk = may(call.id);
  const size = useSettled(place, SETTLES_MS);
  const { data, error } = useCall(call, { body: size ?? {} } as InputOf<F>, {
    enabled: size !== undefined && mayAsk,
    keepsPrevious: true,
    everyMs: AGAIN_MS,
  });
  if (!mayAsk) return null;
  return (
    <FormSection title={t('fit.title')}>
      {size === undefined || isOfField(error) ? (
        <Typography variant="body2" color="text.secondary">
          {t('fit.incomplete')}
        </Typography>
      ) : error ? (
        <Alert severity="error">{error.message}</Alert>
      ) : data ? (
        <Fit fit={data as FitView | WorkloadFitView} onCopies={onCopies} />
      ) : (
        <Skeleton variant="rounded" height={84} />
      )}
    </FormSection>
  );
}

interface Size {
  model: string | null;
  count: number;
  cores: number;
  memory: number;
  copies: number;
}

/** Never more than requested: nobody should fear paying for more. */
function sizeThatFits(fit: FitView | WorkloadFitView): Size | undefined {
  const { fits, largest, wanted, quota_left: quota } = fit;
  if (fits) return undefined;
  if ('nearest' in fit) {
    return fit.nearest === null ? undefined : { ...fit.nearest, cores: wanted.cores, memory: wanted.memory_gi };
  }
  const { model } = wanted;
  const count = Math.min(wanted.count, largest.count, quota ?? Number.POSITIVE_INFINITY);
  const cores = Math.min(wanted.cores, largest.cores);
  const memory = Math.min(wanted.memory_gi, largest.memory_gi);
  return cores > 0 && memory > 0 && (model === null || count > 0)
    ? { model, count, cores, memory, copies: 1 }
    : undefined;
}

function Fit({ fit, onCopies }: { fit: FitView | WorkloadFitView; onCopies: ((copies: number) => void) | undefined }) {
  const t = useWorkloadWords();
  const { setValue } = useFormContext<WorkloadValues>();
  const { fits, message, free, nodes, wanted, quota_left: quota, blocked_by: blocked } = fit;
  const size = sizeThatFits(fit);
  const take = ({ model, count, cores, memory, copies }: Size) => {
    const changed = { shouldDirty: true, shouldValidate: true };
    if (model !== wanted.model) setValue('gpu.model', model ?? '', changed);
    if (model !== null) setValue('gpu.count', count, changed);
    setValue('cores', cores, changed);
    setValue('memoryGi', memory, changed);
    onCopies?.(copies);
  };
  const sentences = fits ? [] : [...copiesIn(t, fit), ...(blocked === 'free' ? [t('fit.waits')] : [])];
  return (
    <>
      <Alert severity={fits ? 'success' : 'warning'} aria-live="polite">
        {message}
      </Alert>
      {wanted.model !== null && (
        <Typography variant="body2" color="text.secondary">
          {t('fit.free', { smart_count: free, nodes: t('fit.nodes', { smart_count: nodes }) })}
          {quota !== null && ` ${t('fit.quota', { smart_count: quota })}`}
        </Typography>
      )}
      {(size || sentences.length > 0) && (
        <Typography variant="body2" color="text.secondary">
          {[
            ...(size
              ? [
                  t(size.copies > 1 ? 'fit.largestMany' : 'fit.largest', {
                    copies: size.copies,
                    what: sizeText(t, size),
                  }),
                ]
              : []),
            ...sentences,
          ].join(' ')}
        </Typography>
      )}
      {size && (
        <Button size="small" variant="outlined" onClick={() => take(size)} sx={{ alignSelf: 'flex-start' }}>
          {t('fit.use')}
        </Button>
      )}
    </>
  );
}

type Say = ReturnType<typeof useWorkloadWords>;

const sizeText = (t: Say, { model, count, cores, memory }: Size): string =>
  model === null
    ? t('fit.largestCpu', { smart_count: cores, memory })
    : t('fit.largestGpu', { smart_count: cores, memory, count, model: gpuName(model) });

/** For several: how many fit, unless the message says so, and how long they would wait. */
function copiesIn(t: Say, fit: FitView | WorkloadFitView): string[] {
  if (!('copies' in fit)) return [];
  const { copies, position, blocked_by: blocked } = fit;
  return [
    ...(copies.wanted > 1 && blocked !== 'free' ? [t('fit.copies', copies)] : []),
    ...(position === null ? [] : [t('fit.position', { position })]),
  ];
}
