import { type AbiParameter, encodeAbiParameters, toFunctionSelector } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectedEvm } from '../../../../../../tests/nodes/connected-evm.ts'
import { anyEmitter, emission } from '../../../../../../tests/nodes/evm-contracts.ts'
import { hashSignature } from '../abi/keccak.ts'
import { type AbiItem, readAbi } from '../abi/read-abi.ts'
import { chainReads } from '../look-up/chain-reads.ts'
import { inspectAddress } from '../look-up/inspect.ts'
import { interfaces } from './index.ts'

/**
 * Each bundled interface on a real chain: a contract with its selectors and topics in the code emits its events and gets its
 * calls. No service knows the contract. The look-up names and decodes all of them.
 */

let evm: Awaited<ReturnType<typeof connectedEvm>>
beforeAll(async () => {
  evm = await connectedEvm()
})
afterAll(() => evm.close())

test.each(interfaces)('$name: a contract that nobody verified offers its events and calls', async ({ lines }) => {
  const items = await itemsOf(lines)
  const constants = items.map(({ type, signature }) =>
    type === 'event' ? hashSignature(signature) : toFunctionSelector(signature),
  )
  const contract = await evm.node.deploy(anyEmitter(constants))
  await evm.node.request('evm_setAutomine', [false])
  for (const item of items) await send(contract, item.type === 'event' ? logOf(item) : callOf(item))
  await evm.node.request('evm_mine')
  await evm.node.request('evm_setAutomine', [true])

  const { events, calls } = await inspect(contract)
  const shown = [...events, ...calls].map(({ signature, count, latest, fragment }) => ({
    signature,
    count,
    params: latest?.params,
    indexed: indexedOf(fragment.inputs),
  }))
  const watched = items.filter(({ json }) => json.stateMutability !== 'view')
  const wanted = watched.map((item) => ({
    signature: item.signature,
    count: 1,
    params: paramsOf(item),
    indexed: indexedOf(item.json.inputs),
  }))
  expect(shown).toEqual(expect.arrayContaining(wanted))
  expect(shown).toHaveLength(wanted.length)
})

test('the code alone shows events and calls that did not happen recently', async () => {
  const items = await itemsOf(interfaces[0]?.lines ?? [])
  const constants = items.map(({ type, signature }) =>
    type === 'event' ? hashSignature(signature) : toFunctionSelector(signature),
  )
  const { events, calls } = await inspect(await evm.node.deploy(anyEmitter(constants)))
  expect(events.map(({ name, count }) => [name, count])).toEqual([
    ['Transfer', 0],
    ['Approval', 0],
  ])
  expect(calls.map(({ name }) => name)).toContain('transferFrom')
})

function inspect(address: string) {
  const reads = chainReads(evm.connection.request)
  const findVerified = async () => ({ tried: ['Nobody was asked'], hasFailed: false })
  return inspectAddress({ reads, connection: evm.connection, findVerified, activityMs: 10_000 }, address)
}

async function itemsOf(lines: readonly string[]): Promise<AbiItem[]> {
  const abi = await readAbi([...lines], 'event')
  if (!abi.ok) throw new Error(abi.message)
  return abi.items
}

function send(to: string, data: string): Promise<unknown> {
  return evm.node.request('eth_sendTransaction', [{ from: evm.node.account, to, data, gas: '0x493e0' }])
}

function logOf(item: AbiItem): string {
  const inputs = inputsOf(item)
  const indexed = inputs.filter((input) => input.indexed).map((input) => encode([input]))
  return emission([hashSignature(item.signature), ...indexed], encode(inputs.filter((input) => !input.indexed)))
}

function callOf(item: AbiItem): string {
  return toFunctionSelector(item.signature) + encode(inputsOf(item)).slice(2)
}

type Input = AbiParameter & { indexed?: boolean; components?: Input[] }

function inputsOf({ json }: AbiItem): Input[] {
  return json.inputs as Input[]
}

function indexedOf(inputs: unknown): boolean[] {
  return (inputs as Input[]).map(({ indexed }) => indexed === true)
}

function encode(inputs: Input[]): string {
  return encodeAbiParameters(
    inputs,
    inputs.map((input) => sampleOf(input).value),
  )
}

function paramsOf(item: AbiItem): Record<string, unknown> {
  return Object.fromEntries(
    inputsOf(item).flatMap((input) => (input.name ? [[input.name, sampleOf(input).shown]] : [])),
  )
}

/** A value of the type, as the encoder takes it and as items show it. */
function sampleOf({ type, components = [] }: Pick<Input, 'type' | 'components'>): { value: unknown; shown: unknown } {
  const array = /^(.*)\[(\d*)\]$/.exec(type)
  if (array) {
    const inner = sampleOf({ type: array[1] ?? '', components })
    const length = Number(array[2] || 2)
    return { value: Array(length).fill(inner.value), shown: Array(length).fill(inner.shown) }
  }
  if (type === 'tuple') {
    const parts = components.map((each) => [each.name ?? '', sampleOf(each)] as const)
    return {
      value: Object.fromEntries(parts.map(([name, { value }]) => [name, value])),
      shown: Object.fromEntries(parts.map(([name, { shown }]) => [name, shown])),
    }
  }
  if (type === 'address') return both(`0x${'5a'.repeat(20)}`)
  if (type === 'bool') return both(true)
  if (type === 'string') return both('a text')
  if (type === 'bytes') return both('0x1234567890')
  const bytes = /^bytes(\d+)$/.exec(type)
  if (bytes) return both(`0x${'7b'.repeat(Number(bytes[1]))}`)
  const [, sign, bits] = /^(u?)int(\d+)$/.exec(type) ?? []
  const number = sign === '' ? -7 : 7
  return Number(bits) <= 48 ? both(number) : { value: BigInt(number), shown: String(number) }
}

function both(value: unknown) {
  return { value, shown: value }
}
