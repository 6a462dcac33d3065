// Every container that the operator makes, of tenants and of our own, gets at no device of its node besides the GPUs that it asked
// Kubernetes for (contract/src/gpu-access.ts). `defineController` lets every plan through here, so that no kind can forget it.
import { closedVariables, DEVICE_VARIABLE, type DeviceList } from '@gantry/contract/gpu-access.ts';
import { GPU_RESOURCE } from '@gantry/contract/names.ts';

interface Container {
  env?: readonly { name: string }[];
  resources?: { limits?: Readonly<Record<string, unknown>> };
}

const OPENS = new RegExp(DEVICE_VARIABLE);

function closedContainer(by: DeviceList) {
  return (container: Container): Container => {
    const { env = [], resources } = container;
    const others = env.filter(({ name }) => !OPENS.test(name));
    return { ...container, env: [...others, ...closedVariables(resources?.limits?.[GPU_RESOURCE] !== undefined, by)] };
  };
}

/** The fields within which an object or a patch describes Pods: a Pod's own spec, and the templates that make Pods. */
const WITHIN: readonly string[] = ['spec', 'template', 'leaderWorkerTemplate', 'leaderTemplate', 'workerTemplate'];
const CONTAINERS: readonly string[] = ['containers', 'initContainers'];

/** The same object, its containers closed. */
export function closed<T extends object>(of: T, by: DeviceList): T {
  const parts: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(of)) {
    if (CONTAINERS.includes(key) && Array.isArray(value)) parts[key] = value.map(closedContainer(by));
    else if (WITHIN.includes(key) && typeof value === 'object' && value !== null) parts[key] = closed(value, by);
  }
  return Object.keys(parts).length > 0 ? { ...of, ...parts } : of;
}
