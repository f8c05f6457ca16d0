import { StackApplied, StackApplyRequest, StackPlan, StackPlanRequest } from '../stacks.ts'
import type { Route } from './route.ts'

export const stackRoutes = {
  planStack: {
    method: 'POST',
    reachesNetwork: true,
    path: '/api/workspaces/:fullname/plan',
    noun: 'stacks',
    summary: 'Plan a stack: what an apply would change, and what others changed since the last one; changes nothing',
    auth: 'account',
    scopes: ['write', 'publish'],
    body: StackPlanRequest,
    bodyKind: 'stack',
    reply: StackPlan,
  },
  applyStack: {
    method: 'POST',
    reachesNetwork: true,
    path: '/api/workspaces/:fullname/apply',
    noun: 'stacks',
    summary: 'Apply a planned stack, all of it or nothing',
    auth: 'account',
    scopes: ['publish'],
    body: StackApplyRequest,
    bodyKind: 'stack',
    reply: StackApplied,
  },
} as const satisfies Record<string, Route>
