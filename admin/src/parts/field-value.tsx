// A field of a row, shown by its type: times local with UTC at the pointer, amounts with their currency, choices by their
// labels, references as links. Whatever a tenant wrote is text.

import type { Tone } from '@gantry/contract/define-kind.ts';
import type { AdminTableName } from '@gantry/contract/http/admin-tables.ts';
import { numberText } from '@gantry/ui/format/number.ts';
import { bytesText } from '@gantry/ui/format/size.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useAreaWords, useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import { type RaRecord, ReferenceField, usePermissions, useRecordContext } from 'react-admin';
import { useTableWords } from '../table-words.ts';
import { resourceOf, tableOf } from '../tables.ts';
import type { words as english } from '../words/en/shell.ts';
import { NamedText } from './named-option.tsx';
import { RowName } from './row-name.tsx';
import { exactStaffMoney, staffMoney } from './staff-money.ts';

/** Staff who may not list these read their names all the same. */
const NAMED = { users: 'accounts', organizations: 'organizations' } as const;
const isNamed = (name: AdminTableName): name is keyof typeof NAMED => Object.hasOwn(NAMED, name);

interface FieldProps {
  name: AdminTableName;
  field: string;
  /** Deeper values are shown whole on a row's page, and by their number in a list. */
  isWhole?: boolean;
}

const NONE = '–';
/** A picture that is kept as text: the server has checked what it is. */
const PICTURE = 'data:image/png;base64,';
/** The cost of an hour or a second is often below a cent. */
const EXACT: ReadonlySet<AdminTableName> = new Set(['prices', 'ledger-entries']);

export function FieldValue({ name, field, isWhole = false }: FieldProps) {
  const record = useRecordContext<RaRecord & Record<string, unknown>>();
  const words = useTableWords(name);
  const ui = useUiWords();
  const language = useLanguage();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const table = tableOf(name);
  const value = record?.[field];
  const isEmpty = value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
  if (!record || isEmpty) return NONE;
  const reference = table.references[field] as AdminTableName | undefined;
  const mayOpen = reference !== undefined && permissions?.has(`manage/${tableOf(reference).menu}`);
  if (reference && (mayOpen || isNamed(reference)))
    return <Reference {...{ name, field, reference }} value={`${value}`} mayOpen={mayOpen === true} />;
  switch (table.fields[field]?.type) {
    case 'time':
      return <TimeText time={`${value}`} />;
    case 'money':
      return <Amount name={name} field={field} record={record} />;
    case 'flag':
      return ui(value ? 'states.yes' : 'states.no');
    case 'choice':
      // Chinese and Japanese words may otherwise be broken at any letter of a narrow column.
      return <span style={{ wordBreak: 'keep-all' }}>{words.choice(field, value as string)}</span>;
    case 'choices':
      return (
        <Box component="span" sx={{ display: 'inline-flex', gap: 0.5, flexWrap: 'wrap' }}>
          {(value as string[]).map((each) => (
            <Chip key={each} size="small" label={words.choice(field, each)} />
          ))}
        </Box>
      );
    case 'phrases':
      return (value as Record<string, string>)[language] ?? NONE;
    case 'list':
      return isWhole ? <Whole value={value} /> : (value as unknown[]).length;
    case 'json':
      return isWhole ? <Whole value={value} /> : Object.keys(value as object).length;
    case 'number':
      return field.endsWith('_bytes') ? bytesText(value as number) : numberText(value as number);
    default:
      return <TextValue record={record} field={field} />;
  }
}

function TextValue({ record, field }: { record: RaRecord & Record<string, unknown>; field: string }) {
  return field === 'phase' && typeof record.phase_label === 'string' ? (
    <PhaseChip
      label={record.phase_label}
      tone={record.tone as Tone}
      message={record.message as string | null | undefined}
    />
  ) : (
    <Plain text={`${record[field]}`} label={record[`${field}_label`]} />
  );
}

/** `label`: what people call it. */
const Plain = ({ text, label }: { text: string; label: unknown }) => {
  if (text.startsWith(PICTURE)) return <Picture source={text} />;
  return typeof label === 'string' ? <NamedText name={label} id={text} /> : text;
};

const Picture = ({ source }: { source: string }) => (
  <Box component="img" src={source} alt="" sx={{ display: 'block', maxWidth: 120, maxHeight: 40 }} />
);

interface ReferenceProps extends FieldProps {
  reference: AdminTableName;
  value: string;
  mayOpen: boolean;
}

function Reference({ name, field, reference, value, mayOpen }: ReferenceProps) {
  if (!mayOpen) return isNamed(reference) && <RowName of={NAMED[reference]} id={value} />;
  return (
    <ReferenceField
      resource={resourceOf(name)}
      source={field}
      reference={resourceOf(reference)}
      link="show"
      emptyText={value}
    />
  );
}

/** Local, or as `children` say it; UTC at the pointer. */
export function TimeText({ time, children }: { time: string | number | null | undefined; children?: string }) {
  const t = useAreaWords<typeof english>('shell');
  const at = new Date(time ?? '');
  if (Number.isNaN(at.getTime())) return NONE;
  // The first price list, for one: no time of ours lies before it.
  if (at.getTime() <= 0) return t('list.always');
  const iso = at.toISOString();
  const utc = iso.slice(0, 19).replace('T', ' ');
  return (
    <time dateTime={iso} title={t('list.utc', { time: utc })} style={{ whiteSpace: 'nowrap' }}>
      {children ?? timeText(at)}
    </time>
  );
}

/** What an hour of it costs, or a month. */
function PriceText({ amount, currency, per }: { amount: string; currency: string; per: string }) {
  const ui = useUiWords();
  const text = exactStaffMoney(amount, currency);
  return (
    <span style={{ whiteSpace: 'nowrap' }}>
      {ui(per === 'hour' ? 'price.perHour' : 'price.perMonth', { amount: text })}
    </span>
  );
}

/** An amount by its own currency, or its row's; a price by its period. */
function Amount({ name, field, record }: FieldProps & { record: Readonly<Record<string, unknown>> }) {
  const amount = `${record[field]}`;
  const currency = `${record[`${field}_currency`] ?? record.currency ?? ''}`;
  const per = record[`${field}_per`];
  if (typeof per === 'string') return <PriceText amount={amount} currency={currency} per={per} />;
  return <MoneyText amount={amount} currency={currency} isExact={EXACT.has(name)} />;
}

interface MoneyTextProps {
  amount: string | null | undefined;
  currency: string;
  /** With all its decimals. */
  isExact?: boolean;
}

/** With a minus sign where it is below zero; with the currency's code where another has the same sign: `-¥12.00 CNY`. */
export function MoneyText({ amount, currency, isExact = false }: MoneyTextProps) {
  if (amount === null || amount === undefined) return NONE;
  const isBelow = amount.startsWith('-');
  return (
    <span
      style={{
        whiteSpace: 'nowrap',
        fontVariantNumeric: 'tabular-nums',
        ...(isBelow && { color: 'var(--mui-palette-error-main)' }),
      }}
    >
      {(isExact ? exactStaffMoney : staffMoney)(amount, currency)}
    </span>
  );
}

function Whole({ value }: { value: unknown }) {
  return (
    <Box
      component="pre"
      // A scrolling box is reachable by keyboard.
      tabIndex={0}
      sx={{
        m: 0,
        p: 1,
        maxHeight: 360,
        overflow: 'auto',
        fontSize: 13,
        bgcolor: 'background.default',
        borderRadius: 1,
      }}
    >
      {JSON.stringify(value, null, 2)}
    </Box>
  );
}
