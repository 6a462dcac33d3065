// The form of an instance: its parts, with price and room beside them, below on a narrow screen.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { FormText } from '@gantry/ui/form/fields.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import type { ReactNode } from 'react';
import { FormProvider, type UseFormReturn, useFormContext, useWatch } from 'react-hook-form';
import { CostPanel } from '../../parts/workload/cost-panel.tsx';
import { FitPanel } from '../../parts/workload/fit-panel.tsx';
import { IdleFields } from '../../parts/workload/idle-fields.tsx';
import { ImageField } from '../../parts/workload/image-field.tsx';
import { PlaceFields } from '../../parts/workload/place-fields.tsx';
import { SizeFields } from '../../parts/workload/size-fields.tsx';
import { AdvancedFields } from './advanced-fields.tsx';
import { DiskFields } from './disk-fields.tsx';
import { type InstanceValues, sizeOf } from './form-values.ts';
import { KeyFields } from './key-fields.tsx';
import { useInstanceWords } from './use-instance-words.ts';

interface InstanceFormProps {
  form: UseFormReturn<InstanceValues>;
  /** The id of the one that is edited. */
  instance?: string;
  /** The error that concerns no single field. */
  error: string | undefined;
  /** Beside that sentence: what helps. */
  help?: ReactNode;
  /** The node that permits sending it. */
  node: string;
  submitLabel: string;
  isBusy: boolean;
  canSubmit?: boolean;
  children?: ReactNode;
  /** One leaves it to pay. */
  onRecharge?: () => void;
  onSubmit: (event?: React.BaseSyntheticEvent) => Promise<void>;
}

export function InstanceForm(props: InstanceFormProps) {
  const {
    form,
    instance,
    error,
    help,
    node,
    submitLabel,
    isBusy,
    canSubmit = true,
    children,
    onRecharge,
    onSubmit,
  } = props;
  const t = useInstanceWords();
  const ui = useUiWords();
  const isNew = instance === undefined;
  return (
    <FormProvider {...form}>
      <Box
        component="form"
        noValidate
        onSubmit={(event) => void onSubmit(event)}
        sx={{
          display: 'grid',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) 22rem' },
          gap: 3,
          alignItems: 'start',
        }}
      >
        <Box sx={{ display: 'flex', flexDirection: 'column', gap: 2, minWidth: 0 }}>
          <Paper variant="outlined" sx={{ p: { xs: 2, md: 3 }, display: 'flex', flexDirection: 'column', gap: 2 }}>
            {children}
            <FormText
              control={form.control}
              name="displayName"
              label={ui('fields.name')}
              help={t('form.nameHint')}
              isRequired
              autoComplete="off"
            />
          </Paper>
          <ImageField />
          <PlaceFields />
          <SizeFields />
          <DiskFields {...(instance !== undefined && { instance })} />
          <KeyFields />
          <IdleFields acts={t('form.idleActs')} />
          <AdvancedFields />
        </Box>
        <Box
          sx={{
            display: 'flex',
            flexDirection: 'column',
            gap: 2,
            position: { lg: 'sticky' },
            top: { lg: 80 },
            minWidth: 0,
          }}
        >
          <Estimates isNew={isNew} onRecharge={onRecharge} />
          {error !== undefined && (
            <Alert severity="error" action={help}>
              {error}
            </Alert>
          )}
          <Guarded node={node}>
            <Button type="submit" variant="contained" size="large" fullWidth loading={isBusy} disabled={!canSubmit}>
              {submitLabel}
            </Button>
          </Guarded>
        </Box>
      </Box>
    </FormProvider>
  );
}

/** Apart from the form: they are drawn with each digit that is typed. */
function Estimates({ isNew, onRecharge }: { isNew: boolean; onRecharge: (() => void) | undefined }) {
  const { control } = useFormContext<InstanceValues>();
  const [gpu, cores, memoryGi, homeDisk, host] = useWatch({
    control,
    name: ['gpu', 'cores', 'memoryGi', 'homeDisk', 'host'],
  });
  const size = sizeOf({ gpu, cores, memoryGi, homeDisk, host });
  return (
    <>
      <CostPanel kind="GpuInstance" spec={size?.cost} isNew={isNew} onRecharge={onRecharge} />
      <FitPanel call={CALLS.fitInstance} place={size?.place} />
    </>
  );
}
