// Which XIDs are the platform's fault: the card, not the program, has failed. All others, the program's own 13, 31, 43 and 45 among
// them, are no event of the platform.

/**
 * Fatal codes of NVIDIA's XID catalogue (docs.nvidia.com/deploy/xid-errors/analyzing-xid-catalog.html), in its words: those whose immediate
 * action is RESET_GPU or RESTART_BM; 48 and 74, of which it says that only a reset clears them; 94, which ends a program for an error of
 * the memory. Without 155, which links that are taken down on purpose have, too, and without 63, which it ignores. 154 follows an error
 * that wants an action, and is often all that an exporter shows, which has the last code alone.
 */
export const FATAL_XIDS: Readonly<Record<number, string>> = {
  46: 'GPU stopped processing',
  48: 'Double Bit ECC Error',
  62: 'Internal micro-controller halt',
  64: 'GPU memory remapping failure',
  74: 'NVLink Error',
  79: 'GPU has fallen off the bus',
  94: 'Contained memory error',
  95: 'Uncontained memory error',
  109: 'Context Switch Timeout Error',
  110: 'Security Fault Error',
  119: 'GSP RPC Timeout',
  120: 'GSP Error',
  136: 'Link Training Failed',
  140: 'ECC Unrecovered Error',
  143: 'GPU Initialization Error',
  154: 'GPU Recovery Action Changed',
  156: 'Resource Retirement Event',
  158: 'GPU Fatal Timeout',
};

export const isFatalXid = (xid: number): boolean => Object.hasOwn(FATAL_XIDS, xid);
