// The general terms and the privacy notice that the product comes with, in English.
export const words = {
  legal: {
    version: 'Version %{version}',
    general:
      'This is the general text that comes with the platform. It describes what the software does and is not legal advice. The operator of this installation replaces it with their own.',
  },
  terms: {
    service: {
      title: 'The service',
      text: `The provider, who runs this installation, lets you use computing power, storage and related services. The console shows prices, plans and stock.`,
    },
    account: {
      title: 'Your account',
      text: `Give correct details, keep your password, keys and tokens to yourself, and tell the provider if somebody else has obtained them. Actions of your account count as your own. Act for an organisation only if you are authorised to.`,
    },
    use: {
      title: 'Permitted use',
      text: `Use the service only as the law allows. In particular, you must not:

- attack, scan or overload systems, here or elsewhere
- circumvent limits, metering or the separation between customers
- mine cryptocurrencies, unless the provider has agreed to it
- store or distribute content that violates the law or the rights of others`,
    },
    content: {
      title: 'Your data',
      text: `Your data stays yours. The provider processes it only to run the service, and looks into it only if you ask for that or the law requires it. Keep copies of anything you cannot afford to lose: deleted data is gone.`,
    },
    money: {
      title: 'Prices and payment',
      text: `You pay the prices shown when you start something. Price changes are announced in the price list before they take effect. Usage is deducted from your balance; hosts and plans are paid in advance. When the balance is used up, running instances are hibernated; stored data is charged until you delete it.`,
    },
    availability: {
      title: 'Availability',
      text: `The provider works to keep the service running, and announces maintenance where possible. Machines can fail; usage that was not delivered is not charged.`,
    },
    ending: {
      title: 'Termination',
      text: `You can stop using the service, and delete your organisations, at any time. The provider can close an account that breaks these terms, and says why. Data is deleted after a period in which you can still retrieve it, unless the law forbids that.`,
    },
    liability: {
      title: 'Liability',
      text: `The law of the provider's place applies. This general text excludes no liability that cannot be excluded there.`,
    },
    changes: {
      title: 'Changes to these terms',
      text: `We record the version that you accepted, and when. If the terms change, we ask you to accept the new version.`,
    },
  },
  privacy: {
    what: {
      title: 'What we store',
      text: `- Your account: name, e-mail address or phone number, language, and the password as a hash from which it cannot be recovered.
- If you verify your identity: the details and pictures that you submit.
- Sessions: time, network address and browser, so that you can see where you are logged in.
- What you start and what it uses, for billing.
- An audit log of every change, with who made it and when.`,
    },
    why: {
      title: 'Purpose',
      text: `To run the service, to charge for it, to protect accounts, and to meet the provider's legal obligations. We sell nothing and use nothing for advertising.`,
    },
    cookies: {
      title: 'Cookies and this browser',
      text: `The console stores one cookie with your session, and your organisation, language and appearance in the browser's storage. It needs them to work. There is no tracking and no content from other sites; only the card provider's form is loaded from its site, when you open it.`,
    },
    visitors: {
      title: 'Visitors of the portal',
      text: `- The portal needs no account. It stores one cookie if you choose a language there, which holds that language alone.
- Its pages load nothing from other sites, so no third party learns of your visit.
- The provider can count page views, which is off unless they turn it on: numbers by page, day and language, without your address, a cookie or anything else about you.
- A vote on a help article is a number.`,
    },
    who: {
      title: 'Who sees it',
      text: `The members of your organisation see your name and what you run there; its owners and admins also see your e-mail address and phone number. The provider's staff see accounts only as far as their task requires; every time they view the console as a customer is recorded. Payment providers receive what a payment needs.`,
    },
    long: {
      title: 'How long',
      text: `Until you delete it, or your account ends. Invoices and the audit log are kept for as long as the law requires.`,
    },
    rights: {
      title: 'Your rights',
      text: `You can see and correct your details in your account, and ask the provider for a copy or for deletion.`,
    },
    safe: {
      title: 'How it is protected',
      text: `Connections are encrypted where the provider has set that up. Tokens are stored as hashes, secrets encrypted. Customers are separated from each other on the cluster.`,
    },
  },
} as const;
