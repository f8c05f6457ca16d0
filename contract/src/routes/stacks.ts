import * as z from 'zod'
import { ListQuery } from '../base/common.ts'
import { StackApplied, StackApplyRequest, StackContents, StackPlan, StackPlanRequest, StackView } from '../stacks.ts'
import type { Route } from './route.ts'

export const stackRoutes = {
  listStacks: {
    method: 'GET',
    path: '/api/workspaces/:fullname/stacks',
    noun: 'stacks',
    summary: 'Stacks of a workspace, with the number of their entities that the account may read',
    auth: 'account',
    scopes: ['read'],
    query: ListQuery,
    reply: z.array(StackView),
    list: true,
  },
  getStack: {
    method: 'GET',
    path: '/api/workspaces/:fullname/stacks/:stack',
    noun: 'stacks',
    summary: 'The entities of a stack; subscriptions of others are shown to admins and above',
    auth: 'account',
    scopes: ['read'],
    reply: StackContents,
  },
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
