// A service's facts: its address, its replicas and what their number follows, its revision and its cost.
import type { ServiceView } from '@gantry/contract/kinds/container-service.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { CopyButton } from '@gantry/ui/widgets/copy-button.tsx';
import { FactList } from '../../../parts/fact-list.tsx';
import { Section } from '../../../parts/section.tsx';
import { useTaskWords } from '../../../parts/task/use-task-words.ts';
import { usePeople } from '../../../parts/workload/use-people.ts';
import { useWorkloadWords } from '../../../parts/workload/use-workload-words.ts';
import { Code } from '../code.tsx';
import { useProgramFacts } from '../program-facts.tsx';
import { useDeployWords } from '../use-deploy-words.ts';
import { ServiceUrl } from './service-url.tsx';

export function ServiceOverview({ service }: { service: ServiceView }) {
  const t = useDeployWords();
  const task = useTaskWords();
  const workload = useWorkloadWords();
  const ui = useUiWords();
  const nameOfPerson = usePeople();
  const program = useProgramFacts(service);
  const { url, address, access, replicas, scaling, spec, asleep_since: asleep, revision } = service;
  const { autoscaling } = spec;
  const { ready, wanted } = replicas;
  return (
    <Section title={t('facts.overview')}>
      <FactList
        isDense
        facts={[
          {
            label: t('publish.url'),
            value: url === null ? t('publish.none') : <ServiceUrl service={service} />,
            ...(url !== null && { action: <CopyButton text={url} label={t('publish.url')} /> }),
          },
          ...(access === null ? [] : [{ label: t('publish.access'), value: t(`publish.accesses.${access}`) }]),
          ...(address === null
            ? []
            : [
                {
                  label: t('publish.address'),
                  value: <Code>{address}</Code>,
                  action: <CopyButton text={address} label={t('publish.address')} />,
                },
              ]),
          { label: t('replicas.title'), value: t('replicas.readyOf', { ready, wanted }) },
          ...(asleep === null ? [] : [{ label: t('service.asleep'), value: timeText(asleep) }]),
          ...(autoscaling
            ? [
                {
                  label: workload('scaling.scaled'),
                  value: t('replicas.between', { min: autoscaling.min ?? 1, max: autoscaling.max ?? 3 }),
                },
              ]
            : []),
          ...(scaling
            ? [
                {
                  label: t('replicas.because'),
                  value: t('replicas.cause', {
                    replicas: scaling.replicas,
                    cause: scaling.cause_label,
                    time: timeText(scaling.time),
                  }),
                },
              ]
            : []),
          { label: t('revisions.present'), value: revision === null ? '–' : `${revision}` },
          { label: t('service.completed'), value: timeText(service.completion_time) },
          { label: t('service.lastRequest'), value: timeText(service.last_request_time) },
          { label: task('columns.cost'), value: service.cost ?? task('facts.noCost') },
          { label: t('columns.specification'), value: service.specification },
          ...program,
          { label: ui('fields.creator'), value: nameOfPerson(service.creator) },
          { label: ui('fields.createTime'), value: timeText(service.create_time) },
        ]}
      />
    </Section>
  );
}
