// After an edit of an instance at rest: whether to start it now.
import type { InstanceView } from '@gantry/contract/kinds/gpu-instance.ts';
import { sentenceOf } from '@gantry/ui/client/api-problem.ts';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId } from 'react';
import { useAct } from '../../parts/action-calls.ts';
import { missingIn } from '../../parts/missing-money.ts';
import { PriceThen } from '../../parts/price-then.tsx';
import { TopUpButton } from '../../parts/top-up-button.tsx';
import { useInstanceWords } from './use-instance-words.ts';

const STARTS = ['start', 'resume', 'restore'];

export function StartDialog({ instance, onDone }: { instance: InstanceView; onDone: () => void }) {
  const t = useInstanceWords();
  const id = useId();
  const starts = instance.actions.filter(({ action }) => STARTS.includes(action));
  const price = starts[0]?.price;
  const act = useAct('gpuInstance', { onSuccess: onDone, isQuiet: true });
  const missing = missingIn(act.error);
  return (
    <Dialog open fullWidth maxWidth="sm" aria-labelledby={id} onClose={onDone}>
      <DialogTitle id={id}>{t('edit.startTitle')}</DialogTitle>
      <DialogContent>
        {t('edit.startHint')}
        {price && (
          <p>
            <PriceThen price={price} />
          </p>
        )}
        {act.error && (
          <Alert severity="error" sx={{ mt: 2 }} action={missing !== undefined && <TopUpButton missing={missing} />}>
            {sentenceOf(act.error)}
          </Alert>
        )}
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button onClick={onDone}>{t('edit.later')}</Button>
        {starts.map(({ action, label }) => (
          <Guarded key={action} node={`gpuInstance.${action}`}>
            <Button variant="contained" loading={act.isPending} onClick={() => act.give(instance.id, action)}>
              {label}
            </Button>
          </Guarded>
        ))}
      </DialogActions>
    </Dialog>
  );
}
