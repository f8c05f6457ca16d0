import * as z from 'zod'
import type { Route } from './route.ts'

const Health = z.object({ status: z.literal('ok'), version: z.string() })

export const systemRoutes = {
  getHealth: {
    method: 'GET',
    path: '/api/health',
    noun: 'system',
    summary: 'Is the process alive?',
    auth: 'none',
    reply: Health,
  },
  getReady: {
    method: 'GET',
    path: '/api/ready',
    noun: 'system',
    summary: 'Can it serve: is the store reachable?',
    auth: 'none',
    reply: Health,
  },
} as const satisfies Record<string, Route>
