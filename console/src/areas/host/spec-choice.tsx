// GPU models of hosts for rent, with their free nodes and prices.
import type { GpuSpecView } from '@gantry/contract/areas/kinds/catalogue-views.ts';
import Box from '@mui/material/Box';
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { PriceText } from '../../parts/price-text.tsx';
import { UsedBar } from '../../parts/used-bar.tsx';
import { useHostWords } from './use-host-words.ts';

interface SpecChoiceProps {
  specs: readonly GpuSpecView[];
  chosen: string | undefined;
  onChoose(id: string): void;
}

export function SpecChoice({ specs, chosen, onChoose }: SpecChoiceProps) {
  const t = useHostWords();
  return (
    <FormControl>
      <FormLabel id="host-spec">{t('rent.spec')}</FormLabel>
      <RadioGroup aria-labelledby="host-spec" value={chosen ?? ''} onChange={(_, id) => onChoose(id)}>
        {specs.map((spec) => (
          <FormControlLabel
            key={spec.id}
            value={spec.id}
            disabled={spec.host_price === null}
            control={<Radio />}
            sx={{
              alignItems: 'center',
              mx: 0,
              mt: 1,
              p: 1,
              border: '1px solid',
              borderColor: chosen === spec.id ? 'primary.main' : 'divider',
              borderRadius: 1,
              '& .MuiFormControlLabel-label': { flex: 1, minWidth: 0 },
            }}
            label={
              <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, alignItems: 'baseline' }}>
                <Typography component="span" sx={{ fontWeight: 600, flex: '1 1 14rem', overflowWrap: 'anywhere' }}>
                  {t('rent.cards', { count: spec.gpu_count, model: spec.name })}
                </Typography>
                <Typography component="span" variant="body2">
                  {spec.host_price ? <PriceText price={spec.host_price} /> : t('rent.noPrice')}
                </Typography>
                <Typography
                  component="span"
                  variant="body2"
                  color={spec.free_nodes === 0 ? 'warning.main' : 'text.secondary'}
                  sx={{ flexBasis: '100%' }}
                >
                  {[
                    ...(spec.gpu_memory_gi === null ? [] : [t('rent.gpuMemory', { memory: spec.gpu_memory_gi })]),
                    t('rent.size', { smart_count: spec.cores, memory: spec.memory_gi }),
                    spec.free_nodes === 0
                      ? t('rent.soldOut')
                      : t('rent.stock', { free: spec.free_nodes, nodes: spec.nodes }),
                  ].join(' · ')}
                </Typography>
                <Box sx={{ flexBasis: '100%' }}>
                  <UsedBar
                    used={spec.nodes - spec.free_nodes}
                    total={spec.nodes}
                    label={t('rent.used', {
                      name: spec.name,
                      used: spec.nodes - spec.free_nodes,
                      nodes: spec.nodes,
                    })}
                  />
                </Box>
              </Box>
            }
          />
        ))}
      </RadioGroup>
    </FormControl>
  );
}
