// Prometheus, by the options that say where it is and how it knows us.
import { BadConfig } from '@gantry/kube/options.ts';
import type { Config } from '../config.ts';
import { Prometheus } from './prometheus.ts';

export type PrometheusConfig = Pick<
  Config,
  'prometheusUrl' | 'prometheusTokenFile' | 'prometheusCaFile' | 'prometheusCertFile' | 'prometheusKeyFile'
>;

/** Undefined where none is set. Throws BadConfig. */
export function openPrometheus(config: PrometheusConfig): Prometheus | undefined {
  const { prometheusUrl: url, prometheusTokenFile: tokenFile } = config;
  const { prometheusCaFile: caFile, prometheusCertFile: certFile, prometheusKeyFile: keyFile } = config;
  if (url === '') return undefined;
  try {
    return new Prometheus({ url, tokenFile, caFile, certFile, keyFile });
  } catch (error) {
    throw new BadConfig(
      `--prometheus-ca-file, --prometheus-cert-file, --prometheus-key-file: ${(error as Error).message}`,
    );
  }
}
