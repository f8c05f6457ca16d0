import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** These files take long. If they started last, one core would be idle at the end. */
const longest = [
  'tests/long/simulation.test.ts',
  'tests/long/crash.test.ts',
  'tests/long/browser/pages.test.ts',
  'tests/long/browser/builder.test.ts',
  'tests/long/browser/destinations.test.ts',
  'tests/long/browser/developer.test.ts',
  'tests/long/kill.test.ts',
  'tests/long/list-plans.test.ts',
  'tests/long/fuzz.test.ts',
  'tests/long/channels.test.ts',
  'tests/long/limits.test.ts',
  'tests/long/history-changes.test.ts',
  'tests/long/packages.test.ts',
  'tests/long/misbehaving-nodes.test.ts',
  'tests/long/bad-nodes.test.ts',
  'tests/long/half-true-nodes.test.ts',
  'tests/long/browser/alert-states.test.ts',
  'tests/long/browser/watch-chains.test.ts',
  'tests/long/browser/handing-over.test.ts',
  'tests/browser/watch.test.ts',
  'tests/browser/screens.test.ts',
  'server/src/engine/script/hostile.test.ts',
  'tests/browser/everyday.test.ts',
  'tests/matrix.test.ts',
  'tests/telegram-bot.test.ts',
  'tests/deliver.test.ts',
  'server/src/runtime/evaluate/evaluate.test.ts',
  'server/src/engine/sources/substrate/node.test.ts',
  'tests/browser/habits.test.ts',
  'tests/browser/newcomer.test.ts',
  'tests/browser/telegram.test.ts',
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
