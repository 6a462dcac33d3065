// A terminal's messages.

export const statuses = {
  connected: 'Connected.',
  failed: 'Console connection failed.',
  closed: 'Connection closed (refresh to reconnect).',
};

export const ends = {
  exited: 'The shell ended with exit code %{code}.',
  lost: 'The container has stopped, or its node cannot be reached.',
  unreachable: 'The container cannot be reached.',
  badOutput: 'The agent in the instance sent invalid data. Restart the instance to install the agent again.',
  failed: 'The gateway could not continue this terminal. Open it again.',
  idle: 'Nothing was typed or shown for %{minutes} minute. |||| Nothing was typed or shown for %{minutes} minutes.',
  tooLong: 'A terminal stays open for %{hours} hour at most. |||| A terminal stays open for %{hours} hours at most.',
  signedOut: 'The session has ended, or no longer has the right.',
  restart: 'The gateway is being restarted.',
  misused: 'What was sent is not understood.',
  left: 'The browser has left.',
  gatewayLost: 'The gateway that served it is gone.',
};
