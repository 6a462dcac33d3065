// Whether there is capacity now, before submitting: with numbers, and with the size that fits.

import { gpuName } from '@gantry/contract/gpu-name.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { FitView } from '@gantry/contract/http/catalogue-views.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { useMay } from '@gantry/ui/session/permission.tsx';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useFormContext, useWatch } from 'react-hook-form';
import { useSettled } from '../../parts/use-settled.ts';
import { isOfField, SETTLES_MS } from './cost-panel.tsx';
import { FormSection } from './form-section.tsx';
import { type InstanceValues, sizeOf } from './form-values.ts';
import { useInstanceWords } from './use-instance-words.ts';

/** Free capacity changes while a person thinks. */
const AGAIN_MS = 15_000;

export function FitPanel() {
  const t = useInstanceWords();
  const may = useMay();
  const { control } = useFormContext<InstanceValues>();
  const [gpu, cores, memoryGi, homeDisk, host] = useWatch({
    control,
    name: ['gpu', 'cores', 'memoryGi', 'homeDisk', 'host'],
  });
  const mayAsk = may('fitInstance');
  const size = useSettled(sizeOf({ gpu, cores, memoryGi, homeDisk, host }), SETTLES_MS);
  const { data, error } = useCall(
    CALLS.fitInstance,
    { body: size?.place ?? {} },
    { enabled: size !== undefined && mayAsk, keepsPrevious: true, everyMs: AGAIN_MS },
  );
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
        <Fit fit={data} />
      ) : (
        <Skeleton variant="rounded" height={84} />
      )}
    </FormSection>
  );
}

function Fit({ fit }: { fit: FitView }) {
  const t = useInstanceWords();
  const { setValue } = useFormContext<InstanceValues>();
  const { fits, message, free, nodes, largest, wanted, quota_left: quota, blocked_by: blocked } = fit;
  // Never more than requested: nobody should fear paying for more.
  const count = Math.min(wanted.count, largest.count, quota ?? Number.POSITIVE_INFINITY);
  const cores = Math.min(wanted.cores, largest.cores);
  const memory = Math.min(wanted.memory_gi, largest.memory_gi);
  const canTake = !fits && cores > 0 && memory > 0 && (wanted.model === null || count > 0);
  const take = () => {
    const changed = { shouldDirty: true, shouldValidate: true };
    if (wanted.model !== null) setValue('gpu.count', count, changed);
    setValue('cores', cores, changed);
    setValue('memoryGi', memory, changed);
  };
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
      {!fits && (
        <Typography variant="body2" color="text.secondary">
          {canTake &&
            `${t('fit.largest', {
              what:
                wanted.model === null
                  ? t('fit.largestCpu', { cores, memory })
                  : t('fit.largestGpu', { cores, memory, count, model: gpuName(wanted.model) }),
            })} `}
          {blocked === 'free' && t('fit.waits')}
        </Typography>
      )}
      {canTake && (
        <Button size="small" variant="outlined" onClick={take} sx={{ alignSelf: 'flex-start' }}>
          {t('fit.use')}
        </Button>
      )}
    </>
  );
}
