// What the status page is about, for browsers, which load no schemas.

/** Payments are named by incidents alone: a check of them would reach a provider outside. */
export const STATUS_COMPONENTS = [
  'gateway',
  'console',
  'cluster',
  'operator',
  'models',
  'storage',
  'registry',
  'ssh',
  'mail',
  'payments',
] as const;
export type StatusComponent = (typeof STATUS_COMPONENTS)[number];
export const INCIDENT_STATES = ['investigating', 'identified', 'monitoring', 'resolved'] as const;
export type IncidentState = (typeof INCIDENT_STATES)[number];
