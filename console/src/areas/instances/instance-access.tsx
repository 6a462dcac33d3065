// The ways into an instance: a terminal here, SSH from outside, its notebook and its ports in the browser.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { InstanceView } from '@gantry/contract/kinds/gpu-instance.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { Guarded, useMay } from '@gantry/ui/session/permission.tsx';
import { CopyField } from '@gantry/ui/widgets/copy-button.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Link } from 'react-router';
import { openInTab } from '../../parts/open-in-tab.ts';
import { Section } from '../../parts/section.tsx';
import { useRegion } from '../../parts/workload/use-region.ts';
import { AddKeyButton } from './add-key.tsx';
import { sshHost } from './ssh-config.ts';
import { useInstanceWords } from './use-instance-words.ts';

/** Over SSH: one of its keys is still good. */
export const canLogIn = (keys: readonly { readonly expiresAt?: string | undefined }[]): boolean =>
  keys.some(({ expiresAt }) => expiresAt === undefined || Date.parse(expiresAt) > Date.now());

export function InstanceAccess({ instance }: { instance: InstanceView }) {
  const t = useInstanceWords();
  const may = useMay();
  const { id, spec, ssh_address: ssh, actions, region, data_center: place } = instance;
  const { isElsewhere } = useRegion(region);
  const hasWeb = spec.notebookPort !== undefined || (spec.ports ?? []).length > 0;
  const canEnter = actions.some(({ action }) => action === 'login');
  const canEdit = actions.some(({ action }) => action === 'edit');
  const keys = spec.sshKeys ?? [];
  const isOpen = canLogIn(keys);
  return (
    <Section
      title={t('detail.access')}
      {...(!canEnter && may('openTerminal') && { lead: t('detail.noLogin') })}
      actions={
        <>
          <Guarded node="openTerminal">
            <Button
              variant="contained"
              disabled={!canEnter}
              {...(canEnter && { component: Link, to: `/develop/instance/console/${id}` })}
            >
              {t('detail.terminal')}
            </Button>
          </Guarded>
          {spec.notebookPort !== undefined && (
            <WebButton id={id} port="notebook" label={t('detail.notebook')} isDisabled={!canEnter || isElsewhere} />
          )}
          {(spec.ports ?? []).map(({ name, port }) => (
            <WebButton
              key={port}
              id={id}
              port={port}
              label={name ?? t('detail.port', { port })}
              isDisabled={!canEnter || isElsewhere}
            />
          ))}
        </>
      }
    >
      {isElsewhere && hasWeb && <Alert severity="info">{t('elsewhere.web', { region: place })}</Alert>}
      {instance.has_notebook_token && !isElsewhere && (
        <Guarded node="showNotebookToken" isHidden>
          <NotebookToken key={`${instance.run?.number}.${spec.notebookTokenCount ?? 0}`} id={id} />
        </Guarded>
      )}
      {ssh !== null && !isOpen && (
        <Alert
          severity="info"
          action={
            canEdit && (
              <Guarded node="gpuInstance.edit" isHidden>
                <AddKeyButton instance={instance} />
              </Guarded>
            )
          }
        >
          {t(keys.length === 0 ? 'form.noKeys' : 'form.keysExpired')}
        </Alert>
      )}
      {ssh !== null && isOpen && (
        <Box>
          <Typography variant="body2" color="text.secondary" gutterBottom>
            {t('detail.ssh')}
          </Typography>
          <CopyField text={ssh} label={t('detail.ssh')} />
          <EditorAccess command={ssh} id={id} />
        </Box>
      )}
    </Section>
  );
}

/** An editor finds the instance by the name that the file gives it. */
function EditorAccess({ command, id }: { command: string; id: string }) {
  const t = useInstanceWords();
  const host = sshHost(command, id);
  if (!host) return null;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, mt: 1 }}>
      <Button
        variant="outlined"
        component="a"
        href={`data:text/plain;charset=utf-8,${encodeURIComponent(host.file)}`}
        download={`${host.alias}.conf`}
      >
        {t('detail.sshConfig')}
      </Button>
      <Button variant="outlined" component="a" href={host.vsCode}>
        {t('detail.vsCode')}
      </Button>
      <Typography variant="body2" color="text.secondary">
        {t('detail.sshConfigHint')}
      </Typography>
    </Box>
  );
}

/** Hidden until somebody asks for it: screens are shared. After a restart or a rotation it is asked for again. */
function NotebookToken({ id }: { id: string }) {
  const t = useInstanceWords();
  const show = useCommand(CALLS.showNotebookToken, { success: false });
  const [token, setToken] = useState<string>();
  return (
    <Box sx={{ mb: 2 }}>
      <Typography variant="body2" color="text.secondary" gutterBottom>
        {t('detail.token')}
      </Typography>
      {token !== undefined && <CopyField text={token} label={t('detail.token')} />}
      <Button
        size="small"
        loading={show.isPending}
        onClick={() =>
          token === undefined
            ? show.mutate({ params: { id } }, { onSuccess: (shown) => setToken(shown.token) })
            : setToken(undefined)
        }
      >
        {t(token === undefined ? 'detail.tokenShow' : 'detail.tokenHide')}
      </Button>
    </Box>
  );
}

interface WebButtonProps {
  id: string;
  port: number | 'notebook';
  label: string;
  isDisabled: boolean;
}

function WebButton({ id, port, label, isDisabled }: WebButtonProps) {
  const open = useCommand(CALLS.openInstanceWeb, { success: false });
  return (
    <Guarded node="openInstanceWeb">
      <Button
        variant="outlined"
        disabled={isDisabled}
        loading={open.isPending}
        onClick={() => openInTab((done) => open.mutate({ params: { id }, body: { port } }, done))}
      >
        {label}
      </Button>
    </Guarded>
  );
}
