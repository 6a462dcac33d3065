// The ports of kubelets, and the egress rules of a NetworkPolicy that keep them out of reach: a kubelet asks the API server whether a token
// may use a node, and honours no admission policy, so a right that only a policy narrows is a shell in every container there.

/** A kubelet's own, and the one that older ones serve without asking who calls. */
export const KUBELET_PORTS = [10250, 10255] as const;

/** Egress to any other port of anything, and to any port of a Pod. */
export const BEYOND_KUBELETS = [
  { to: [{ namespaceSelector: {} }] },
  {
    ports: [
      { protocol: 'TCP', port: 1, endPort: 10_249 },
      { protocol: 'TCP', port: 10_251, endPort: 10_254 },
      { protocol: 'TCP', port: 10_256, endPort: 65_535 },
      { protocol: 'UDP' },
    ],
  },
];
