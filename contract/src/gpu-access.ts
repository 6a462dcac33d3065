// How a container gets at the GPUs of its node besides asking Kubernetes: NVIDIA's runtime reads its environment, and what an image or
// a tenant writes there would open cards that others pay for. What it reads is set here for every container, and refused to tenants.

/** As NVIDIA's device plugin names the ways in which it tells the runtime which cards a container has been given. */
export const DEVICE_LISTS = ['envvar', 'volume-mounts', 'cdi-annotations', 'cdi-cri'] as const;
export type DeviceList = (typeof DEVICE_LISTS)[number];

export const VISIBLE_DEVICES = 'NVIDIA_VISIBLE_DEVICES';

/** No card at all, whatever else asks for some: the runtime leaves the container alone. */
export const NO_CARDS = { name: VISIBLE_DEVICES, value: 'void' } as const;

/**
 * By which NVIDIA's container toolkit (1.18) opens devices: cards, the configuration of their slices, memory of other nodes, network
 * cards, switches, and direct ways to disks and memory. DOCKER_RESOURCE_…: a name that its configuration may have for the first. What
 * chooses among cards that a container has (CUDA_VISIBLE_DEVICES), and which libraries it sees (NVIDIA_DRIVER_CAPABILITIES,
 * NVIDIA_REQUIRE_…), opens nothing, and stays the tenant's.
 */
export const DEVICE_VARIABLE =
  '^(NVIDIA_(VISIBLE_DEVICES|MIG_.*|IMEX_CHANNELS|GDS|MOFED|NVSWITCH|GDRCOPY)|DOCKER_RESOURCE_.*)$';

/** The folder in which mounts name cards, in the way called volume-mounts; /var/run is a link to /run. */
export const DEVICE_MOUNTS = '^(/var)?/run/nvidia-container-devices(/|$)';

/** In an annotation's key: what containerd and NVIDIA's runtime take devices from. */
export const DEVICE_ANNOTATION = '^([^/]*[.])?cdi[.]k8s[.]io/';

const CLOSED = [
  { name: 'NVIDIA_IMEX_CHANNELS', value: 'void' },
  ...['GDS', 'MOFED', 'NVSWITCH', 'GDRCOPY'].map((feature) => ({ name: `NVIDIA_${feature}`, value: 'disabled' })),
];

/**
 * Variables of a container that override its image's. A variable of a Pod wins over the device plugin's, and that over the image's: so a
 * container with cards keeps the plugin's word on which, where the plugin says it there. By CDI it says nothing there, and the image's
 * `all` would stand.
 */
export const closedVariables = (hasGpu: boolean, by: DeviceList) => [
  ...(hasGpu && (by === 'envvar' || by === 'volume-mounts') ? [] : [NO_CARDS]),
  ...(hasGpu ? CLOSED : []),
];
