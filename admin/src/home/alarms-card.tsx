// Faults of the platform, and the number of firing alarms of tenants. On a wall: no names.
import { alertWords } from '@gantry/contract/alerts/words.ts';
import type { Overview } from '@gantry/contract/areas/admin/admin-home.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import Alert from '@mui/material/Alert';
import { TimeText } from '../parts/field-value.tsx';
import { useHomeWords } from '../parts/use-home-words.ts';
import { HomeCard } from './home-card.tsx';

interface AlarmsCardProps {
  alarms: NonNullable<Overview['alarms']>;
  firing: number | null;
  isWall: boolean;
}

export function AlarmsCard({ alarms, firing, isWall }: AlarmsCardProps) {
  const t = useHomeWords();
  const language = useLanguage();
  return (
    <HomeCard
      title={t('alarms.title')}
      note={firing !== null && <span>{t('alarms.firing', { count: `${firing}` })}</span>}
    >
      {alarms.length === 0
        ? t('alarms.none')
        : alarms.map(({ name, count, what, since }) => (
            // A page that is read again every few seconds must not announce them each time.
            <Alert key={name} severity="error" role="note" sx={{ mb: 1 }}>
              {alertWords.platform[name][language]}
              {!isWall && `: ${count > 1 ? t('alarms.more', { what, count: `${count - 1}` }) : what} `}
              {since !== null && <TimeText time={since} />}
            </Alert>
          ))}
    </HomeCard>
  );
}
