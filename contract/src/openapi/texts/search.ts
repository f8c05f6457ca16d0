import type { searchRoutes } from '../../routes/search.ts'
import type { TextsOf } from './operation-text.ts'

export const searchTexts: TextsOf<typeof searchRoutes> = {
  search: {
    description:
      'Finds entities whose name or title contains the text: workspaces of the account, their projects, triggers, resources, subscriptions, sources and address lists, the built-in networks, and entries of the address book (unless `workspace` names one workspace). Upper and lower case are the same. An alert is found by its whole id.',
    refusals: ['not_found'],
  },
}
