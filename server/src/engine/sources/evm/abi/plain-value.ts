import type { EvmParameter } from './abi-items.ts'

/** Converts decoded values to the JSON that triggers see. Throws when a value does not fit its type. */
export type ToPlain = (value: unknown) => unknown

/**
 * Each Solidity type becomes one type of JSON, so that a field's type does not depend on its value: integers of up to 48
 * bits are numbers, wider ones decimal strings. Tuples whose components all have names are objects.
 */
export function plainOf(parameter: EvmParameter): ToPlain {
  const inner = elementOf(parameter)
  if (inner) return listOf(plainOf(inner))
  if (parameter.components) return tupleOf(parameter.components)
  const integer = /^(u?)int(\d+)$/.exec(parameter.type)
  if (integer) return integerOf(Number(integer[2]), integer[1] === '')
  return parameter.type === 'string' ? storable : (value) => value
}

/** The type of an array's items; undefined for other types. */
export function elementOf(parameter: EvmParameter): EvmParameter | undefined {
  const array = /^(.*)\[\d*\]$/s.exec(parameter.type)
  return array ? { ...parameter, type: array[1] ?? '' } : undefined
}

/** The names of all components, if each has a unique one: only then can a tuple be an object. */
export function namesOf(components: readonly EvmParameter[]): string[] | undefined {
  const names = components.flatMap(({ name }) => (isUsable(name) ? [name] : []))
  return names.length > 0 && new Set(names).size === components.length ? names : undefined
}

/** `__proto__` would set the prototype instead of a field. */
export function isUsable(name: string | undefined): name is string {
  return name !== undefined && name !== '' && name !== '__proto__'
}

function listOf(inner: ToPlain): ToPlain {
  return (value) => requireList(value).map(inner)
}

function tupleOf(components: readonly EvmParameter[]): ToPlain {
  const inner = components.map(plainOf)
  const names = namesOf(components)
  return (value) => {
    const values = requireList(value).map((each, index) => inner[index]?.(each))
    return names ? Object.fromEntries(names.map((name, index) => [name, values[index]])) : values
  }
}

/** Bits beyond the type's width are refused, as Solidity refuses them. */
function integerOf(bits: number, isSigned: boolean): ToPlain {
  const fit = isSigned ? BigInt.asIntN : BigInt.asUintN
  return (value) => {
    const integer = asBigInt(value)
    if (integer === undefined || fit(bits, integer) !== integer) throw new RangeError('not an integer of its type')
    return bits > 48 ? integer.toString() : Number(integer)
  }
}

function asBigInt(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : undefined
}

/** A contract may put a NUL into a string, which PostgreSQL cannot store. */
function storable(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value
}

function requireList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new RangeError('not a list')
  return value
}
