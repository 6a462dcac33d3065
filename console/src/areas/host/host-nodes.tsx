// The nodes of a host.
import type { HostView } from '@gantry/contract/kinds/gpu-host.ts';
import { MONO } from '@gantry/ui/theme/theme.ts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Section } from '../../parts/section.tsx';
import { HostRow } from './host-row.tsx';
import { useHostWords } from './use-host-words.ts';

export function HostNodes({ host }: { host: HostView }) {
  const t = useHostWords();
  return (
    <Section inGrid title={t('detail.nodes', { count: host.nodes.length, wanted: host.node_count })}>
      {host.nodes.length === 0 && (
        <Typography variant="body2" color="text.secondary">
          {t('detail.noNodes')}
        </Typography>
      )}
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {host.nodes.map((node) => (
          <HostRow
            key={node.name}
            first={<span style={{ fontFamily: MONO }}>{node.name}</span>}
            second={[node.lan_ip, node.os, t('detail.cards', { smart_count: node.gpu_count })]
              .filter(Boolean)
              .join(' · ')}
            title={node.os ?? node.name}
            chip={{ label: t(node.ready ? 'detail.ready' : 'detail.notReady'), tone: node.ready ? 'good' : 'bad' }}
          />
        ))}
      </Box>
    </Section>
  );
}
