/** The groups of operations. */
export const tagWords: Readonly<Record<string, string>> = {
  accounts: 'Sign-in, sessions and personal access tokens.',
  'address-lists': 'Lists of addresses that conditions name.',
  addresses: 'The address book of an account: names for addresses.',
  alerts: 'Alerts with their traces and deliveries, and the stream of events.',
  'custom-sources': 'Chains that a workspace connects by its own endpoints.',
  projects: 'Projects with their links, pictures, secrets and add-ons.',
  resources: 'Destinations of alerts: webhooks, chats, e-mail addresses.',
  search: 'Search by name or title.',
  stacks: 'Definitions as code: plan and apply many entities at once.',
  subscriptions: 'Who gets which alerts, under which conditions and where.',
  system: 'Health of the service, and schemas for editors.',
  templates: 'Sets of rules that people subscribe to together.',
  transfers: 'Moving a project to another workspace.',
  triggers: 'Definitions of what to watch on chain, with drafts, tests and imports.',
  webhooks: 'What the service sends to webhook resources.',
  workspaces: 'Workspaces and their members.',
}
