// The home disk, and the data disks that are mounted beside it.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import { gibibytesText } from '@gantry/ui/format/size.ts';
import { ErrorState } from '@gantry/ui/widgets/states.tsx';
import Close from '@mui/icons-material/Close';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useFieldArray, useFormContext, useWatch } from 'react-hook-form';
import { Link as RouterLink } from 'react-router';
import { FormSection } from '../../parts/workload/form-section.tsx';
import { useRegion } from '../../parts/workload/use-region.ts';
import type { InstanceValues } from './form-values.ts';
import { useInstanceWords } from './use-instance-words.ts';

const Field = fieldsOf<InstanceValues>();

const MOST_DISKS = 16;

interface DiskFieldsProps {
  /** The region of the instance; empty is the first data centre, where all data disks are. */
  region: string;
  /** The one being edited: disks that it has mounted do not count as taken. */
  instance?: string | undefined;
}

export function DiskFields({ region, instance }: DiskFieldsProps) {
  const t = useInstanceWords();
  const { name, isElsewhere } = useRegion(region);
  const { control } = useFormContext<InstanceValues>();
  const [home, disks] = useWatch({ control, name: ['homeDisk.sizeGi', 'disks'] });
  const summary = [`${t('form.home')}: ${home ?? '–'} GiB`, ...disks.map(({ mountPath }) => mountPath)].join(' · ');
  return (
    <FormSection title={t('form.storage')} summary={summary}>
      <Field.Number
        name="homeDisk.sizeGi"
        label={t('form.home')}
        help={t('form.homeHint')}
        unit="GiB"
        range={[1]}
        isRequired
        sx={{ maxWidth: { sm: '24rem' } }}
      />
      <Typography variant="h3">{t('form.disks')}</Typography>
      {isElsewhere ? (
        <Typography variant="body2" color="text.secondary">
          {t('form.disksElsewhere', { region: name ?? region })}
        </Typography>
      ) : (
        <DataDisks instance={instance} />
      )}
    </FormSection>
  );
}

function DataDisks({ instance }: Pick<DiskFieldsProps, 'instance'>) {
  const t = useInstanceWords();
  const { control } = useFormContext<InstanceValues>();
  const { fields, append, remove } = useFieldArray({ control, name: 'disks' });
  const chosen = useWatch({ control, name: 'disks' }).map(({ name }) => name);
  const { data, error, refetch } = useCall(CALLS.listDisks, { query: { page: 1, size: 1000 } });
  const disks = data?.items ?? [];
  const isTaken = ({ access, mounted_by: by }: (typeof disks)[number]) =>
    access === 'Single' && by.some(({ id }) => id !== instance);
  const free = disks.filter((disk) => !isTaken(disk) && !chosen.includes(disk.id));
  const [next] = free;
  return (
    <>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {fields.map(({ id }, at) => (
        <Box
          key={id}
          sx={{
            display: 'grid',
            gridTemplateColumns: { xs: '1fr auto', sm: '1fr 1fr auto' },
            gap: 1,
            alignItems: 'start',
          }}
        >
          <Field.Select
            name={`disks.${at}.name`}
            label={t('form.disk')}
            options={[
              ...disks.map((disk) => ({
                value: disk.id,
                label: `${disk.name} (${gibibytesText(disk.size_gi)})${isTaken(disk) ? `: ${t('form.diskTaken')}` : ''}`,
                isDisabled: isTaken(disk) || (chosen.includes(disk.id) && chosen[at] !== disk.id),
              })),
              ...(disks.some((disk) => disk.id === chosen[at]) ? [] : [{ value: chosen[at] ?? '', label: chosen[at] }]),
            ]}
          />
          <Box sx={{ gridRow: { xs: 2, sm: 'auto' } }}>
            <Field.Text name={`disks.${at}.mountPath`} label={t('form.mountPath')} />
          </Box>
          <IconButton
            aria-label={t('form.removeDisk', { name: disks.find((disk) => disk.id === chosen[at])?.name ?? '' })}
            onClick={() => remove(at)}
          >
            <Close />
          </IconButton>
        </Box>
      ))}
      <Box sx={{ display: 'flex', gap: 2, alignItems: 'center', flexWrap: 'wrap' }}>
        <Button
          variant="outlined"
          disabled={!next || fields.length >= MOST_DISKS}
          onClick={() => next && append({ name: next.id, mountPath: `/mnt/${next.id}` })}
        >
          {t('form.addDisk')}
        </Button>
        {!next && data && (
          <Typography variant="body2" color="text.secondary">
            {t('form.noDisks')}{' '}
            <Link component={RouterLink} to="/gpu/storage">
              {t('form.toDisks')}
            </Link>
          </Typography>
        )}
      </Box>
    </>
  );
}
