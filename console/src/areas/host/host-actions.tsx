// A host's commands: renewing and editing have dialogs, releasing says what is lost.
import type { HostView } from '@gantry/contract/kinds/gpu-host.ts';
import { useState } from 'react';
import { ActionButtons } from '../../parts/action-buttons.tsx';
import { EditHost } from './edit-host.tsx';
import { RenewHost } from './renew-host.tsx';
import { useHostWords } from './use-host-words.ts';

interface HostActionsProps {
  host: HostView;
  size?: 'small' | 'medium';
  /** After a command was accepted. */
  onDone?: (action: string) => void;
}

export function HostActions({ host, size = 'small', onDone }: HostActionsProps) {
  const t = useHostWords();
  const [open, setOpen] = useState<'renew' | 'edit'>();
  const close = () => setOpen(undefined);
  return (
    <>
      <ActionButtons
        kind="gpuHost"
        target={host}
        size={size}
        first={['renew', 'edit']}
        own={{ renew: () => setOpen('renew'), edit: () => setOpen('edit') }}
        questions={() => ({
          release: {
            title: t('release.title', { name: host.name }),
            text: t('release.local'),
            lost: [
              t('release.nodes', { smart_count: host.node_count }),
              ...(host.source === 'rented' ? [t('release.paid')] : []),
            ],
            kept: [t('release.instances'), t('release.disks')],
          },
        })}
        {...(onDone && { onDone })}
      />
      {open === 'renew' && <RenewHost host={host} onClose={close} />}
      {open === 'edit' && <EditHost host={host} onClose={close} />}
    </>
  );
}
