// PromQL with completion: functions and syntax by Prometheus's own editor, metrics and labels by what the organisation has.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { type PrometheusClient, PromQLExtension } from '@prometheus-io/codemirror-promql';
import CodeMirror, { EditorView, keymap, Prec } from '@uiw/react-codemirror';
import { useMemo, useRef } from 'react';

/** The page's own colours: those of the editor's themes are too faint. */
const LOOKS = EditorView.theme({
  '&': { border: '1px solid var(--mui-palette-divider)', borderRadius: '4px', color: 'inherit' },
  '.cm-content': { caretColor: 'currentColor' },
  '.cm-tooltip': { backgroundColor: 'var(--mui-palette-background-paper)', color: 'var(--mui-palette-text-primary)' },
});

interface PromqlFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  onRun?: () => void;
}

export function PromqlField({ label, value, onChange, onRun }: PromqlFieldProps) {
  const api = useApi();
  const run = useRef(onRun);
  run.current = onRun;
  const extensions = useMemo(() => {
    const labels = async (metric?: string) =>
      metric ? (await api.call(CALLS.getMonitorMetric, { query: { name: metric } })).labels : [];
    const client: PrometheusClient = {
      labelNames: async (metric) => (await labels(metric).catch(() => [])).map(({ name }) => name),
      labelValues: async (wanted, metric) =>
        (await labels(metric).catch(() => [])).find(({ name }) => name === wanted)?.values ?? [],
      metricMetadata: async () => ({}),
      series: async () => [],
      metricNames: () => api.call(CALLS.listMonitorMetrics, {}).catch(() => []),
      flags: async () => ({}),
    };
    return [
      new PromQLExtension().activateLinter(true).setComplete({ remote: client }).asExtension(),
      EditorView.lineWrapping,
      LOOKS,
      EditorView.contentAttributes.of({ 'aria-label': label }),
      Prec.highest(
        keymap.of([
          {
            key: 'Mod-Enter',
            run: () => {
              run.current?.();
              return true;
            },
          },
        ]),
      ),
    ];
  }, [api, label]);
  return (
    <CodeMirror
      value={value}
      onChange={onChange}
      extensions={extensions}
      theme="none"
      basicSetup={{ lineNumbers: false, foldGutter: false, highlightActiveLine: false, syntaxHighlighting: false }}
      minHeight="3.5rem"
      // Tab leads on, as anywhere else on the page.
      indentWithTab={false}
    />
  );
}
