// The nodes of a host.
import type { HostView } from '@gantry/contract/kinds/gpu-host.ts';
import { MONO } from '@gantry/ui/theme/theme.ts';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Section } from '../../parts/section.tsx';
import { TwoLines } from '../../parts/two-lines.tsx';
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
          <Box
            component="li"
            key={node.name}
            sx={{
              display: 'flex',
              gap: 1.5,
              alignItems: 'center',
              py: 1,
              borderTop: '1px solid',
              borderColor: 'divider',
            }}
          >
            <Box sx={{ flex: 1, minWidth: 0 }}>
              <TwoLines
                first={<span style={{ fontFamily: MONO }}>{node.name}</span>}
                second={[node.lan_ip, node.os, t('detail.cards', { smart_count: node.gpu_count })]
                  .filter(Boolean)
                  .join(' · ')}
                title={node.os ?? node.name}
              />
            </Box>
            <PhaseChip label={t(node.ready ? 'detail.ready' : 'detail.notReady')} tone={node.ready ? 'good' : 'bad'} />
          </Box>
        ))}
      </Box>
    </Section>
  );
}
