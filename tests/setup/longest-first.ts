import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** These files take long. If they started last, one core would be idle at the end. */
const longest = [
  'tests/long/simulation.test.ts',
  'tests/long/crash.test.ts',
  'tests/long/kill.test.ts',
  'tests/browser/pages.test.ts',
  'server/src/engine/script/children.test.ts',
  'tests/matrix.test.ts',
  'server/src/store/embedded/index.test.ts',
  'tests/bad-nodes.test.ts',
  'tests/telegram-crash.test.ts',
  'server/src/engine/script/hostile.test.ts',
  'tests/limits.test.ts',
  'tests/browser/alert-states.test.ts',
  'tests/browser/developer.test.ts',
]

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = longest.findIndex((name) => moduleId.endsWith(name))
      return index === -1 ? longest.length : index
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
