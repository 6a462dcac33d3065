// What a subject is called, with the way to its deployment while that is there.
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { useDeploymentLink, useSubjectName } from './use-deployments.ts';

type Subject = Parameters<ReturnType<typeof useSubjectName>>[0];

export function SubjectName({ subject }: { subject: Subject }) {
  const nameOf = useSubjectName();
  const to = useDeploymentLink(subject.deployment ?? null);
  const name = nameOf(subject);
  if (to === undefined) return name;
  return (
    <Link component={RouterLink} to={to}>
      {name}
    </Link>
  );
}
