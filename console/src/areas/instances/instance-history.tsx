// An instance's history: its newest run with its cause, and its usage over time, which is what is billed.
import type { InstanceView } from '@gantry/contract/kinds/gpu-instance.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Section } from '../../parts/section.tsx';
import { TimeLine } from '../../parts/time-line.tsx';
import { useUsageText } from '../../parts/workload/use-usage-text.ts';
import { useInstanceWords } from './use-instance-words.ts';

export function InstanceHistory({ instance: { run, history } }: { instance: InstanceView }) {
  const t = useInstanceWords();
  const usageText = useUsageText();
  return (
    <Section title={t('detail.history')}>
      {run && (
        <Box sx={{ mb: 2 }}>
          <Typography variant="body2">
            <strong>{t('detail.run', { number: run.number })}</strong>: {t(`detail.causes.${run.cause}`)}
          </Typography>
          {run.last_exit !== null && (
            <Typography variant="body2" color="text.secondary">
              {t('detail.lastExit', { why: run.last_exit_label ?? run.last_exit })}
              {run.exits > 0 && ` (${t('detail.exits', { smart_count: run.exits })})`}
            </Typography>
          )}
        </Box>
      )}
      <TimeLine
        rows={history.map(({ from, to, uses }) => ({
          key: `${from}/${uses.map(({ resource }) => resource).join()}`,
          isLasting: to === null,
          content: (
            <>
              <Typography variant="body2">
                {timeText(from)} – {to === null ? t('detail.lasts') : timeText(to)}
              </Typography>
              <Typography variant="caption" color="text.secondary">
                {uses.map(usageText).join(', ')}
              </Typography>
            </>
          ),
        }))}
        empty={
          <Typography variant="body2" color="text.secondary">
            {t('detail.noHistory')}
          </Typography>
        }
      />
    </Section>
  );
}
