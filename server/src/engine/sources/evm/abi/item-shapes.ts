import type { Provider, TriggerSpec } from '@tocsin/contract'
import { UpstreamError } from '../../../outbound/upstream-error.ts'
import { anyShape, type ValueShape } from '../../value-shape.ts'
import { specFunctions } from '../calls/spec-functions.ts'
import { type SpecEvent, specEvents } from '../spec-events.ts'
import type { EvmItem, EvmParameter } from './abi-items.ts'
import { overloadsOf } from './contract-function.ts'
import { elementOf, isUsable, namesOf } from './plain-value.ts'

/**
 * The shapes that `args` and `params` of the items of a spec can have, one for each event or function that matches. Undefined
 * if the spec has no such fields, or an ABI that cannot be read: its own check tells that.
 */
export async function itemShapes(spec: TriggerSpec): Promise<ValueShape[] | undefined> {
  if (spec.type === 'evm_log') return orUnknown(async () => ((await specEvents(spec)) ?? []).flatMap(eventShapes))
  if (spec.type !== 'evm_call') return undefined
  return orUnknown(async () =>
    ((await specFunctions(spec)) ?? []).map(({ item }) => itemShape((item?.inputs ?? []).map(inputOf))),
  )
}

/** The results of the functions that an `evm_read` may call. */
export async function resultShapes(provider: Provider): Promise<ValueShape[] | undefined> {
  if (provider.type !== 'evm_read') return undefined
  return orUnknown(async () => (await overloadsOf(provider)).overloads.map(({ outputs }) => outputShape(outputs)))
}

async function orUnknown(read: () => Promise<ValueShape[]>): Promise<ValueShape[] | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof UpstreamError) return undefined
    throw error
  }
}

/** As `functionCall` decodes it: one output is the value itself. */
function outputShape(outputs: readonly EvmParameter[]): ValueShape {
  const [only] = outputs
  return outputs.length === 1 && only ? shapeOf(only) : tupleShape('outputs', outputs)
}

type Input = { name?: string | undefined; shape: ValueShape }

function inputOf(parameter: EvmParameter): Input {
  return { name: parameter.name, shape: shapeOf(parameter) }
}

/** An event without `indexed` marks is decoded as one of the known ones, or with none or all of its inputs indexed. */
function eventShapes({ item, known }: SpecEvent): ValueShape[] {
  if (!known) return [itemShape(item.inputs.map(eventInput))]
  const unmarked = item.inputs.map((input, index) => ({
    name: input.name || known[0]?.inputs[index]?.name,
    shape: isHashed(input) ? anyShape : shapeOf(input),
  }))
  return [itemShape(unmarked), ...known.map(({ inputs }: EvmItem) => itemShape(inputs.map(eventInput)))]
}

/** A value that does not fit into a topic is stored there as its hash. */
function eventInput(parameter: EvmParameter): Input {
  if (!parameter.indexed || !isHashed(parameter)) return inputOf(parameter)
  return {
    name: parameter.name,
    shape: { type: `${parameter.type} indexed, of which a log has only the hash`, kind: 'bytes', bytes: 32 },
  }
}

function isHashed({ type, components }: EvmParameter): boolean {
  return components !== undefined || /^(?:string|bytes)$|\]$/.test(type)
}

function itemShape(inputs: readonly Input[]): ValueShape {
  const named = inputs.flatMap(({ name, shape }) => (isUsable(name) ? [[name, shape] as const] : []))
  return {
    type: 'item',
    kind: 'object',
    fields: {
      params: { type: 'params', kind: 'object', fields: Object.fromEntries(named) },
      args: { type: 'args', kind: 'tuple', items: inputs.map(({ shape }) => shape) },
    },
  }
}

function shapeOf(parameter: EvmParameter): ValueShape {
  const { type, components } = parameter
  const inner = elementOf(parameter)
  if (inner) {
    const length = /\[(\d+)\]$/.exec(type)?.[1]
    return { type, kind: 'list', items: shapeOf(inner), ...(length !== undefined && { length: Number(length) }) }
  }
  if (components) return tupleShape(type, components)
  const integer = /^(u?)int(\d+)$/.exec(type)
  if (integer) return { type, kind: 'integer', ...rangeOf(integer[1] === '', Number(integer[2])) }
  const fixed = /^bytes(\d+)$/.exec(type)
  if (fixed) return { type, kind: 'bytes', bytes: Number(fixed[1]) }
  return simpleShapes[type] ?? anyShape
}

const simpleShapes: Record<string, ValueShape> = {
  address: { type: 'address', kind: 'address' },
  bool: { type: 'bool', kind: 'boolean' },
  string: { type: 'string', kind: 'text' },
  bytes: { type: 'bytes', kind: 'bytes' },
}

function tupleShape(type: string, components: readonly EvmParameter[]): ValueShape {
  const names = namesOf(components)
  const items = components.map(shapeOf)
  if (!names) return { type, kind: 'tuple', items }
  return {
    type,
    kind: 'object',
    fields: Object.fromEntries(names.map((name, index) => [name, items[index] ?? anyShape])),
  }
}

function rangeOf(isSigned: boolean, bits: number): { least: bigint; most: bigint } {
  const size = 2n ** BigInt(isSigned ? bits - 1 : bits)
  return { least: isSigned ? -size : 0n, most: size - 1n }
}
