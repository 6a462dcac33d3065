// What a metric means, in the reader's language.
import { isKnownMetric } from './known-metrics.ts';
import { useMonitorWords } from './use-monitor-words.ts';

/** Undefined for a metric that only its exporter describes. */
export function useMeaning(): (name: string) => string | undefined {
  const t = useMonitorWords();
  return (name) => (isKnownMetric(name) ? t(`meanings.${name}`) : undefined);
}
