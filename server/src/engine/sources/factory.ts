/** Contracts that a factory creates: how a block shows them, and how items of other contracts are left out. */
import type { SourceItem } from '../base/source-item.ts'
import type { ChainBlock, Factory, Matcher } from './block.ts'
import type { ItemReader } from './raw-items.ts'

/** Leaves out the items of contracts that are no members. It shares no decoder, because members differ. */
export function onlyMembers(reader: ItemReader, members: ReadonlySet<string>): ItemReader {
  return {
    itemOf(block, raw) {
      const item = reader.itemOf(block, raw)
      return item && isOfMember(item, members) ? item : undefined
    },
  }
}

function isOfMember({ address }: SourceItem, members: ReadonlySet<string>): boolean {
  return typeof address === 'string' && members.has(address.toLowerCase())
}

/** A matcher that learns members from the blocks that it sees, and from those that `learn` gets. */
export type LearningMatcher = Matcher & {
  factory: Factory
  learn(block: ChainBlock): void
  addMembers(members: Iterable<string>): void
}

/** For try-outs, which read blocks in their order. The block that creates a member counts for the member too. */
export function learningMatcher(matcher: Matcher, factory: Factory): LearningMatcher {
  const members = new Set<string>()
  const addMembers = (found: Iterable<string>) => {
    for (const member of found) members.add(member)
  }
  const learn = (block: ChainBlock) => {
    if (block.number >= (factory.fromBlock ?? 0)) addMembers(factory.membersIn(block) ?? [])
  }
  return {
    ...matcher,
    factory,
    learn,
    addMembers,
    match(block) {
      learn(block)
      return matcher.match(block).filter((item) => isOfMember(item, members))
    },
  }
}

export function isLearning(matcher: Matcher): matcher is LearningMatcher {
  return 'factory' in matcher
}
