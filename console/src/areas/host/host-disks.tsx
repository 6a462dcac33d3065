// Disks reserved for instances on a host.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { HostView } from '@gantry/contract/kinds/gpu-host.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { MONO } from '@gantry/ui/theme/theme.ts';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import { Section } from '../../parts/section.tsx';
import { TwoLines } from '../../parts/two-lines.tsx';
import { useHostWords } from './use-host-words.ts';

export function HostDisks({ host }: { host: HostView }) {
  const t = useHostWords();
  const { data } = useCall(CALLS.listMounts, { query: { resource: host.id } });
  const nameOf = (id: string) => data?.items.find(({ disk }) => disk === id)?.disk_name ?? id;
  return (
    <Section inGrid title={t('detail.disks', { count: host.disks.length })}>
      {host.disks.length === 0 && (
        <Typography variant="body2" color="text.secondary">
          {t('detail.noDisks')}
        </Typography>
      )}
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {host.disks.map(({ id, mount_path }) => (
          <Box component="li" key={id} sx={{ py: 1, borderTop: '1px solid', borderColor: 'divider' }}>
            <TwoLines
              first={
                <Link component={RouterLink} to={`/gpu/storage/${id}/${encodeURIComponent(host.region)}`}>
                  {nameOf(id)}
                </Link>
              }
              second={<span style={{ fontFamily: MONO }}>{mount_path}</span>}
            />
          </Box>
        ))}
      </Box>
    </Section>
  );
}
