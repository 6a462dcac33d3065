export const words = {
  lead: 'Short answers to what people ask first. Something is missing?',
  search: 'Search the help',
  contents: 'Articles',
  articles: {
    first: {
      title: 'First steps',
      text: `With your account you have an organisation of your own. Everything you start belongs to an organisation; you can be in several, and switch at the top of the page.

- Open Development, Instances, and press New instance.
- Choose an image, such as one with PyTorch, then the GPU, the cores, the memory and the size of the home disk. The price per hour is shown while you choose, and whether it fits right now.
- When the instance is running, open its terminal in the browser, or copy the SSH command from its page.
- When you are done, stop it: then GPU, cores and memory cost nothing more.`,
    },
    ssh: {
      title: 'Logging in with SSH',
      text: `You need a key pair. If you have none, this makes one on your computer:

    ssh-keygen -t ed25519

Add the public key, the line in the file that ends in .pub, under My account, SSH keys. Up to ten keys can be kept, each with a date on which it ends, or permanently.

Choose the keys when you create an instance. Only the keys of that instance log into it. You can change them while it runs. The command to copy stands on the instance's page as soon as it is running.

If the login is refused: the key may have expired, may not belong to this instance, or the instance may not be running.`,
    },
    terminal: {
      title: 'The terminal in the browser',
      text: `Open it from the instance's page; you need neither a key nor a program. It shows whether it is connected. When the connection is closed, connect again with the button; what runs in the foreground may have ended, so start long work with a tool such as tmux, or as a command of the instance.`,
    },
    disks: {
      title: 'Disks and files',
      text: `Each instance has a home disk at /root, which is kept when it is stopped. For data that several instances use one after another, create a disk under GPU cluster, Storage, and mount it.

- A disk can be made larger, never smaller; the largest is 5 TiB.
- A disk is mounted to one instance at a time, unless it was made for several at once. Unmount it there first.
- A disk costs by its size, mounted or not, until it is deleted.
- The file browser uploads and downloads files without an instance.
- Deleting a disk deletes all data on it. Nobody can bring it back.`,
    },
    stopping: {
      title: 'Stopping, and what is kept',
      text: `There are three ways to let an instance rest. With each of them GPU, cores and memory are free for others and cost nothing; the changed files of the system and the home disk are kept, and cost as storage. Processes and what they hold in memory are always lost.

- Stop: address, notebook token, ports and mounted disks stay with the instance. Resume goes on with them.
- Shut down: the disks are free for others, and the instance can be released.
- Hibernate: as shut down, and everything is moved so that it can be restored on any machine. It takes longest, and is right for a long break.

Release deletes a shut-down instance with its home disk.`,
    },
    pending: {
      title: 'Why an instance does not start',
      text: `The status and a sentence below it say what it waits for.

- No free GPU of this model: choose another, or wait; it starts as soon as one is free.
- Not enough credit: recharge, or ask whoever pays in your organisation.
- The limit of the organisation is reached: stop something, or ask an administrator.
- The image can not be fetched: check its name, such as pytorch/pytorch:2.4.0.

Waiting costs nothing: it counts from the moment the instance is ready.`,
    },
    hosts: {
      title: 'Hosts of your own',
      text: `A host is a whole machine that nobody else uses, rented by the month under GPU cluster, Hosts. Instances are placed on it without a further price for its GPUs.

Before the end of the time you are told. You can renew it, or let it renew itself. After the end nothing new starts on it; some days later its instances are hibernated. Disks are kept.`,
    },
    billing: {
      title: 'What it costs',
      text: `Running instances are charged by the time they run, disks and saved states by their size and time, hosts by the month in advance. Prices are shown before you start something, and in Billing afterwards.

- What runs needs credit. Before it runs out, those who pay are told; when it is used up, instances are hibernated, and nothing is deleted at once.
- Spending caps can be set for the organisation and for each member, under Organisation.
- Usage, transactions and invoices stand under Billing, and can be exported.`,
    },
    keys: {
      title: 'Keys and tokens',
      text: `- SSH keys log into instances. They belong to your account.
- API tokens are for programs: each stands for you in one organisation, until it ends or you delete it. It is shown once, when it is made.
- A kubeconfig is for kubectl. It has your rights in one organisation, and can be revoked.

Who leaves an organisation loses all three there at once. Never send a token to anybody: the provider does not ask for it either.`,
    },
    organization: {
      title: 'Working together',
      text: `Create an organisation under Organisation, and invite people by name or e-mail address, one or many at once. They find the invitation in their messages, in an e-mail and in the organisation menu, and become members when they accept. An invitation is valid for seven days.

- Owner: everything, and the only one who may delete the organisation.
- Admin: as an owner, but owners are made and unmade by owners.
- Member: starts and uses instances, hosts and disks.
- Billing: sees what there is, recharges and pays.
- Viewer: sees what there is, except bills, and changes nothing.`,
    },
    account: {
      title: 'Password and second factor',
      text: `Forgot your password? Choose “Forgot password” where you sign in: a code goes to your address.

Turn on a second factor under My account. Then signing in also asks for six digits of an authenticator. Keep the recovery codes apart from your phone: each of them replaces the digits once.

After several wrong tries signing in is shut for some minutes. The page says how long.`,
    },
  },
  contact: {
    lead: 'Many questions have a short answer in the',
    contact: 'Contact',
    contactHint: 'For questions about your account, prices and access.',
    support: 'Support',
    supportHint: 'When something does not work. Give the request id that the error shows.',
    community: 'Community',
    communityHint: 'Other people who use this platform.',
    none: 'No address is given.',
    noneHint:
      'Whoever runs this installation has not named one. Ask the person who gave you the address of this console.',
  },
  legal: {
    version: 'Version %{version}',
    general:
      'This is the general text that the platform comes with. It describes what the software does and is no legal advice. Whoever runs this installation replaces it with their own.',
  },
  terms: {
    service: {
      title: 'The service',
      text: `The provider, who runs this installation, lets you use computing power, storage and the services around them. Prices, plans and what is in stock are shown in the console.`,
    },
    account: {
      title: 'Your account',
      text: `Give correct details, keep your password, keys and tokens to yourself, and tell the provider when somebody else has got hold of them. What is done with your account counts as done by you. For an organisation you act only if you may.`,
    },
    use: {
      title: 'What it may be used for',
      text: `Use the service for what the law allows. In particular you do not:

- attack, scan or overload systems, here or elsewhere
- get around limits, metering or the separation between customers
- mine cryptocurrencies, unless the provider has agreed to it
- keep or spread content that breaks the law or the rights of others`,
    },
    content: {
      title: 'Your data',
      text: `What you put in stays yours. The provider processes it only to run the service, and looks into it only when you ask for that, or when the law demands it. Keep copies of what you can not lose: what you delete is gone.`,
    },
    money: {
      title: 'Prices and payment',
      text: `You pay the prices that are shown when you start something. Changes are announced in the price list before they hold. Use is deducted from your credit; hosts and plans are paid in advance. When the credit is used up, what runs is put to rest; stored data goes on costing until you delete it.`,
    },
    availability: {
      title: 'Availability',
      text: `The provider takes care that the service runs, and announces maintenance where that is possible. Machines can fail; use that was not delivered is not charged.`,
    },
    ending: {
      title: 'The end',
      text: `You can stop using the service, and delete your organisations, at any time. The provider can shut an account that breaks these terms, and says why. Data is deleted after a time in which you can still fetch it, unless the law forbids that.`,
    },
    liability: {
      title: 'Liability',
      text: `The law of the provider's place applies. This general text excludes no liability that can not be excluded there.`,
    },
    changes: {
      title: 'Changes of these terms',
      text: `The version that you accepted is kept with its time. When the terms change, you are asked to accept the new version.`,
    },
  },
  privacy: {
    what: {
      title: 'What is kept',
      text: `- Your account: name, e-mail address or phone number, language, and the password as a hash from which it can not be read.
- If you have your identity checked: the details and pictures that you submit for it.
- Sessions: time, network address and browser, so that you can see where you are signed in.
- What you start and what it uses, since it is charged by that.
- A log of every change, with who made it and when.`,
    },
    why: {
      title: 'What for',
      text: `To run the service, to charge for it, to protect accounts, and to do what the law asks of the provider. Nothing is sold, and nothing is used for advertising.`,
    },
    cookies: {
      title: 'Cookies and this browser',
      text: `The console keeps one cookie with your session, and in the browser's storage your organisation, language and appearance. They are needed for it to work. There is no tracking and no content from other sites; only the card form of the payment provider is loaded from there, when you open it.`,
    },
    who: {
      title: 'Who sees it',
      text: `The members of your organisation see your name and what you run there; its owners and admins also see your e-mail address and phone number. The provider's staff see accounts as far as their task needs it; each look as a customer is written down. Payment providers get what a payment needs.`,
    },
    long: {
      title: 'For how long',
      text: `Until you delete it, or your account ends. Bills and the log of changes are kept for as long as the law demands.`,
    },
    rights: {
      title: 'Your rights',
      text: `You can see and correct your details in your account, and ask the provider for a copy or for deletion.`,
    },
    safe: {
      title: 'How it is protected',
      text: `Connections are encrypted where the provider has set that up. Tokens are kept as hashes, secrets encrypted. Customers are separated from each other on the cluster.`,
    },
  },
} as const;
