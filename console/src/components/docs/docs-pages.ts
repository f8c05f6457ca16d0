/** The page of the docs site for each topic that a form may need explained. `tests/docs-site.test.ts` checks that they exist. */
export const docsPages = {
  accounts: ['Accounts and sign-in', 'security#accounts'],
  addressLists: ['Address lists', 'reference/address-list'],
  alerts: ['Life of an alert', 'guide/concepts#life-of-an-alert'],
  api: ['API', 'guide/api'],
  audit: ['Audit log', 'security#audit-log'],
  channels: ['Channels', 'guide/channels'],
  concepts: ['Concepts', 'guide/concepts'],
  conditions: ['Conditions', 'guide/conditions'],
  definitions: ['Definitions as code', 'definitions'],
  fields: ['Fields of an item', 'guide/triggers#fields-of-an-item'],
  history: ['History', 'guide/policies#history'],
  invitations: ['Invitations', 'security#invitations'],
  messages: ['Messages', 'guide/messages'],
  policies: ['Policies and delivery', 'guide/policies'],
  projects: ['Projects', 'reference/project'],
  providers: ['Providers', 'guide/providers'],
  quickstart: ['Quickstart', 'guide/quickstart'],
  scripts: ['Scripts', 'guide/scripts'],
  secondFactors: ['Second factors', 'security#second-factors-and-other-ways-to-sign-in'],
  sources: ['Sources', 'reference/source'],
  templates: ['Templates', 'reference/template'],
  tokens: ['Tokens', 'security#tokens'],
  trigger: ['Trigger: fields', 'reference/trigger'],
  triggers: ['Triggers', 'guide/triggers'],
  tryOuts: ['Try it before you save it', 'guide/triggers#try-it-before-you-save-it'],
} as const satisfies Record<string, readonly [title: string, page: string]>

export type DocsTopic = keyof typeof docsPages

/** The topic of each page of the console. A path also covers the pages below it, unless they have a line of their own. */
export const topicsOfRoutes: Readonly<Record<string, DocsTopic>> = {
  '/': 'concepts',
  '/about': 'api',
  '/account': 'accounts',
  '/account/tokens': 'tokens',
  '/addresses': 'addressLists',
  '/first-steps': 'quickstart',
  '/forgot-password': 'accounts',
  '/join': 'invitations',
  '/marketplace': 'projects',
  '/open': 'projects',
  '/reset-password': 'accounts',
  '/sign-in': 'accounts',
  '/sign-up': 'accounts',
  '/verify-email': 'accounts',
  '/watch': 'triggers',
  '/workspaces/new': 'concepts',
  '/w/$workspace': 'concepts',
  '/w/$workspace/address-lists': 'addressLists',
  '/w/$workspace/alerts': 'alerts',
  '/w/$workspace/audit': 'audit',
  '/w/$workspace/home': 'concepts',
  '/w/$workspace/members': 'invitations',
  '/w/$workspace/projects': 'projects',
  '/w/$workspace/projects/$project/templates': 'templates',
  '/w/$workspace/projects/$project/triggers': 'triggers',
  '/w/$workspace/resources': 'channels',
  '/w/$workspace/settings': 'concepts',
  '/w/$workspace/sources': 'sources',
  '/w/$workspace/stacks': 'definitions',
  '/w/$workspace/subscriptions': 'policies',
  '/w/$workspace/transfers': 'projects',
  '/w/$workspace/triggers': 'triggers',
  '/w/$workspace/watch': 'triggers',
}

/** The topic of a route, by its own path or the nearest path above it. */
export function topicOf(route: string): DocsTopic {
  const parts = route.replace(/\/$/, '').split('/')
  for (let count = parts.length; count > 1; count -= 1) {
    const topic = topicsOfRoutes[parts.slice(0, count).join('/')]
    if (topic) return topic
  }
  return topicsOfRoutes['/'] ?? 'concepts'
}
