// How much the organisation and its members may spend per month, and how much they have spent.

import type { WALLET_ROUTES } from '@gantry/contract/areas/billing/wallet.ts';
import type { OutputOf } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall, useList } from '@gantry/ui/client/use-api.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { type Column, DataTable } from '@gantry/ui/table/data-table.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMemo, useState } from 'react';
import { Section } from '../../../parts/section.tsx';
import { useOrganization } from '../../../parts/use-me.ts';
import type { Member } from '../organization-of.ts';
import { useOrganizationWords } from '../use-organization-words.ts';
import { CapBar } from './cap-bar.tsx';
import { SetCap } from './set-cap.tsx';

type Caps = OutputOf<typeof WALLET_ROUTES.caps>;

/** Spending goes on while one looks. */
const EVERY_MS = 60_000;
const NOTHING = '0.00';

export function SpendingTab() {
  const t = useOrganizationWords();
  const organization = useOrganization();
  const { data, error, refetch } = useCall(CALLS.getSpendCaps, {}, { everyMs: EVERY_MS });
  const [asked, setAsked] = useState<'organization' | Member>();
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data || !organization.data) return <LoadingRows />;
  const name = t('caps.organization');
  return (
    <>
      <Section
        title={name}
        lead={t('caps.month', { month: data.month })}
        actions={
          <Guarded node="setSpendCaps">
            <Button variant="outlined" onClick={() => setAsked('organization')}>
              {t('caps.set')}
            </Button>
          </Guarded>
        }
      >
        <Box sx={{ maxWidth: '30rem' }}>
          <CapBar label={name} {...data.organization} currency={data.currency} />
        </Box>
      </Section>
      <Typography variant="h2">{t('caps.members')}</Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mb: 2 }}>
        {t('caps.membersLead')}
      </Typography>
      <MemberCaps organizationId={organization.data.org_id} caps={data} onSet={setAsked} />
      {asked !== undefined && (
        <SetCap {...(asked !== 'organization' && { members: [asked] })} onClose={() => setAsked(undefined)} />
      )}
    </>
  );
}

interface MemberCapsProps {
  organizationId: string;
  caps: Caps;
  onSet(member: Member): void;
}

function MemberCaps({ organizationId: org_id, caps, onSet }: MemberCapsProps) {
  const t = useOrganizationWords();
  const ui = useUiWords();
  const list = useList(CALLS.listMembers, { params: { org_id } });
  const columns = useMemo((): readonly Column<Member>[] => {
    const of = new Map(caps.members.map((each) => [each.account_id, each]));
    return [
      { id: 'name', label: t('members.name'), width: 'minmax(8rem, 2fr)', cell: ({ name }) => name },
      { id: 'role', label: t('members.role'), isWideOnly: true, cell: ({ role }) => t(`roles.${role}`) },
      {
        id: 'cap',
        label: t('caps.spent'),
        width: 'minmax(12rem, 3fr)',
        cell: ({ account_id, name }) => {
          const { spent = NOTHING, cap = null } = of.get(account_id) ?? {};
          return <CapBar label={name} spent={spent} cap={cap} currency={caps.currency} />;
        },
      },
      {
        id: 'set',
        label: ui('fields.actions'),
        width: '11rem',
        align: 'end',
        cell: (member) => (
          <Guarded node="setSpendCaps">
            <Button size="small" aria-label={t('caps.setOf', { name: member.name })} onClick={() => onSet(member)}>
              {t('caps.set')}
            </Button>
          </Guarded>
        ),
      },
    ];
  }, [t, ui, caps, onSet]);
  return (
    <DataTable
      label={t('caps.members')}
      columns={columns}
      list={list}
      idOf={({ account_id }) => account_id}
      nameOf={({ name }) => name}
    />
  );
}
