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
    description:
      'Answers as soon as the process runs. It touches neither the store nor a chain, so a failing database does not make a supervisor restart the process.',
    auth: 'none',
    reply: Health,
  },
  getReady: {
    method: 'GET',
    path: '/api/ready',
    noun: 'system',
    summary: 'Readiness: the store can be reached and written',
    description:
      'Writes to the store and answers 503 `unavailable` if that fails, or as soon as the service begins to stop. A load balancer sends requests only to processes that are ready.',
    auth: 'none',
    reply: Health,
  },
  getFileSchema: {
    method: 'GET',
    path: '/api/schemas/:kind.json',
    noun: 'system',
    summary: 'The JSON Schema of a kind of file in the folder of a stack, for editors',
    description:
      'Editors use the schema to complete and check the files of a stack. The kinds are project, trigger, template, resource, source, subscription, address-list, stack and test. The answer may be cached for an hour.',
    auth: 'none',
    reply: FreeForm,
  },
} as const satisfies Record<string, Route>
