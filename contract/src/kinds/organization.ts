// A tenant: one namespace `org-<id>` with its quota, limits, network shape, members and roles.
import * as z from 'zod';
import { endsWhatRuns } from '../billing/credit.ts';
import { cel, commonStatus, defineKind, type ObjectOf, type PhaseOf, type ReasonOf } from '../define-kind.ts';
import { dateTime } from '../fields/date-time.ts';
import { objectName } from '../fields/name.ts';
import { plainLinesRule, plainTextRule } from '../fields/plain-text.ts';
import { specDateTime } from '../fields/spec-date-time.ts';
import { ORG_ROLES } from '../roles.ts';
import { type Said, said } from '../said.ts';
import * as en from '../words/en/organization.ts';
import * as ja from '../words/ja/organization.ts';
import { kindWords } from '../words/join.ts';
import * as zh from '../words/zh/organization.ts';

const words = kindWords('Organization', { en, zh, ja });

/** A request for the data server holds for a day at most: a forgotten one would stay forever, outside anybody's quota. */
export const MOST_DATA_HOURS = 24;

const spec = z
  .object({
    displayName: z
      .string()
      .min(1)
      .max(63)
      .optional()
      .meta({ description: 'The name people see.', ...plainTextRule }),
    description: z
      .string()
      .max(1024)
      .optional()
      .describe('What the organisation is about, in a few words.')
      .meta(plainLinesRule),
    members: z
      .array(
        z
          .object({
            account: objectName.max(40).describe('The name of the account.'),
            role: z.enum(ORG_ROLES).describe('What the account may do in the organisation.'),
          })
          .meta(cel(["self.account != 'default'", words.rules.accountTaken])),
      )
      .max(1000)
      .optional()
      .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['account'] })
      .describe(
        'The accounts that belong to the organisation. Each has a ServiceAccount of its name in the namespace.',
      ),
    quota: z
      .object({
        gpus: z
          .int()
          .min(0)
          .max(100_000)
          .default(8)
          .describe('How many GPUs all instances together may have, and how many all rented hosts together.'),
        cores: z
          .int()
          .min(0)
          .max(1_000_000)
          .default(128)
          .describe('How many CPU cores all instances together may have.'),
        memoryGi: z
          .int()
          .min(0)
          .max(10_000_000)
          .default(1024)
          .describe('How much memory all instances together may have, in GiB.'),
        storageGi: z
          .int()
          .min(0)
          .max(10_000_000)
          .default(10_240)
          .describe('How large all disks, homes and saved snapshots together may be, in GiB.'),
        modelsGi: z
          .int()
          .min(0)
          .max(10_000_000)
          .default(1024)
          .describe('How large the files of all models and datasets together may be, in GiB. Equal files count once.'),
        instances: z.int().min(0).max(100_000).default(100).describe('How many instances may exist, running or not.'),
        disks: z.int().min(0).max(100_000).default(1000).describe('How many data disks may exist.'),
        hosts: z.int().min(0).max(100_000).default(100).describe('How many hosts may exist.'),
        jobs: z.int().min(0).max(100_000).default(2000).describe('How many jobs may exist, ended or not.'),
        services: z.int().min(0).max(10_000).default(100).describe('How many services may exist, running or not.'),
      })
      .default({
        gpus: 8,
        cores: 128,
        memoryGi: 1024,
        storageGi: 10_240,
        modelsGi: 1024,
        instances: 100,
        disks: 1000,
        hosts: 100,
        jobs: 2000,
        services: 100,
      })
      .meta({ description: 'Upper limits on what the organisation may hold at the same time.' }),
    data: z
      .object({
        until: specDateTime.describe('When the data server ends, such as 2027-01-31T12:00:00Z; at most a day ahead.'),
      })
      .optional()
      .meta({
        description: 'Asks for the server that reads the datasets of the organisation. The platform writes it.',
      }),
  })
  .describe('What is wanted of the organisation.');

const status = z
  .object({
    ...commonStatus,
    namespace: z.string().max(63).optional().describe('The namespace that holds all objects of the organisation.'),
    probedAt: dateTime.optional().meta({ description: 'When the isolation of the network was last tested.' }),
    data: z
      .object({
        address: z.string().max(253).describe('The address of the data server, as host:port.'),
        readyAt: dateTime.optional().describe('When the data server first answered.'),
      })
      .optional()
      .meta({ description: 'The server that reads the datasets of the organisation, once it answers.' }),
  })
  .describe('What is known of the organisation. The platform writes it.');

const phases = {
  deleting: { tone: 'progress' },
  failed: { tone: 'bad' },
  preparing: { tone: 'progress' },
  ready: { tone: 'good' },
} as const;

export const organization = defineKind({
  kind: 'Organization',
  plural: 'organizations',
  shortNames: ['gorg'],
  scope: 'Cluster',
  tenants: 'read',
  idPrefix: 'org',
  collection: 'auth/v1/organization',
  words,
  spec,
  status,
  rules: [
    {
      rule: "self.metadata.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$') && size(self.metadata.name) <= 50",
      words: words.rules.name,
    },
  ],
  columns: [
    { name: 'Phase', jsonPath: '.status.phase' },
    { name: 'Namespace', jsonPath: '.status.namespace' },
    { name: 'Isolated', jsonPath: '.status.conditions[?(@.type=="NetworkIsolated")].status' },
    { name: 'In credit', jsonPath: '.status.conditions[?(@.type=="InCredit")].status' },
    { name: 'Age', jsonPath: '.metadata.creationTimestamp', type: 'date' },
  ],
  phases,
  actions: {},
  phaseInView: (object) =>
    object.metadata.deletionTimestamp ? 'deleting' : ((object as Organization).status?.phase ?? 'preparing'),
  touches: ['getMyOrganization'],
});

/** The rest of a longer text says no more. */
const MOST_DETAIL = 1000;

/** Why nothing that costs may be begun in it, in billing's words; undefined: it may. Billing that says nothing closes nothing. */
export function closedBecause({ status }: Pick<Organization, 'status'>): Said | undefined {
  const inCredit = status?.conditions?.find(({ type }) => type === 'InCredit');
  if (inCredit?.status !== 'False') return undefined;
  const { reason, message = '', args = {} } = inCredit;
  const why = endsWhatRuns(reason) ? (reason as 'OutOfCredit' | 'SpendCapReached') : 'OutOfCredit';
  return said(words.reasons[why], { detail: { message: message.slice(0, MOST_DETAIL) || '–', args } });
}

export type Organization = ObjectOf<{ spec: typeof spec; status: typeof status }>;
export type OrganizationStatus = NonNullable<Organization['status']>;
export type OrganizationPhase = PhaseOf<typeof words>;
export type OrganizationReason = ReasonOf<typeof words>;
