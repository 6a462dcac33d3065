// How OpenSSH and editors reach an instance by one short name, from the command that logs in.

const COMMAND = /^ssh -J ([\w.-]+)@([\w.:[\]-]+?)(?::(\d+))? ([\w-]+)@([\w.-]+)$/;

export interface SshHost {
  /** The name that the file gives the instance. */
  readonly alias: string;
  /** For ~/.ssh/config. */
  readonly file: string;
  /** Opens the home of the instance in VS Code, which looks up the name in that file. */
  readonly vsCode: string;
}

/** Undefined for a command of another shape. */
export function sshHost(command: string, id: string): SshHost | undefined {
  const parts = COMMAND.exec(command);
  if (!parts) return undefined;
  const [, doorUser = '', door = '', doorPort = '22', user = '', address = ''] = parts;
  const alias = `gantry-${id}`;
  const file = [
    `Host ${alias}`,
    `  HostName ${address}`,
    '  Port 22',
    `  User ${user}`,
    `  ProxyJump ${alias}-door`,
    '  # IdentityFile ~/.ssh/id_ed25519',
    '',
    `Host ${alias}-door`,
    `  HostName ${door}`,
    `  Port ${doorPort}`,
    `  User ${doorUser}`,
    '  # IdentityFile ~/.ssh/id_ed25519',
    '',
  ].join('\n');
  return { alias, file, vsCode: `vscode://vscode-remote/ssh-remote+${alias}/root` };
}
