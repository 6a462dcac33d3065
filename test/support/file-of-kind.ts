/** What a kind's files are called: `gpu-host` of gpuHost. */
export const fileOf = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
