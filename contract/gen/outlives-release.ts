/** Annotations of what stays when a release of Helm's goes: with the kinds, tenants' objects would go. */
export const OUTLIVES_RELEASE = { 'helm.sh/resource-policy': 'keep' } as const;
