// The disks that a job mounts: which, whether it may write, and where.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import { gibibytesText } from '@gantry/ui/format/size.ts';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useFieldArray, useFormContext, useWatch } from 'react-hook-form';
import { Link as RouterLink } from 'react-router';
import { FormRows } from '../../../parts/workload/form-rows.tsx';
import { FormSection } from '../../../parts/workload/form-section.tsx';
import { useDeployWords } from '../use-deploy-words.ts';
import type { JobValues } from './job-values.ts';

const Field = fieldsOf<JobValues>();

const MOST_MOUNTS = 16;

export function MountFields() {
  const t = useDeployWords();
  const { control } = useFormContext<JobValues>();
  const rows = useFieldArray({ control, name: 'mounts' });
  const [mounts, workers = 1] = useWatch({ control, name: ['mounts', 'workers'] });
  const { data } = useCall(CALLS.listDisks, { query: { page: 1, size: 1000 } });
  const disks = data?.items ?? [];
  const chosen = mounts.map(({ from }) => from);
  const isFit = ({ access }: (typeof disks)[number]) => workers === 1 || access !== 'Single';
  const next = disks.find((disk) => isFit(disk) && !chosen.includes(disk.id));
  const optionsAt = (at: number) => [
    ...disks.map((disk) => ({
      value: disk.id,
      label: `${disk.name} (${gibibytesText(disk.size_gi)})${isFit(disk) ? '' : `: ${t('mounts.oneWriter')}`}`,
      isDisabled: !isFit(disk) || (chosen.includes(disk.id) && chosen[at] !== disk.id),
    })),
    ...(disks.some(({ id }) => id === chosen[at]) ? [] : [{ value: chosen[at] ?? '', label: chosen[at] }]),
  ];
  return (
    <FormSection
      title={t('mounts.title')}
      hint={t('mounts.hint')}
      summary={mounts
        .map(({ from, mountPath }) => `${disks.find(({ id }) => id === from)?.name ?? from}: ${mountPath}`)
        .join(', ')}
    >
      <FormRows
        title={t('mounts.title')}
        isAlone
        rows={rows}
        add={t('mounts.add')}
        most={MOST_MOUNTS}
        columns={{ xs: '1fr', sm: '1fr 11rem 1fr' }}
        blank={next && { from: next.id, as: 'ReadWrite', mountPath: `/mnt/${next.id}` }}
        cells={(at) => (
          <>
            <Field.Select name={`mounts.${at}.from`} label={t('mounts.from')} options={optionsAt(at)} />
            <Field.Select
              name={`mounts.${at}.as`}
              label={t('mounts.as')}
              options={(['ReadWrite', 'ReadOnly'] as const).map((value) => ({ value, label: t(`mounts.${value}`) }))}
            />
            <Field.Text name={`mounts.${at}.mountPath`} label={t('mounts.path')} />
          </>
        )}
      />
      {!next && data && (
        <Typography variant="body2" color="text.secondary">
          {t('mounts.none')}{' '}
          <Link component={RouterLink} to="/gpu/storage">
            {t('mounts.toDisks')}
          </Link>
        </Typography>
      )}
    </FormSection>
  );
}
