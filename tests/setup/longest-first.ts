import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Begun last, these would be waited for while the other core has nothing to do. */
const longest = [
  'tests/long/simulation.test.ts',
  'tests/long/crash.test.ts',
  'tests/browser/pages.test.ts',
  'tests/long/kill.test.ts',
  'server/src/store/embedded/index.test.ts',
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
