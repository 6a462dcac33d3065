// The object of a charge, as a link if it has a page, above the id that documents use.
import MuiLink from '@mui/material/Link';
import { Link } from 'react-router';
import { objectPath } from '../../parts/object-path.ts';
import { TwoLines } from '../../parts/two-lines.tsx';

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
