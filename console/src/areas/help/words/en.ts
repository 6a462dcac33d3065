import { words as legal } from '@gantry/ui/legal/words/en.ts';

export const words = {
  lead: 'Short answers to common questions. Is something missing?',
  search: 'Search the help',
  contents: 'Articles',
  articles: {
    first: {
      title: 'First steps',
      text: `Your account comes with an organisation of its own. Everything you start belongs to an organisation. You can be in several, and switch at the top of the page.

- On the home page, press Start in the three steps to a shell: the cheapest free GPU is filled in. Or open Development, Instances, and press New instance.
- Choose an image, such as one with PyTorch, then the GPU and the size of the home disk. Cores and memory follow the GPUs until you change them. The form shows the price per hour and whether it fits right now.
- When the instance is running, open its terminal in the browser, or copy the SSH command from its page.
- When you are done, stop it: GPU, cores and memory then cost nothing.`,
    },
    ssh: {
      title: 'Logging in with SSH',
      text: `You need a key pair. If you have none, create one on your computer:

    ssh-keygen -t ed25519

Add the public key, the line in the file that ends in .pub, under My account, SSH keys. You can store up to ten keys, each with an expiry date or permanently.

Choose the keys when you create an instance. Only these keys can log in to it. You can change them while it runs. Once it is running, its page shows the command to copy.

For an editor, download the SSH config on the same page, add it to ~/.ssh/config, and press Open in VS Code. If your key is not in the usual place, set IdentityFile in both parts of the file.

If the login is refused, the key may have expired, it may not be chosen for this instance, or the instance may not be running.`,
    },
    terminal: {
      title: 'The terminal in the browser',
      text: `Open it from the instance's page; you need neither a key nor extra software. It shows whether it is connected. You can have several sessions in one instance. If you close the page, reload it or lose the connection, a session goes on and the page shows it again when you come back within a few minutes. After that it ends, so run long tasks in a tool such as tmux, or as the instance's command.`,
    },
    disks: {
      title: 'Disks and files',
      text: `Each instance has a home disk at /root, which is kept when the instance is stopped. For data that several instances use one after another, create a disk under GPU cluster, Storage, and mount it.

- A disk can grow but never shrink; the maximum is 5 TiB.
- A disk can be mounted to one instance at a time, unless it was created for several at once. Unmount it there first.
- A disk is charged by its size, mounted or not, until it is deleted.
- The file browser uploads and downloads files without an instance.
- Deleting a disk deletes all data on it. This cannot be undone.`,
    },
    stopping: {
      title: 'Stopping an instance, and what is kept',
      text: `There are three ways to pause an instance. Each frees its GPU, cores and memory, which then cost nothing. Changed system files and the home disk are kept and charged as storage. Processes and everything in memory are always lost.

- Stop: address, notebook token, ports and mounted disks stay with the instance. Resume continues with them.
- Shut down: other instances can use the disks, and the instance can be released.
- Hibernate: like shut down, and everything is moved so that it can be restored on any machine. It takes longest and suits a long break.

Release deletes a shut-down instance and its home disk.`,
    },
    pending: {
      title: 'Why an instance does not start',
      text: `The status, and the sentence below it, say what the instance is waiting for.

- No free GPU of this model: choose another, or wait; it starts as soon as one is free.
- Not enough credit: top up, or ask the person who pays in your organisation.
- The limit of the organisation is reached: stop something, or ask an administrator.
- The image cannot be pulled: check its name, such as pytorch/pytorch:2.4.0.

Waiting costs nothing: charges begin when the instance is ready.`,
    },
    hosts: {
      title: 'Your own hosts',
      text: `A host is a whole machine for your organisation alone, rented by the month under GPU cluster, Hosts. Instances on it pay nothing extra for its GPUs.

We notify you before it expires. You can renew it, or turn on automatic renewal. After it expires nothing new starts on it; some days later its instances are hibernated. Disks are kept.`,
    },
    billing: {
      title: 'Costs',
      text: `Running instances are charged by running time, disks and saved files by size and time, hosts by the month in advance. You see the price before you start something, and the costs under Billing.

- Running instances need credit. We notify the people who pay before it runs out; when it is used up, instances are hibernated, and nothing is deleted at once.
- You can set spending caps for the organisation and for each member, under Organisation.
- You find usage, transactions and invoices under Billing, and can export them.`,
    },
    keys: {
      title: 'Keys and tokens',
      text: `- SSH keys log in to instances. They belong to your account.
- API tokens are for programs: each acts for you in one organisation, until it expires or you delete it. It is shown once, when it is created.
- A kubeconfig is for kubectl. It has your rights in one organisation, and can be revoked.

When you leave an organisation, all three stop working there at once. Never send a token to anybody: the provider never asks for one.`,
    },
    organization: {
      title: 'Working together',
      text: `Create an organisation under Organisation, and invite people by name or e-mail address, one or many at once. They see the invitation in their messages, in an e-mail and in the organisation menu, and become members when they accept. An invitation is valid for seven days.

- Owner: can do everything, and is the only role that can delete the organisation.
- Admin: like an owner, but only owners appoint and remove owners.
- Member: starts and uses instances, hosts and disks.
- Billing: sees everything, tops up and pays.
- Viewer: sees everything except billing, and changes nothing.`,
    },
    account: {
      title: 'Password and second factor',
      text: `Forgot your password? Choose “Forgot password” on the login page: we send a code to your address.

Turn on a second factor under My account. Logging in then also asks for six digits from an authenticator. Keep the recovery codes apart from your phone: each replaces the digits once.

After several wrong attempts login is blocked for some minutes. The page says how long.`,
    },
  },
  contact: {
    lead: 'Many questions are answered in the',
    contact: 'Contact',
    contactHint: 'For questions about your account, prices and access.',
    support: 'Support',
    supportHint: 'When something does not work. Include the request ID that the error shows.',
    community: 'Community',
    communityHint: 'Other people who use this platform.',
    none: 'No address has been set.',
    noneHint:
      'The operator of this installation has not set a contact. Ask the person who gave you the address of this console.',
  },
  ...legal,
} as const;
