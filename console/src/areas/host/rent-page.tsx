// Renting a host: model, number, months, and the price before ordering.

import type { GpuSpecView } from '@gantry/contract/areas/kinds/catalogue-views.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { FormCheckbox, FormNumber, FormText } from '@gantry/ui/form/fields.tsx';
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Controller } from 'react-hook-form';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { missingIn } from '../../parts/missing-money.ts';
import { TopUpButton } from '../../parts/top-up-button.tsx';
import { DraftNotice, useDraft } from '../../parts/use-draft.tsx';
import { OrderPrice } from './order-price.tsx';
import { RentQuestion } from './rent-question.tsx';
import { SpecChoice } from './spec-choice.tsx';
import { TagsField } from './tags-field.tsx';
import { useHostWords } from './use-host-words.ts';

const MOST_NODES = 64;
const MOST_MONTHS = 120;
const RULES = gpuHost.api.writes.create.pick({
  displayName: true,
  nodes: true,
  months: true,
  autoRenew: true,
  tags: true,
});

interface RentValues {
  displayName: string;
  nodes: number;
  months: number;
  autoRenew: boolean;
  tags: string[];
}

const EMPTY: RentValues = { displayName: '', nodes: 1, months: 1, autoRenew: false, tags: [] };

const isWithin = (value: number | undefined, most: number): value is number =>
  value !== undefined && Number.isInteger(value) && value >= 1 && value <= most;

/** The default choice. */
const cheapestFree = (specs: readonly GpuSpecView[]): GpuSpecView | undefined =>
  specs
    .filter(({ free_nodes, host_price }) => free_nodes > 0 && host_price !== null)
    .toSorted((a, b) => Number(a.host_price?.amount) - Number(b.host_price?.amount))[0];

export function RentPage() {
  const t = useHostWords();
  const ui = useUiWords();
  const language = useLanguage();
  const navigate = useNavigate();
  const [query, setQuery] = useSearchParams();
  const specs = useCall(CALLS.listGpuSpecs, {});
  const offered = specs.data ?? [];
  const wanted = query.get('spec');
  const spec = offered.find(({ id }) => id === wanted) ?? cheapestFree(offered);
  const draft = useDraft<RentValues>('host', EMPTY);
  const { form, error, submit, show } = useServerForm<RentValues>({
    defaultValues: draft.begun,
    resolver: rulesOf<RentValues>(RULES as never, language),
  });
  const [nodes, months] = form.watch(['nodes', 'months']);
  const rent = useCommand(CALLS.createHost, {
    isQuiet: true,
    invalidates: [CALLS.listHosts, CALLS.listGpuSpecs, CALLS.getWalletBalances, CALLS.getPlan],
    onSuccess: ({ id }) => void navigate(`/gpu/nodes/${id}`),
  });
  const [asked, setAsked] = useState<RentValues>();
  const [missing, setMissing] = useState<string>();
  const toPay = () => draft.keep(form.getValues());
  const gpu = spec && { model: spec.gpu_type, count: spec.gpu_count };
  const order =
    gpu && isWithin(nodes, MOST_NODES) && isWithin(months, MOST_MONTHS) ? { gpu, nodes, months } : undefined;
  const isShort = spec !== undefined && isWithin(nodes, MOST_NODES) && nodes > spec.free_nodes;
  const send = async (values: RentValues) => {
    if (!gpu) return;
    setMissing(undefined);
    await draft
      .send(values, () => rent.mutateAsync({ body: { ...values, gpu } }))
      .catch((refused: unknown) => {
        setAsked(undefined);
        setMissing(missingIn(refused));
        show(refused);
      });
  };
  return (
    <>
      <PageHeader title={t('rent.title')} lead={t('rent.lead')} />
      <Box
        component="form"
        noValidate
        onSubmit={submit(async (values) => setAsked(values))}
        sx={{
          display: 'grid',
          gap: 3,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 2fr) minmax(18rem, 1fr)' },
        }}
      >
        <Box sx={{ display: 'grid', gap: 2, alignContent: 'start' }}>
          <DraftNotice draft={draft} form={form} />
          {specs.error && !specs.data && <ErrorState error={specs.error} onRetry={() => void specs.refetch()} />}
          {specs.isPending && <LoadingRows rows={4} height={72} />}
          {specs.data?.length === 0 && <EmptyState title={t('rent.none')} />}
          {offered.length > 0 && (
            <SpecChoice
              specs={offered}
              chosen={spec?.id}
              onChoose={(id) => setQuery({ spec: id }, { replace: true })}
            />
          )}
          <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', md: '2fr 1fr 1fr' } }}>
            <FormText
              control={form.control}
              name="displayName"
              label={ui('fields.name')}
              help={t('nameHelp')}
              isRequired
              autoFocus
            />
            <FormNumber
              control={form.control}
              name="nodes"
              label={t('rent.nodes')}
              range={[1, MOST_NODES]}
              isRequired
            />
            <FormNumber
              control={form.control}
              name="months"
              label={t('rent.months')}
              range={[1, MOST_MONTHS]}
              isRequired
            />
          </Box>
          <Controller
            control={form.control}
            name="tags"
            render={({ field }) => <TagsField tags={field.value} onChange={field.onChange} />}
          />
          <FormCheckbox
            control={form.control}
            name="autoRenew"
            label={t('autoRenew.label')}
            help={t('autoRenew.help')}
          />
        </Box>
        <Paper
          variant="outlined"
          component="section"
          aria-labelledby="order"
          sx={{ p: 2, alignSelf: 'start', position: { lg: 'sticky' }, top: { lg: 80 } }}
        >
          <Typography variant="h2" id="order" sx={{ mb: 1 }}>
            {t('order.title')}
          </Typography>
          <OrderPrice order={order} onLeave={toPay} />
          {isShort && (
            <Alert severity="info" sx={{ mt: 1 }}>
              {t('rent.waits', { free: spec.free_nodes })}
            </Alert>
          )}
          <Typography variant="body2" color="text.secondary" sx={{ my: 2 }}>
            {t('rent.terms')} {t('rent.refund')}
          </Typography>
          {error !== undefined && (
            <Alert
              severity="error"
              sx={{ mb: 2 }}
              action={missing !== undefined && <TopUpButton missing={missing} onLeave={toPay} />}
            >
              {error}
            </Alert>
          )}
          <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
            <Guarded node="createHost">
              <Button type="submit" variant="contained" disabled={order === undefined}>
                {t('rent.confirm')}
              </Button>
            </Guarded>
            <Button component={Link} to="/gpu/nodes">
              {ui('actions.cancel')}
            </Button>
          </Box>
        </Paper>
      </Box>
      {asked && order && (
        <RentQuestion
          name={asked.displayName}
          order={order}
          isBusy={rent.isPending}
          onConfirm={() => void send(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
