import * as z from 'zod'

/** What a token with a scope may do. No scope includes another. Every GET needs `read`. */
export const scopeTable = {
  read: 'Read what the account may see.',
  write: 'Save drafts, templates and addresses; run previews and tests that send nothing.',
  publish:
    'Save and delete triggers, projects, destinations, sources, address lists and subscriptions; apply stacks; transfer projects.',
  deliver: 'Send test messages and replay alerts.',
  admin: 'Manage workspaces, their members, tokens and the account.',
} as const

export type Scope = keyof typeof scopeTable

export const scopeNames = Object.keys(scopeTable) as [Scope, ...Scope[]]

export const ScopeName = z.enum(scopeNames)
