import { limits } from '../limits.ts'
import type { Failed, Valued } from './engine.ts'

export const timeout: Failed = { kind: 'timeout', message: 'the script took more CPU time than it may' }
export const outOfMemory: Failed = { kind: 'memory', message: 'the script used more memory than it may' }
export const tooDeep: Failed = { kind: 'throw', message: 'RangeError: Maximum call stack size exceeded' }
const outputLimit: Failed = {
  kind: 'output_limit',
  message: `the result is larger than ${limits.outputBytes} bytes of JSON`,
}

/** What the guest told: see guest.ts. */
export type Told = { outcome: Valued | Failed | 'pending'; hasLogs: boolean }

export function readTold(text: Uint8Array): Told {
  if (text[0] !== codeOf('!')) return { outcome: outcomeOf('v', text), hasLogs: false }
  const kind = String.fromCharCode(text[1] ?? 0)
  return { outcome: outcomeOf(kind, text.subarray(3)), hasLogs: text[2] === codeOf('+') }
}

function codeOf(character: string): number {
  return character.charCodeAt(0)
}

function outcomeOf(kind: string, json: Uint8Array): Told['outcome'] {
  if (kind === 'p') return 'pending'
  if (kind === 'v') return json.length > limits.outputBytes ? outputLimit : { kind: 'value', json }
  if (kind === 'o') return outputLimit
  if (kind === 'm') return outOfMemory
  const { message, stack }: { message: string; stack?: string } = JSON.parse(Buffer.from(json).toString())
  return { kind: kind === 'n' ? 'not_json' : 'throw', message, stack }
}
