import { SearchQuery, SearchReply } from '../search.ts'
import type { Route } from './route.ts'

export const searchRoutes = {
  search: {
    method: 'GET',
    path: '/api/search',
    noun: 'search',
    summary: 'Entities of the account’s workspaces whose name or title contains a text',
    description:
      'Finds entities whose name or title contains the text: workspaces of the account, their projects, triggers, resources, subscriptions, sources and address lists, the built-in networks, and entries of the address book (unless `workspace` names one workspace). Upper and lower case are the same. An alert is found by its whole id.',
    refusals: ['not_found'],
    auth: 'account',
    scopes: ['read'],
    query: SearchQuery,
    reply: SearchReply,
  },
} as const satisfies Record<string, Route>
