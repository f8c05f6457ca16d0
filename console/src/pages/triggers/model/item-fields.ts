import { specOf } from '../../../data/chains.ts'
import type { ConditionName } from '../../../forms/conditions/condition-form.ts'
import { isObject } from '../../../forms/json.ts'
import { fieldsOf } from '../../../forms/value-form/read-fields.ts'
import { chainOfAddress } from '../../../layouts/address/address-form.ts'
import { fieldType } from './abi-fields.ts'
import { chosenIn } from './abi-items.ts'
import type { Definition, Fields } from './definition.ts'
import { specType } from './spec-kinds.ts'

const timerFields = ['now', 'timestampMs']

const depthMax = 4

type Known = { definition: Definition; sample: Fields | undefined; providersData: Fields }

/** The params that the conditions of a trigger can name, each once: of the item, of the inputs and of the providers. */
export function conditionNames({ definition, sample, providersData }: Known): ConditionName[] {
  const type = specType(definition.triggerSpec)
  const described = specOf(type)
  const ofItem = described?.spec.itemFields ?? (type === 'timer' ? timerFields : [])
  const names: ConditionName[] = [
    ...namesOfAbi(definition.triggerSpec ?? {}, described),
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

/** The parameters of the item that the spec chose from an ABI. */
function namesOfAbi(spec: Fields, described: ReturnType<typeof specOf>): ConditionName[] {
  const abi = described?.spec.inputs.find((input) => input.as === 'abi')
  const item = abi && chosenIn(spec.abiFragment, spec[abi.name], abi.item)
  return (item?.parameters ?? []).flatMap(({ name, type }) => {
    const field = fieldType(type)
    const path = `source.params.${name}`
    const own: ConditionName = {
      name: path,
      kind: field === 'string' ? 'text' : field,
      ...(field === 'address' && { addressType: described?.chain.address.type }),
    }
    return type.endsWith(']') ? [own, lengthOf(path)] : [own]
  })
}

function namesOfProvider(id: string, providersData: Fields): ConditionName[] {
  const path = `providers.${id}`
  const result = providersData[id]
  const own = nameOf(path, isObject(result) ? undefined : result)
  return [own, ...(Array.isArray(result) ? [lengthOf(path)] : []), ...namesIn(result, path, depthMax)]
}

/** The number of elements of a list. */
function lengthOf(path: string): ConditionName {
  return { name: `${path}.length`, kind: 'integer' }
}

/** The paths of the plain values inside a value. */
function namesIn(value: unknown, path: string, depth: number): ConditionName[] {
  if (!isObject(value) || depth === 0) return []
  return Object.entries(value).flatMap(([key, part]) => {
    const inside = `${path}.${key}`
    if (isObject(part)) return namesIn(part, inside, depth - 1)
    return Array.isArray(part) ? [nameOf(inside, part), lengthOf(inside)] : [nameOf(inside, part)]
  })
}

function nameOf(name: string, value: unknown): ConditionName {
  if (typeof value === 'boolean') return { name, kind: 'boolean' }
  const chain = typeof value === 'string' ? chainOfAddress(value) : undefined
  // Hashes of some chains have the form of their addresses.
  return chain?.address.differsFromHashes ? { name, kind: 'address', addressType: chain.address.type } : { name }
}
