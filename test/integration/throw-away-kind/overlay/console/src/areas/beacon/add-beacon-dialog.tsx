// A beacon, by its port.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { beacon } from '@gantry/contract/kinds/beacon.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { FormNumber } from '@gantry/ui/form/fields.tsx';
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import type * as z from 'zod';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useBeaconWords } from './use-beacon-words.ts';

interface Values {
  port: number;
}

export function AddBeaconDialog({ onClose }: { onClose: () => void }) {
  const t = useBeaconWords();
  const ui = useUiWords();
  const create = useCommand(CALLS.createBeacon, { isQuiet: true, invalidates: [CALLS.listBeacons] });
  const { form, error, submit } = useServerForm<Values>({
    defaultValues: { port: 80 },
    resolver: rulesOf(beacon.api.writes.create as unknown as z.ZodType<unknown, Values>, useLanguage()),
  });
  const send = submit(async (body) => {
    await create.mutateAsync({ body });
    onClose();
  });
  return (
    <FormDialog
      title={t('add')}
      submitLabel={ui('actions.add')}
      isBusy={create.isPending}
      error={error}
      onSubmit={(event) => void send(event)}
      onClose={onClose}
    >
      <FormNumber control={form.control} name="port" label={t('port')} isRequired />
    </FormDialog>
  );
}
