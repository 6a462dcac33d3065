// Loaded by Jest's own processes: a worker whose Jest was killed does not play its file to the end. Looked for, not listened
// for: a listener would keep a worker that has nothing left to do from ending.
setInterval(() => {
  if (process.connected === false) process.exit(1);
}, 1_000).unref();
