import { SearchQuery, SearchReply } from '../search.ts'
import type { Route } from './route.ts'

export const searchRoutes = {
  search: {
    method: 'GET',
    path: '/api/search',
    noun: 'search',
    summary: 'Entities of the account’s workspaces whose name or title contains a text',
    auth: 'account',
    scopes: ['read'],
    query: SearchQuery,
    reply: SearchReply,
  },
} as const satisfies Record<string, Route>
