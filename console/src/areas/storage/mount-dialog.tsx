// Mounts a disk to an instance or a host, and says when it is there.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { DiskView } from '@gantry/contract/kinds/data-disk.ts';
import { useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { FormText } from '@gantry/ui/form/fields.tsx';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import Alert from '@mui/material/Alert';
import Autocomplete from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import { useMemo } from 'react';
import { Controller, useWatch } from 'react-hook-form';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useStorageWords } from './use-storage-words.ts';

const USUAL_PATH = '/data';
const ALL = { query: { size: 1000, order_by: 'name', order_type: 'asc' } } as const;

interface Resource {
  readonly id: string;
  readonly name: string;
  readonly kind: 'instance' | 'host';
}

export function MountDialog({ disk, onClose }: { disk: DiskView; onClose: () => void }) {
  const t = useStorageWords();
  const instances = useCall(CALLS.listInstances, ALL);
  const hosts = useCall(CALLS.listHosts, ALL);
  const resources = useMemo(
    (): readonly Resource[] => [
      ...(instances.data?.items ?? []).map(({ id, name }) => ({ id, name, kind: 'instance' as const })),
      ...(hosts.data?.items ?? []).map(({ id, name }) => ({ id, name, kind: 'host' as const })),
    ],
    [instances.data, hosts.data],
  );
  const { form, error, submit } = useServerForm({
    defaultValues: { resource: '', mountPath: USUAL_PATH },
    fieldOf: (field) => (/mountPath$/i.test(field) ? 'mountPath' : field === 'resource' ? 'resource' : undefined),
  });
  const mount = useCommand(CALLS.mountDisk, {
    success: t('mount.done'),
    isQuiet: true,
    invalidates: [CALLS.listDisks, CALLS.getDisk, CALLS.listMounts],
    onSuccess: onClose,
  });
  const chosen = useWatch({ control: form.control, name: 'resource' });
  const kind = resources.find(({ id }) => id === chosen)?.kind;
  const isLoaded = instances.data !== undefined && hosts.data !== undefined;
  return (
    <FormDialog
      title={t('mount.title', { name: disk.name })}
      submitLabel={t('actions.mount')}
      isBusy={mount.isPending}
      isDisabled={chosen === ''}
      error={error}
      onSubmit={submit((body) => mount.mutateAsync({ body: { disk: disk.id, ...body } }))}
      onClose={onClose}
    >
      {isLoaded && resources.length === 0 && <Alert severity="info">{t('mount.noResource')}</Alert>}
      <Controller
        control={form.control}
        name="resource"
        render={({ field: { value, onChange, onBlur, ref }, fieldState }) => (
          <Autocomplete<Resource, false, true>
            options={resources}
            loading={!isLoaded}
            disableClearable
            value={resources.find(({ id }) => id === value) ?? (null as unknown as Resource)}
            onChange={(_, resource) => onChange(resource.id)}
            groupBy={(resource) => t(resource.kind === 'host' ? 'mount.hosts' : 'mount.instances')}
            getOptionLabel={({ name, id }) => (name === id ? id : `${name} (${id})`)}
            getOptionKey={({ id }) => id}
            isOptionEqualToValue={(one, other) => one.id === other?.id}
            onBlur={onBlur}
            renderInput={(params) => (
              <TextField
                {...params}
                inputRef={ref}
                label={t('mount.resource')}
                required
                error={fieldState.error !== undefined}
                helperText={fieldState.error?.message}
              />
            )}
          />
        )}
      />
      <FormText
        control={form.control}
        name="mountPath"
        label={t('mount.path')}
        help={t('mount.pathHelp')}
        isRequired
        autoComplete="off"
      />
      <Alert severity="info">{t(kind === 'host' ? 'mount.hostEffect' : 'mount.effect')}</Alert>
    </FormDialog>
  );
}
