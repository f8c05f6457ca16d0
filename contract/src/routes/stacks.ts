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
    description:
      'Lists the stacks of the workspace, ordered by name, with the number of entities in each. Every member may read it; entities that the account may not read are not counted.',
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
    description:
      'Answers the entities that carry the label of the stack, and what was changed in each since the last apply. Subscriptions of other people are shown to owners and admins only.',
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
    description:
      'Compares the entities of a stack with the workspace and answers the changes of an apply, what others changed since the last apply (`drift`), the issues, and the `planHash` that an apply needs. It changes nothing. It needs the rights of the single saves.',
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
    description:
      'Applies the plan with this `expectedPlanHash` in one transaction: creates and updates the entities, and with `prune` deletes those of the stack that are not named. If anything is refused, nothing changes. It needs the rights of the single saves.',
    refusals: ['plan_changed', 'limit_reached'],
    auth: 'account',
    scopes: ['publish'],
    body: StackApplyRequest,
    bodyKind: 'stack',
    reply: StackApplied,
  },
} as const satisfies Record<string, Route>
