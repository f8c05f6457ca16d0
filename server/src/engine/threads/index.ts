/** Work of requests that could hold up the main thread runs in threads. What is small is done at once. */
import { type Issue, type PayloadLimits, weighs } from '@tocsin/contract'
import { checkDefinition, type Definition, type ReadDefinition, readDefinition, readStructure } from '../check/index.ts'
import { type ReadableParts, type ReadParts, readParts } from '../check/try-out.ts'
import { startPool } from './pool.ts'
import { type ReadBody, readBody, type SentBody } from './read-body.ts'
import type { Tasks } from './tasks.ts'

export { ThreadsBusy, TooExpensive } from './pool.ts'
export { bodyValuesMax } from './read-body.ts'

/** What is smaller takes at most some milliseconds, whatever its shape. */
const [bodyBytesAtOnce, definitionBytesAtOnce] = [64 * 1024, 16 * 1024]

const pool = startPool<Tasks>(new URL('./thread.ts', import.meta.url), {
  threadsMax: 2,
  deadlineMs: 10_000,
  memoryMegabytesMax: 384,
  waitingMax: { ofOne: 16, ofAll: 64 },
  callerMsPerMinute: 20_000,
  idleMs: 30_000,
})

/** `caller` is the account, or the address of somebody without one: callers take turns. */
export async function readBodyInTurn(caller: string, sent: SentBody): Promise<ReadBody> {
  return sent.bytes.length > bodyBytesAtOnce ? pool.run(caller, 'readBody', sent) : readBody(sent)
}

export async function checkDefinitionInTurn(caller: string, definition: Definition): Promise<Issue[]> {
  if (!isLarge(definition)) return checkDefinition(definition)
  return pool.run(caller, 'checkDefinition', definition)
}

/** Reads a definition without the checks of what it means. */
export async function readStructureInTurn(
  caller: string,
  payload: unknown,
  limits: PayloadLimits,
): Promise<ReturnType<typeof readStructure>> {
  return isLarge(payload) ? pool.run(caller, 'readStructure', { payload, limits }) : readStructure(payload, limits)
}

export async function readDefinitionInTurn(
  caller: string,
  payload: unknown,
  limits: PayloadLimits,
): Promise<ReadDefinition> {
  if (!isLarge(payload)) return readDefinition(payload, limits)
  return pool.run(caller, 'readDefinition', { payload, limits })
}

export async function readPartsInTurn(caller: string, parts: ReadableParts, limits: PayloadLimits): Promise<ReadParts> {
  return isLarge(parts) ? pool.run(caller, 'readParts', { parts, limits }) : readParts(parts, limits)
}

function isLarge(value: unknown): boolean {
  return weighs(value, definitionBytesAtOnce) > definitionBytesAtOnce
}
