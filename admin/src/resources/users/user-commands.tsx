// Staff's commands on an account. Each asks why; nobody does it to themselves.
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import { PLATFORM_ROLES, type PlatformRole } from '@gantry/contract/roles.ts';
import { useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import { readAccountId } from '@gantry/ui/session/session.ts';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormGroup from '@mui/material/FormGroup';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useDataProvider, useNotify, usePermissions, useRecordContext, useRefresh } from 'react-admin';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import type { AdminData } from '../../providers/data-provider.ts';
import { useNames } from '../../table-words.ts';
import { resourceOf } from '../../tables.ts';
import type { words as english } from '../../words/en/people.ts';

type User = AdminRow<'users'>;
type Command = 'disable' | 'enable' | 'endSessions' | 'resetFactor' | 'roles';

const NODES: Readonly<Record<Command, string>> = {
  disable: 'adminEditUser',
  enable: 'adminEditUser',
  roles: 'adminEditUser',
  endSessions: 'adminEndSessions',
  resetFactor: 'adminResetSecondFactor',
};

export function UserCommands() {
  const t = useAreaWords<typeof english>('people');
  const user = useRecordContext<User>();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const [asked, setAsked] = useState<Command>();
  if (!user) return null;
  if (user.id === readAccountId()) return <Typography color="text.secondary">{t('user.self')}</Typography>;
  const commands: Command[] = [
    'roles',
    ...(user.second_factor ? (['resetFactor'] as const) : []),
    'endSessions',
    user.disabled_at === null ? 'disable' : 'enable',
  ];
  return (
    <>
      {commands
        .filter((command) => permissions?.has(NODES[command]))
        .map((command) => (
          <Button key={command} color={command === 'disable' ? 'error' : 'primary'} onClick={() => setAsked(command)}>
            {t(`user.${command}`)}
          </Button>
        ))}
      {asked && <Question command={asked} user={user} onClose={() => setAsked(undefined)} />}
    </>
  );
}

function Question({ command, user, onClose }: { command: Command; user: User; onClose(): void }) {
  const t = useAreaWords<typeof english>('people');
  const data = useDataProvider<AdminData>();
  const refresh = useRefresh();
  const notify = useNotify();
  const [roles, setRoles] = useState<readonly PlatformRole[]>(user.platform_roles);
  const names = useNames();

  const edit = (change: object, reason: string) =>
    data.update(resourceOf('users'), {
      id: user.id,
      data: { ...user, ...change, reason },
      previousData: user,
    });
  const post = (what: string, reason: string) =>
    data.ask<{ ended?: number }>(`users/${encodeURIComponent(user.id)}/${what}`, { method: 'POST', body: { reason } });

  const run = async (reason: string) => {
    let said = t('user.saved');
    if (command === 'disable' || command === 'enable') await edit({ disabled: command === 'disable' }, reason);
    else if (command === 'roles') await edit({ platform_roles: roles }, reason);
    else if (command === 'resetFactor') await post('reset-second-factor', reason);
    else {
      const { ended = 0 } = await post('end-sessions', reason);
      said = t('user.sessionsEnded', { smart_count: ended });
    }
    notify(said, { type: 'success' });
    refresh();
  };
  return (
    <ReasonDialog
      title={t(`user.${command}Title`, { name: user.name })}
      confirmLabel={t(`user.${command}`)}
      isDangerous={command === 'disable' || command === 'resetFactor'}
      onConfirm={run}
      onClose={onClose}
    >
      <Typography>{t(`user.${command}Text`)}</Typography>
      {command === 'roles' && (
        <FormGroup>
          {PLATFORM_ROLES.map((role) => (
            <FormControlLabel
              key={role}
              label={names.role(role)}
              control={
                <Checkbox
                  checked={roles.includes(role)}
                  onChange={(_, isOn) => setRoles(isOn ? [...roles, role] : roles.filter((each) => each !== role))}
                />
              }
            />
          ))}
        </FormGroup>
      )}
    </ReasonDialog>
  );
}
