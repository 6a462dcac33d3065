// Adds a key to an instance at once: one of the account's that it does not have yet, or a new one. Nothing else of it changes.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { InstanceView } from '@gantry/contract/kinds/gpu-instance.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { dateText } from '@gantry/ui/format/time.ts';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { useState } from 'react';
import { AddSshKeyDialog } from '../../parts/add-ssh-key-dialog.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import type { KeyValue } from './form-values.ts';
import { useInstanceWords } from './use-instance-words.ts';
import { firstKeys, useOwnKeys } from './use-own-keys.ts';

type Keyed = Pick<InstanceView, 'id' | 'generation' | 'spec'>;

export function AddKeyButton({ instance }: { instance: Keyed }) {
  const t = useInstanceWords();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button color="inherit" size="small" sx={{ whiteSpace: 'nowrap' }} onClick={() => setOpen(true)}>
        {t('form.addKey')}
      </Button>
      {isOpen && <AddKey instance={instance} onClose={() => setOpen(false)} />}
    </>
  );
}

function AddKey({ instance: { id, generation, spec }, onClose }: { instance: Keyed; onClose: () => void }) {
  const t = useInstanceWords();
  const [isNew, setNew] = useState(false);
  const [picked, setPicked] = useState(0);
  const { data, error: failed } = useOwnKeys();
  const update = useCommand(CALLS.updateInstance, { invalidates: [CALLS.listInstances, CALLS.getInstance] });
  const present = spec.sshKeys ?? [];
  const offered = firstKeys(data?.items ?? []).filter(
    ({ publicKey }) => !present.some((key) => key.publicKey === publicKey),
  );
  const add = (key: KeyValue | undefined) => {
    // An expired one of the same key makes room for it.
    const kept = present.filter(({ publicKey }) => publicKey !== key?.publicKey);
    if (key)
      update.mutate(
        { params: { id }, query: { generation }, body: { sshKeys: [...kept, key] } },
        { onSuccess: onClose },
      );
  };
  if (!data && !failed) return null;
  if (isNew || offered.length === 0)
    return <AddSshKeyDialog onAdded={(key) => add(firstKeys([{ ...key, status: 'valid' }])[0])} onClose={onClose} />;
  return (
    <FormDialog
      title={t('form.addKey')}
      lead={t('form.keysHint')}
      submitLabel={t('form.addKey')}
      isBusy={update.isPending}
      onSubmit={(event) => {
        event.preventDefault();
        add(offered[picked]);
      }}
      onClose={onClose}
    >
      <RadioGroup aria-label={t('form.keys')} value={`${picked}`} onChange={(_, value) => setPicked(Number(value))}>
        {offered.map(({ remark, publicKey, expiresAt }, at) => (
          <FormControlLabel
            key={publicKey}
            value={`${at}`}
            control={<Radio />}
            label={expiresAt === undefined ? remark : `${remark} (${dateText(expiresAt)})`}
          />
        ))}
      </RadioGroup>
      <Button variant="outlined" sx={{ alignSelf: 'flex-start' }} onClick={() => setNew(true)}>
        {t('form.otherKey')}
      </Button>
    </FormDialog>
  );
}
