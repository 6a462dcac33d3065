// Staff's actions on an organisation: its quota, and a look at its console as its members have it.
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import { useAreaWords, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Link from '@mui/material/Link';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useId, useRef, useState } from 'react';
import { useDataProvider, useNotify, usePermissions, useRecordContext, useRefresh } from 'react-admin';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import type { AdminData } from '../../providers/data-provider.ts';
import { resourceOf } from '../../tables.ts';
import type { words as english } from '../../words/en/people.ts';

type Organization = AdminRow<'organizations'>;

/** A copy of the contract's names, which a page does not load for them. */
const QUOTA_NAMES = ['gpus', 'cores', 'memoryGi', 'storageGi', 'modelsGi', 'instances', 'disks', 'hosts'] as const;

export function OrganizationCommands() {
  const t = useAreaWords<typeof english>('people');
  const organization = useRecordContext<Organization>();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const [asked, setAsked] = useState<'quota' | 'view'>();
  if (!organization || organization.deleted_at !== null) return null;
  const close = () => setAsked(undefined);
  return (
    <>
      {permissions?.has('adminViewTenant') && (
        <Button onClick={() => setAsked('view')}>{t('organization.view')}</Button>
      )}
      {permissions?.has('adminEditOrganization') && (
        <Button onClick={() => setAsked('quota')}>{t('organization.quota')}</Button>
      )}
      {asked === 'quota' && <QuotaQuestion organization={organization} onClose={close} />}
      {asked === 'view' && <ViewQuestion organization={organization} onClose={close} />}
    </>
  );
}

function QuotaQuestion({ organization, onClose }: { organization: Organization; onClose(): void }) {
  const t = useAreaWords<typeof english>('people');
  const data = useDataProvider<AdminData>();
  const refresh = useRefresh();
  const notify = useNotify();
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(QUOTA_NAMES.map((name) => [name, `${organization.quota[name] ?? ''}`])),
  );
  // A resource without a limit may stay without one; no limit can be taken away.
  const isRight = (name: (typeof QUOTA_NAMES)[number]) =>
    typed[name] === '' ? organization.quota[name] === undefined : /^\d{1,6}$/.test(typed[name] ?? '');
  const save = async (reason: string) => {
    const wrong = QUOTA_NAMES.find((name) => !isRight(name));
    if (wrong) throw new Error(t('organization.quotaRule', { name: t(`organization.name.${wrong}`) }));
    const quota = Object.fromEntries(
      QUOTA_NAMES.filter((name) => typed[name] !== '').map((name) => [name, Number(typed[name])]),
    );
    await data.update(resourceOf('organizations'), {
      id: organization.id,
      data: { ...organization, quota, reason },
      previousData: organization,
    });
    notify(t('user.saved'), { type: 'success' });
    refresh();
  };
  return (
    <ReasonDialog
      title={t('organization.quotaTitle', { name: organization.name })}
      confirmLabel={t('organization.quota')}
      onConfirm={save}
      onClose={onClose}
    >
      <Typography>{t('organization.quotaText')}</Typography>
      <Box sx={{ display: 'grid', gap: 1.5, gridTemplateColumns: 'repeat(auto-fill, minmax(150px, 1fr))', pt: 1 }}>
        {QUOTA_NAMES.map((name) => (
          <TextField
            key={name}
            size="small"
            label={t(`organization.name.${name}`)}
            value={typed[name] ?? ''}
            error={!isRight(name)}
            onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
            slotProps={{ htmlInput: { inputMode: 'numeric' } }}
          />
        ))}
      </Box>
    </ReasonDialog>
  );
}

/** The tab opens with a click of its own: browsers hold back one that opens when an answer comes. */
function ViewQuestion({ organization, onClose }: { organization: Organization; onClose(): void }) {
  const t = useAreaWords<typeof english>('people');
  const data = useDataProvider<AdminData>();
  const [url, setUrl] = useState<string>();
  const isReady = useRef(false);
  if (url !== undefined) return <ViewLink url={url} onClose={onClose} />;
  const open = async (reason: string) => {
    const path = `organizations/${encodeURIComponent(organization.id)}/view`;
    const answer = await data.ask<{ url: string }>(path, { method: 'POST', body: { reason } });
    isReady.current = true;
    setUrl(answer.url);
  };
  return (
    <ReasonDialog
      title={t('organization.viewTitle', { name: organization.name })}
      confirmLabel={t('organization.view')}
      onConfirm={open}
      // The link follows.
      onClose={() => {
        if (!isReady.current) onClose();
      }}
    >
      <Typography>{t('organization.viewText')}</Typography>
    </ReasonDialog>
  );
}

function ViewLink({ url, onClose }: { url: string; onClose(): void }) {
  const t = useAreaWords<typeof english>('people');
  const ui = useUiWords();
  const id = useId();
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} fullWidth maxWidth="sm">
      <DialogTitle id={id}>{t('organization.view')}</DialogTitle>
      <DialogContent>
        <Typography>{t('organization.viewReady')}</Typography>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{ui('actions.close')}</Button>
        <Button
          component={Link}
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          variant="contained"
          onClick={onClose}
          autoFocus
        >
          {t('organization.viewOpen')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
