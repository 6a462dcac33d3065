import { expect, test } from '@jest/globals';
import { sshHost } from './ssh-config.ts';

test.each([
  ['ssh -J gantry@ssh.example:2222 root@dev.org-acme', 'ssh.example', '2222'],
  ['ssh -J gantry@192.0.2.7 root@dev.org-acme', '192.0.2.7', '22'],
])('%s goes through its door', (command, door, port) => {
  const host = sshHost(command, 'dev');
  expect(host?.vsCode).toBe('vscode://vscode-remote/ssh-remote+gantry-dev/root');
  expect(host?.file).toBe(`Host gantry-dev
  HostName dev.org-acme
  Port 22
  User root
  ProxyJump gantry-dev-door
  # IdentityFile ~/.ssh/id_ed25519

Host gantry-dev-door
  HostName ${door}
  Port ${port}
  User gantry
  # IdentityFile ~/.ssh/id_ed25519
`);
});

test.each(['', 'ssh -p 2222 dev@gpu.example', 'ssh -J gantry@door root@dev\nProxyCommand evil'])(
  'nothing is made of %j',
  (command) => expect(sshHost(command, 'dev')).toBeUndefined(),
);
