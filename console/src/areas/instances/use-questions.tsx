// The question before a command to an instance: what is lost, what is kept, the price at rest, and a milder alternative.
import type { InstanceView } from '@gantry/contract/kinds/gpu-instance.ts';
import { gibibytesText } from '@gantry/ui/format/size.ts';
import type { Questions } from '../../parts/action-buttons.tsx';
import { isBegun } from './is-begun.ts';
import { useDiskRates } from './use-disk-rates.ts';
import { useInstanceWords } from './use-instance-words.ts';

type Asked = Pick<InstanceView, 'name' | 'spec' | 'phase' | 'reason' | 'run' | 'saved_time'>;

/** By action, made when they are asked: there are many sentences in them, and many rows in a list. */
export function useQuestions({
  name,
  spec,
  phase,
  reason,
  run,
  saved_time: savedTime,
}: Asked): () => Questions<'gpuInstance'> {
  const t = useInstanceWords();
  const ratesOf = useDiskRates();
  return () => {
    const sizeGi = spec.homeDisk?.sizeGi ?? 0;
    const rates = ratesOf(sizeGi);
    const size = gibibytesText(sizeGi);
    const hasDisks = (spec.disks ?? []).length > 0;
    const begun = isBegun({ phase, reason, run });
    const processes = begun ? [t('ask.processes')] : [];
    const files = begun || savedTime !== null ? [t('ask.files')] : [];
    const kept = [...files, t('ask.home', { size }), ...(hasDisks ? [t('ask.disks')] : [])];
    const briefs = {
      stop: t('ask.stopBrief', rates),
      hibernate: t('ask.hibernateBrief', rates),
      shutdown: t('ask.shutdownBrief', rates),
    };
    const keptHibernated = [...files, t('ask.homeHibernated'), ...(hasDisks ? [t('ask.disks')] : [])];
    return {
      stop: {
        brief: briefs.stop,
        text: (
          <>
            <p>
              {spec.gpu && `${t('ask.freesGpu')} `}
              {briefs.stop} {t('ask.stop')}
            </p>
            {begun && <p>{t('ask.hibernate', rates)}</p>}
          </>
        ),
        lost: processes,
        kept: [...kept, t('ask.address')],
        instead: ['hibernate'],
      },
      hibernate: {
        brief: briefs.hibernate,
        text: briefs.hibernate,
        lost: [...processes, t('ask.mounts')],
        kept: keptHibernated,
      },
      shutdown: {
        brief: briefs.shutdown,
        text: `${briefs.shutdown} ${t('ask.shutdown')}`,
        lost: [...processes, t('ask.mounts')],
        kept,
      },
      hardReboot: { text: t('ask.reboot'), lost: processes, kept: [...kept, t('ask.address')] },
      rotateNotebookToken: { text: t('ask.rotate'), lost: [t('ask.oldToken'), ...processes], kept },
      release: { lost: [t('ask.released', { name })], kept: [t('ask.releaseKept')], typed: name },
    };
  };
}
