// A new discount: for exactly one organisation, plan, SKU or code, from a moment on and perhaps to one.
import type { PriceItem } from '@gantry/contract/areas/billing/admin-prices.ts';
import { textCode } from '@gantry/ui/client/chance.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { type FormEvent, useState } from 'react';
import { useDataProvider } from 'react-admin';
import { useNavigate } from 'react-router';
import { LocalMoment } from '../../parts/local-moment.tsx';
import { PriceItemChoice, usePriceItems } from '../../parts/price-item-choice.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { RowChoice } from '../../parts/row-choice.tsx';
import { useBillingWords } from '../../parts/use-billing-words.ts';
import { type GivenAnswer, useGiven } from '../../parts/use-given.ts';
import type { AdminData } from '../../providers/data-provider.ts';
import { useTableWords } from '../../table-words.ts';
import { resourceOf, tableOf } from '../../tables.ts';

const TARGET = { organization: 'organization_id', plan: 'plan', sku: 'sku', code: 'code' } as const;
type Type = keyof typeof TARGET;
const EVERYTHING = 'all';
const NEVER_OFF = /^plan\/|-tokens\/|-storage$/;
const CODE_LENGTH = 10;

const EMPTY = { target: '', name: '', source: EVERYTHING, percent: '', most: '', from: '', to: '' };

export function DiscountForm() {
  const t = useBillingWords();
  const words = useTableWords('discounts');
  const provider = useDataProvider<AdminData>();
  const given = useGiven();
  const navigate = useNavigate();
  const [type, setType] = useState<Type>('organization');
  const [typed, setTyped] = useState(EMPTY);
  const [isAsked, setAsked] = useState(false);
  const change = (changes: Partial<typeof EMPTY>) => setTyped({ ...typed, ...changes });
  const isPercent = /^\d{1,3}(\.\d{1,2})?$/.test(typed.percent) && Number(typed.percent) <= 100;
  const target = TARGET[type];
  const { fields } = tableOf('discounts');
  const aim = (chosen: string, name = '') => change({ target: chosen, name });
  const { data } = usePriceItems();
  // A discount never applies to a plan, or to what is not metered by the hour or month of use.
  const items = (data?.items ?? []).filter(({ sku }) => !NEVER_OFF.test(sku));

  const send = async (reason: string) => {
    const answer = await provider.ask<GivenAnswer & { id?: string }>('discounts', {
      method: 'POST',
      body: {
        type,
        [target]: typed.target.trim(),
        percent: Number(typed.percent),
        ...(typed.source !== EVERYTHING && { source: typed.source }),
        ...(type === 'code' && typed.most !== '' && { most_uses: Number(typed.most) }),
        ...(typed.from !== '' && { valid_from: new Date(typed.from).toISOString() }),
        ...(typed.to !== '' && { valid_to: new Date(typed.to).toISOString() }),
        reason,
      },
    });
    const isDone = given(answer, t('discount.created'));
    void navigate(
      isDone ? `/manage/discount/${answer.id}/${type}` : `/${resourceOf('approvals')}/${answer.approval_id}/show`,
    );
  };
  const ask = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
  };
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Typography variant="h1">{t('discount.title')}</Typography>
      <Typography color="text.secondary">{t('discount.lead')}</Typography>
      <Card component="form" onSubmit={ask} sx={{ p: 2, display: 'grid', gap: 2, maxWidth: 640 }}>
        <TextField
          select
          label={t('discount.type')}
          value={type}
          onChange={({ target: { value } }) => {
            setType(value as Type);
            change({ target: '', name: '', most: '' });
          }}
        >
          {(Object.keys(TARGET) as Type[]).map((each) => (
            <MenuItem key={each} value={each}>
              {words.choice('type', each)}
            </MenuItem>
          ))}
        </TextField>
        <TargetField type={type} value={typed.target} items={items} onChange={aim} />
        <TextField
          select
          label={t('discount.source')}
          value={typed.source}
          onChange={({ target: { value } }) => change({ source: value })}
        >
          <MenuItem value={EVERYTHING}>{t('discount.anySource')}</MenuItem>
          {(fields.source?.choices ?? []).map((source) => (
            <MenuItem key={source} value={source}>
              {words.choice('source', source)}
            </MenuItem>
          ))}
        </TextField>
        <TextField
          label={t('discount.percent')}
          value={typed.percent}
          required
          error={typed.percent !== '' && !isPercent}
          onChange={({ target: { value } }) => change({ percent: value.trim() })}
          slotProps={{ htmlInput: { inputMode: 'decimal' } }}
        />
        {type === 'code' && (
          <TextField
            label={t('discount.mostUses')}
            helperText={t('discount.mostUsesHelp')}
            value={typed.most}
            error={typed.most !== '' && !/^[1-9]\d{0,6}$/.test(typed.most)}
            onChange={({ target: { value } }) => change({ most: value.trim() })}
            slotProps={{ htmlInput: { inputMode: 'numeric' } }}
          />
        )}
        {(['from', 'to'] as const).map((end) => (
          <LocalMoment
            key={end}
            label={t(`discount.${end}`)}
            help={t(`discount.${end}Help`)}
            value={typed[end]}
            onChange={(value) => change({ [end]: value })}
          />
        ))}
        <Button type="submit" variant="contained" disabled={typed.target.trim() === '' || !isPercent}>
          {t('discount.create')}
        </Button>
      </Card>
      {isAsked && (
        <ReasonDialog
          title={t('discount.createTitle')}
          confirmLabel={t('discount.create')}
          onConfirm={send}
          onClose={() => setAsked(false)}
        >
          <Typography>
            {words.choice('type', type)}: <Target type={type} typed={typed} items={items} /> ·{' '}
            {t('discount.off', { percent: typed.percent })}
          </Typography>
        </ReasonDialog>
      )}
    </Box>
  );
}

interface TargetFieldProps {
  type: Type;
  value: string;
  items: readonly PriceItem[];
  onChange(target: string, name?: string): void;
}

/** What exists is chosen by its name; a code is made up. */
function TargetField({ type, value, items, onChange }: TargetFieldProps) {
  const t = useBillingWords();
  const words = useTableWords('discounts');
  const label = t(`discount.${TARGET[type]}`);
  if (type === 'organization')
    return <RowChoice name="organizations" label={label} value={value} onChange={onChange} />;
  if (type === 'sku') return <PriceItemChoice items={items} label={label} sku={value} onChange={onChange} />;
  if (type === 'plan')
    return (
      <TextField select label={label} value={value} required onChange={({ target }) => onChange(target.value)}>
        {(tableOf('discounts').fields.plan?.choices ?? []).map((plan) => (
          <MenuItem key={plan} value={plan}>
            {words.choice('plan', plan)}
          </MenuItem>
        ))}
      </TextField>
    );
  const made = (
    <Button size="small" onClick={() => onChange(textCode(CODE_LENGTH))} sx={{ whiteSpace: 'nowrap' }}>
      {t('discount.codeMake')}
    </Button>
  );
  return (
    <TextField
      label={label}
      value={value}
      required
      onChange={({ target }) => onChange(target.value)}
      helperText={t('discount.codeHelp')}
      slotProps={{ input: { endAdornment: made } }}
    />
  );
}

function Target({ type, typed, items }: Pick<TargetFieldProps, 'type' | 'items'> & { typed: typeof EMPTY }) {
  const words = useTableWords('discounts');
  const { target, name } = typed;
  if (type === 'plan') return words.choice('plan', target);
  const known = type === 'sku' ? items.find(({ sku }) => sku === target)?.name : name;
  return known && known !== target ? `${known} (${target})` : target;
}
