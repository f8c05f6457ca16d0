import * as z from 'zod'
import { FreeForm } from '../base/common.ts'
import type { Route } from './route.ts'

const Health = z.object({ status: z.literal('ok'), version: z.string() })

export const systemRoutes = {
  getHealth: {
    method: 'GET',
    path: '/api/health',
    noun: 'system',
    summary: 'Liveness: the process runs',
    auth: 'none',
    reply: Health,
  },
  getReady: {
    method: 'GET',
    path: '/api/ready',
    noun: 'system',
    summary: 'Readiness: the store can be reached and written',
    auth: 'none',
    reply: Health,
  },
  getFileSchema: {
    method: 'GET',
    path: '/api/schemas/:kind.json',
    noun: 'system',
    summary: 'The JSON Schema of a kind of file in the folder of a stack, for editors',
    auth: 'none',
    reply: FreeForm,
  },
} as const satisfies Record<string, Route>
