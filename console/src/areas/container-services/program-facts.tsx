// Facts that jobs and services have in common: where they run, and what they are given. Values of secrets are not there to show.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { JobView } from '@gantry/contract/kinds/job.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { CopyButton } from '@gantry/ui/widgets/copy-button.tsx';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router';
import type { Fact } from '../../parts/fact-list.tsx';
import { joinCommand } from '../../parts/workload/split-command.ts';
import { useHosts } from '../../parts/workload/use-hosts.ts';
import { usePoolName } from '../../parts/workload/use-pool-name.ts';
import { Code } from './code.tsx';
import { useDeployWords } from './use-deploy-words.ts';

interface Program {
  image: string;
  host: string | null;
  region: string;
  /** For a job: the addresses at which its ports answer. */
  ports?: JobView['ports'];
  spec: Pick<JobView['spec'], 'command' | 'env' | 'secretEnv' | 'ports' | 'idle'> &
    Partial<Pick<JobView['spec'], 'mounts'>>;
}

export function useProgramFacts({ image, host, region, spec, ports: addresses = [] }: Program): readonly Fact[] {
  const t = useDeployWords();
  const pool = usePoolName();
  const hosts = useHosts();
  const { command, env = [], secretEnv = [], ports = [], mounts = [], idle } = spec;
  const { data } = useCall(CALLS.listDisks, { query: { page: 1, size: 100 } }, { enabled: mounts.length > 0 });
  const nameOf = (disk: string) => data?.items.find(({ id }) => id === disk)?.name ?? disk;
  return [
    {
      label: t('facts.image'),
      value: <Code>{image}</Code>,
      action: <CopyButton text={image} label={t('facts.image')} />,
    },
    { label: t('form.command'), value: command ? <Code>{joinCommand(command)}</Code> : t('facts.imageProgram') },
    {
      label: t('facts.place'),
      value:
        host === null ? (
          pool
        ) : (
          <Link component={RouterLink} to={`/gpu/nodes/${host}`}>
            {hosts.find(({ id }) => id === host)?.name ?? host}
          </Link>
        ),
    },
    ...listed(t('mounts.title'), mounts, ({ from, as, mountPath }) => (
      <Link component={RouterLink} to={`/gpu/storage/${from}/${region}`}>
        {t('facts.mount', { name: nameOf(from), path: mountPath, as: t(`mounts.${as ?? 'ReadWrite'}`) })}
      </Link>
    )),
    ...listed(
      t('form.env'),
      [...env, ...secretEnv.map(({ name }) => ({ name, value: undefined }))],
      ({ name, value }) =>
        value === undefined ? (
          <>
            <Code>{name}</Code> {t('facts.secret')}
          </>
        ) : (
          <Code>{`${name}=${value}`}</Code>
        ),
    ),
    ...listed(t('form.ports'), ports, ({ name, port }) => {
      const url = addresses.find((one) => one.port === port)?.url;
      return (
        <>
          {name === undefined ? `${port}` : `${port} (${name})`}
          {url && (
            <>
              {' '}
              <Code>{url}</Code>
            </>
          )}
        </>
      );
    }),
    ...(idle
      ? [
          {
            label: t('idle.title'),
            value: t(`facts.idle.${idle.does}`, { smart_count: idle.afterMinutes ?? 60 }),
          },
        ]
      : []),
  ];
}

/** One line each; no fact where there are none. */
function listed<Item>(label: string, items: readonly Item[], lineOf: (item: Item) => ReactNode): readonly Fact[] {
  if (items.length === 0) return [];
  return [
    {
      label,
      value: (
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {items.map((item, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they have no state, and none moves
            <li key={at}>{lineOf(item)}</li>
          ))}
        </Box>
      ),
    },
  ];
}
