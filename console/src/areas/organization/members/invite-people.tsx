// Invites one person or many. Each is answered separately, and becomes a member by accepting.

import type { ORGANIZATION_ROUTES } from '@gantry/contract/areas/identity/organization.ts';
import type { OutputOf } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { OrgRole } from '@gantry/contract/roles.ts';
import { sentenceOf } from '@gantry/ui/client/api-problem.ts';
import { keyOf, useApi } from '@gantry/ui/client/use-api.tsx';
import TextField from '@mui/material/TextField';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { FormDialog } from '../../../parts/form-dialog.tsx';
import { useOrganizationWords } from '../use-organization-words.ts';
import { InviteResults } from './invite-results.tsx';
import { rolesToGive } from './may-touch.ts';
import { peopleIn, portionsOf } from './people-in.ts';
import { RoleSelect } from './role-select.tsx';

export type Invited = OutputOf<typeof ORGANIZATION_ROUTES.inviteMembers>[number];

interface InvitePeopleProps {
  organizationId: string;
  /** The inviter's. */
  role: OrgRole;
  onClose(): void;
}

/** As many as one call takes. */
const PORTION = 100;

export function InvitePeople({ organizationId: org_id, role: mine, onClose }: InvitePeopleProps) {
  const t = useOrganizationWords();
  const [text, setText] = useState('');
  const [role, setRole] = useState<OrgRole>('member');
  const [error, setError] = useState<string>();
  const [isMissing, setMissing] = useState(false);
  const { invite, isBusy, results, forget } = useInvite(org_id);
  const people = peopleIn(text);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setMissing(people.length === 0);
    setError(undefined);
    if (people.length > 0) await invite(people, role).catch((thrown: unknown) => setError(sentenceOf(thrown)));
  };
  if (results) {
    return (
      <InviteResults
        results={results}
        onMore={() => {
          // Refused ones stay, to be corrected.
          setText(results.flatMap(({ account, outcome }) => (outcome === 'refused' ? [account] : [])).join('\n'));
          forget();
        }}
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title={t('invite.title')}
      lead={t('invite.lead')}
      submitLabel={t('invite.submit')}
      isBusy={isBusy}
      error={error}
      onSubmit={(event) => void submit(event)}
      onClose={onClose}
    >
      <TextField
        label={t('invite.people')}
        value={text}
        onChange={({ target }) => setText(target.value)}
        multiline
        minRows={3}
        maxRows={10}
        autoFocus
        error={isMissing && people.length === 0}
        helperText={
          isMissing && people.length === 0 ? t('invite.missing') : t('invite.count', { smart_count: people.length })
        }
        slotProps={{ htmlInput: { spellCheck: false, autoCapitalize: 'off' } }}
      />
      <RoleSelect roles={rolesToGive(mine, [undefined])} value={role} onChange={setRole} />
    </FormDialog>
  );
}

function useInvite(org_id: string) {
  const api = useApi();
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [results, setResults] = useState<readonly Invited[]>();
  const invite = async (people: readonly string[], role: OrgRole) => {
    setBusy(true);
    try {
      const answered: Invited[] = [];
      for (const portion of portionsOf(people, PORTION)) {
        const members = portion.map((account) => ({ account, role }));
        answered.push(...(await api.call(CALLS.inviteMembers, { params: { org_id }, body: { members } })));
      }
      setResults(answered);
    } finally {
      setBusy(false);
      void client.invalidateQueries({ queryKey: keyOf(CALLS.listInvitations) });
    }
  };
  return { invite, isBusy, results, forget: () => setResults(undefined) };
}
