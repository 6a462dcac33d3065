// Whom one means, while only one is typed: somebody with an account, a member, or an address that is invited.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import Typography from '@mui/material/Typography';
import { useSettled } from '../../../parts/use-settled.ts';
import { useOrganizationWords } from '../use-organization-words.ts';

const TYPED_MS = 400;

export function PersonHint({ people }: { people: readonly string[] }) {
  const t = useOrganizationWords();
  const [only = ''] = useSettled(people.length === 1 ? people : [], TYPED_MS);
  const { data } = useCall(CALLS.findAccounts, { query: { q: only } }, { enabled: only !== '' });
  const same = (text: string | null) => text?.toLowerCase() === only.toLowerCase();
  const found = data?.find(({ name, email }) => same(name) || same(email));
  const sentence =
    only === '' || !data
      ? ''
      : found
        ? t(found.is_member ? 'add.isMember' : 'add.found', { name: found.name })
        : t(only.includes('@') ? 'add.invite' : 'add.unknown');
  return (
    <Typography role="status" variant="body2" color="textSecondary" sx={{ minHeight: '1.5em' }}>
      {sentence}
    </Typography>
  );
}
