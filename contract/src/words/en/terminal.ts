// A terminal's messages.

export const statuses = {
  connected: 'Connected.',
  failed: 'Console connection failed.',
  closed: 'Connection closed (refresh to reconnect).',
};

export const ends = {
  moved: 'This session was opened in another window.',
  gone: 'This session has ended.',
  noShell: 'The image has no shell, so no terminal can be opened in it.',
  exited: 'The shell ended with exit code %{code}.',
  lost: 'The container has stopped, or its node cannot be reached.',
  unreachable: 'The container cannot be reached.',
  badOutput: 'The agent in the instance sent invalid data. Restart the instance to install the agent again.',
  failed: 'The gateway could not continue this terminal. Open it again.',
  idle: 'Nothing was typed or shown for %{minutes} minute. |||| Nothing was typed or shown for %{minutes} minutes.',
  tooLong: 'A terminal stays open for %{hours} hour at most. |||| A terminal stays open for %{hours} hours at most.',
  signedOut: 'Your session has ended, or you no longer have the right to use this terminal.',
  restart: 'The gateway is restarting.',
  misused: 'The browser sent invalid data.',
  left: 'The browser disconnected.',
  gatewayLost: 'The gateway that served this terminal is gone.',
};
