// What money was charged for, as a link where it has a page, over the id that its papers have.
import MuiLink from '@mui/material/Link';
import { Link } from 'react-router';
import { TwoLines } from '../../parts/two-lines.tsx';
import { objectPath } from './object-path.ts';

/** The id stands in for a name that nobody gave. */
export function ObjectLink({ reference, name }: { reference: string; name: string }) {
  const path = objectPath(reference);
  const id = reference.split('/').at(-1) || '–';
  const text = name || id;
  if (path === undefined) return <span>{text}</span>;
  const link = (
    <MuiLink component={Link} to={path} title={reference}>
      {text}
    </MuiLink>
  );
  return text === id ? link : <TwoLines first={link} second={id} title={text} />;
}
