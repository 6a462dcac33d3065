// A subject at the head of its column: the deployment, and the model with its version that it served then.
import type { EvaluationScoresView } from '@gantry/contract/areas/evaluation/evaluation.ts';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router';
import { modelPath } from '../../parts/store-paths.ts';
import { SubjectName } from './subject-name.tsx';

type Subject = Pick<EvaluationScoresView['subjects'][number], 'deployment' | 'adapter' | 'model' | 'name' | 'version'>;

interface SubjectHeadProps {
  subject: Subject;
  /** Below: what it is among the others. */
  children?: ReactNode;
}

export function SubjectHead({ subject, children }: SubjectHeadProps) {
  const { model, name, version } = subject;
  return (
    <>
      <SubjectName subject={subject} />
      <Typography variant="caption" color="text.secondary" component="div">
        <Link component={RouterLink} to={modelPath(model)} color="inherit">
          {name}
        </Link>
        {` ${version}`}
      </Typography>
      {children}
    </>
  );
}
