import type { Condition } from '@tocsin/contract'
import { isRecord } from '../../folder/paths.ts'
import type { TriggerParts } from '../evm/triggers.ts'
import { Impossible } from '../importer.ts'
import { type Fields, requireText } from './fields.ts'
import type { Outputs } from './outputs.ts'

/** An alert if a log or a transaction does not come for a time. */
export function absenceParts(fields: Fields, outputs: Outputs): { parts: TriggerParts; policy: Fields } {
  const policy = { type: 'absence', within: `${requireText(fields, 'check_after_seconds')}s` }
  const { no_log: log, no_transaction: transaction } = fields
  if (isRecord(log)) return { parts: logParts(log, outputs), policy }
  if (isRecord(transaction)) return { parts: transactionParts(transaction, outputs), policy }
  throw new Impossible('it has neither no_log nor no_transaction')
}

function logParts(log: Fields, outputs: Outputs): TriggerParts {
  const id = requireText(log, 'event_id').toLowerCase()
  return {
    spec: { type: 'evm_log', contract: requireText(log, 'address') },
    rawSource: outputs.item('source.event'),
    conditions: { param: 'source.topics.0', op: 'eq', value: id },
  }
}

function transactionParts(transaction: Fields, outputs: Outputs): TriggerParts {
  const { transaction_success: succeeded, is_from_address: isSender } = transaction
  const address = requireText(transaction, 'address').toLowerCase()
  const side: Condition = { param: isSender === true ? 'source.from' : 'source.to', op: 'eq', value: address }
  const status: Condition[] =
    typeof succeeded === 'boolean' ? [{ param: 'source.status', op: 'eq', value: succeeded ? 1 : 0 }] : []
  const rawSource = outputs.transaction('source.hash')
  return { spec: { type: 'evm_transaction' }, rawSource, conditions: { all: [side, ...status] } }
}
