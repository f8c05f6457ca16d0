import type { systemRoutes } from '../../routes/system.ts'
import type { TextsOf } from './operation-text.ts'

export const systemTexts: TextsOf<typeof systemRoutes> = {
  getHealth: {
    description:
      'Answers as soon as the process runs. It touches neither the store nor a chain, so a failing database does not make a supervisor restart the process.',
  },
  getReady: {
    description:
      'Writes to the store and answers 503 `unavailable` if that fails, or as soon as the service begins to stop. A load balancer sends requests only to processes that are ready.',
  },
  getFileSchema: {
    description:
      'Editors use the schema to complete and check the files of a stack. The kinds are project, trigger, template, resource, source, subscription, address-list, stack and test. The answer may be cached for an hour.',
  },
}
