// The newest organisations. A personal one has its person's name, and an ID says nothing: on a wall there is their number alone.
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

export function NewestCard({ organizations: { total, newest }, isWall }: NewestCardProps) {
  const t = useHomeWords();
  return (
    <HomeCard title={t('organizations.title')} note={<span>{t('organizations.total', { smart_count: total })}</span>}>
      {isWall ? null : newest.length === 0 ? (
        t('organizations.none')
      ) : (
        <PlainRows
          label={t('organizations.title')}
          columns={[
            { key: 'name', title: t('waits.organization') },
            { key: 'made', title: t('organizations.made') },
          ]}
          rows={newest.map(({ id, name, created_at: madeAt }) => ({
            key: id,
            cells: [
              <Link component={RouterLink} key="name" to={`/${resourceOf('organizations')}/${id}/show`}>
                {name}
              </Link>,
              <TimeText key="made" time={madeAt} />,
            ],
          }))}
        />
      )}
    </HomeCard>
  );
}
