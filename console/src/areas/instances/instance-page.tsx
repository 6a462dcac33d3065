// One instance: its state and the reason, how to log in, its parts and price, its saves, and its history.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { InstanceView } from '@gantry/contract/kinds/gpu-instance.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { KindPage } from '../../parts/kind-page.tsx';
import { RunLog } from '../../parts/log/run-log.tsx';
import { ObjectMetrics } from '../../parts/metrics/object-metrics.tsx';
import { ObjectUsage } from '../../parts/usage/object-usage.tsx';
import { HereOnly } from './here-only.tsx';
import { canLogIn, InstanceAccess } from './instance-access.tsx';
import { InstanceActions } from './instance-actions.tsx';
import { InstanceHistory } from './instance-history.tsx';
import { InstanceKept } from './instance-kept.tsx';
import { InstanceOverview } from './instance-overview.tsx';
import { InstanceParts } from './instance-parts.tsx';
import { useInstanceWords } from './use-instance-words.ts';

export function InstancePage() {
  const t = useInstanceWords();
  const { data: regions } = useCall(CALLS.listRegions, {});
  return (
    <KindPage
      kind="gpuInstance"
      read={CALLS.getInstance}
      list="/develop/instance"
      price={({ price }) => price}
      next={({ id, actions }) =>
        actions.some(({ action }) => action === 'login')
          ? { label: t('detail.openTerminal'), node: 'openTerminal', to: `/develop/instance/console/${id}` }
          : undefined
      }
      live={({ running_since: since, region, spec, price }) =>
        // Only what is in the first data centre is measured.
        since !== null && regions?.[0]?.region === region
          ? {
              type: 'instance',
              hasGpu: spec.gpu !== undefined,
              since,
              price,
              cores: spec.cores,
              memoryGi: spec.memoryGi,
            }
          : undefined
      }
      line={({ ssh_address: ssh, spec }) =>
        ssh !== null && canLogIn(spec.sshKeys ?? []) ? { label: t('detail.ssh'), text: ssh } : undefined
      }
      actions={(instance, onDone) => (
        // The next step is the same.
        <InstanceActions target={instance} shown={2} size="medium" without={['login']} onDone={onDone} />
      )}
      remedy={(instance) => <Remedy instance={instance} />}
      tabs={{
        overview: (instance) => (
          <Box
            sx={{
              display: 'grid',
              gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 13fr) minmax(0, 5fr)' },
              columnGap: 3,
              alignItems: 'start',
            }}
          >
            <InstanceOverview instance={instance} />
            <InstanceKept instance={instance} />
          </Box>
        ),
        logs: ({ id }) => <RunLog kind="gpuInstance" id={id} />,
        metrics: (instance) => (
          <>
            <HereOnly instance={instance}>
              <ObjectMetrics type="instance" id={instance.id} />
            </HereOnly>
            <ObjectUsage kind="gpuInstance" id={instance.id} />
          </>
        ),
        access: (instance) => <InstanceAccess instance={instance} />,
        history: (instance) => <InstanceHistory instance={instance} />,
        settings: (instance) => <InstanceParts instance={instance} />,
      }}
    />
  );
}

/** For an instance that fails because of its settings. */
function Remedy({ instance: { id, tone, reason, actions } }: { instance: InstanceView }) {
  const t = useInstanceWords();
  const isImage = reason === 'ImageNotFound';
  const edit = tone === 'bad' && actions.find(({ action }) => action === 'edit');
  return (
    <>
      {isImage && <p>{t('detail.triesAgain')}</p>}
      {edit && (
        <Box sx={{ mt: 1 }}>
          <Guarded node="gpuInstance.edit" isHidden>
            <Button
              component={Link}
              to={`/develop/instance/${id}/edit`}
              color="inherit"
              variant="outlined"
              size="small"
            >
              {isImage ? t('detail.editImage') : edit.label}
            </Button>
          </Guarded>
        </Box>
      )}
    </>
  );
}
