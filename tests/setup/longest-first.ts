import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** These files take long. If they started last, one core would be idle at the end. */
const longest = [
  'tests/long/simulation.test.ts',
  'tests/long/crash.test.ts',
  'tests/long/browser/pages.test.ts',
  'tests/long/kill.test.ts',
  'tests/long/list-plans.test.ts',
  'tests/browser/builder.test.ts',
  'server/src/engine/script/children.test.ts',
  'tests/browser/developer.test.ts',
  'server/src/store/embedded/index.test.ts',
  'tests/browser/destinations.test.ts',
  'server/src/engine/script/hostile.test.ts',
  'tests/limits.test.ts',
  'tests/browser/everyday.test.ts',
  'tests/browser/alert-states.test.ts',
  'tests/matrix.test.ts',
  'tests/bad-nodes.test.ts',
  'tests/following-chains.test.ts',
  'tests/misbehaving-nodes.test.ts',
  'tests/telegram-bot.test.ts',
  'tests/deliver.test.ts',
  'server/src/runtime/evaluate/evaluate.test.ts',
  'server/src/engine/sources/substrate/node.test.ts',
  'tests/channels.test.ts',
  'tests/browser/habits.test.ts',
  'tests/browser/newcomer.test.ts',
  'tests/browser/handing-over.test.ts',
  'tests/browser/telegram.test.ts',
  'tests/half-true-nodes.test.ts',
  'tests/end-to-end.test.ts',
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
