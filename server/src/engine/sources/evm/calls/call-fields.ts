import type { Requirement } from '../../../conditions/requirements.ts'
import { type FieldKey, type Fields, makeItemKey } from '../../../match/index.ts'
import type { EvmCallKeys, RawCall } from '../match-keys.ts'
import { dataWord, findInput, type MaybeWord, makeWordKey } from '../word-fields.ts'
import { argsFrom } from './call-items.ts'

/** Fields that are the same for every decoder. */
const plainFields = new Set([
  ...['transactionHash', 'transactionIndex', 'index', 'depth', 'type', 'from', 'to', 'address', 'value'],
  ...['methodId', 'success', 'gasUsed'],
])

/** Where the value of a requirement is in an undecoded call. Undefined when only decoding can find it. */
export function makeCallFieldKey(
  requirement: Requirement,
  keys: EvmCallKeys,
  fields: Fields<RawCall>,
): FieldKey<RawCall> | undefined {
  if (plainFields.has(requirement.path)) return makeItemKey(fields, requirement, '', ({ plain }) => plain)
  return makeWordKey(requirement, wordAt(requirement.path, keys), fields)
}

function wordAt(path: string, { inputs }: EvmCallKeys): MaybeWord<RawCall> {
  const at = findInput(path, inputs)
  const input = typeof at === 'number' ? inputs[at] : undefined
  if (typeof at !== 'number' || !input) return at === 'absent' ? at : undefined
  return dataWord(inputs.slice(0, at), input, ({ input }) => input, argsFrom)
}
