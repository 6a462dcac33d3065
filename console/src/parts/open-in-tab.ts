// A link that is good for one opening: it is asked for when it is wanted.

interface Done {
  onSuccess(answer: { url: string }): void;
  onError(): void;
}

/** The tab opens at once, or the browser would block it. */
export function openInTab(ask: (done: Done) => void): void {
  const tab = window.open('about:blank', '_blank');
  ask({
    onSuccess: ({ url }) => {
      if (!tab) {
        location.assign(url);
        return;
      }
      // Tenants' content must not reach back into the console.
      tab.opener = null;
      tab.location.replace(url);
    },
    onError: () => tab?.close(),
  });
}
