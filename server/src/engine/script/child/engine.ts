import { limits } from '../limits.ts'
import type { FailureKind } from '../protocol.ts'

/** A JavaScript engine of a child. Only text goes in and comes out, so a script shares no object with the child. */
export type Engine = {
  /** Compiles the code, or returns it from the cache. It does not run the tenant's code yet. */
  load(code: string, cpuMsMax: number): Loaded | CallFailure
}

/** Every call starts from the state after loading, whatever earlier calls did. */
export type Loaded = { kind: 'loaded'; call(context: Uint8Array, nowMs: number, cpuMsMax: number): CallResult }

export type CallResult = (CallValue | CallFailure) & { logs?: Uint8Array }
/** The result as JSON. */
export type CallValue = { kind: 'value'; json: Uint8Array }
export type CallFailure = { kind: FailureKind; message: string; stack?: string }

export const timeout: CallFailure = { kind: 'timeout', message: 'the script used more CPU time than allowed' }
export const outOfMemory: CallFailure = { kind: 'memory', message: 'the script used more memory than allowed' }
export const tooDeep: CallFailure = { kind: 'throw', message: 'RangeError: Maximum call stack size exceeded' }
const outputLimit: CallFailure = {
  kind: 'output_limit',
  message: `the result is larger than ${limits.outputBytes} bytes of JSON`,
}

/** An answer of the guest, decoded: see guest.ts. */
export type GuestAnswer = { outcome: CallValue | CallFailure | 'pending'; hasLogs: boolean }

export function readGuestAnswer(text: Uint8Array): GuestAnswer {
  if (text[0] !== codeOf('!')) return { outcome: outcomeOf('v', text), hasLogs: false }
  const kind = String.fromCharCode(text[1] ?? 0)
  return { outcome: outcomeOf(kind, text.subarray(3)), hasLogs: text[2] === codeOf('+') }
}

function codeOf(character: string): number {
  return character.charCodeAt(0)
}

function outcomeOf(kind: string, json: Uint8Array): GuestAnswer['outcome'] {
  if (kind === 'p') return 'pending'
  if (kind === 'v') return json.length > limits.outputBytes ? outputLimit : { kind: 'value', json }
  if (kind === 'o') return outputLimit
  if (kind === 'm') return outOfMemory
  const { message, stack }: { message: string; stack?: string } = JSON.parse(Buffer.from(json).toString())
  return { kind: kind === 'n' ? 'not_json' : 'throw', message, stack }
}
