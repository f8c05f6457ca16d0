import type { AlertPolicy } from '@tocsin/contract'
import { isObject } from '../base/is-object.ts'
import { isBlockItem, itemBlock } from '../base/item-block.ts'
import type { SourceItem } from '../base/source-item.ts'

/** The data that templates can use: the output, its trigger and source, and its position on the chain. */
export type MessageContext = {
  raw: unknown
  human: unknown
  meta: { title: string; trigger: string; project: string; source?: string }
  block?: Record<string, unknown>
  /** What the policy of the subscription decided by. */
  policy?: AlertPolicy
  index?: unknown
  /** The hash of the transaction. */
  hash?: unknown
}
type MessageSource = {
  trigger: { title: string; fullname: string; project: string }
  item: SourceItem
  output: { raw: unknown; human: unknown }
  source?: string | null
  block?: { number: number; hash: string; timestampMs?: number } | null
  policy?: AlertPolicy | null
}

export function messageContext({ trigger, item, output, source, block, policy }: MessageSource): MessageContext {
  const { title, fullname, project } = trigger
  const at = itemBlock(item) ?? (block ? { ...block, timestamp: secondsOf(block.timestampMs) } : undefined)
  const hash = transactionHashOf(item)
  return {
    raw: output.raw,
    human: output.human,
    meta: { title, trigger: fullname, project, ...(source && { source }) },
    ...(at && { block: at }),
    ...(policy && { policy }),
    ...(item.index !== undefined && { index: item.index }),
    ...(hash !== undefined && { hash }),
  }
}

function transactionHashOf(item: SourceItem): unknown {
  const { transactionHash, hash, transaction } = item
  if (isBlockItem(item)) return undefined
  return transactionHash ?? hash ?? (isObject(transaction) ? transaction.signature : undefined)
}

function secondsOf(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.floor(ms / 1000)
}
