// Imported ahead of a program under test (`--import`): SIGPWR is an exception that nobody catches, SIGXFSZ a rejection that nobody
// waits for. Both come from a timer, as those of a forgotten handler do.
process.on('SIGPWR', () =>
  setTimeout(() => {
    throw new Error('an exception of the test');
  }, 0),
);
process.on('SIGXFSZ', () => setTimeout(() => void Promise.reject(new Error('a rejection of the test')), 0));
