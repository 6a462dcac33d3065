// Every route of the API, one area each. The gateway does not start while one is not served.
import { ACCOUNT_ROUTES } from './account.ts';
import { ADMIN_READS } from './admin.ts';
import { AUDIT_COMMANDS } from './admin-audit.ts';
import { BILLING_COMMANDS } from './admin-billing.ts';
import { COMPUTING_COMMANDS } from './admin-computing.ts';
import { DISCOUNT_COMMANDS } from './admin-discount.ts';
import { DOCTOR_COMMANDS } from './admin-doctor.ts';
import { ADMIN_EXPORTS } from './admin-exports.ts';
import { HOME_COMMANDS } from './admin-home.ts';
import { MODEL_COMMANDS } from './admin-models.ts';
import { CLUSTER_METRICS_ROUTES } from './admin-monitor.ts';
import { OPERATION_COMMANDS } from './admin-operation.ts';
import { PEOPLE_COMMANDS } from './admin-people.ts';
import { PORTAL_COMMANDS } from './admin-portal.ts';
import { PRICE_COMMANDS } from './admin-prices.ts';
import { ALERT_ROUTES } from './alerts.ts';
import { CATALOGUE_ROUTES, MOUNT_ROUTES } from './catalogue.ts';
import { CHAT_ROUTES } from './chats.ts';
import { COLLECTED_ROUTES } from './collected.ts';
import { COMPLETION_ROUTES } from './completions.ts';
import { DASHBOARD_ROUTES } from './dashboards.ts';
import type { RouteFacts } from './define-route.ts';
import { DOCUMENT_ROUTES } from './documents.ts';
import { FILE_ROUTES } from './files.ts';
import { IDLE_ROUTES } from './idle.ts';
import { KEY_ROUTES } from './keys.ts';
import { KIND_ROUTES_BY_ID } from './kind-routes.ts';
import { MESSAGE_ROUTES } from './messages.ts';
import { MODEL_ROUTES } from './models.ts';
import { MONITOR_ROUTES } from './monitor.ts';
import { ORGANIZATION_ROUTES } from './organization.ts';
import { PAYMENT_ROUTES, PAYMENT_STAFF_ROUTES } from './payments.ts';
import { PLATFORM_ROUTES } from './platform.ts';
import { PORTAL_ROUTES } from './portal.ts';
import { PRICE_ROUTES } from './prices.ts';
import { PUBLISHED_ROUTES } from './published.ts';
import { REAL_AUTH_ROUTES } from './real-auth.ts';
import { REGISTRY_ROUTES } from './registries.ts';
import { TERMINAL_ROUTES } from './terminal.ts';
import { VIEW_ROUTES } from './view-as-tenant.ts';
import { WALLET_ROUTES } from './wallet.ts';

export const ROUTES: Readonly<Record<string, RouteFacts>> = {
  ...PLATFORM_ROUTES,
  ...PORTAL_ROUTES,
  ...ACCOUNT_ROUTES,
  ...ORGANIZATION_ROUTES,
  ...IDLE_ROUTES,
  ...VIEW_ROUTES,
  ...KEY_ROUTES,
  ...REAL_AUTH_ROUTES,
  // Before the kinds' own: `{id}` would be `mount`.
  ...MOUNT_ROUTES,
  ...CATALOGUE_ROUTES,
  ...ALERT_ROUTES,
  ...KIND_ROUTES_BY_ID,
  ...MODEL_ROUTES,
  ...COMPLETION_ROUTES,
  ...CHAT_ROUTES,
  ...COLLECTED_ROUTES,
  ...MONITOR_ROUTES,
  ...DASHBOARD_ROUTES,
  ...MESSAGE_ROUTES,
  ...TERMINAL_ROUTES,
  ...PUBLISHED_ROUTES,
  ...FILE_ROUTES,
  ...REGISTRY_ROUTES,
  ...WALLET_ROUTES,
  ...DOCUMENT_ROUTES,
  ...PRICE_ROUTES,
  ...PAYMENT_ROUTES,
  ...ADMIN_READS,
  ...ADMIN_EXPORTS,
  ...HOME_COMMANDS,
  ...PEOPLE_COMMANDS,
  ...AUDIT_COMMANDS,
  ...BILLING_COMMANDS,
  ...COMPUTING_COMMANDS,
  ...OPERATION_COMMANDS,
  ...DOCTOR_COMMANDS,
  ...CLUSTER_METRICS_ROUTES,
  ...PORTAL_COMMANDS,
  ...MODEL_COMMANDS,
  ...PRICE_COMMANDS,
  ...DISCOUNT_COMMANDS,
  ...PAYMENT_STAFF_ROUTES,
};
