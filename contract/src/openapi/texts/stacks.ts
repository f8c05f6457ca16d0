import type { stackRoutes } from '../../routes/stacks.ts'
import type { TextsOf } from './operation-text.ts'

export const stackTexts: TextsOf<typeof stackRoutes> = {
  listStacks: {
    description:
      'Lists the stacks of the workspace, ordered by name, with the number of entities in each. Every member may read it; entities that the account may not read are not counted.',
  },
  getStack: {
    description:
      'Answers the entities that carry the label of the stack, and what was changed in each since the last apply. Subscriptions of other people are shown to owners and admins only.',
  },
  planStack: {
    description:
      'Compares the entities of a stack with the workspace and answers the changes of an apply, what others changed since the last apply (`drift`), the issues, and the `planHash` that an apply needs. It changes nothing. It needs the rights of the single saves.',
  },
  applyStack: {
    description:
      'Applies the plan with this `expectedPlanHash` in one transaction: creates and updates the entities, and with `prune` deletes those of the stack that are not named. If anything is refused, nothing changes. It needs the rights of the single saves.',
    refusals: ['plan_changed', 'limit_reached'],
  },
}
