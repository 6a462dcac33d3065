// By what each subject was served. Where that differs, results may differ by it, and the table says where.
import { type EvaluationScoresView, STAMP_PARTS } from '@gantry/contract/areas/evaluation/evaluation.ts';
import { gpuName } from '@gantry/contract/gpu-name.ts';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import Alert from '@mui/material/Alert';
import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import { RowHead, type ScoreColumn, SideBySide } from './score-table.tsx';
import { useEvaluationWords } from './use-evaluation-words.ts';

type Subject = EvaluationScoresView['subjects'][number];
type Part = (typeof STAMP_PARTS)[number];

interface StampTableProps {
  columns: readonly ScoreColumn[];
  /** One of each column. */
  subjects: readonly Pick<Subject, 'stamp' | 'differs'>[];
}

export function StampTable({ columns, subjects }: StampTableProps) {
  const t = useEvaluationWords();
  const differing = STAMP_PARTS.filter((part) => subjects.some(({ differs }) => differs.includes(part)));
  return (
    <>
      {differing.length > 0 && (
        <Alert severity="warning" sx={{ mb: 2 }}>
          {t('stamps.differ', { parts: differing.map((part) => t(`stamps.parts.${part}`)).join(', ') })}
        </Alert>
      )}
      <SideBySide label={t('stamps.title')} corner={t('stamps.part')} columns={columns}>
        {STAMP_PARTS.map((part) => (
          <TableRow key={part}>
            <RowHead>{t(`stamps.parts.${part}`)}</RowHead>
            {subjects.map(({ stamp, differs }, at) => (
              <TableCell key={columns[at]?.key} sx={{ verticalAlign: 'top', overflowWrap: 'anywhere' }}>
                <StampPart part={part} stamp={stamp} />
                {differs.includes(part) && (
                  <div>
                    <PhaseChip label={t('stamps.differs')} tone="warning" message={t('stamps.differsHint')} />
                  </div>
                )}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </SideBySide>
    </>
  );
}

const DIGITS = 12;
const DIGEST = /^(.*sha256:)?([0-9a-f]{64})$/;

function StampPart({ part, stamp }: { part: Part; stamp: Subject['stamp'] }) {
  const t = useEvaluationWords();
  if (part === 'gpu')
    return <span>{stamp.gpu ? `${stamp.gpu.count} × ${gpuName(stamp.gpu.model)}` : t('stamps.noGpu')}</span>;
  const value = stamp[part];
  if (value === null) return <span>{t(part === 'template_hash' ? 'stamps.noTemplate' : 'stamps.unknown')}</span>;
  // All of a digest is in its title.
  const [, before = '', digest] = DIGEST.exec(`${value}`) ?? [];
  return digest === undefined ? (
    <span>{value}</span>
  ) : (
    <span title={`${value}`}>{`${before}${digest.slice(0, DIGITS)}…`}</span>
  );
}
