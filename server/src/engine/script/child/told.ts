import { limits } from '../limits.ts'
import type { Failed, Valued } from './engine.ts'

export const timeout: Failed = { kind: 'timeout', message: 'the script took more CPU time than it may' }
export const outOfMemory: Failed = { kind: 'memory', message: 'the script used more memory than it may' }
export const tooDeep: Failed = { kind: 'throw', message: 'RangeError: Maximum call stack size exceeded' }
const outputLimit: Failed = {
  kind: 'output_limit',
  message: `the result is larger than ${limits.outputBytes} bytes of JSON`,
}

/** What the guest told (see guest.ts): a letter for the kind, `+` when there are logs, then JSON. */
export type Told = { outcome: Valued | Failed | 'pending'; hasLogs: boolean }

export function readTold(text: Uint8Array): Told {
  const kind = String.fromCharCode(text[0] ?? 0)
  return { outcome: outcomeOf(kind, text.subarray(2)), hasLogs: text[1] === '+'.charCodeAt(0) }
}

function outcomeOf(kind: string, json: Uint8Array): Told['outcome'] {
  if (kind === 'p') return 'pending'
  if (kind === 'v') return json.length > limits.outputBytes ? outputLimit : { kind: 'value', json }
  if (kind === 'o') return outputLimit
  if (kind === 'm') return outOfMemory
  const { message, stack }: { message: string; stack?: string } = JSON.parse(Buffer.from(json).toString())
  return { kind: kind === 'n' ? 'not_json' : 'throw', message, stack }
}
