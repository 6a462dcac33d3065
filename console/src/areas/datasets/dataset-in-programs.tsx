// How programs read a dataset: its newest table as JSON Lines, or its files where there is no table.
import type { DatasetDetailView } from '@gantry/contract/areas/datasets/datasets.ts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { CodeBlocks } from '../../parts/code-blocks.tsx';
import type { CodeSample } from '../../parts/code-samples.ts';
import { Section } from '../../parts/section.tsx';
import { useDatasetWords } from './use-dataset-words.ts';

export function DatasetInPrograms({ dataset }: { dataset: DatasetDetailView }) {
  const t = useDatasetWords();
  const { id, latest, managers_only: managersOnly } = dataset;
  if (!latest) return null;
  const version = `${location.origin}/api/data/v1/data/dataset/${id}/version/${latest.version}`;
  const samples =
    latest.profile?.state === 'ready' ? ofTable(`${version}/table?format=jsonl`) : ofFiles(`${version}/archive`);
  return (
    <Section title={t('programs.title')}>
      <Box sx={{ display: 'grid', gap: 2 }}>
        <Typography color="text.secondary">{t(managersOnly ? 'programs.leadManagers' : 'programs.lead')}</Typography>
        <CodeBlocks samples={samples} />
        {latest.knowledge && (
          <>
            <Typography color="text.secondary">{t('programs.leadSearch')}</Typography>
            <CodeBlocks samples={ofKnowledge(`${location.origin}/v1/knowledge/${id}/search`)} />
          </>
        )}
      </Box>
    </Section>
  );
}

const curl = (url: string): string => `curl -f -H "Authorization: Bearer $GANTRY_TOKEN" \\
  "${url}"`;

const ofTable = (url: string): readonly CodeSample[] => [
  { name: 'curl', code: `${curl(url)} \\\n  -o rows.jsonl` },
  {
    name: 'Python',
    code: `import json, os
from urllib.request import Request, urlopen

request = Request("${url}",
                  headers={"Authorization": "Bearer " + os.environ["GANTRY_TOKEN"]})
rows = [json.loads(line) for line in urlopen(request)]
print(len(rows))`,
  },
];

const ofFiles = (url: string): readonly CodeSample[] => [{ name: 'curl', code: `${curl(url)} | tar -x` }];

const ofKnowledge = (url: string): readonly CodeSample[] => [
  {
    name: 'curl',
    code: `curl -f -H "Authorization: Bearer $GANTRY_TOKEN" -H "Content-Type: application/json" \\
  -d '{"query": "…", "k": 5}' "${url}"`,
  },
];
