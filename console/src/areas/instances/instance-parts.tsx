// An instance's parts: disks, keys, variables, ports.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { InstanceView } from '@gantry/contract/kinds/gpu-instance.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { bytesText, gibibytesText } from '@gantry/ui/format/size.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { MONO } from '@gantry/ui/theme/theme.ts';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router';
import { FactList } from '../../parts/fact-list.tsx';
import { Section } from '../../parts/section.tsx';
import { useInstanceWords } from './use-instance-words.ts';

export function InstanceParts({ instance: { spec, region, home_used_bytes: used } }: { instance: InstanceView }) {
  const t = useInstanceWords();
  const { disks = [], env = [], ports = [], sshKeys = [], homeDisk } = spec;
  const { data } = useCall(CALLS.listDisks, { query: { page: 1, size: 100 } }, { enabled: disks.length > 0 });
  const nameOf = (disk: string) => data?.items.find(({ id }) => id === disk)?.name ?? disk;
  return (
    <Section title={t('detail.storage')}>
      <FactList
        facts={[
          {
            label: t('detail.home'),
            value:
              used === null
                ? t('detail.homeAt', { size: gibibytesText(homeDisk?.sizeGi ?? 0) })
                : t('detail.homeUsed', { size: gibibytesText(homeDisk?.sizeGi ?? 0), used: bytesText(used) }),
          },
          {
            label: t('form.disks'),
            value: lines(
              t('detail.none'),
              disks.map(({ name, mountPath }) => (
                <Link key={name} component={RouterLink} to={`/gpu/storage/${name}/${region}`}>
                  {t('detail.mount', { name: nameOf(name), path: mountPath })}
                </Link>
              )),
            ),
          },
          {
            label: t('detail.keys'),
            value: lines(
              t('detail.noKeys'),
              sshKeys.map(({ remark, expiresAt }) =>
                expiresAt === undefined ? remark : `${remark}, ${t('detail.keyUntil', { time: timeText(expiresAt) })}`,
              ),
            ),
          },
          {
            label: t('detail.env'),
            value: lines(
              t('detail.none'),
              env.map(({ name, value = '' }) => (
                <Box key={name} component="code" sx={{ fontFamily: MONO, fontSize: 13 }}>
                  {name}={value}
                </Box>
              )),
            ),
          },
          {
            label: t('detail.ports'),
            value: lines(
              t('detail.none'),
              ports.map(({ name, port }) => (name === undefined ? `${port}` : `${port} (${name})`)),
            ),
          },
        ]}
      />
    </Section>
  );
}

/** One per line; `none` if there are none. */
function lines(none: string, each: readonly ReactNode[]): ReactNode {
  if (each.length === 0) return none;
  return each.map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines of one answer, shown as they came
    <Box key={at}>{line}</Box>
  ));
}
