// Runs a table of steps, each as early as its `after` allows; the first failure ends the whole.
import type { Layout } from './layout.ts';
import { say } from './say.ts';
import type { Install, Origin, Step } from './steps.ts';

export async function runSteps(
  cluster: Layout,
  { origin, install }: { readonly origin: Origin; readonly install: Install },
  steps: readonly Step[],
): Promise<void> {
  const runs = (step: Step) => step.origins.includes(origin) && (step.install ?? install) === install;
  const done = new Map<string, Promise<void>>();
  for (const step of steps) {
    const before = step.after.map((name) => {
      const earlier = done.get(name);
      if (!earlier) throw new Error(`step "${step.name}" stands before "${name}", which it needs`);
      return earlier;
    });
    done.set(step.name, runs(step) ? runStep(cluster, step, before) : Promise.resolve());
  }
  await Promise.all(done.values());
}

async function runStep(cluster: Layout, { name, up }: Step, before: readonly Promise<void>[]): Promise<void> {
  await Promise.all(before);
  const started = performance.now();
  try {
    await up(cluster);
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  say(name, started);
}
