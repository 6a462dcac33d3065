// An instance's facts, and its place.
import type { InstanceView } from '@gantry/contract/kinds/gpu-instance.ts';
import { bytesText, gibibytesText } from '@gantry/ui/format/size.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { MONO } from '@gantry/ui/theme/theme.ts';
import { CopyButton } from '@gantry/ui/widgets/copy-button.tsx';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { FactList } from '../../parts/fact-list.tsx';
import { Section } from '../../parts/section.tsx';
import { joinCommand } from '../../parts/workload/split-command.ts';
import { useHosts } from '../../parts/workload/use-hosts.ts';
import { usePeople } from '../../parts/workload/use-people.ts';
import { useWorkloadWords } from '../../parts/workload/use-workload-words.ts';
import { useInstanceWords } from './use-instance-words.ts';

const code = (text: string) => (
  <Box component="code" sx={{ fontFamily: MONO, fontSize: 13, overflowWrap: 'anywhere' }}>
    {text}
  </Box>
);

export function InstanceOverview({ instance }: { instance: InstanceView }) {
  const t = useInstanceWords();
  const ui = useUiWords();
  const workload = useWorkloadWords();
  const hosts = useHosts();
  const nameOfPerson = usePeople();
  const { host, image, image_type: type, address, spec, node } = instance;
  const dash = ui('states.unknown');
  const most = gibibytesText(instance.root_limit_gi);
  const { root_used_bytes: used } = instance;
  const rootText = used === null ? t('detail.upTo', { most }) : t('detail.usedOf', { used: bytesText(used), most });
  return (
    <Section title={t('detail.overview')}>
      <FactList
        isDense
        facts={[
          { label: t('columns.specification'), value: instance.specification },
          { label: t('detail.rootLimit'), value: rootText },
          { label: t('detail.processLimit'), value: t('detail.upTo', { most: instance.process_limit }) },
          {
            label: t('detail.image'),
            value: (
              <>
                {code(image)} ({t(`detail.imageTypes.${type}`)})
              </>
            ),
            action: <CopyButton text={image} label={t('detail.image')} />,
          },
          { label: t('columns.region'), value: instance.data_center },
          {
            label: t('columns.place'),
            value:
              host === null ? (
                workload('place.pool')
              ) : (
                <Link component={RouterLink} to={`/gpu/nodes/${host}`}>
                  {hosts.find(({ id }) => id === host)?.name ?? host}
                </Link>
              ),
          },
          { label: t('detail.node'), value: node ?? dash },
          { label: t('columns.health'), value: instance.health_label ?? dash },
          { label: t('detail.runningSince'), value: timeText(instance.running_since) },
          ...(address === null
            ? []
            : [
                {
                  label: t('detail.address'),
                  value: code(address),
                  action: <CopyButton text={address} label={t('detail.address')} />,
                },
              ]),
          { label: t('detail.command'), value: spec.command ? code(joinCommand(spec.command)) : t('detail.idle') },
          { label: ui('fields.creator'), value: nameOfPerson(instance.creator) },
          { label: ui('fields.createTime'), value: timeText(instance.create_time) },
        ]}
      />
    </Section>
  );
}
