// A model: what it is, whose it is, and whether the library shows it.
import { ShelvedShow } from '../../parts/shelf.tsx';

const FIELDS = [
  'name',
  'id',
  'organization_id',
  'state',
  'shelved',
  'shelved_at',
  'shelved_by',
  'license',
  'structure',
  'parameters',
  'quantisation',
  'latest_version',
  'version_count',
  'size_bytes',
  'downloads',
  'created_at',
  'updated_at',
];

export const Show = () => <ShelvedShow name="models" fields={FIELDS} />;
