// The GPUs of a cluster that has none, and what each would measure: a stand-in for NVIDIA's DCGM exporter. Pure. A card is busy while
// a Pod holds it; a command or a test makes it hot, idle or faulty.
import { createHash } from 'node:crypto';

export interface Holder {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly gpus: number;
}

export interface GpuNode {
  readonly name: string;
  readonly product: string;
  readonly memoryMi: number;
  readonly count: number;
  /** Oldest first: whoever came first has the first cards. */
  readonly holders: readonly Holder[];
}

/** The state that a command gave a card. */
export interface Fault {
  readonly hot?: boolean;
  /** It does nothing, whoever holds it. */
  readonly idle?: boolean;
  /** NVIDIA's number of the last error. */
  readonly xid?: number;
  /** Rows with errors that could not be corrected. */
  readonly ecc?: number;
}

/** Or a MIG instance of one: they share its number and its UUID. */
export interface Card {
  readonly node: string;
  readonly index: number;
  readonly uuid: string;
  readonly mig: { readonly id: number; readonly profile: string } | undefined;
  readonly product: string;
  readonly memoryMi: number;
  readonly holder: Holder | undefined;
}

/** How a node calls its product where all of its cards are divided alike, and each instance counts as a GPU. */
const MIG_PRODUCT = /^(?<product>.+)-MIG-(?<profile>(?<slices>[1-7])g\..+)$/;
/** The slices of one card. */
const SLICES = 7;

/** Cards keep their holders over the looks: `before` says who had which. */
export function cardsOf(nodes: readonly GpuNode[], before: ReadonlyMap<string, string>): Card[] {
  return nodes.flatMap((node) => {
    const parts = partsOf(node).map((part) => ({ ...part, place: placeOf(part) }));
    const held = new Map<string, Holder>();
    for (const holder of node.holders) {
      const free = parts.map(({ place }) => place).filter((place) => !held.has(place));
      const kept = free.filter((place) => before.get(place) === keyOf(holder));
      const nobodys = free.filter((place) => !node.holders.some((one) => keyOf(one) === before.get(place)));
      for (const place of [...kept, ...nobodys].slice(0, holder.gpus)) held.set(place, holder);
    }
    return parts.map(({ place, ...part }) => ({ ...part, holder: held.get(place) }));
  });
}

function partsOf({ name, product: called, memoryMi, count }: GpuNode): Omit<Card, 'holder'>[] {
  const { product = called, profile, slices } = MIG_PRODUCT.exec(called)?.groups ?? {};
  const ofEach = profile === undefined ? 1 : Math.floor(SLICES / Number(slices));
  return Array.from({ length: count }, (_, at) => {
    const index = Math.floor(at / ofEach);
    const mig = profile === undefined ? undefined : { id: 1 + (at % ofEach), profile };
    return { node: name, index, uuid: uuidOf(name, index), mig, product, memoryMi };
  });
}

const placeOf = ({ uuid, mig }: Pick<Card, 'uuid' | 'mig'>): string => `${uuid}/${mig?.id ?? ''}`;

export const holdersOf = (cards: readonly Card[]): Map<string, string> =>
  new Map(cards.flatMap((card) => (card.holder ? [[placeOf(card), keyOf(card.holder)]] : [])));

/** One measurement of a card. Rates are per second, and counted up by whoever asks repeatedly. */
export interface Measured {
  readonly gauges: Readonly<Record<string, number>>;
  readonly rates: Readonly<Record<string, number>>;
  readonly counts: Readonly<Record<string, number>>;
}

const PERIOD_S = 300;
const MEAN_UTIL = 78;
const SWING = 17;
/** Between the slowdown of an H100 at 89 and its shutdown at 95. */
const HOT_C = 93;
/** How much warmer the memory of an H100 is, idle or not. */
const MEMORY_WARMER_C = 7;
/** MiB that the driver keeps of a whole card: neither used nor free. */
const RESERVED_MI = 480;
/** Instances of one card do not swing alike. */
const APART = 0.37;

const IDLE = { smMhz: 210, memMhz: 405 };
/** Watts at full load, and clocks in MHz, by a part of the product's name. NVML said those of an H100, which never slows its memory. */
const MODELS = [
  { named: 'H100', watts: 700, smMhz: 1_980, memMhz: 2_619, idle: { smMhz: 345, memMhz: 2_619 }, hasNvlink: true },
  { named: 'A100', watts: 400, smMhz: 1_410, memMhz: 1_215, idle: IDLE, hasNvlink: true },
  { named: 'L40S', watts: 350, smMhz: 2_520, memMhz: 9_001, idle: IDLE, hasNvlink: false },
  { named: '4090', watts: 450, smMhz: 2_520, memMhz: 10_501, idle: IDLE, hasNvlink: false },
];
const OTHER = { watts: 70, smMhz: 1_590, memMhz: 5_001, idle: IDLE, hasNvlink: false };

export function measure({ uuid, mig, product, memoryMi, holder }: Card, fault: Fault, now: number): Measured {
  const { watts, smMhz, memMhz, idle, hasNvlink } = MODELS.find(({ named }) => product.includes(named)) ?? OTHER;
  const phase = Number.parseInt(uuid.slice(4, 8), 16) / 0xffff + (mig?.id ?? 0) * APART;
  const wave = Math.sin(2 * Math.PI * (now / 1_000 / PERIOD_S + phase));
  const isBusy = holder !== undefined && !fault.idle;
  const util = isBusy ? Math.round(MEAN_UTIL + SWING * wave) : 0;
  const load = util / 100;
  const used = holder ? Math.round(memoryMi * (isBusy ? 0.6 + 0.05 * wave : 0.02)) : 0;
  const power = watts * (0.1 + 0.85 * load);
  const temperature = fault.hot ? HOT_C : Math.round(32 + 42 * load);
  return {
    gauges: {
      DCGM_FI_DEV_SM_CLOCK: isBusy ? (fault.hot ? Math.round(smMhz * 0.6) : smMhz) : idle.smMhz,
      DCGM_FI_DEV_MEM_CLOCK: isBusy ? memMhz : idle.memMhz,
      DCGM_FI_DEV_MEMORY_TEMP: temperature + MEMORY_WARMER_C,
      DCGM_FI_DEV_GPU_TEMP: temperature,
      DCGM_FI_DEV_POWER_USAGE: Number(power.toFixed(3)),
      // DCGM has none of these of a MIG instance.
      ...(!mig && {
        DCGM_FI_DEV_GPU_UTIL: util,
        DCGM_FI_DEV_MEM_COPY_UTIL: Math.round(util * 0.6),
        DCGM_FI_DEV_ENC_UTIL: 0,
        DCGM_FI_DEV_DEC_UTIL: 0,
      }),
      DCGM_FI_PROF_GR_ENGINE_ACTIVE: load,
      DCGM_FI_DEV_XID_ERRORS: fault.xid ?? 0,
      DCGM_FI_DEV_FB_FREE: Math.max(0, memoryMi - used - (mig ? 0 : RESERVED_MI)),
      DCGM_FI_DEV_FB_USED: used,
      DCGM_FI_DEV_VGPU_LICENSE_STATUS: 0,
      DCGM_FI_DEV_ROW_REMAP_FAILURE: 0,
    },
    rates: {
      DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION: power * 1_000,
      ...(hasNvlink && { DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL: load * 40_000 }),
    },
    counts: {
      DCGM_FI_DEV_PCIE_REPLAY_COUNTER: 0,
      DCGM_FI_DEV_ECC_SBE_VOL_TOTAL: 0,
      DCGM_FI_DEV_ECC_DBE_VOL_TOTAL: fault.ecc ?? 0,
      DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS: fault.ecc ?? 0,
      DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS: 0,
    },
  };
}

/** NVIDIA's own words, from the exporter's default counters. */
export const HELP: Readonly<Record<string, string>> = {
  DCGM_FI_DEV_SM_CLOCK: 'SM clock frequency (in MHz).',
  DCGM_FI_DEV_MEM_CLOCK: 'Memory clock frequency (in MHz).',
  DCGM_FI_DEV_MEMORY_TEMP: 'Memory temperature (in C).',
  DCGM_FI_DEV_GPU_TEMP: 'GPU temperature (in C).',
  DCGM_FI_DEV_POWER_USAGE: 'Power draw (in W).',
  DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION: 'Total energy consumption since boot (in mJ).',
  DCGM_FI_DEV_PCIE_REPLAY_COUNTER: 'Total number of PCIe retries.',
  DCGM_FI_DEV_GPU_UTIL: 'GPU utilization (in %).',
  DCGM_FI_DEV_MEM_COPY_UTIL: 'Memory utilization (in %).',
  DCGM_FI_DEV_ENC_UTIL: 'Encoder utilization (in %).',
  DCGM_FI_DEV_DEC_UTIL: 'Decoder utilization (in %).',
  DCGM_FI_PROF_GR_ENGINE_ACTIVE: 'Ratio of time the graphics engine is active.',
  DCGM_FI_DEV_XID_ERRORS: 'Value of the last XID error encountered.',
  DCGM_FI_DEV_FB_FREE: 'Framebuffer memory free (in MiB).',
  DCGM_FI_DEV_FB_USED: 'Framebuffer memory used (in MiB).',
  DCGM_FI_DEV_ECC_SBE_VOL_TOTAL: 'Total number of single-bit volatile ECC errors.',
  DCGM_FI_DEV_ECC_DBE_VOL_TOTAL: 'Total number of double-bit volatile ECC errors.',
  DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL: 'Total number of NVLink bandwidth counters for all lanes',
  DCGM_FI_DEV_VGPU_LICENSE_STATUS: 'vGPU License status',
  DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS: 'Number of remapped rows for uncorrectable errors',
  DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS: 'Number of remapped rows for correctable errors',
  DCGM_FI_DEV_ROW_REMAP_FAILURE: 'Whether remapping of rows has failed',
};

/** As the exporter has them. A card that nobody holds names no Pod. */
export function labelsOf({ node, index, uuid, mig, product, holder }: Card): Record<string, string> {
  return {
    gpu: `${index}`,
    UUID: uuid,
    pci_bus_id: `00000000:${(index + 1).toString(16).padStart(2, '0').toUpperCase()}:00.0`,
    device: `nvidia${index}`,
    modelName: product.replaceAll('-', ' '),
    ...(mig && { GPU_I_PROFILE: mig.profile, GPU_I_ID: `${mig.id}` }),
    Hostname: node,
    DCGM_FI_DRIVER_VERSION: '570.172.08',
    ...(holder && { container: holder.container, namespace: holder.namespace, pod: holder.pod }),
  };
}

const keyOf = ({ namespace, pod, container }: Holder): string => `${namespace}/${pod}/${container}`;

/** The same at every start. */
function uuidOf(node: string, index: number): string {
  const hash = createHash('sha256').update(`${node}/${index}`).digest('hex');
  return `GPU-${[8, 12, 16, 20, 32].map((end, part, ends) => hash.slice(part === 0 ? 0 : ends[part - 1], end)).join('-')}`;
}
