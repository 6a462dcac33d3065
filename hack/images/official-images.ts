// The contents of a bare-machine cluster's images.
import { readFile } from 'node:fs/promises';
import { run } from '../run.ts';
import type { ImageSpec } from './image-archive.ts';

/** An image of a single static binary. */
export async function binaryImage(file: string, name: string): Promise<ImageSpec> {
  return { files: [{ path: name, content: await readFile(file), mode: 0o755 }], entrypoint: [`/${name}`] };
}

/** The SSH door: one program, and nothing beside it that a client could be led to. */
export async function sshDoorImage(nodeAgent: string): Promise<ImageSpec> {
  return { ...(await binaryImage(nodeAgent, 'node-agent')), entrypoint: ['/node-agent', 'door'] };
}

/** The agent, and whom it believes when it asks a registry how large an image is. */
export async function agentImageSpec(file: string): Promise<ImageSpec> {
  const { files, ...rest } = await binaryImage(file, 'agent');
  const authorities = 'etc/ssl/certs/ca-certificates.crt';
  return {
    files: [
      ...files,
      ...['etc', 'etc/ssl', 'etc/ssl/certs'].map((path) => ({ path, directory: true }) as const),
      { path: authorities, content: await readFile(`/${authorities}`) },
    ],
    ...rest,
  };
}

/** Debian's busybox-static with a link for each applet: a small image with a shell, whose command ends at once. */
export async function busyboxImage(): Promise<ImageSpec> {
  const busybox = '/bin/busybox';
  const applets = (await run(busybox, ['--list'])).trim().split('\n');
  return {
    files: [
      ...['bin', 'etc', 'home', 'usr', 'usr/bin', 'var'].map((path) => ({ path, directory: true }) as const),
      { path: 'root', directory: true, mode: 0o700 },
      { path: 'tmp', directory: true, mode: 0o1777 },
      { path: 'bin/busybox', content: await readFile(busybox), mode: 0o755 },
      ...applets.filter((applet) => applet !== 'busybox').map((applet) => ({ path: `bin/${applet}`, link: 'busybox' })),
      // The path at which scripts look for it.
      { path: 'usr/bin/env', link: '../../bin/env' },
      { path: 'etc/passwd', content: 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/home:/bin/false\n' },
      { path: 'etc/group', content: 'root:x:0:\nnogroup:x:65534:\n' },
    ],
    cmd: ['sh'],
  };
}
