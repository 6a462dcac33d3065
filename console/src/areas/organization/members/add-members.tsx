// Adds one person or many. Each is answered for by itself.
import type { OutputOf } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { ORGANIZATION_ROUTES } from '@gantry/contract/http/organization.ts';
import type { OrgRole } from '@gantry/contract/roles.ts';
import { sentenceOf } from '@gantry/ui/client/api-problem.ts';
import { keyOf, useApi } from '@gantry/ui/client/use-api.tsx';
import TextField from '@mui/material/TextField';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { FormDialog } from '../../../parts/form-dialog.tsx';
import { useOrganizationWords } from '../use-organization-words.ts';
import { AddResults } from './add-results.tsx';
import { rolesToGive } from './may-touch.ts';
import { peopleIn, portionsOf } from './people-in.ts';
import { PersonHint } from './person-hint.tsx';
import { RoleSelect } from './role-select.tsx';

export type AddedMember = OutputOf<typeof ORGANIZATION_ROUTES.addMembers>[number];

interface AddMembersProps {
  organizationId: string;
  /** Of whoever adds. */
  role: OrgRole;
  onClose(): void;
}

/** As many as one call takes. */
const PORTION = 100;

export function AddMembers({ organizationId: org_id, role: mine, onClose }: AddMembersProps) {
  const t = useOrganizationWords();
  const [text, setText] = useState('');
  const [role, setRole] = useState<OrgRole>('member');
  const [error, setError] = useState<string>();
  const [isMissing, setMissing] = useState(false);
  const { add, isBusy, results, forget } = useAdd(org_id);
  const people = peopleIn(text);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setMissing(people.length === 0);
    setError(undefined);
    if (people.length > 0) await add(people, role).catch((thrown: unknown) => setError(sentenceOf(thrown)));
  };
  if (results) {
    return (
      <AddResults
        results={results}
        onMore={() => {
          // Those that were refused stay, to be corrected.
          setText(results.flatMap(({ account, outcome }) => (outcome === 'refused' ? [account] : [])).join('\n'));
          forget();
        }}
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title={t('add.title')}
      lead={t('add.lead')}
      submitLabel={t('add.submit')}
      isBusy={isBusy}
      error={error}
      onSubmit={(event) => void submit(event)}
      onClose={onClose}
    >
      <TextField
        label={t('add.people')}
        value={text}
        onChange={({ target }) => setText(target.value)}
        multiline
        minRows={3}
        maxRows={10}
        autoFocus
        error={isMissing && people.length === 0}
        helperText={
          isMissing && people.length === 0 ? t('add.missing') : t('add.count', { smart_count: people.length })
        }
        slotProps={{ htmlInput: { spellCheck: false, autoCapitalize: 'off' } }}
      />
      <PersonHint people={people} />
      <RoleSelect roles={rolesToGive(mine, [undefined])} value={role} onChange={setRole} />
    </FormDialog>
  );
}

function useAdd(org_id: string) {
  const api = useApi();
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [results, setResults] = useState<readonly AddedMember[]>();
  const add = async (people: readonly string[], role: OrgRole) => {
    setBusy(true);
    try {
      const answered: AddedMember[] = [];
      for (const portion of portionsOf(people, PORTION)) {
        const members = portion.map((account) => ({ account, role }));
        answered.push(...(await api.call(CALLS.addMembers, { params: { org_id }, body: { members } })));
      }
      setResults(answered);
    } finally {
      setBusy(false);
      for (const call of [CALLS.listMembers, CALLS.listInvitations, CALLS.findAccounts]) {
        void client.invalidateQueries({ queryKey: keyOf(call) });
      }
    }
  };
  return { add, isBusy, results, forget: () => setResults(undefined) };
}
