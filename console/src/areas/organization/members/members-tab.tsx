// The organisation's members.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { ORG_ROLES, type OrgRole } from '@gantry/contract/roles.ts';
import { useList } from '@gantry/ui/client/use-api.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded, useMay } from '@gantry/ui/session/permission.tsx';
import { DataTable } from '@gantry/ui/table/data-table.tsx';
import { FilterChoice } from '@gantry/ui/table/filter-choice.tsx';
import { useFilters } from '@gantry/ui/table/use-filters.ts';
import { EmptyState, ErrorState, LoadingRows, NoMatch } from '@gantry/ui/widgets/states.tsx';
import PersonAdd from '@mui/icons-material/PersonAddOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { SearchField } from '../../../parts/search-field.tsx';
import { useMe, useOrganization } from '../../../parts/use-me.ts';
import type { Member, OrganizationDetail } from '../organization-of.ts';
import { HandOver } from '../overview/hand-over.tsx';
import { SetCap } from '../spending/set-cap.tsx';
import { useOrganizationWords } from '../use-organization-words.ts';
import { ChangeRole } from './change-role.tsx';
import { InvitePeople } from './invite-people.tsx';
import { mayRemove, rolesToGive } from './may-touch.ts';
import { RemoveMembers } from './remove-members.tsx';
import { useMemberColumns } from './use-member-columns.tsx';

export function MembersTab() {
  const { data, error, refetch } = useOrganization();
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return data ? <Members organization={data} /> : <LoadingRows />;
}

/** The open question, and the members concerned. */
export interface Asked {
  readonly what: 'role' | 'cap' | 'handOver' | 'remove';
  readonly members: readonly Member[];
}

const NOBODY: ReadonlySet<string> = new Set();

function Members({ organization }: { organization: OrganizationDetail }) {
  const t = useOrganizationWords();
  const may = useMay();
  const me = useMe();
  const { org_id, role } = organization;
  const filters = useFilters(['q', 'role'], { by: 'join_time', type: 'asc' });
  const { q, role: filtered } = filters.values;
  const list = useList(CALLS.listMembers, {
    params: { org_id },
    query: { ...(q !== '' && { q }), ...(filtered !== '' && { role: filtered }) },
  });
  const [selected, setSelected] = useState(NOBODY);
  const [asked, setAsked] = useState<Asked>();
  const [isInviting, setInviting] = useState(false);
  const myId = me.data?.account_id;
  const columns = useMemberColumns({ myId, role, isPersonal: organization.is_personal, onAsk: setAsked });
  const chosen = list.items.filter(({ account_id }) => selected.has(account_id) && account_id !== myId);
  const close = () => setAsked(undefined);
  return (
    <>
      <Box sx={{ display: 'flex', gap: 2, flexWrap: 'wrap', mb: 2, alignItems: 'center' }}>
        <SearchField
          label={t(may('editMember') ? 'members.search' : 'members.searchName')}
          value={q}
          onSearch={(text) => filters.set('q', text)}
        />
        <Box sx={{ width: { xs: '100%', sm: '12rem' } }}>
          <FilterChoice
            label={t('members.role')}
            any={t('members.allRoles')}
            value={filtered}
            options={ORG_ROLES.map((each) => [each, t(`roles.${each}`)] as const)}
            onChange={(value) => filters.set('role', value)}
          />
        </Box>
        <Box sx={{ ml: 'auto' }}>
          <Guarded node="inviteMembers">
            <Button variant="contained" startIcon={<PersonAdd />} onClick={() => setInviting(true)}>
              {t('members.invite')}
            </Button>
          </Guarded>
        </Box>
      </Box>
      {chosen.length > 0 && (
        <Selected members={chosen} role={role} onAsk={setAsked} onClear={() => setSelected(NOBODY)} />
      )}
      <DataTable
        label={t('members.label')}
        columns={columns}
        list={list}
        idOf={({ account_id }) => account_id}
        nameOf={({ name }) => name}
        {...(may('editMember') && { selected, onSelect: setSelected })}
        empty={filters.isFiltered ? <NoMatch onClear={filters.clear} /> : <EmptyState title={t('members.empty')} />}
      />
      {isInviting && <InvitePeople organizationId={org_id} role={role} onClose={() => setInviting(false)} />}
      {asked && <Question asked={asked} organization={organization} onClose={close} />}
    </>
  );
}

interface SelectedProps {
  members: readonly Member[];
  role: OrgRole;
  onAsk(asked: Asked): void;
  onClear(): void;
}

function Selected({ members, role, onAsk, onClear }: SelectedProps) {
  const t = useOrganizationWords();
  const ui = useUiWords();
  const may = useMay();
  const theirs = members.map((member) => member.role);
  return (
    <Box
      role="toolbar"
      aria-label={ui('fields.actions')}
      sx={{ display: 'flex', gap: 1, flexWrap: 'wrap', mb: 2, alignItems: 'center' }}
    >
      <Typography variant="body2" role="status">
        {ui('table.selected', { smart_count: members.length })}
      </Typography>
      <Button disabled={rolesToGive(role, theirs).length === 0} onClick={() => onAsk({ what: 'role', members })}>
        {t('members.changeRole')}
      </Button>
      {may('setSpendCaps') && <Button onClick={() => onAsk({ what: 'cap', members })}>{t('members.setCap')}</Button>}
      <Button
        color="error"
        disabled={!theirs.every((each) => mayRemove(role, each))}
        onClick={() => onAsk({ what: 'remove', members })}
      >
        {t('members.remove')}
      </Button>
      <Button color="inherit" onClick={onClear}>
        {ui('actions.clear')}
      </Button>
    </Box>
  );
}

function Question({
  asked,
  organization,
  onClose,
}: {
  asked: Asked;
  organization: OrganizationDetail;
  onClose(): void;
}) {
  const { org_id: organizationId, role } = organization;
  const { members } = asked;
  const [first] = members;
  switch (asked.what) {
    case 'role':
      return <ChangeRole organizationId={organizationId} role={role} members={members} onClose={onClose} />;
    case 'cap':
      return <SetCap members={members} onClose={onClose} />;
    case 'handOver':
      return <HandOver organization={organization} {...(first && { to: first })} onClose={onClose} />;
    case 'remove':
      return <RemoveMembers organizationId={organizationId} members={members} onClose={onClose} />;
  }
}
