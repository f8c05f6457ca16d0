import type { SourceItem } from '../base/source-item.ts'
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
