// The runs of an object, and the end of one's log. Administrators read one, for a reason that the audit log keeps with their name: nothing
// is read before it is asked.
import { type AdminKindName, type KindAbout, logId } from '@gantry/contract/http/admin-computing.ts';
import { sentenceOf } from '@gantry/ui/client/api-problem.ts';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useDataProvider, usePermissions } from 'react-admin';
import { TimeText } from '../../parts/field-value.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import type { AdminData } from '../../providers/data-provider.ts';
import { TextBlock } from './about-tabs.tsx';
import { RowsTable } from './rows-table.tsx';
import { useComputingWords } from './use-computing-words.ts';

const LINES = 1_000;
/** Whatever comes after so much is not shown: lines may be of any length. */
const MOST_BYTES = 2_000_000;

type Run = Pick<KindAbout['runs'][number], 'number' | 'worker'>;

interface Shown {
  name: string;
  text?: string;
  error?: string;
}

export function RunLogs({ resource, id, runs }: { resource: string; id: string; runs: KindAbout['runs'] }) {
  const t = useComputingWords();
  const data = useDataProvider<AdminData>();
  const [search, setSearch] = useState('');
  const [asked, setAsked] = useState<Run>();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const mayRead = permissions?.has(logId(resource as AdminKindName)) ?? false;
  const [shown, setShown] = useState<Shown>();
  const nameOf = ({ number, worker }: Run) =>
    worker === undefined ? `${number}` : t('logs.ofWorker', { number, worker });
  const read = async (run: Run, reason: string) => {
    const { number, worker } = run;
    const query = new URLSearchParams({
      tail: `${LINES}`,
      ...(search.trim() !== '' && { search: search.trim() }),
      ...(worker !== undefined && { worker: `${worker}` }),
    });
    const headers = { 'X-Reason': encodeURIComponent(reason) };
    try {
      const answer = await data.fetch(`${resource}/${encodeURIComponent(id)}/runs/${number}/log?${query}`, { headers });
      setShown({ name: nameOf(run), text: await beginningOf(answer) });
    } catch (error) {
      setShown({ name: nameOf(run), error: sentenceOf(error) });
    }
  };
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Alert severity="info">{t('logs.audited')}</Alert>
      <Card sx={{ p: 2, display: 'grid', gap: 2 }}>
        <TextField
          size="small"
          label={t('logs.search')}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
          slotProps={{ htmlInput: { maxLength: 200 } }}
        />
        <RowsTable
          label={t('tabs.logs')}
          rows={runs}
          keyOf={({ number, worker }) => `${number}/${worker ?? ''}`}
          none={t('logs.none')}
          columns={[
            [t('logs.run'), nameOf],
            [t('logs.started'), ({ start_time }) => <TimeText time={start_time} />],
            [t('logs.ended'), ({ end_time }) => <TimeText time={end_time} />],
            [t('logs.how'), ({ exit_label }) => exit_label ?? '–'],
            [
              t('logs.read'),
              (run) => (
                <Button
                  size="small"
                  aria-label={`${t('logs.read')}: ${nameOf(run)}`}
                  disabled={!mayRead}
                  onClick={() => setAsked(run)}
                >
                  {t('logs.read')}
                </Button>
              ),
            ],
          ]}
        />
      </Card>
      {asked !== undefined && (
        <ReasonDialog
          title={`${t('logs.read')}: ${nameOf(asked)}`}
          confirmLabel={t('logs.read')}
          onConfirm={(reason) => read(asked, reason)}
          onClose={() => setAsked(undefined)}
        />
      )}
      {shown?.error !== undefined && <Alert severity="warning">{shown.error}</Alert>}
      {shown?.text !== undefined && (
        <Card sx={{ p: 2 }}>
          <TextBlock label={`${t('logs.run')} ${shown.name}: ${t('logs.lines', { count: LINES })}`}>
            {shown.text || t('logs.empty')}
          </TextBlock>
        </Card>
      )}
    </Box>
  );
}

async function beginningOf({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; bytes < MOST_BYTES; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return text;
}
