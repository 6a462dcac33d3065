// A real Prometheus of a test's own, from Debian's package: filled with samples before it starts, gone with the test.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from './command.ts';
import { eventually } from './eventually.ts';
import { freePorts } from './free-ports.ts';

const SECOND = 1_000;

export interface PrometheusServer {
  url: string;
  pid: number;
  end(): Promise<void>;
}

export interface StartedWith {
  /** OpenMetrics text with times, which it knows from the start. */
  samples?: string;
  /** In its own YAML, or as JSON: whom it scrapes, and its rules. */
  config?: object;
  /** Groups of rules. */
  rules?: object;
}

/** Ends with this process, however that ends. */
export async function startPrometheusServer({
  samples,
  config = {},
  rules,
}: StartedWith = {}): Promise<PrometheusServer> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-prometheus-'));
  const data = join(folder, 'data');
  if (samples !== undefined) {
    await writeFile(join(folder, 'samples'), samples);
    const args = ['tsdb', 'create-blocks-from', 'openmetrics', join(folder, 'samples'), data];
    const { code, stderr } = await runCommand('promtool', args, { cwd: folder });
    if (code !== 0) throw new Error(`promtool: ${stderr}`);
  }
  if (rules) await writeFile(join(folder, 'rules.yaml'), JSON.stringify(rules));
  const whole = { ...config, ...(rules && { rule_files: ['rules.yaml'] }) };
  await writeFile(join(folder, 'prometheus.yaml'), JSON.stringify(whole));
  const [port = 0] = await freePorts(1);
  const flags = [
    `--config.file=${join(folder, 'prometheus.yaml')}`,
    `--storage.tsdb.path=${data}`,
    '--storage.tsdb.retention.time=100y',
    `--web.listen-address=127.0.0.1:${port}`,
    '--log.level=error',
  ];
  const [file = '', ...args] = ['setpriv', '--pdeathsig=KILL', 'prometheus', ...flags];
  const server = spawn(file, args, { stdio: 'ignore', cwd: folder });
  const url = `http://127.0.0.1:${port}`;
  await eventually(
    'Prometheus is ready',
    async () => (await fetch(`${url}/-/ready`).catch(() => undefined))?.ok || undefined,
    60 * SECOND,
  );
  return {
    url,
    pid: server.pid ?? 0,
    async end() {
      if (server.exitCode === null && server.signalCode === null) {
        server.kill('SIGKILL');
        await once(server, 'exit');
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}
