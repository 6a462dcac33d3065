// One host: its nodes, its instances, its disks, and its end.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { HostView } from '@gantry/contract/kinds/gpu-host.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import FormControlLabel from '@mui/material/FormControlLabel';
import Link from '@mui/material/Link';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import { FactList } from '../../parts/fact-list.tsx';
import { KindPage } from '../../parts/kind-page.tsx';
import { metricsTab } from '../../parts/metrics/metrics-tab.tsx';
import { Section } from '../../parts/section.tsx';
import { ExpiryText } from './expiry-text.tsx';
import { freeCards } from './free-cards.ts';
import { HostActions } from './host-actions.tsx';
import { HostDisks } from './host-disks.tsx';
import { HostInstances } from './host-instances.tsx';
import { HostNodes } from './host-nodes.tsx';
import { useHostWords } from './use-host-words.ts';

export function HostPage() {
  const t = useHostWords();
  return (
    <KindPage
      kind="gpuHost"
      read={CALLS.getHost}
      list="/gpu/nodes"
      price={({ cost }) => cost}
      next={({ id, status }) =>
        status === 'active'
          ? {
              label: t('detail.start'),
              node: 'createInstance',
              to: `/develop/instance/create?${new URLSearchParams({ host: id })}`,
            }
          : undefined
      }
      live={({ status, gpu_spec: spec }) => (status === 'active' ? { type: 'host', hasGpu: spec !== '' } : undefined)}
      actions={(host, onDone) => <HostActions host={host} size="medium" onDone={onDone} />}
      tabs={{
        overview: (host) => <Overview host={host} />,
        metrics: metricsTab({ kind: 'gpuHost', type: 'host', isNodes: true }),
      }}
    />
  );
}

function Overview({ host }: { host: HostView }) {
  const t = useHostWords();
  const ui = useUiWords();
  const change = useCommand(CALLS.updateHost, { invalidates: [CALLS.getHost, CALLS.listHosts] });
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
        mb: 3,
      }}
    >
      <Section inGrid title={t('detail.facts')}>
        <FactList
          isDense
          facts={[
            { label: t('columns.status'), value: t(`status.${host.status}`) },
            { label: t('columns.gpu'), value: host.gpu_spec },
            { label: t('columns.free'), value: freeCards(host, t) },
            { label: t('columns.address'), value: host.lan_ip ?? ui('states.unknown') },
            { label: t('columns.source'), value: t(`source.${host.source}`) },
            { label: t('columns.region'), value: `${host.data_center} (${host.region})` },
            { label: ui('fields.createTime'), value: timeText(host.create_time) },
          ]}
        />
        <Box sx={{ display: 'flex', gap: 0.5, flexWrap: 'wrap', mt: 2 }}>
          {host.tags.map((tag) => (
            <Chip
              key={tag}
              size="small"
              label={tag}
              component={RouterLink}
              to={`/gpu/nodes?tag=${encodeURIComponent(tag)}`}
              clickable
            />
          ))}
        </Box>
      </Section>
      <Section inGrid title={t('detail.rent')}>
        <Box sx={{ my: 1 }}>
          {t('columns.expiry')}: <ExpiryText host={host} />
        </Box>
        {host.source === 'rented' ? (
          <>
            <Typography variant="body2" color="text.secondary">
              {host.start_time === null
                ? t('detail.rentedNext', { smart_count: host.duration_months })
                : t('detail.rented', { smart_count: host.duration_months, since: timeText(host.start_time) })}
            </Typography>
            <Guarded node="updateHost">
              <FormControlLabel
                control={
                  <Switch
                    checked={host.auto_renew}
                    disabled={change.isPending}
                    onChange={(_, autoRenew) => change.mutate({ params: { id: host.id }, body: { autoRenew } })}
                  />
                }
                label={t('autoRenew.label')}
                sx={{ my: 1 }}
              />
            </Guarded>
            <Typography variant="body2" color="text.secondary">
              {t('detail.end')}
            </Typography>
            <Link
              component={RouterLink}
              to="/manage/billing/usage"
              variant="body2"
              sx={{ display: 'inline-block', mt: 1 }}
            >
              {t('detail.costs')}
            </Link>
          </>
        ) : (
          <Typography variant="body2" color="text.secondary">
            {t('detail.owned')}
          </Typography>
        )}
      </Section>
      <HostNodes host={host} />
      <HostInstances host={host} />
      <HostDisks host={host} />
    </Box>
  );
}
