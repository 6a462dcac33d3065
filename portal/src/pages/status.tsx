// How the platform is and was: its components with 90 days each, and incidents. It reads whole without scripts.
import type { StatusView } from '@gantry/contract/areas/portal/status.ts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { PageModule } from '../page-module.ts';
import { Moment } from '../parts/day.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { usePortalWords } from '../parts/use-portal-words.ts';

export const page: PageModule<'status'> = {
  head: (t, { brand }) => ({ title: t('status.title'), description: t('status.line', { name: brand.name }) }),
  Page({ data: { readStatus: status }, language, brand }) {
    const t = usePortalWords();
    return (
      <>
        <PageTitle title={t('status.title')} line={t('status.line', { name: brand.name })} />
        {status ? <Whole status={status} /> : <Typography sx={{ my: 3 }}>{t('market.failed')}</Typography>}
        <Typography sx={{ mt: 3 }}>
          <a href={`/${language}/status.xml`}>RSS</a>
        </Typography>
      </>
    );
  },
};

function Whole({ status: { components, incidents } }: { status: StatusView }) {
  const t = usePortalWords();
  const open = incidents.filter(({ state }) => state !== 'resolved');
  const past = incidents.filter(({ state }) => state === 'resolved');
  const isDown = components.some(({ state }) => state === 'down');
  const isKnown = components.some(({ state }) => state === 'up');
  return (
    <>
      <Typography component="p" variant="h2" sx={{ my: 3 }}>
        {t(open.length > 0 ? 'status.incident' : isDown ? 'status.down' : isKnown ? 'status.fine' : 'status.unknown')}
      </Typography>
      {open.map((incident) => (
        <Incident key={incident.id} incident={incident} />
      ))}
      <Typography variant="h2" sx={{ mt: 4, mb: 1 }}>
        {t('status.components')}
      </Typography>
      {components.length === 0 && <Typography>{t('status.noChecks')}</Typography>}
      <Box component="ul" sx={{ p: 0, m: 0, listStyle: 'none' }}>
        {components.map((component) => (
          <Component key={component.id} component={component} />
        ))}
      </Box>
      <Typography variant="body2" color="text.secondary">
        {t('status.formula')}
      </Typography>
      <Typography variant="h2" sx={{ mt: 4, mb: 1 }}>
        {t('status.past')}
      </Typography>
      {past.length === 0 && <Typography>{t('status.noPast')}</Typography>}
      {past.map((incident) => (
        <Incident key={incident.id} incident={incident} />
      ))}
    </>
  );
}

type ComponentView = StatusView['components'][number];
const COLORS = { up: 'success.main', down: 'error.main', unknown: 'text.secondary' } as const;
const barOf = (percent: number) => (percent >= 99.9 ? 'success.main' : percent >= 95 ? 'warning.main' : 'error.main');

function Component({ component: { id, state, percent, checks, passed, days } }: { component: ComponentView }) {
  const t = usePortalWords();
  return (
    <Box component="li" sx={{ py: 1.5, borderTop: 1, borderColor: 'divider' }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', columnGap: 2 }}>
        <Typography component="h3" variant="h3">
          {t(`status.names.${id}`)}
        </Typography>
        <Box sx={{ color: COLORS[state] }}>{t(`status.states.${state}`)}</Box>
      </Box>
      <Box aria-hidden sx={{ display: 'flex', gap: '1px', my: 0.75, height: 24 }}>
        {days.map(({ day, percent: share }) => (
          <Box key={day} title={`${day}: ${share}%`} sx={{ flex: '1 1 0', maxWidth: 12, bgcolor: barOf(share) }} />
        ))}
      </Box>
      <Typography variant="body2" color="text.secondary">
        {t('status.uptime', { percent: percent ?? 0, passed, checks, smart_count: days.length })}
      </Typography>
    </Box>
  );
}

function Incident({
  incident: { id, title, components, started_at, updates },
}: {
  incident: StatusView['incidents'][number];
}) {
  const t = usePortalWords();
  return (
    <Box
      component="section"
      id={`incident-${id}`}
      sx={{ border: 1, borderColor: 'divider', borderRadius: 1, p: 2, mb: 2 }}
    >
      <Typography component="h3" variant="h3">
        <bdi>{title}</bdi>
      </Typography>
      <Typography variant="body2" color="text.secondary">
        {t('status.affected')}: {components.map((one) => t(`status.names.${one}`)).join(' · ')}
      </Typography>
      <Typography variant="body2" color="text.secondary">
        {t('status.began')}: <Moment at={started_at} />
      </Typography>
      {updates
        .map(({ at, state, text }, index) => (
          <Box key={at} id={`incident-${id}-${index + 1}`} sx={{ mt: 1.5 }}>
            <Typography sx={{ fontWeight: 600 }}>
              {t(`status.incidentStates.${state}`)} · <Moment at={at} />
            </Typography>
            <Typography sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', unicodeBidi: 'isolate' }}>
              {text}
            </Typography>
          </Box>
        ))
        .toReversed()}
    </Box>
  );
}
