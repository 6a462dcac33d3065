// The card provider's own script: loaded from where the API says, on the pages that take a card, and nowhere else. The few of its
// calls that we make are typed here; the double of a cluster serves the same.
export interface ProviderError {
  type: string;
  code?: string;
  message?: string;
}

/** The gateway reports the outcome: only a failure is read from this answer. */
interface Answer {
  error?: ProviderError;
}

export interface CardElement {
  on(event: 'ready' | 'loaderror', heard: () => void): unknown;
  mount(place: HTMLElement): void;
  destroy(): void;
}

export interface CardElements {
  create(type: 'payment', options?: { layout: 'tabs' }): CardElement;
}

interface Confirmation {
  elements: CardElements;
  confirmParams: { return_url: string };
  redirect: 'if_required';
}

export interface Appearance {
  theme: 'stripe' | 'night';
  variables: Readonly<Record<string, string>>;
}

export interface Provider {
  elements(wish: { clientSecret: string; appearance: Appearance }): CardElements;
  confirmPayment(wish: Confirmation): Promise<Answer>;
  confirmSetup(wish: Confirmation): Promise<Answer>;
  retrievePaymentIntent(clientSecret: string): Promise<{ error?: ProviderError; paymentIntent?: { status: string } }>;
  handleNextAction(wish: { clientSecret: string }): Promise<Answer>;
}

type MakeProvider = (publishableKey: string, options: { locale: string }) => Provider;

const loading = new Map<string, Promise<MakeProvider>>();

/** Rejects where the script did not come; asked again it tries again. */
export async function loadProvider(scriptUrl: string, publishableKey: string, locale: string): Promise<Provider> {
  const known = loading.get(scriptUrl) ?? load(scriptUrl);
  loading.set(scriptUrl, known);
  known.catch(() => loading.delete(scriptUrl));
  return (await known)(publishableKey, { locale });
}

function load(url: string): Promise<MakeProvider> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = url;
    script.async = true;
    script.onload = () => {
      const { Stripe } = globalThis as { Stripe?: MakeProvider };
      if (Stripe) resolve(Stripe);
      else reject(new Error('the script brought nothing'));
    };
    script.onerror = () => {
      script.remove();
      reject(new Error('the script did not come'));
    };
    document.head.append(script);
  });
}

/** The theme as the provider's frames take it: they see no variables of ours. */
export function appearanceNow(): Appearance {
  const root = document.documentElement;
  const style = getComputedStyle(root);
  const colour = (name: string) => style.getPropertyValue(`--mui-palette-${name}`).trim();
  return {
    theme: root.dataset.scheme === 'dark' ? 'night' : 'stripe',
    variables: {
      colorPrimary: colour('primary-main'),
      colorBackground: colour('background-paper'),
      colorText: colour('text-primary'),
      colorDanger: colour('error-main'),
      borderRadius: '8px',
    },
  };
}
