// Snapshots, which computing lists, take up storage too.
import { ResourceContextProvider } from 'react-admin';
import { resourceOf } from '../../tables.ts';
import { List } from './objects.tsx';

export const SnapshotsTab = () => (
  <ResourceContextProvider value={resourceOf('snapshots')}>
    <List />
  </ResourceContextProvider>
);
