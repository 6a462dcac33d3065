// One host: its nodes, what runs on it, its disks, and when it ends.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import FormControlLabel from '@mui/material/FormControlLabel';
import Link from '@mui/material/Link';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import { Link as RouterLink, useNavigate, useParams } from 'react-router';
import { PriceText } from '../../parts/price-text.tsx';
import { Section } from '../../parts/section.tsx';
import { ExpiryText } from './expiry-text.tsx';
import { freeCards } from './free-cards.ts';
import { HostActions } from './host-actions.tsx';
import { HostDisks } from './host-disks.tsx';
import { HostInstances } from './host-instances.tsx';
import { HostNodes } from './host-nodes.tsx';
import { useHostWords } from './use-host-words.ts';

export function HostPage() {
  const { id = '' } = useParams();
  const t = useHostWords();
  const ui = useUiWords();
  const navigate = useNavigate();
  const { data: host, error, refetch } = useCall(CALLS.getHost, { params: { id } });
  const change = useCommand(CALLS.updateHost, { invalidates: [CALLS.getHost, CALLS.listHosts] });
  if (error && !host) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!host) return <LoadingRows rows={8} height={48} />;
  const facts = [
    [t('columns.id'), host.id],
    [t('columns.status'), t(`status.${host.status}`)],
    [t('columns.gpu'), host.gpu_spec],
    [t('columns.free'), freeCards(host, t)],
    [t('columns.address'), host.lan_ip ?? ui('states.unknown')],
    [t('columns.source'), t(`source.${host.source}`)],
    [t('columns.region'), `${host.data_center} (${host.region})`],
    [ui('fields.createTime'), timeText(host.create_time)],
  ] as const;
  return (
    <>
      <PageHeader
        title={host.name}
        beside={<PhaseChip label={host.phase_label} tone={host.tone} message={host.message} />}
        lead={host.message}
      >
        <HostActions host={host} size="medium" onReleased={() => void navigate('/gpu/nodes')} />
      </PageHeader>
      <Box
        sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' } }}
      >
        <Section inGrid title={t('detail.facts')}>
          <Box component="dl" sx={{ m: 0, display: 'grid', gridTemplateColumns: 'auto 1fr', columnGap: 3, rowGap: 1 }}>
            {facts.map(([label, value]) => (
              <Box key={label} sx={{ display: 'contents' }}>
                <Box component="dt" sx={{ color: 'text.secondary' }}>
                  {label}
                </Box>
                <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere' }}>
                  {value}
                </Box>
              </Box>
            ))}
          </Box>
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
          <Typography component="div" sx={{ fontSize: 18, fontWeight: 600 }}>
            <PriceText price={host.cost} />
          </Typography>
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
    </>
  );
}
