// Recipients of alarms besides members: mailboxes, each once it has confirmed by a code, and contact points.
import type { MailboxView } from '@gantry/contract/areas/alerts/alerts.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { timeText } from '@gantry/ui/format/time.ts';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { useMay } from '@gantry/ui/session/permission.tsx';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Delete from '@mui/icons-material/DeleteOutlined';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemText from '@mui/material/ListItemText';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { UseQueryResult } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../parts/lazy-part.ts';
import { Section } from '../../parts/section.tsx';
import { useAlertWords } from './use-alert-words.ts';

// With the rules of the contract, which only a form needs.
const ContactsDialog = lazyPart(() => import('./contacts-dialog.tsx'), 'ContactsDialog');
const AddMailboxDialog = lazyPart(() => import('./mailbox-dialogs.tsx'), 'AddMailboxDialog');
const ConfirmMailboxDialog = lazyPart(() => import('./mailbox-dialogs.tsx'), 'ConfirmMailboxDialog');

export function ContactPage() {
  const t = useAlertWords();
  const ui = useUiWords();
  const may = useMay();
  const found = useCall(CALLS.listAlertContacts, {});
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <PageHeader title={t('contacts.page')} lead={t('contacts.pageLead')} />
      {may('addAlertMailbox') && <MailboxSection />}
      <Section
        title={t('contacts.title')}
        lead={t('contacts.lead')}
        actions={may('setAlertContact') && <Button onClick={() => setOpen(true)}>{ui('actions.add')}</Button>}
      >
        <Listed found={found} none={t('contacts.none')} />
        <List dense disablePadding>
          {found.data?.map(({ name, type, host }) => (
            <ListItem key={name} disableGutters>
              <ListItemText primary={name} secondary={`${type} · ${host}`} />
            </ListItem>
          ))}
        </List>
      </Section>
      {isOpen && (
        <Suspense>
          <ContactsDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

interface ListedProps {
  found: Pick<UseQueryResult<readonly unknown[]>, 'data' | 'error' | 'isPending' | 'refetch'>;
  none: string;
}

/** The reason why there are no rows. */
function Listed({ found: { data, error, isPending, refetch }, none }: ListedProps) {
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (isPending) return <LoadingRows rows={1} />;
  return data?.length === 0 ? <Typography color="text.secondary">{none}</Typography> : null;
}

/** The open dialog: a new address, or the code of one. */
type Opened = { adds: true } | { confirms: string };

function MailboxSection() {
  const t = useAlertWords();
  const found = useCall(CALLS.listAlertMailboxes, {});
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const add = (
    <Button variant="contained" onClick={() => setOpened({ adds: true })}>
      {t('contacts.addMailbox')}
    </Button>
  );
  return (
    <Section title={t('contacts.mailboxes')} lead={t('contacts.mailboxesLead')} actions={add}>
      <Listed found={found} none={t('contacts.noMailbox')} />
      <List dense disablePadding aria-label={t('contacts.mailboxes')}>
        {found.data?.map((one) => (
          <MailboxRow key={one.address} mailbox={one} onConfirm={() => setOpened({ confirms: one.address })} />
        ))}
      </List>
      {opened && (
        <Suspense>
          {'adds' in opened ? (
            <AddMailboxDialog onClose={close} onSent={(address) => setOpened({ confirms: address })} />
          ) : (
            <ConfirmMailboxDialog address={opened.confirms} onClose={close} />
          )}
        </Suspense>
      )}
    </Section>
  );
}

function MailboxRow({ mailbox, onConfirm }: { mailbox: MailboxView; onConfirm: () => void }) {
  const t = useAlertWords();
  const ui = useUiWords();
  const may = useMay();
  const language = useLanguage();
  const { address, state, state_label: label, confirm_time: confirmed } = mailbox;
  const send = useCommand(CALLS.addAlertMailbox, { invalidates: [CALLS.listAlertMailboxes] });
  const remove = useCommand(CALLS.deleteAlertMailbox, { invalidates: [CALLS.listAlertMailboxes] });
  const since = state === 'confirmed' && confirmed !== null ? ` · ${timeText(confirmed)}` : '';
  return (
    <ListItem disableGutters sx={{ flexWrap: 'wrap', gap: 1 }}>
      <ListItemText primary={address} secondary={`${label}${since}`} sx={{ overflowWrap: 'anywhere' }} />
      <Stack direction="row" spacing={1}>
        {state !== 'confirmed' && may('confirmAlertMailbox') && (
          <>
            <Button size="small" onClick={onConfirm}>
              {t('contacts.enterCode')}
            </Button>
            <Button size="small" loading={send.isPending} onClick={() => send.mutate({ body: { address, language } })}>
              {t('contacts.newCode')}
            </Button>
          </>
        )}
        {may('deleteAlertMailbox') && (
          <IconButton
            aria-label={`${ui('actions.delete')}: ${address}`}
            onClick={() => remove.mutate({ params: { address } })}
          >
            <Delete fontSize="small" />
          </IconButton>
        )}
      </Stack>
    </ListItem>
  );
}
