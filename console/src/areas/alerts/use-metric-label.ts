// The name of a metric, in the reader's language.
import { ALERT_METRICS, type AlertMetricName } from '@gantry/contract/alerts/metrics.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import { useCallback } from 'react';
import { useAlertWords } from './use-alert-words.ts';

export function useMetricLabel(): (metric: AlertMetricName | undefined) => string {
  const t = useAlertWords();
  const language = useLanguage();
  return useCallback(
    (metric) => (metric === undefined ? t('policies.query') : ALERT_METRICS[metric][language]),
    [t, language],
  );
}
