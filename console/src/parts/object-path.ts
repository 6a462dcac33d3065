// The path of an object's page.
const PATHS: Readonly<Record<string, string>> = {
  GpuInstance: '/develop/instance/',
  Job: '/deploy/job/',
  ContainerService: '/deploy/service/',
  ModelDeployment: '/model/deployment/',
  DataDisk: '/gpu/storage/',
  DataProcess: '/data/processing/',
  FineTune: '/model/finetune/',
  Evaluation: '/model/evaluation/',
  GpuHost: '/gpu/nodes/',
};

/** From `GpuInstance/ins-…`; undefined for objects without a page. */
export function objectPath(reference: string): string | undefined {
  const [kind = '', name = ''] = reference.split('/');
  const path = Object.hasOwn(PATHS, kind) ? PATHS[kind] : undefined;
  return path !== undefined && name !== '' ? `${path}${encodeURIComponent(name)}` : undefined;
}
