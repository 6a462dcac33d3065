// The operators' menu "dataset": every dataset of the installation, which of them are shown to everybody, and what each organisation
// stores.
import * as z from 'zod';
import { plainText } from '../../fields/plain-text.ts';
import { oneOf, q, time } from '../../http/admin-resource.ts';
import { defineRoute } from '../../http/define-route.ts';
import { DATASET_TYPES } from './dataset-facets.ts';
import { DATASET_FORMATS, DATASET_STATES } from './datasets.ts';

const reason = plainText(1000).meta({ description: 'Why: the audit log keeps it.' });
const count = z.int().min(0);

export const DATASET_RESOURCES = {
  datasets: {
    menu: 'dataset',
    one: 'dataset',
    row: z.object({
      id: z.string(),
      name: z.string(),
      organization_id: z.string(),
      organization_name: z.string(),
      type: z.enum(DATASET_TYPES),
      state: z.enum(DATASET_STATES),
      shelved: z.boolean(),
      /** Its organisation is one that staff of the catalogue own, and nothing in it was collected. */
      can_shelve: z.boolean(),
      license: z.string().nullable(),
      format: z.enum(DATASET_FORMATS).nullable(),
      rows: count.nullable(),
      latest_version: z.int().nullable().meta({ description: 'The number of the newest version that is ready.' }),
      version_count: count,
      size_bytes: count,
      downloads: count,
      shelved_at: time.nullable(),
      shelved_by: z.string().nullable(),
      created_at: time,
      updated_at: time,
    }),
    columns: [
      ...['name', 'organization_id', 'type', 'state', 'shelved', 'format', 'rows', 'size_bytes', 'downloads'],
      'updated_at',
    ],
    order: ['updated_at', 'DESC'],
    references: { organization_id: 'organizations', shelved_by: 'users' },
    sort: ['id', 'name', 'organization_id', 'type', 'license', 'downloads', 'shelved_at', 'created_at', 'updated_at'],
    filter: {
      ...q,
      organization_id: oneOf(z.string().max(63)),
      type: oneOf(z.enum(DATASET_TYPES)),
      shelved: z.boolean().optional(),
      can_shelve: z.boolean().optional(),
    },
  },
  'dataset-usage': {
    menu: 'dataset',
    one: "organisation's datasets",
    row: z.object({
      /** The organisation. */
      id: z.string(),
      organization_name: z.string(),
      datasets: count,
      versions: count.meta({ description: 'Ready ones.' }),
      size_bytes: count.meta({ description: 'Of ready versions; equal files once.' }),
    }),
    columns: ['organization_name', 'datasets', 'versions', 'size_bytes'],
    order: ['id', 'ASC'],
    references: { id: 'organizations' },
    sort: ['id', 'organization_name'],
    filter: q,
  },
} as const;

const tag = 'admin';
const command = {
  method: 'POST',
  tag,
  access: { platform: 'dataset' },
  params: z.object({ id: z.string().min(1).max(200) }),
  body: z.strictObject({ reason }),
  answer: { raw: DATASET_RESOURCES.datasets.row },
} as const;

export const DATASET_COMMANDS = {
  adminShelveDataset: defineRoute({
    ...command,
    id: 'adminShelveDataset',
    path: '/admin/datasets/{id}/shelve',
    summary: 'Shows a dataset to every organisation. It belongs to an organisation that staff own.',
    problems: ['dataset_abnormal', 'dataset_of_tenant', 'dataset_of_collected'],
  }),
  adminUnshelveDataset: defineRoute({
    ...command,
    id: 'adminUnshelveDataset',
    path: '/admin/datasets/{id}/unshelve',
    summary: 'Shows a dataset to its own organisation alone again.',
    problems: ['dataset_abnormal'],
  }),
};
