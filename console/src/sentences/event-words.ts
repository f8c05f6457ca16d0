import { isObject } from '../forms/json.ts'
import { joinWords, type Part, type SentenceParts } from './parts.ts'

type Fields = Record<string, unknown>

/**
 * What a trigger waits for. `event`: “When a transfer of USDC happens”, which can also be said of “no transfer”. `lead`: a
 * period, such as “Every 5 minutes”.
 */
export type Awaited =
  | { kind: 'event'; noun: string; of: SentenceParts; verb: string; contract?: string | undefined }
  | { kind: 'lead'; text: string }

/** Events whose names are words that people use. */
const knownEvents = new Set(['transfer', 'approval', 'swap', 'deposit', 'withdrawal', 'vote', 'trade', 'mint', 'burn'])

/** The items that a triggerSpec matches. */
export function eventWords(spec: Fields): Awaited {
  const type = String(spec.type)
  if (type.endsWith('_block')) return blockWords(spec.every)
  if (type === 'evm_transaction') return { kind: 'event', noun: 'transaction', of: [], verb: 'happens' }
  if (type === 'evm_log') return { ...eventOf(nameIn(spec.event, spec.abiFragment)), ...contractWords(spec.contract) }
  if (type === 'evm_call') {
    const call = callOf(nameIn(spec.method, spec.abiFragment), spec.success)
    return { ...call, of: [...call.of, ...(contractWords(spec.contract, ' to ')?.of ?? [])] }
  }
  if (type === 'substrate_event') return eventOf(dotted(spec.pallet, spec.event))
  if (type === 'substrate_call') return callOf(dotted(spec.pallet, spec.call), spec.success)
  const program: Part[] = spec.programId ? [' of the program ', { value: String(spec.programId) }] : []
  if (type === 'solana_event') return { ...eventOf(nameOf(spec.event)), of: program }
  const instruction = [nameOf(spec.instruction), 'instruction'].filter(Boolean).join(' ')
  return { kind: 'event', noun: instruction, of: program, verb: 'runs' }
}

function blockWords(every: unknown): Awaited {
  if (typeof every === 'number' && every > 1)
    return { kind: 'lead', text: `Every ${every.toLocaleString('en')} blocks` }
  return { kind: 'event', noun: 'block', of: [], verb: 'arrives' }
}

type Event = Extract<Awaited, { kind: 'event' }>

/** `Transfer` → “transfer”, `Paid` → “Paid event” */
function eventOf(name: string): Event {
  const last = name.split('.').at(-1)?.toLowerCase() ?? ''
  const noun = knownEvents.has(last) ? last : [name, 'event'].filter(Boolean).join(' ')
  return { kind: 'event', noun, of: [], verb: 'happens' }
}

function callOf(name: string, success: unknown): Event {
  const verb = success === false ? 'fails' : success === 'any' ? 'happens' : 'succeeds'
  return { kind: 'event', noun: 'call', of: name === '' ? [] : [' of ', { value: name }], verb }
}

/** The name in the signature, else in a fragment of an ABI that is written as text. */
function nameIn(signature: unknown, fragment: unknown): string {
  const isText = typeof fragment === 'string' && /^\s*(?:event|function)\s/.test(fragment)
  return nameOf(signature) || (isText ? nameOf(fragment) : '')
}

/** `Transfer(address,address,uint256)` → `Transfer` */
function nameOf(signature: unknown): string {
  return typeof signature === 'string'
    ? signature
        .replace(/^\s*(?:event|function)\s+/, '')
        .replace(/\(.*/s, '')
        .trim()
    : ''
}

function dotted(pallet: unknown, name: unknown): string {
  return [pallet, name].filter(isGivenText).join('.')
}

function contractWords(contract: unknown, preposition = ' of '): { of: SentenceParts; contract?: string } | undefined {
  if (isObject(contract) && isObject(contract.factory))
    return { of: [`${preposition}contracts of the factory `, { value: String(contract.factory.contract) }] }
  const contracts = [contract].flat().filter(isGivenText)
  const [first] = contracts
  if (first === undefined) return undefined
  if (contracts.length === 1) return { of: [preposition, { value: first }], contract: first }
  const shown = contracts.length > 3 ? `${contracts.length.toLocaleString('en')} contracts` : joinWords(contracts, 'or')
  return { of: [preposition, { value: shown }] }
}

/** True for a text that is not empty. */
export function isGivenText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
