import { isRecord } from '../../folder/paths.ts'
import type { AbiItem } from '../evm/matches.ts'
import { signatureOf } from '../evm/signatures.ts'
import { Impossible } from '../impossible.ts'
import { type Fields, recordsIn, requireText } from './fields.ts'
import type { Outputs } from './outputs.ts'
import { operatorOf } from './parameters.ts'
import { readingOf } from './readings.ts'

/** A value that is read at each block, and the policy that decides which value is worth an alert. */
export type Watch = { providers: Fields[]; rawSource: string; policy: Fields }

const blockProvider = { id: 'block', type: 'javascript', source: "'0x' + source.number.toString(16)" }
const atBlock = '{{providers.block}}'

/** The balance of an account. Without an operator the alert is for a balance under the threshold. */
export function balanceWatch(fields: Fields, outputs: Outputs): Watch {
  const address = requireText(fields, 'address').toLowerCase()
  const read = { id: 'data', type: 'rpc', transport: 'source', method: 'eth_getBalance', params: [address, atBlock] }
  const operator = operatorOf(fields, '<')
  const condition = { comparison_value: requireText(fields, 'threshold'), operator, parameter_type: 'uint' }
  return watch([blockProvider, read], address, condition, outputs)
}

/** The result of a view function. The alert has the whole input of the call, so no ABI is needed. */
export function functionWatch(fields: Fields, outputs: Outputs): Watch {
  const address = requireText(fields, 'address').toLowerCase()
  const params = [{ to: address, data: requireText(fields, 'input') }, atBlock]
  const read = { id: 'data', type: 'rpc', transport: 'source', method: 'eth_call', params }
  const { parameter_condition: condition } = fields
  if (!isRecord(condition)) throw new Impossible('it has no parameter_condition')
  return watch([blockProvider, read], address, condition, outputs)
}

/** A state variable. Its getter is a view function, if the ABI has one. */
export function stateWatch(fields: Fields, abi: readonly AbiItem[], outputs: Outputs, differences: string[]): Watch {
  const address = requireText(fields, 'address').toLowerCase()
  const [condition, ...more] = recordsIn(fields.parameter_conditions)
  if (!condition || more.length > 0) throw new Impossible('it must have one condition on one state variable')
  const name = requireText(condition, 'parameter_name')
  const getter = abi.find(
    (item) => item.type === 'function' && item.name === name && recordsIn(item.inputs).length === 0,
  )
  if (!getter)
    throw new Impossible(
      `the place of ${name} in the storage is not known, and no ABI beside the alerts has a getter for it`,
    )
  differences.push(`the getter ${name}() is read`)
  if (fields.match_any === true) differences.push('the other contracts of the project are not watched')
  const read = { id: 'data', type: 'evm_read', contract: address, method: signatureOf(getter), abiFragment: [getter] }
  return watch([read], address, condition, outputs)
}

function watch(providers: Fields[], address: string, condition: Fields, outputs: Outputs): Watch {
  const { value, holds, policy } = readingOf(condition, providers.at(-1)?.type === 'evm_read')
  const own = { id: 'value', type: 'javascript', source: value }
  const fields = `address: ${JSON.stringify(address)}, value: providers.value, holds: ${holds}`
  return { providers: [...providers, own], rawSource: outputs.value(fields), policy }
}
