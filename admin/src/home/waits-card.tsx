// The longest waits and their reasons. On a wall: no names, and only sentences in which no tenant has written anything.
import type { Overview } from '@gantry/contract/areas/admin/admin-home.ts';
import { relativeText } from '@gantry/ui/format/time.ts';
import { LOCALES } from '@gantry/ui/i18n/language.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import Link from '@mui/material/Link';
import { useEffect, useState } from 'react';
import { Link as RouterLink } from 'react-router';
import { TimeText } from '../parts/field-value.tsx';
import { PlainRows } from '../parts/plain-rows.tsx';
import { RowName } from '../parts/row-name.tsx';
import { useHomeWords } from '../parts/use-home-words.ts';
import { resourceOf } from '../tables.ts';
import { HomeCard } from './home-card.tsx';

type Computing = NonNullable<Overview['computing']>;

interface WaitsCardProps extends Pick<Computing, 'waits' | 'waiting'> {
  isWall: boolean;
}

const EVERY_MS = 30_000;
const MOST_ON_WALL = 5;

export function WaitsCard({ waits, waiting, isWall }: WaitsCardProps) {
  const t = useHomeWords();
  const locale = LOCALES[useLanguage()];
  const now = useNow();
  return (
    <HomeCard
      title={t('waits.title')}
      isWide
      note={waiting > 0 && <span>{t('waits.count', { smart_count: waiting })}</span>}
    >
      {waits.length === 0 ? (
        t('waits.none')
      ) : (
        <PlainRows
          label={t('waits.title')}
          columns={[
            { key: 'what', title: t('waits.what') },
            // On a wall there are no names, and an ID says nothing.
            ...(isWall ? [] : [{ key: 'organization', title: t('waits.organization') }]),
            { key: 'since', title: t('waits.since') },
            { key: 'why', title: t('waits.why') },
          ]}
          rows={(isWall ? waits.slice(0, MOST_ON_WALL) : waits).map((wait) => ({
            key: `${wait.resource}/${wait.id}`,
            cells: [
              isWall ? (
                t(`waits.${wait.resource}`)
              ) : (
                <Link
                  component={RouterLink}
                  key="what"
                  to={`/${resourceOf(wait.resource)}/${encodeURIComponent(wait.id)}/show`}
                >
                  {wait.name}
                </Link>
              ),
              ...(isWall ? [] : [<RowName key="organization" of="organizations" id={wait.organization_id} />]),
              <TimeText key="since" time={wait.since}>
                {relativeText(wait.since, now, locale)}
              </TimeText>,
              whyOf(wait, isWall),
            ],
          }))}
        />
      )}
    </HomeCard>
  );
}

function whyOf({ phase_label: phase, said, is_public: isPublic }: Computing['waits'][number], isWall: boolean): string {
  return said === null || (isWall && !isPublic) ? phase : `${phase} – ${said}`;
}

function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
