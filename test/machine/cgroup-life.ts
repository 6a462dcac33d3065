// Run inside a Debian machine: the life of a real node's cgroup, with a Pod's below it, as the kubelet makes one. Prints what it saw.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { makeCgroup, removeCgroup } from '../../hack/cgroups.ts';

const ROOT = '/life-node-1';
const node = `/sys/fs/cgroup${ROOT}`;
const pod = `${node}/kubepods/pod1`;
const handedDown = async (folder: string) =>
  (await readFile(`${folder}/cgroup.subtree_control`, 'utf8')).trim().split(' ');

await makeCgroup(ROOT);
// A second `up`.
await makeCgroup(ROOT);
await mkdir(pod, { recursive: true });
await writeFile(`${node}/kubepods/cgroup.subtree_control`, '+memory +pids +cpu');
await writeFile(`${pod}/pids.max`, '8');
await writeFile(`${pod}/memory.max`, `${64 * 2 ** 20}`);

const inPod = async (command: string) => {
  const child = spawn('/bin/sh', ['-c', `echo $$ > ${pod}/cgroup.procs && ${command}`], { stdio: 'ignore' });
  const [code, signal] = await once(child, 'exit');
  return { code, signal };
};
const many = 'for n in 1 2 3 4 5 6 7 8 9; do sleep 600 & done';
const forked = await inPod(many);
const asleep = (await readFile(`${pod}/cgroup.procs`, 'utf8')).trim().split('\n').length;
await writeFile(`${pod}/pids.max`, 'max');
const modest = await inPod('exec dd if=/dev/zero of=/dev/null bs=16M count=1');
const greedy = await inPod('exec dd if=/dev/zero of=/dev/null bs=256M count=1');
await removeCgroup(ROOT);
// A down without an up.
await removeCgroup(ROOT);

console.log(
  JSON.stringify({
    handedDown: (await handedDown('/sys/fs/cgroup')).filter((name) => ['cpu', 'memory', 'pids'].includes(name)).sort(),
    forked: forked.code,
    asleep,
    modest: modest.code,
    greedy: greedy.signal,
    isLeft: existsSync(node),
  }),
);
