// Data that outlives an instance's runs, its price, and all saves.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { InstanceView } from '@gantry/contract/kinds/gpu-instance.ts';
import { useList } from '@gantry/ui/client/use-api.tsx';
import { bytesText, gibibytesText } from '@gantry/ui/format/size.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { FactList } from '../../parts/fact-list.tsx';
import { Section } from '../../parts/section.tsx';
import { useDiskRates } from './use-disk-rates.ts';
import { useInstanceWords } from './use-instance-words.ts';

const SHOWN_SAVES = 10;

export function InstanceKept({ instance }: { instance: InstanceView }) {
  const t = useInstanceWords();
  const { id, spec, save, saved_time: savedTime, saved_bytes: savedBytes } = instance;
  const sizeGi = spec.homeDisk?.sizeGi ?? 0;
  const rates = useDiskRates()(sizeGi);
  const { items: saves } = useList(CALLS.listSnapshots, { query: { instance: id } }, { size: SHOWN_SAVES });
  const { home_saved_time: homeTime, home_saved_bytes: homeBytes } = instance;
  return (
    <Section title={t('detail.kept')}>
      <FactList
        isDense
        facts={[
          homeTime === null
            ? { label: t('detail.home'), value: `${gibibytesText(sizeGi)}, ${rates.disk}` }
            : {
                label: t('detail.homeSaved'),
                value: t('detail.savedAt', { size: bytesText(homeBytes), time: timeText(homeTime) }),
              },
          {
            label: t('detail.rootSaved'),
            value:
              savedTime === null ? (
                t('detail.rootNever')
              ) : (
                <>
                  {t('detail.savedAt', { size: bytesText(savedBytes), time: timeText(savedTime) })}
                  <Typography variant="caption" color="text.secondary" component="p">
                    {rates.saved}
                  </Typography>
                </>
              ),
          },
          ...(save === null
            ? []
            : [
                {
                  label: t('detail.lastSave'),
                  value: <PhaseChip label={save.phase_label} tone={save.tone} message={save.message} />,
                },
              ]),
        ]}
      />
      {saves.length > 0 && (
        <>
          <Typography variant="h3" sx={{ mt: 2 }}>
            {t('detail.saves')}
          </Typography>
          <Box component="ul" sx={{ listStyle: 'none', p: 0, m: 0 }}>
            {saves.slice(0, SHOWN_SAVES).map((each) => (
              <Box
                component="li"
                key={each.id}
                sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, alignItems: 'center', py: 0.75 }}
              >
                <Typography variant="body2">{t(`detail.saveOf.${each.of}`)}</Typography>
                <PhaseChip label={each.phase_label} tone={each.tone} message={each.message} />
                <Typography variant="body2" color="text.secondary" sx={{ ml: 'auto' }}>
                  {bytesText(each.size_bytes)}
                </Typography>
                <Typography variant="body2" color="text.secondary">
                  {timeText(each.finish_time ?? each.create_time)}
                </Typography>
              </Box>
            ))}
          </Box>
        </>
      )}
    </Section>
  );
}
