// GPUs by model: each card is used, free, reserved or broken. The numbers stand beside the bar, so nothing depends on its colours.
import type { Overview } from '@gantry/contract/areas/admin/admin-home.ts';
import Box from '@mui/material/Box';
import { PlainRows } from '../parts/plain-rows.tsx';
import { useHomeWords } from '../parts/use-home-words.ts';
import { HomeCard } from './home-card.tsx';
import { PARTS, partStyle, Swatch } from './patterns.tsx';

type Gpus = NonNullable<Overview['computing']>['gpus'];

export function GpuCard({ gpus }: { gpus: Gpus }) {
  const t = useHomeWords();
  return (
    <HomeCard title={t('gpus.title')} help={t('gpus.help')} isWide>
      {gpus.length === 0 ? (
        t('gpus.none')
      ) : (
        <PlainRows
          label={t('gpus.title')}
          columns={[
            { key: 'model', title: t('gpus.model') },
            { key: 'bar', title: t('gpus.split') },
            ...PARTS.map((part) => ({ key: part, title: t(`gpus.${part}`), isNumber: true })),
            { key: 'total', title: t('gpus.total'), isNumber: true },
          ]}
          rows={gpus.map((one) => ({
            key: one.model,
            cells: [
              one.name,
              <GpuBar key="bar" gpu={one} />,
              ...PARTS.map((part) => (
                <span key={part}>
                  <Swatch part={part} />
                  {one[part]}
                </span>
              )),
              one.total,
            ],
          }))}
        />
      )}
    </HomeCard>
  );
}

function GpuBar({ gpu }: { gpu: Gpus[number] }) {
  const t = useHomeWords();
  const { name: model, total, used, free, reserved, broken } = gpu;
  return (
    <Box
      role="img"
      aria-label={t('gpus.bar', { model, total, used, free, reserved, broken })}
      sx={{ display: 'flex', gap: '2px', minWidth: 160, height: '1.4em' }}
    >
      {PARTS.filter((part) => gpu[part] > 0).map((part) => (
        <div key={part} style={{ ...partStyle(part), flexGrow: gpu[part], flexBasis: 0, minWidth: 3 }} />
      ))}
    </Box>
  );
}
