// The newest organisations. A personal one has its person's name: on a wall there is the id alone.
import type { Overview } from '@gantry/contract/areas/admin/admin-home.ts';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { TimeText } from '../parts/field-value.tsx';
import { PlainRows } from '../parts/plain-rows.tsx';
import { useHomeWords } from '../parts/use-home-words.ts';
import { resourceOf } from '../tables.ts';
import { HomeCard } from './home-card.tsx';

interface NewestCardProps {
  organizations: NonNullable<Overview['organizations']>;
  isWall: boolean;
}

const MOST_ON_WALL = 4;

export function NewestCard({ organizations: { total, newest }, isWall }: NewestCardProps) {
  const t = useHomeWords();
  return (
    <HomeCard title={t('organizations.title')} note={<span>{t('organizations.total', { smart_count: total })}</span>}>
      {newest.length === 0 ? (
        t('organizations.none')
      ) : (
        <PlainRows
          label={t('organizations.title')}
          columns={[
            { key: 'name', title: t('waits.organization') },
            { key: 'made', title: t('organizations.made') },
          ]}
          rows={(isWall ? newest.slice(0, MOST_ON_WALL) : newest).map(({ id, name, created_at: madeAt }) => ({
            key: id,
            cells: [
              isWall ? (
                id
              ) : (
                <Link component={RouterLink} key="name" to={`/${resourceOf('organizations')}/${id}/show`}>
                  {name}
                </Link>
              ),
              <TimeText key="made" time={madeAt} />,
            ],
          }))}
        />
      )}
    </HomeCard>
  );
}
