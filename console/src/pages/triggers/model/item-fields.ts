import type { ConditionName } from '../../../forms/conditions/condition-form.ts'
import { isObject } from '../../../forms/json.ts'
import { fieldsOf } from '../../../forms/value-form/read-fields.ts'
import { fieldType } from './abi-fields.ts'
import { type AbiKind, chosenIn } from './abi-items.ts'
import type { Definition, Fields } from './definition.ts'
import { specType } from './spec-kinds.ts'

/** The fields that every item of a type of trigger has. Fields of `params` and `args` depend on the event or the call. */
const itemFields: Record<string, string> = {
  evm_log: 'address event blockNumber blockTimestamp transactionHash transactionIndex index data',
  evm_transaction: 'from to value input methodId status hash type nonce gasLimit gasPrice block.number receipt.gasUsed',
  evm_call:
    'address from to value method methodId success type depth input output gasUsed transactionHash block.number block.timestamp',
  evm_block: 'number hash timestamp transactionsCount gasLimit gasUsed baseFeePerGas blobGasUsed excessBlobGas miner',
  substrate_event: 'pallet event phase extrinsic index block.number block.hash',
  substrate_call: 'pallet call sender nonce success path index hash block.number block.hash',
  substrate_block: 'number hash parentHash timestamp stateRoot extrinsicsRoot author',
  solana_event: 'programId event index block.slot transaction.signature transaction.success',
  solana_instruction: 'programId instruction inner path index block.slot transaction.signature',
  timer: 'now timestampMs',
}

const depthMax = 4
const abiKinds: Record<string, AbiKind> = { evm_log: 'event', evm_call: 'function' }

type Known = { definition: Definition; sample: Fields | undefined; providersData: Fields }

/** The params that the conditions of a trigger can name, each once: of the item, of the inputs and of the providers. */
export function conditionNames({ definition, sample, providersData }: Known): ConditionName[] {
  const type = specType(definition.triggerSpec)
  const ofItem = (itemFields[type] ?? '').split(' ').filter(Boolean)
  const names: ConditionName[] = [
    ...namesOfAbi(definition.triggerSpec ?? {}, abiKinds[type]),
    ...ofItem.map((field) => nameOf(`source.${field}`, undefined)),
    ...namesIn(sample, 'source', depthMax),
    ...fieldsOf(definition.inputs).map(({ name, ...rest }) => ({ ...rest, name: `inputs.${name}` })),
    ...definition.providers.flatMap(({ id }) => namesOfProvider(String(id), providersData)),
  ]
  return mergeByName(names)
}

/** A later name of the same path adds what it knows, such as the kind of a sample's value. */
function mergeByName(names: ConditionName[]): ConditionName[] {
  const found = new Map<string, ConditionName>()
  for (const { name, kind, choices, addressType } of names) {
    const before = found.get(name)
    found.set(name, {
      name,
      kind: before?.kind ?? kind,
      choices: before?.choices ?? choices,
      addressType: before?.addressType ?? addressType,
    })
  }
  return [...found.values()]
}

function namesOfAbi({ abiFragment, event, method }: Fields, kind: AbiKind | undefined): ConditionName[] {
  const item = kind && chosenIn(abiFragment, event ?? method, kind)
  return (item?.parameters ?? []).map(({ name, type }) => {
    const field = fieldType(type)
    return {
      name: `source.params.${name}`,
      kind: field === 'string' ? 'text' : field,
      ...(field === 'address' && { addressType: 'evm' }),
    }
  })
}

function namesOfProvider(id: string, providersData: Fields): ConditionName[] {
  const path = `providers.${id}`
  const result = providersData[id]
  return [nameOf(path, isObject(result) ? undefined : result), ...namesIn(result, path, depthMax)]
}

/** The paths of the plain values inside a value. */
function namesIn(value: unknown, path: string, depth: number): ConditionName[] {
  if (!isObject(value) || depth === 0) return []
  return Object.entries(value).flatMap(([key, part]) =>
    isObject(part) ? namesIn(part, `${path}.${key}`, depth - 1) : [nameOf(`${path}.${key}`, part)],
  )
}

function nameOf(name: string, value: unknown): ConditionName {
  if (typeof value === 'boolean') return { name, kind: 'boolean' }
  const isAddress = typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value)
  return isAddress ? { name, kind: 'address', addressType: 'evm' } : { name }
}
