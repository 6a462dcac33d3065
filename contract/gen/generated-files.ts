// What is generated, as text: path → content. The same facts give the same bytes.
import type { KindFacts } from '@gantry/contract/define-kind.ts';
import { ACCOUNT_ROUTES } from '@gantry/contract/http/account.ts';
import { ADMIN_RESOURCES } from '@gantry/contract/http/admin.ts';
import { ALERT_ROUTES } from '@gantry/contract/http/alerts.ts';
import { CATALOGUE_ROUTES, MOUNT_ROUTES } from '@gantry/contract/http/catalogue.ts';
import { CHAT_ROUTES } from '@gantry/contract/http/chats.ts';
import { COLLECTED_ROUTES } from '@gantry/contract/http/collected.ts';
import { COMPLETION_ROUTES } from '@gantry/contract/http/completions.ts';
import { DASHBOARD_ROUTES } from '@gantry/contract/http/dashboards.ts';
import { DOCUMENT_ROUTES } from '@gantry/contract/http/documents.ts';
import { FILE_ROUTES } from '@gantry/contract/http/files.ts';
import { IDLE_ROUTES } from '@gantry/contract/http/idle.ts';
import { KEY_ROUTES } from '@gantry/contract/http/keys.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import { MESSAGE_ROUTES } from '@gantry/contract/http/messages.ts';
import { MODEL_ROUTES } from '@gantry/contract/http/models.ts';
import { MONITOR_ROUTES } from '@gantry/contract/http/monitor.ts';
import { ORGANIZATION_ROUTES } from '@gantry/contract/http/organization.ts';
import { PAYMENT_ROUTES } from '@gantry/contract/http/payments.ts';
import { PLATFORM_ROUTES } from '@gantry/contract/http/platform.ts';
import { PORTAL_ROUTES } from '@gantry/contract/http/portal.ts';
import { PRICE_ROUTES } from '@gantry/contract/http/prices.ts';
import { PUBLISHED_ROUTES } from '@gantry/contract/http/published.ts';
import { REAL_AUTH_ROUTES } from '@gantry/contract/http/real-auth.ts';
import { REGISTRY_ROUTES } from '@gantry/contract/http/registries.ts';
import { TERMINAL_ROUTES } from '@gantry/contract/http/terminal.ts';
import { VIEW_ROUTES } from '@gantry/contract/http/view-as-tenant.ts';
import { WALLET_ROUTES } from '@gantry/contract/http/wallet.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { stringify } from 'yaml';
import { adminTablesFile } from './admin-tables.ts';
import { callsFile } from './calls.ts';
import { chartFiles } from './chart/chart-files.ts';
import { checkNames } from './check-names.ts';
import { checkSchema } from './check-schema.ts';
import { crdOf, schemaOf } from './crd.ts';
import { innerGoFile } from './inner-go.ts';
import { installedPoliciesFile } from './installed-policies.ts';
import { platformObjects } from './platform.ts';
import { policyObjects } from './policies.ts';
import { backupObjects, installCrdsObjects, rbacObjects } from './rbac.ts';

/** By the names of their files. What staff alone call is not here. */
const ROUTE_AREAS = {
  account: { ACCOUNT_ROUTES },
  catalogue: { CATALOGUE_ROUTES, MOUNT_ROUTES },
  chats: { CHAT_ROUTES },
  collected: { COLLECTED_ROUTES },
  completions: { COMPLETION_ROUTES },
  dashboards: { DASHBOARD_ROUTES },
  documents: { DOCUMENT_ROUTES },
  files: { FILE_ROUTES },
  alerts: { ALERT_ROUTES },
  idle: { IDLE_ROUTES },
  monitor: { MONITOR_ROUTES },
  registries: { REGISTRY_ROUTES },
  keys: { KEY_ROUTES },
  messages: { MESSAGE_ROUTES },
  models: { MODEL_ROUTES },
  organization: { ORGANIZATION_ROUTES },
  payments: { PAYMENT_ROUTES },
  platform: { PLATFORM_ROUTES },
  portal: { PORTAL_ROUTES },
  prices: { PRICE_ROUTES },
  'real-auth': { REAL_AUTH_ROUTES },
  published: { PUBLISHED_ROUTES },
  terminal: { TERMINAL_ROUTES },
  'view-as-tenant': { VIEW_ROUTES },
  wallet: { WALLET_ROUTES },
};

/** Every generated file. Throws, naming kind and field, where a fact would not survive on an API server. */
export function generatedFiles(kinds: readonly KindFacts[] = Object.values(KINDS)): Record<string, string> {
  checkNames(kinds);
  for (const facts of kinds) checkSchema(facts, schemaOf(facts));
  const crds = Object.fromEntries(kinds.map((facts) => [`crds/${facts.plural}.yaml`, [crdOf(facts)]]));
  const platform = {
    // Numbered, because `kubectl apply -f crds/platform` goes by name and accounts need their namespace.
    'crds/platform/1-platform.yaml': platformObjects(),
    'crds/platform/2-rbac.yaml': rbacObjects(kinds),
    'crds/platform/3-policies.yaml': policyObjects(kinds),
  };
  const backup = backupObjects(kinds);
  const objects: Record<string, readonly object[]> = {
    ...crds,
    ...platform,
    'crds/install-crds/rbac.yaml': installCrdsObjects(kinds),
    'crds/backup/rbac.yaml': backup,
  };
  const written = Object.fromEntries(Object.entries(objects).map(([file, all]) => [file, yaml(all)]));
  return {
    ...written,
    ...chartFiles({ crds: Object.values(crds).flat(), platform: Object.values(platform).flat(), backup }),
    'contract/src/http/calls.ts': callsFile(ROUTE_AREAS, KINDS, KIND_ROUTES),
    'contract/src/http/admin-tables.ts': adminTablesFile(ADMIN_RESOURCES),
    'agent/imagesize/inner_addresses.go': innerGoFile('imagesize'),
    'contract/src/installed-policies.ts': installedPoliciesFile(policyObjects(kinds)),
  };
}

// YAML 1.1 is what kubectl reads: a bare `On` would be a boolean to it.
const yaml = (documents: readonly object[]): string =>
  `# Generated by make gen. Do not edit.\n${documents
    .map((document) => stringify(document, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false }))
    .join('---\n')}`;
