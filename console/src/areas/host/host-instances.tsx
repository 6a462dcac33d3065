// The instances on a host.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { HostView } from '@gantry/contract/kinds/gpu-host.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import { Section } from '../../parts/section.tsx';
import { HostRow } from './host-row.tsx';
import { useHostWords } from './use-host-words.ts';

const SHOWN = 100;

export function HostInstances({ host }: { host: HostView }) {
  const t = useHostWords();
  const { data, isPending } = useCall(CALLS.listInstances, { query: { host: host.id, size: SHOWN } });
  return (
    <Section inGrid title={t('detail.instances', { count: data?.total ?? 0 })}>
      {isPending && <LoadingRows rows={2} height={48} />}
      {data?.items.length === 0 && (
        <Typography variant="body2" color="text.secondary">
          {t('detail.noInstances')}
        </Typography>
      )}
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', maxHeight: 360, overflow: 'auto' }}>
        {data?.items.map((row) => (
          <HostRow
            key={row.id}
            first={
              <Link component={RouterLink} to={`/develop/instance/${row.id}`}>
                {row.name}
              </Link>
            }
            second={row.specification}
            chip={{ label: row.phase_label, tone: row.tone, message: row.message }}
          />
        ))}
      </Box>
    </Section>
  );
}
