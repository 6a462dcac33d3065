// Sources of others whose objects the chart makes where they are installed: their Go modules, which hold their
// CustomResourceDefinitions, too.
import { run } from '../../hack/run.ts';

interface Pin {
  /** With its version. */
  readonly module: string;
  /** As go.sum would have it: no module of ours needs them. */
  readonly sum: string;
}

const NEIGHBOURS = {
  gatewayApi: {
    module: 'sigs.k8s.io/gateway-api@v1.6.3',
    sum: 'h1:lKpJa5bGlraC/QeACvCpsHLdmO6y0iKfzVl6gzaFEYc=',
  },
  prometheusOperator: {
    module: 'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    sum: 'h1:M5xLCLEoaW2IJfnuCwFzzpL+jSVQu3KGT84Pye+fW8s=',
  },
  certManager: {
    module: 'github.com/cert-manager/cert-manager@v1.21.2',
    sum: 'h1:UWgoYM+KLNtRlqmoWOKjKBOBUPVHeepQ6/ac3ERJW68=',
  },
} as const satisfies Record<string, Pin>;

export type Neighbour = keyof typeof NEIGHBOURS;

/** Their folder, in Go's own cache: fetched once for a machine. Fails if they are not what is pinned. */
export async function sourcesOf(name: Neighbour): Promise<string> {
  const { module, sum } = NEIGHBOURS[name];
  const fetched = JSON.parse(await run('go', ['mod', 'download', '-json', module], { cwd: '/' }));
  if (fetched.Sum !== sum) throw new Error(`${module} has the sum ${fetched.Sum}, not ${sum}`);
  return fetched.Dir;
}
