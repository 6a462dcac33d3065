// A size for the image, with its reason. It is never applied unless somebody presses the button.

import type { RecommendationView } from '@gantry/contract/areas/kinds/catalogue-views.ts';
import { gpuName } from '@gantry/contract/gpu-name.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { useMay } from '@gantry/ui/session/permission.tsx';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useFormContext, useWatch } from 'react-hook-form';
import { useSettled } from '../../../parts/use-settled.ts';
import { useDeployWords } from '../use-deploy-words.ts';
import type { ServiceValues } from './service-values.ts';

const SETTLES_MS = 600;
const CHANGED = { shouldDirty: true, shouldValidate: true } as const;

export function RecommendationPanel() {
  const t = useDeployWords();
  const may = useMay();
  const { control, setValue } = useFormContext<ServiceValues>();
  const typed = useWatch({ control, name: 'image' });
  const image = useSettled(typed.trim(), SETTLES_MS);
  const { data, error } = useCall(
    CALLS.recommendService,
    { body: { image } },
    { enabled: image !== '' && may(CALLS.recommendService.id) },
  );
  if (!data || error || image === '') return null;
  const apply = ({ gpu, cores, memory_gi }: RecommendationView) => {
    setValue('gpu', gpu ?? { model: '', count: 1 }, CHANGED);
    setValue('cores', cores, CHANGED);
    setValue('memoryGi', memory_gi, CHANGED);
  };
  const what = data.gpu ? `${data.gpu.count} × ${gpuName(data.gpu.model)}` : t('recommendation.noGpu');
  return (
    <Alert
      severity="info"
      aria-live="polite"
      action={
        <Button color="inherit" size="small" onClick={() => apply(data)}>
          {t('recommendation.apply')}
        </Button>
      }
    >
      {t('recommendation.text', { what })} {data.reason}
    </Alert>
  );
}
