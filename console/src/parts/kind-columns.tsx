// The columns that lists of all kinds have: the name leads to the object's page, the state says why, and its commands come last.
import type { CommonView, PriceView } from '@gantry/contract/kind-api.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import type { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import type { Column } from '@gantry/ui/table/data-table.tsx';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { PriceText } from './price-text.tsx';
import { TwoLines } from './two-lines.tsx';

interface KindColumns<View> {
  /** The address of its page. */
  to(row: View): string;
  /** Below the name. */
  second(row: View): string;
  /** How it is, where its phase does not say it. */
  chip?: (row: View) => ReactNode;
  own: readonly Column<View>[];
  actions(row: View): ReactNode;
}

/** Make them once: rows are drawn anew with other columns. */
export const kindColumns = <View extends CommonView>(
  ui: ReturnType<typeof useUiWords>,
  {
    to,
    second,
    chip = ({ phase_label: label, tone, message }) => <PhaseChip label={label} tone={tone} message={message} />,
    own,
    actions,
  }: KindColumns<View>,
): readonly Column<View>[] => [
  {
    id: 'name',
    label: ui('fields.name'),
    // Names are as long as people like: they get what the others leave.
    width: 'minmax(9rem, 3fr)',
    sort: 'name',
    cell: (row) => (
      <TwoLines
        first={
          <Link to={to(row)} style={{ fontWeight: 600 }}>
            {row.name}
          </Link>
        }
        second={second(row)}
        title={`${row.name}, ${second(row)}`}
      />
    ),
  },
  { id: 'status', label: ui('fields.status'), width: '9.75rem', sort: 'status', cell: chip },
  ...own,
  { id: 'actions', label: ui('fields.actions'), width: '10.5rem', align: 'end', cell: actions },
];

/** When it was created, and by whom. */
export const createdColumn = <View extends Pick<CommonView, 'create_time'> & { creator: string | null }>(
  ui: ReturnType<typeof useUiWords>,
  nameOfPerson: (id: string | null) => string,
): Column<View> => ({
  id: 'created',
  label: ui('fields.createTime'),
  width: '11rem',
  sort: 'create_time',
  cell: ({ create_time: time, creator }) => (
    <TwoLines first={timeText(time)} second={nameOfPerson(creator)} title={nameOfPerson(creator)} />
  ),
  isWideOnly: true,
});

/** The price of now, and below it what it has cost. */
export const costColumn = <View extends { price: PriceView | null; cost: string | null }>(
  label: string,
  width: string,
): Column<View> => ({
  id: 'cost',
  label,
  width,
  align: 'end',
  cell: ({ price, cost }) => <TwoLines first={<PriceText price={price} />} second={cost ?? ''} />,
});
