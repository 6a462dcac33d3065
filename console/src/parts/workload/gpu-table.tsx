// The GPU models as an aligned table of radio buttons: one row is one label, so that all of it can be pressed, and the arrow keys go
// from row to row. Screen readers hear each row as sentences.
import { rateText } from '@gantry/ui/format/money.ts';
import { UNSEEN } from '@gantry/ui/widgets/unseen.ts';
import Box from '@mui/material/Box';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import type { ReactNode, Ref } from 'react';
import { UsedBar } from '../used-bar.tsx';
import type { GpuOffer, Size } from './gpu-offers.ts';
import { useWorkloadWords } from './use-workload-words.ts';

interface GpuTableProps {
  labelledBy: string;
  offers: readonly GpuOffer[];
  /** A model; empty is none. */
  value: string;
  /** The name of the chosen model, where it is no longer on offer. */
  gone: string | undefined;
  inputRef: Ref<HTMLInputElement>;
  onBlur: () => void;
  onChange: (model: string) => void;
}

/** Without a card's memory and share there is room for the name, the price and what is free. */
const COLUMNS = {
  xs: 'auto minmax(0, 1fr) auto',
  sm: 'auto minmax(0, 1fr) 5rem 11rem 5rem 6rem',
};

export function GpuTable({ labelledBy, offers, value, gone, inputRef, onBlur, onChange }: GpuTableProps) {
  const t = useWorkloadWords();
  return (
    <RadioGroup
      aria-labelledby={labelledBy}
      value={value}
      onBlur={onBlur}
      onChange={(_, picked) => onChange(picked)}
      sx={{
        display: 'grid',
        gridTemplateColumns: COLUMNS,
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        overflow: 'hidden',
        fontSize: 14,
        fontVariantNumeric: 'tabular-nums',
      }}
    >
      <Box aria-hidden sx={{ ...ROW, ...WIDE_ONLY, py: 0.75, fontSize: 12, color: 'text.secondary' }}>
        <Box sx={{ gridColumn: 'span 2', pl: 2 }}>{t('form.heads.model')}</Box>
        <Box sx={END}>{t('form.heads.memory')}</Box>
        <Box sx={END}>{t('form.heads.share')}</Box>
        <Box sx={END}>{t('form.heads.price')}</Box>
        <Box sx={END}>{t('form.heads.free')}</Box>
      </Box>
      <Row
        isChosen={value === ''}
        control={<Radio value="" size="small" slotProps={{ input: { ref: inputRef } }} />}
        name={t('form.noGpu')}
        note={t('form.noGpuHint')}
      />
      {offers.map((offer) => (
        <OfferRow key={offer.model} offer={offer} isChosen={value === offer.model} />
      ))}
      {gone !== undefined && (
        <Row isChosen control={<Radio value={value} size="small" />} name={gone} note={t('form.gpuNone')} />
      )}
    </RadioGroup>
  );
}

const ROW = {
  display: 'grid',
  gridColumn: '1 / -1',
  gridTemplateColumns: 'subgrid',
  columnGap: 1,
  alignItems: 'center',
  pr: 2,
};
const WIDE_ONLY = { '@media (max-width: 479.95px)': { display: 'none' } };
const END = { textAlign: 'end' };

interface RowProps {
  control: ReactNode;
  name: string;
  /** Below the name. */
  note?: ReactNode;
  isChosen: boolean;
  /** Its further cells. */
  children?: ReactNode;
}

const Row = ({ control, name, note, isChosen, children }: RowProps) => (
  <Box
    component="label"
    sx={{
      ...ROW,
      position: 'relative',
      minHeight: 44,
      py: 0.5,
      cursor: 'pointer',
      borderTop: 1,
      borderColor: 'divider',
      '&:hover': { bgcolor: 'action.hover' },
      ...(isChosen && {
        bgcolor: 'rgba(var(--mui-palette-primary-mainChannel) / 0.08)',
        boxShadow: 'inset 3px 0 0 var(--mui-palette-primary-main)',
      }),
    }}
  >
    {control}
    <Box sx={{ minWidth: 0 }}>
      <Box component="span" sx={{ fontWeight: 600 }}>
        {name}
      </Box>
      {note !== undefined && <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{note}</Box>}
    </Box>
    {children}
  </Box>
);

/** A figure of the table: what is seen is short, what is heard is a sentence. */
const Cell = ({ shown, said, isWide = false }: { shown: ReactNode; said: string; isWide?: boolean }) => (
  <Box sx={{ ...END, ...(isWide && WIDE_ONLY) }}>
    <span aria-hidden>{shown}</span>
    <span style={UNSEEN}>{said}</span>
  </Box>
);

function OfferRow({ offer, isChosen }: { offer: GpuOffer; isChosen: boolean }) {
  const t = useWorkloadWords();
  const { model, name, gpuMemoryGi, share, price, free, total, starts } = offer;
  const sizeText = (size: Size) => `${t('cost.uses.cpu', { smart_count: size.cores })} · ${size.memoryGi} GiB`;
  const able = starts.filter((one) => one.free > 0);
  const startsNow =
    able.length > 0 &&
    t('form.startsNow', {
      list: able.map((one) => t('form.startsWith', { smart_count: one.count, free: one.free })).join(' · '),
    });
  const size = [...(gpuMemoryGi === null ? [] : [`${gpuMemoryGi} GiB`]), ...(share ? [sizeText(share)] : [])];
  return (
    <Row
      control={<Radio value={model} size="small" />}
      name={name}
      isChosen={isChosen}
      note={
        <>
          <Box component="span" aria-hidden sx={{ display: { sm: 'none' } }}>
            {size.join(' · ')}
          </Box>
          {startsNow && <span style={isChosen ? {} : UNSEEN}>{startsNow}</span>}
        </>
      }
    >
      <Cell
        isWide
        shown={gpuMemoryGi === null ? '–' : `${gpuMemoryGi} GiB`}
        said={gpuMemoryGi === null ? '' : t('form.gpuMemory', { memory: gpuMemoryGi })}
      />
      <Cell
        isWide
        shown={share ? sizeText(share) : '–'}
        said={share ? t('form.comesWith', { smart_count: share.cores, memory: share.memoryGi }) : ''}
      />
      <Box sx={{ ...END, gridColumn: { xs: 3, sm: 'auto' }, gridRow: { xs: 1, sm: 'auto' } }}>
        <Box component="span" aria-hidden sx={{ fontSize: 16, fontWeight: 600 }}>
          {price ? rateText(price.amount, price.currency) : '–'}
        </Box>
        <span style={UNSEEN}>{price && t('form.perCard', { amount: rateText(price.amount, price.currency) })}</span>
        <Box aria-hidden sx={{ display: { sm: 'none' }, fontSize: 12, color: 'text.secondary' }}>
          {free} / {total}
        </Box>
      </Box>
      <Box sx={{ ...END, ...WIDE_ONLY }}>
        <Box component="span" aria-hidden sx={free === 0 ? { color: 'text.secondary' } : {}}>
          {free === 0 ? t('form.gpuNone') : `${free} / ${total}`}
        </Box>
        <span style={UNSEEN}>{free === 0 ? t('form.gpuNone') : t('form.gpuFree', { free, total })}</span>
        {total > 0 && (
          <UsedBar used={total - free} total={total} label={t('form.gpuUsed', { name, used: total - free, total })} />
        )}
      </Box>
    </Row>
  );
}
