// The instances on a host, and a link to start another.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { HostView } from '@gantry/contract/kinds/gpu-host.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
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
  const isOpen = host.status === 'active';
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
      <Box sx={{ mt: 2 }}>
        <Guarded node="createInstance">
          <Button
            component={RouterLink}
            to={`/develop/instance/create?${new URLSearchParams({ host: host.id })}`}
            variant="outlined"
            size="small"
            disabled={!isOpen}
          >
            {t('detail.start')}
          </Button>
        </Guarded>
      </Box>
    </Section>
  );
}
