import type { TriggerSpec } from '@tocsin/contract'
import { unmarkedEvent, type Warning } from '../../chain-rules.ts'
import { isNamed } from './check-abi.ts'
import { indexedCount, knownEvents } from './known-events.ts'
import { type AbiItem, readAbi } from './read-abi.ts'

/**
 * Finds a human-readable event of an evm_log without `indexed` marks, in `event` or in `abiFragment`, for which neither the
 * number of topics nor the known events show which inputs are in the topics. Undefined when the logs of the spec can be
 * decoded.
 */
export async function warnOfUnmarkedEvent(spec: TriggerSpec, path: string): Promise<Warning | undefined> {
  if (spec.type !== 'evm_log') return undefined
  const field = spec.abiFragment === undefined ? 'event' : 'abiFragment'
  for (const event of await eventsOf(spec))
    if (event.isUnmarked && !(await isSettled(event, spec.topicsCount)))
      return { reasonCode: unmarkedEvent, path: `${path}.${field}`, message: sentence(event) }
  return undefined
}

async function eventsOf({ abiFragment, event }: Extract<TriggerSpec, { type: 'evm_log' }>): Promise<AbiItem[]> {
  const abi = await readAbi(abiFragment ?? event ?? [], 'event')
  const events = abi.ok ? abi.items.filter(({ type }) => type === 'event') : []
  return abiFragment === undefined || event === undefined ? events : events.filter((item) => isNamed(item, event))
}

async function isSettled(event: AbiItem, topicsCount: number | undefined): Promise<boolean> {
  const known = await knownEvents(event.signature)
  if (topicsCount === undefined) return event.inputs.length < 2 || known.length > 0
  const indexed = topicsCount - 1
  return indexed <= 0 || indexed >= event.inputs.length || known.some((each) => indexedCount(each) === indexed)
}

function sentence({ name, signature, inputs }: AbiItem): string {
  const example = inputs.map((input, index) => `${input.type}${index === 0 ? ' indexed' : ''} ${nameOf(input, index)}`)
  return (
    `${signature} does not say which inputs are indexed, so logs with only some of them indexed match without args and params. ` +
    `Write "indexed" after the type of every indexed input, and a name after it, for example ${name}(${example.join(', ')}), or give an abiFragment as JSON. If no input is indexed, set topicsCount to 1.`
  )
}

function nameOf({ name }: AbiItem['inputs'][number], index: number): string {
  return name || `arg${index}`
}
