// The shortest ways to something new: the same as last time, or an official image.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { InstanceView } from '@gantry/contract/kinds/gpu-instance.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import { Link } from 'react-router';
import { TwoLines } from '../../parts/two-lines.tsx';
import { againLink } from './again-link.ts';
import { HomeCard } from './home-card.tsx';
import { useHomeWords } from './use-home-words.ts';

/** The images that are offered. */
export const QUICK_IMAGES = { query: { official: 'true', size: 5 } } as const;

export function QuickStart({ latest }: { latest: InstanceView | undefined }) {
  const t = useHomeWords();
  const images = useCall(CALLS.listImages, QUICK_IMAGES);
  const ways = [
    ...(latest
      ? [
          {
            id: latest.id,
            to: againLink(latest),
            name: t('quick.again'),
            about: `${latest.specification} · ${latest.image}`,
          },
        ]
      : []),
    ...(images.data?.items ?? []).map(({ id, name, source }) => ({
      id,
      to: `/develop/instance/create?${new URLSearchParams({ image: source })}`,
      name,
      about: source,
    })),
  ];
  if (images.data && ways.length === 0) return null;
  return (
    <HomeCard title={t('quick.title')} more={{ to: '/develop/template', label: t('quick.all') }}>
      <Box sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 15rem), 1fr))' }}>
        {images.isPending && [1, 2, 3].map((each) => <Skeleton key={each} variant="rounded" height={58} />)}
        {!images.isPending &&
          ways.map(({ id, to, name, about }) => (
            <Button
              key={id}
              component={Link}
              to={to}
              variant="outlined"
              color="inherit"
              sx={{
                justifyContent: 'start',
                textAlign: 'start',
                height: 58,
                overflow: 'hidden',
                whiteSpace: 'nowrap',
                borderColor: 'divider',
              }}
            >
              <TwoLines first={name} second={about} title={about} />
            </Button>
          ))}
      </Box>
    </HomeCard>
  );
}
