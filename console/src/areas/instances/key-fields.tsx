// The keys that can log in: the account's, and others that the instance already has.
import { dateText } from '@gantry/ui/format/time.ts';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { AddSshKeyDialog } from '../../parts/add-ssh-key-dialog.tsx';
import { FormSection } from '../../parts/workload/form-section.tsx';
import type { InstanceValues, KeyValue } from './form-values.ts';
import { useInstanceWords } from './use-instance-words.ts';
import { keyOf, useOwnKeys } from './use-own-keys.ts';

export function KeyFields() {
  const t = useInstanceWords();
  const { control, setValue, getValues } = useFormContext<InstanceValues>();
  const picked = useWatch({ control, name: 'sshKeys' });
  const [carried] = useState(() => getValues('sshKeys'));
  const [isAdding, setAdding] = useState(false);
  const { data, error, refetch } = useOwnKeys();
  const rows = (data?.items ?? []).map((key) => ({ ...key, isExpired: key.status === 'expired' }));
  const others = carried.filter(({ publicKey }) => !rows.some((row) => row.public_key === publicKey));
  const isPicked = (publicKey: string) => picked.some((key) => key.publicKey === publicKey);
  const pick = (key: KeyValue, isOn: boolean) =>
    setValue('sshKeys', [...picked.filter(({ publicKey }) => publicKey !== key.publicKey), ...(isOn ? [key] : [])], {
      shouldDirty: true,
      shouldValidate: true,
    });

  return (
    <FormSection
      title={t('form.keys')}
      hint={t('form.keysHint')}
      anchor="keys"
      summary={picked.map(({ remark }) => remark).join(', ')}
    >
      {picked.length === 0 && data && <Alert severity="info">{t('form.noKeys')}</Alert>}
      {!data &&
        (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRows rows={1} height={42} />)}
      <Box>
        {rows.map((row) => (
          <KeyRow
            key={row.id}
            remark={row.remark}
            note={row.isExpired ? t('form.keyExpired') : row.expiration_time ? dateText(row.expiration_time) : ''}
            isPicked={isPicked(row.public_key)}
            isDisabled={row.isExpired && !isPicked(row.public_key)}
            onPick={(isOn) => pick(keyOf(row), isOn)}
          />
        ))}
        {others.map((key) => (
          <KeyRow
            key={key.publicKey}
            remark={key.remark}
            note={t('form.keyOther')}
            isPicked={isPicked(key.publicKey)}
            onPick={(isOn) => pick(key, isOn)}
          />
        ))}
      </Box>
      <Button variant="outlined" onClick={() => setAdding(true)} sx={{ alignSelf: 'flex-start' }}>
        {t('form.addKey')}
      </Button>
      {isAdding && <AddSshKeyDialog onAdded={(key) => pick(keyOf(key), true)} onClose={() => setAdding(false)} />}
    </FormSection>
  );
}

function KeyRow({
  remark,
  note,
  isPicked,
  isDisabled = false,
  onPick,
}: {
  remark: string;
  note: string;
  isPicked: boolean;
  isDisabled?: boolean;
  onPick: (isOn: boolean) => void;
}) {
  return (
    <FormControlLabel
      sx={{ display: 'flex' }}
      control={<Checkbox checked={isPicked} disabled={isDisabled} onChange={(_, isOn) => onPick(isOn)} />}
      label={
        <>
          {remark}
          {note !== '' && (
            <Typography component="span" variant="caption" color="text.secondary" sx={{ ml: 1 }}>
              {note}
            </Typography>
          )}
        </>
      }
    />
  );
}
