// The charges of today and of this month, by currency, compared with last month.
import type { Overview } from '@gantry/contract/areas/admin/admin-home.ts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { MoneyText } from '../parts/field-value.tsx';
import { staffMoney } from '../parts/staff-money.ts';
import { useHomeWords } from '../parts/use-home-words.ts';
import { HomeCard } from './home-card.tsx';

type Revenue = NonNullable<Overview['revenue']>[number];

export function RevenueCard({ revenue }: { revenue: readonly Revenue[] }) {
  const t = useHomeWords();
  return (
    <HomeCard title={t('revenue.title')} help={t('revenue.help')}>
      {revenue.length === 0
        ? t('noData')
        : revenue.map((one) => (
            <Box key={one.currency} sx={{ display: 'flex', flexWrap: 'wrap', gap: 4, mb: 1 }}>
              <Amount
                label={t('revenue.today')}
                amount={one.today}
                before={one.today_before}
                beforeText="revenue.beforeToday"
                currency={one.currency}
              />
              <div>
                <Amount
                  label={t('revenue.month')}
                  amount={one.month}
                  before={one.month_before}
                  beforeText="revenue.beforeMonth"
                  currency={one.currency}
                />
                {Number(one.month_by_credits) > 0 && (
                  <Typography variant="body2" color="text.secondary">
                    {t('revenue.credits', { amount: staffMoney(one.month_by_credits, one.currency) })}
                  </Typography>
                )}
              </div>
            </Box>
          ))}
    </HomeCard>
  );
}

interface AmountProps {
  label: string;
  amount: string;
  before: string;
  beforeText: 'revenue.beforeToday' | 'revenue.beforeMonth';
  currency: string;
}

function Amount({ label, amount, before, beforeText, currency }: AmountProps) {
  const t = useHomeWords();
  return (
    <div>
      <Typography variant="body2" color="text.secondary">
        {label}
      </Typography>
      <Typography component="p" sx={{ fontSize: '1.8em', fontWeight: 600, lineHeight: 1.2 }}>
        <MoneyText amount={amount} currency={currency} />
      </Typography>
      <Typography variant="body2" color="text.secondary">
        {t(beforeText, { amount: staffMoney(before, currency) })}
        {Number(before) > 0 && <> · {changeOf(amount, before, t)}</>}
      </Typography>
    </div>
  );
}

/** Against nothing there is no percentage. */
function changeOf(amount: string, before: string, t: ReturnType<typeof useHomeWords>): string {
  const percent = Math.round((Number(amount) / Number(before) - 1) * 100);
  if (percent === 0) return t('revenue.same');
  return percent > 0 ? t('revenue.more', { percent }) : t('revenue.less', { percent: -percent });
}
